"""What is known of a conversation, turn by turn? It is made of events, and kept as JSON data with the conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograph.memory import MemoryObject

__all__ = ["Told", "ToldError", "ToldTurn", "told_turn", "turn_from_dict", "turn_to_dict"]

Answer = tuple[int | None, float | None]
"""The choice that a model made, counted from 0 (None: unclear), and its confidence."""


@dataclass(frozen=True, slots=True)
class ToldTurn:
    """A turn as far as it is known.

    ``says`` is what the user said (None: nothing, the program opened), or what he may have said where that is not
    ``certain``. ``entry`` is the node that was entered whatever the transitions said. ``reply`` is None if it is not
    known. ``texts`` are what a model wrote, by the place of the node in ``path``; ``answers`` what it answered, first
    to last, as far as known.
    """

    says: tuple[str | None, ...]
    path: tuple[str, ...]
    reply: str | None = None
    entry: str | None = None
    texts: Mapping[int, str] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()
    certain: bool = True


@dataclass(frozen=True, slots=True)
class ToldError:
    """The turn with which a conversation broke off: what the user said, and the error's class, text and path."""

    says: str | None
    kind: str
    message: str
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """A conversation: its turns, and the memory at its end if that was kept.

    ``beginnings`` are the variables that it may have begun with, the likeliest first. ``config`` are the settings that
    were given beside the program's own. ``program`` is where the program was read from, "" if unknown. ``jumps``: in
    some turn a node may have been entered whatever the transitions said, and it is not known in which.
    """

    turns: tuple[ToldTurn, ...]
    program: str = ""
    memory: MemoryObject | None = None
    beginnings: tuple[Mapping[str, Any], ...] = ({},)
    config: Mapping[str, Any] = field(default_factory=dict)
    error: ToldError | None = None
    jumps: bool = False


def told_turn(said: str | None, entry: str | None, reply: str | None, events: Iterable[Any]) -> ToldTurn:
    """A turn by its events: ``Event`` objects, or what their ``to_dict`` gives."""
    path: list[str] = []
    texts: dict[int, str] = {}
    answers: list[Answer] = []
    for event in events:
        data = event if isinstance(event, Mapping) else None
        kind = data.get("event") if data is not None else event.kind
        if kind == "entered":
            path.append(str(data["node"] if data is not None else event.node))
        elif kind == "generated":
            text = data["reply"] if data is not None else event.reply.text
            texts[len(path) - 1] = str(text)
        elif kind == "asked":
            choice = data["choice"] if data is not None else {"index": event.choice.index, **_sure(event.choice)}
            answers.append((choice.get("index"), choice.get("confidence")))
    return ToldTurn((said,), tuple(path), reply, entry, texts, tuple(answers))


def _sure(choice: Any) -> dict[str, Any]:
    return {"confidence": choice.confidence}


def turn_to_dict(turn: ToldTurn) -> dict[str, Any]:
    """A turn as JSON data; ``turn_from_dict`` reads it."""
    data: dict[str, Any] = {"said": turn.says[0], "reply": turn.reply, "path": list(turn.path)}
    if turn.entry is not None:
        data["entry"] = turn.entry
    if turn.texts:
        data["texts"] = [[place, text] for place, text in turn.texts.items()]
    if turn.answers:
        data["answers"] = [list(answer) for answer in turn.answers]
    return data


def turn_from_dict(data: Any) -> ToldTurn:
    """The turn that ``turn_to_dict`` described. Raises ``ValueError``."""
    try:
        said, reply, entry = data["said"], data["reply"], data.get("entry")
        if not all(text is None or isinstance(text, str) for text in (said, reply, entry)):
            raise ValueError("a turn has texts for said, reply and entry")
        texts = {int(place): str(text) for place, text in data.get("texts", ())}
        answers = tuple(_answer(index, sure) for index, sure in data.get("answers", ()))
        return ToldTurn((said,), tuple(_names(data["path"])), reply, entry, texts, answers)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"this is no turn of a conversation ({error})") from None


def _answer(index: Any, sure: Any) -> Answer:
    return (None if index is None else int(index)), (None if sure is None else float(sure))


def _names(names: Iterable[Any]) -> Iterator[str]:
    for name in names:
        if not isinstance(name, str):
            raise ValueError("the path of a turn has names of nodes")
        yield name
