"""Chit-chat: somebody is told who they are, and asked about it in a friendly way; several answers are good."""

from __future__ import annotations

import random

from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.tasks.generated import Kind, a_or_an, ask, generated_task

__all__ = ["TASK"]

_PETS = ("cat", "dog", "goldfish", "parrot", "rabbit", "tortoise")
_PET_NAMES = ("Biscuit", "Captain", "Luna", "Minka", "Pepper", "Socks")
_JOBS = ("baker", "carpenter", "gardener", "nurse", "pilot", "teacher")
_HOBBIES = ("baking", "chess", "climbing", "painting", "sailing", "singing")
_DISHES = ("dumplings", "lentil soup", "noodles", "pancakes", "pizza", "risotto")
_HELLOS = ("Hi, how are you?", "Hello! How is it going?", "Hey, how are you doing today?")
_FINE = ("I am fine, thanks. How about you?", "Very well, thank you. And you?")
_SELF = ("I am {}. What do you do for a living?", "Just home from work, I am {}. What is your job?")

_REACTIONS = (
    ("I have {a_pet} called {name}.", ("{name} is a lovely name!", "What a nice name for a {pet}!")),
    ("I started {hobby} last month.", ("How do you like {hobby}?", "{hobby_first} sounds like fun!")),
    ("I had {dish} for dinner.", ("Did you make the {dish} yourself?", "I could eat {dish} every day!")),
    ("I work as {job}, you know.", ("How long have you been {job}?", "Do you like being {job}?")),
)
_QUESTIONS = {
    "pet": ("Do you have any pets?", "Are there animals at your place?"),
    "hobby": ("What do you do in your free time?", "Do you have a hobby?"),
    "dish": ("What do you like to eat?", "What is your favourite food?"),
}
Person = dict[str, str]


def _person(rng: random.Random) -> Person:
    return {
        "job": rng.choice(_JOBS),
        "pet": rng.choice(_PETS),
        "name": rng.choice(_PET_NAMES),
        "hobby": rng.choice(_HOBBIES),
        "dish": rng.choice(_DISHES),
    }


def _persona(person: Person) -> list[str]:
    """What the agent is told of itself, a line for each fact."""
    return [
        f"your persona: I work as {a_or_an(person['job'])}.",
        f"your persona: I have {a_or_an(person['pet'])} called {person['name']}.",
        f"your persona: I love {person['hobby']}.",
        f"your persona: My favourite food is {person['dish']}.",
    ]


def _answers(person: Person, fact: str) -> list[str]:
    """What the agent may say about a fact, the most usual first."""
    job, pet, name = a_or_an(person["job"]), a_or_an(person["pet"]), person["name"]
    hobby, dish = person["hobby"], person["dish"]
    return {
        "job": [f"I work as {job}.", f"I am {job}."],
        "pet": [f"Yes, I have {pet} called {name}.", f"I have {pet}. Its name is {name}."],
        "hobby": [f"I love {hobby}.", f"My hobby is {hobby}."],
        "dish": [f"My favourite food is {dish}.", f"I like {dish} best."],
    }[fact]


def _offered(rng: random.Random, person: Person, fact: str) -> list[str]:
    """Candidates: the person's answer, and those that others would give."""
    people = [person, *(_person(rng) for _ in range(3))]
    return sorted({_FINE[0], *(_answers(someone, fact)[0] for someone in people)})


def _with_persona(rng: random.Random) -> list[Message]:
    """The agent is told who it is, then greeted, then asked about some of it."""
    person, other = _person(rng), _person(rng)
    hello = "\n".join([*_persona(person), rng.choice(_HELLOS)])
    asked = rng.choice(_SELF).format(a_or_an(other["job"]))
    examples = [
        ask(hello, _FINE, _offered(rng, person, "job")),
        ask(asked, _answers(person, "job"), _offered(rng, person, "job")),
    ]
    for fact in rng.sample(list(_QUESTIONS), rng.randint(1, 3)):
        asked = rng.choice(_QUESTIONS[fact])
        examples.append(ask(asked, _answers(person, fact), _offered(rng, person, fact)))
    return examples


def _listening(rng: random.Random) -> list[Message]:
    """The other greets, then tells of themselves; the agent takes up what was said."""
    other, strangers = _person(rng), [_person(rng) for _ in range(3)]
    examples = [ask(rng.choice(_HELLOS), _FINE, _offered(rng, other, "job"))]
    for said, replies in rng.sample(_REACTIONS, rng.randint(2, 3)):
        good = [_filled(reply, other) for reply in replies]
        wrong = [_filled(others[0], someone) for _, others in _REACTIONS for someone in strangers]
        examples.append(ask(_filled(said, other), good, sorted({good[0], *wrong} - {good[1]})))
    return examples


def _filled(text: str, person: Person) -> str:
    """The text with what is true of a person."""
    with_article = {"job": a_or_an(person["job"]), "a_pet": a_or_an(person["pet"])}
    return text.format(**{**person, **with_article, "hobby_first": person["hobby"].capitalize()})


TASK = generated_task(
    "smalltalk",
    (
        Kind("persona", _with_persona, "The agent is told who it is, and asked about it."),
        Kind("listening", _listening, "The other tells of themselves; the agent takes it up."),
    ),
    ("ChitChat",),
    "Friendly talk about work, pets, hobbies and food",
)
