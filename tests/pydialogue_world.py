"""A world like the one that pydialogue ships, by what its things are called; for the classes of ours."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from autograph.dialogue.sentences import Entity

DATA = Path(__file__).parent / "data"


def key(value: Any) -> Any:
    """The key that JSON has as a list."""
    return tuple(value) if isinstance(value, list) else value


class World:
    """What sentences ask of a world: its words, and its things by their words."""

    def __init__(self) -> None:
        data = json.loads((DATA / "pydialogue-world.json").read_text("utf-8"))
        self.all_description_objects = [
            SimpleNamespace(cand_elements=[key(element) for element in elements]) for elements in data["described_by"]
        ]
        self.all_attributes = [key(attribute) for attribute in data["attributes"]]
        self.all_properties = list(data["values"])
        for name, values in data["values"].items():
            setattr(self, f"{name}s", values)
        self.things = {
            name: Entity(thing["properties"], dict.fromkeys(map(key, thing["attributes"])))
            for name, thing in data["things"].items()
        }

    def query_entity_from_db(self, entity: Entity) -> list[Entity]:
        """The things of which all is true that is said of ``entity``."""
        return [
            thing
            for thing in self.things.values()
            if entity.properties.items() <= thing.properties.items()
            and entity.attributes.keys() <= thing.attributes.keys()
        ]

    def name_of(self, entity: Entity) -> str | None:
        """The name of a thing of this world."""
        return next((name for name, thing in self.things.items() if thing is entity), None)
