"""What happens in a house? People go from room to room, take things, put them down and hand them on; all is known."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

__all__ = ["PEOPLE", "ROOMS", "THINGS", "House"]

PEOPLE = ("Ada", "Ben", "Carla", "Dmitri", "Emeka", "Farah")
ROOMS = ("attic", "cellar", "garden", "kitchen", "library", "workshop")
THINGS = ("apple", "basket", "key", "lantern", "letter", "umbrella")
_GOES = ("went to", "walked to", "moved to", "ran to")
_TAKES = ("picked up", "took", "grabbed")
_DROPS = ("put down", "left", "dropped")


@dataclass(slots=True)
class House:
    """A house in which things happen one after the other. ``where`` and ``holder`` tell how it stands now.

    ``rooms_of`` lists, for each thing, the rooms it has been in, without repeats in a row.
    """

    rng: random.Random
    where: dict[str, str] = field(default_factory=dict)
    holder: dict[str, str] = field(default_factory=dict)
    lying: dict[str, str] = field(default_factory=dict)
    rooms_of: dict[str, list[str]] = field(default_factory=dict)

    def happens(self) -> str:
        """One more thing happens: the sentence that tells it."""
        person = self.rng.choice(PEOPLE[:4])
        room = self.where.get(person)
        if room is None or self.rng.random() < 0.4:
            return self.goes(person)
        for act in self.rng.sample([self._takes, self._drops, self._gives], 3):
            if sentence := act(person, room):
                return sentence
        return self.goes(person)

    def goes(self, person: str) -> str:
        """A person goes to another room, with all that they carry."""
        room = self.rng.choice([name for name in ROOMS if name != self.where.get(person)])
        self.where[person] = room
        for thing in self.carried(person):
            self._is_in(thing, room)
        return f"{person} {self.rng.choice(_GOES)} the {room}."

    def _takes(self, person: str, room: str) -> str:
        """A person takes a thing that lies in the room, or one that nobody has seen yet; "" if there is none."""
        free = [name for name in THINGS if name not in self.holder and self.lying.get(name, room) == room]
        if not free or len(self.carried(person)) == 3:
            return ""
        thing = self.rng.choice(free)
        self.holder[thing] = person
        self.lying.pop(thing, None)
        self._is_in(thing, room)
        return f"{person} {self.rng.choice(_TAKES)} the {thing}."

    def _drops(self, person: str, room: str) -> str:
        carried = self.carried(person)
        if not carried:
            return ""
        thing = self.rng.choice(carried)
        del self.holder[thing]
        self.lying[thing] = room
        return f"{person} {self.rng.choice(_DROPS)} the {thing}."

    def _gives(self, person: str, room: str) -> str:
        others = [name for name, place in self.where.items() if place == room and name != person]
        carried = self.carried(person)
        takers = [name for name in others if len(self.carried(name)) < 3]
        if not carried or not takers:
            return ""
        thing, other = self.rng.choice(carried), self.rng.choice(takers)
        self.holder[thing] = other
        return f"{person} gave the {thing} to {other}."

    def carried(self, person: str) -> list[str]:
        """What a person carries, in the order of ``THINGS``."""
        return [thing for thing in THINGS if self.holder.get(thing) == person]

    def room_of(self, thing: str) -> str | None:
        """Where a thing is; None if it has not been seen."""
        return self.rooms_of[thing][-1] if thing in self.rooms_of else None

    def _is_in(self, thing: str, room: str) -> None:
        rooms = self.rooms_of.setdefault(thing, [])
        if not rooms or rooms[-1] != room:
            rooms.append(room)
