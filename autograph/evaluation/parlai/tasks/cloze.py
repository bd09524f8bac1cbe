"""Fill in the gap: a story about a house, and a last sentence in which a word is missing."""

from __future__ import annotations

import random

from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.tasks.generated import Kind, ask, generated_task
from autograph.evaluation.parlai.tasks.household import PEOPLE, ROOMS, THINGS, House

__all__ = ["TASK"]

_GAP = "_____"
_LEAST = 5


def _told(rng: random.Random) -> tuple[House, list[str]]:
    """A house, and what has happened in it: a thing has been seen, and somebody carries one."""
    house = House(rng)
    sentences: list[str] = []
    while len(sentences) < _LEAST or not house.holder:
        sentences.append(house.happens())
    return house, sentences


def _room(rng: random.Random) -> list[Message]:
    house, sentences = _told(rng)
    thing = rng.choice(sorted(house.rooms_of))
    return [ask("\n".join([*sentences, f"Now the {thing} is in the {_GAP}."]), [house.rooms_of[thing][-1]], ROOMS)]


def _person(rng: random.Random) -> list[Message]:
    house, sentences = _told(rng)
    thing = rng.choice(sorted(house.holder))
    return [ask("\n".join([*sentences, f"Now {_GAP} has the {thing}."]), [house.holder[thing]], PEOPLE[:4])]


def _object(rng: random.Random) -> list[Message]:
    house, sentences = _told(rng)
    person = rng.choice(sorted(set(house.holder.values())))
    return [ask("\n".join([*sentences, f"Now {person} has the {_GAP}."]), house.carried(person), THINGS)]


TASK = generated_task(
    "cloze",
    (
        Kind("room", _room, "The missing word is a room."),
        Kind("person", _person, "The missing word is a name."),
        Kind("object", _object, "The missing word is a thing; any that is right counts."),
    ),
    ("Cloze", "Reasoning"),
    "A story with a gap in its last sentence",
)
