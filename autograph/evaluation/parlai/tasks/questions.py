"""Question answering: a paragraph about a shop, and questions whose answers stand in it."""

from __future__ import annotations

import random
from dataclasses import dataclass

from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.tasks.generated import Kind, ask, generated_task

__all__ = ["TASK"]

_COLOURS = ("Blue", "Copper", "Green", "Little", "Old", "Silver", "White")
_EMBLEMS = ("Anchor", "Fox", "Kettle", "Lantern", "Owl", "Pear", "Wheel")
_TRADES = (("tea house", "a pot of tea"), ("bakery", "a loaf of rye"), ("bookshop", "a used novel"),
           ("bicycle shop", "a new tyre"), ("florist's", "a bunch of tulips"))  # fmt: skip
_TOWNS = ("Aarhus", "Bergen", "Ghent", "Leiden", "Porto", "Siena", "Tartu", "Ulm")
_FIRST = ("Amira", "Bruno", "Chen", "Dora", "Elif", "Jonas", "Marta", "Pavel")
_LAST = ("Alvarez", "Berger", "Castel", "Lindqvist", "Moreau", "Okafor", "Tanaka", "Weiss")
_DAYS = ("Mondays", "Tuesdays", "Wednesdays", "Sundays")
_HOURS = ("seven", "eight", "nine", "ten")
_WORDS = ("two", "three", "four", "five", "six")


@dataclass(frozen=True, slots=True)
class _Fact:
    """A sentence with the question that it answers; the first answer is that of the text."""

    sentence: str
    question: str
    answers: tuple[str, ...]


def _shop(rng: random.Random) -> tuple[str, list[_Fact]]:
    """The opening sentence of a paragraph, and the facts in it."""
    name = f"the {rng.choice(_COLOURS)} {rng.choice(_EMBLEMS)}"
    trade, ware = rng.choice(_TRADES)
    town, year, price = rng.choice(_TOWNS), rng.randint(1890, 2015), rng.randint(2, 19)
    owner, day, hour = f"{rng.choice(_FIRST)} {rng.choice(_LAST)}", rng.choice(_DAYS), rng.choice(_HOURS)
    people = rng.choice(_WORDS)
    opening = f"{name[0].upper()}{name[1:]} is a {trade} in {town}."
    facts = [
        _Fact(f"{owner} opened it in {year}.", f"Who opened {name}?", (owner, owner.split()[0])),
        _Fact("", f"When did {name} open its doors for the first time?", (str(year), f"in {year}")),
        _Fact(f"It is closed on {day}.", f"On which day is {name} closed?", (day, day[:-1], f"on {day}")),
        _Fact(f"On other days it opens at {hour}.", f"At what time does {name} open?",
              (hour, f"at {hour}", f"{hour} o'clock")),
        _Fact(f"Today {people} people work there.", f"How many people work at {name}?", (people, f"{people} people")),
        _Fact(f"There, {ware} costs {price} euros.", f"How much is {ware} at {name}?",
              (f"{price} euros", f"{price}", f"€{price}")),
    ]  # fmt: skip
    return opening, [_Fact("", f"Where is {name}?", (town, f"in {town}")), *facts]


def _paragraph(rng: random.Random) -> tuple[str, list[_Fact]]:
    opening, facts = _shop(rng)
    return " ".join([opening, *(fact.sentence for fact in facts if fact.sentence)]), facts


def _single(rng: random.Random) -> list[Message]:
    paragraph, facts = _paragraph(rng)
    fact = rng.choice(facts)
    return [ask(f"{paragraph}\n{fact.question}", fact.answers)]


def _several(rng: random.Random) -> list[Message]:
    paragraph, facts = _paragraph(rng)
    asked = rng.sample(facts, rng.randint(2, 4))
    first, *rest = asked
    return [ask(f"{paragraph}\n{first.question}", first.answers), *(ask(f.question, f.answers) for f in rest)]


TASK = generated_task(
    "questions",
    (
        Kind("single", _single, "A paragraph and one question."),
        Kind("several", _several, "A paragraph, then several questions; it is given only once."),
    ),
    ("QA",),
    "Paragraphs about shops, with questions; answers in several wordings",
)
