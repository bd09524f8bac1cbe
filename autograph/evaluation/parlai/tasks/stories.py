"""Stories in which one must keep track: who is where, who has what, where a thing was before."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import permutations

from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.tasks.generated import Draw, Kind, ask, generated_task
from autograph.evaluation.parlai.tasks.household import ROOMS, THINGS, House

__all__ = ["TASK"]

_NUMBERS = ("none", "one", "two", "three")
_QUESTIONS = (2, 5)
_SENTENCES = (2, 5)
_MOST_SENTENCES = 60  # a story in which nothing can be asked goes on, but not for ever

Question = Callable[[House, random.Random], tuple[str, list[str], tuple[str, ...]] | None]


def _where(house: House, rng: random.Random) -> tuple[str, list[str], tuple[str, ...]] | None:
    person = rng.choice(sorted(house.where))
    return f"Where is {person}?", [house.where[person]], ROOMS


def _thing(house: House, rng: random.Random) -> tuple[str, list[str], tuple[str, ...]] | None:
    if not house.rooms_of:
        return None
    thing = rng.choice(sorted(house.rooms_of))
    return f"Where is the {thing}?", [house.rooms_of[thing][-1]], ROOMS


def _before(house: House, rng: random.Random) -> tuple[str, list[str], tuple[str, ...]] | None:
    known = sorted(thing for thing, rooms in house.rooms_of.items() if len(rooms) > 1)
    if not known:
        return None
    thing = rng.choice(known)
    earlier, now = house.rooms_of[thing][-2:]
    return f"Where was the {thing} before it was in the {now}?", [earlier], ROOMS


def _yesno(house: House, rng: random.Random) -> tuple[str, list[str], tuple[str, ...]] | None:
    person = rng.choice(sorted(house.where))
    room = house.where[person] if rng.random() < 0.5 else rng.choice(ROOMS)
    return f"Is {person} in the {room}?", ["yes" if house.where[person] == room else "no"], ("yes", "no")


def _count(house: House, rng: random.Random) -> tuple[str, list[str], tuple[str, ...]] | None:
    person = rng.choice(sorted(house.where))
    return f"How many things is {person} carrying?", [_NUMBERS[len(house.carried(person))]], _NUMBERS


def _carries(house: House, rng: random.Random) -> tuple[str, list[str], tuple[str, ...]] | None:
    person = rng.choice(sorted(house.where))
    orders = [" ".join(order) for order in permutations(house.carried(person))] if house.carried(person) else []
    return f"What is {person} carrying?", orders or ["nothing"], ("nothing", *THINGS)


def _story(question: Question) -> Draw:
    """What draws a story: a few sentences and a question, several times; each question looks back on all of it."""

    def draw(rng: random.Random) -> list[Message]:
        house = House(rng)
        examples: list[Message] = []
        sentences: list[str] = []
        wanted, least = rng.randint(*_QUESTIONS), rng.randint(*_SENTENCES)
        for _ in range(_MOST_SENTENCES):
            sentences.append(house.happens())
            asked = question(house, rng) if len(sentences) >= least else None
            if asked is not None:
                examples.append(ask("\n".join([*sentences, asked[0]]), asked[1], asked[2]))
                sentences, least = [], rng.randint(*_SENTENCES)
            if len(examples) == wanted:
                break
        return examples or draw(rng)

    return draw


TASK = generated_task(
    "stories",
    (
        Kind("where", _story(_where), "Where somebody is: one sentence tells it."),
        Kind("thing", _story(_thing), "Where a thing is: two sentences tell it."),
        Kind("before", _story(_before), "Where a thing was before: three sentences tell it."),
        Kind("yesno", _story(_yesno), "Is somebody there? Yes or no."),
        Kind("count", _story(_count), "How many things somebody carries."),
        Kind("carries", _story(_carries), "What somebody carries; several things in any order."),
    ),
    ("QA", "Reasoning"),
    "Short stories about a house, with questions about who and what is where",
)
"""Tasks in the manner of bAbI; the stories are our own."""
