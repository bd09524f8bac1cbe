"""A world like the one that pydialogue ships, by what its things are called, with classes of ours; dialogues in it."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from autograph.dialogue.sentences import Entity, Sentence

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


class Database:
    """Knows every sentence, or while ``known`` is False none."""

    def __init__(self) -> None:
        self.known = True

    def query_sentence(self, describers: list[Any], speaker: Any = None) -> Sentence | None:
        """The sentence with these statements."""
        return Sentence(describers, speaker=speaker) if self.known else None


def dialogue_in(world: World) -> Any:
    """What a policy asks of a dialogue."""
    generator = SimpleNamespace(context_strings=[], world=world)
    return SimpleNamespace(dia_generator=generator, utterances=[SimpleNamespace(error=False)], interrupt=False)


def plain(value: Any, world: World) -> Any:
    """A value in the form of the recorded ones."""
    if isinstance(value, Sentence):
        return {"sentence": [{k: plain(a.value, world) for k, a in d.args.items()} for d in value.describers]}
    if isinstance(value, Entity):
        name = world.name_of(value)
        attributes = [word if isinstance(word, str) else str(word) for word in value.attributes]
        return {"entity": name} if name else {"abstract": {"properties": value.properties, "attributes": attributes}}
    if isinstance(value, set):
        return {"set": sorted(json.dumps(plain(item, world)) for item in value)}
    return [plain(item, world) for item in value] if isinstance(value, list) else value
