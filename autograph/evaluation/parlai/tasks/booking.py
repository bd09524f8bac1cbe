"""Goal-oriented dialogue: a guest books a table; the agent asks for what is missing, then makes the call."""

from __future__ import annotations

import random

from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.tasks.generated import Kind, a_or_an, ask, generated_task

__all__ = ["TASK"]

_VALUES = {
    "cuisine": ("french", "indian", "italian", "korean", "lebanese", "mexican"),
    "town": ("Bergen", "Ghent", "Leiden", "Porto", "Siena", "Ulm"),
    "people": ("two", "three", "four", "six", "eight"),
    "price": ("cheap", "moderate", "expensive"),
}
_ASKS = {
    "cuisine": "What kind of food would you like?",
    "town": "In which town?",
    "people": "For how many people?",
    "price": "Should it be cheap, moderate or expensive?",
}
_SAYS = {
    "cuisine": ("{} food, please", "I feel like {} food", "{}"),
    "town": ("in {}", "{} would be good", "we are in {}"),
    "people": ("there are {} of us", "for {}", "{} people"),
    "price": ("{}", "something {}", "a {} place, please"),
}
_CHANGES = {
    "cuisine": "Sorry, let us have {} food instead.",
    "town": "Oh, make that {}, please.",
    "people": "Actually we will be {}.",
    "price": "On second thoughts, something {}.",
}
_WELCOME = "Hello! What can I do for you?"
_FAREWELL = "You are welcome. Goodbye!"
_GREETINGS = ("Hi", "Hello there", "Good evening", "Hello")
_THANKS = ("Thank you", "Thanks, that is all", "Great, thanks")


def _call(wish: dict[str, str]) -> str:
    """What the agent does in the end."""
    return " ".join(["book_table", *(wish[slot] for slot in _VALUES)])


def _wish(rng: random.Random) -> dict[str, str]:
    return {slot: rng.choice(values) for slot, values in _VALUES.items()}


def _request(rng: random.Random, wish: dict[str, str], told: list[str]) -> str:
    """What the guest says first: some of the wish."""
    text = rng.choice(("I would like to book a table", "Can I have a table", "Please find me a table"))
    if "price" in told:
        text += f" at {a_or_an(wish['price'])} place"
    if "cuisine" in told:
        text += f" with {wish['cuisine']} food"
    if "people" in told:
        text += f" for {wish['people']}"
    return text + (f" in {wish['town']}" if "town" in told else "")


def _dialogue(rng: random.Random, changes: int) -> list[Message]:
    """A dialogue in which the guest changes their mind so many times."""
    wish = _wish(rng)
    told = [slot for slot in _VALUES if rng.random() < 0.4]
    said = [rng.choice(_GREETINGS), _request(rng, wish, told)]
    answers = [_WELCOME]
    for slot in _VALUES:
        if slot not in told:
            answers.append(_ASKS[slot])
            said.append(rng.choice(_SAYS[slot]).format(wish[slot]))
    answers.append(_call(wish))
    for slot in rng.sample(list(_VALUES), changes):
        wish[slot] = rng.choice([value for value in _VALUES[slot] if value != wish[slot]])
        said.append(_CHANGES[slot].format(wish[slot]))
        answers.append(_call(wish))
    said.append(rng.choice(_THANKS))
    answers.append(_FAREWELL)
    others = [_call(_wish(rng)) for _ in range(4)]
    calls = [answer for answer in answers if answer.startswith("book_table")]
    offered = sorted({_WELCOME, *_ASKS.values(), _FAREWELL, *calls, *others})
    return [ask(text, [answer], offered) for text, answer in zip(said, answers, strict=True)]


def _plain(rng: random.Random) -> list[Message]:
    return _dialogue(rng, 0)


def _changing(rng: random.Random) -> list[Message]:
    return _dialogue(rng, rng.randint(1, 2))


TASK = generated_task(
    "booking",
    (
        Kind("plain", _plain, "The guest says what they want, by and by."),
        Kind("changing", _changing, "The guest changes their mind, once or twice."),
    ),
    ("Goal",),
    "A guest books a table: ask for what is missing, then make the call",
)
