"""How are whole conversations kept? As ParlAI does it: a JSON object a line, and ``NAME.metadata`` beside the file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, cast

from autograph.errors import Location, did_you_mean
from autograph.evaluation.fault import DataError, Fault
from autograph.evaluation.metric import Metric
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.parlai_text import read_lines

__all__ = [
    "LABEL_TURNS",
    "SILENCE",
    "Conversation",
    "Metadata",
    "examples_of",
    "read_conversations",
    "read_metadata",
    "save_conversations",
]

SILENCE = "__SILENCE__"
LABEL_TURNS = ("firstspeaker", "secondspeaker", "both")
LabelTurns = Literal["firstspeaker", "secondspeaker", "both"]
_NOT_SERIALIZABLE = "<not serializable>"
_VERSION = "0.1"
_TURN_HINT = 'Write turns like [{"id": "p1", "text": "hello"}, {"id": "p2", "text": "hi"}].'


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation. ``turns`` are flat, whatever lists they stood in; ``info`` has what else was in the line."""

    turns: tuple[Message, ...]
    context: tuple[Any, ...] = ()
    info: Mapping[str, Any] = field(default_factory=dict)
    location: Location = Location()


@dataclass(frozen=True, slots=True)
class Metadata:
    """What stands beside the conversations: when, with which options, who spoke; ``extra`` has all else."""

    date: str
    opt: Mapping[str, Any]
    self_chat: bool
    speakers: tuple[str | None, ...]
    version: str = _VERSION
    extra: Mapping[str, Any] = field(default_factory=dict)


# ---------------------------------------------------------------------- reading


def read_conversations(path: Path) -> list[Conversation]:
    """The conversations of a file. Raises ``DataError`` with every line that is wrong."""
    found, faults = [], []
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        where = Location(str(path), line=number)
        try:
            found.append(_conversation(json.loads(line), where))
        except (json.JSONDecodeError, RecursionError) as error:
            faults.append(Fault(where, f"this is no JSON: {error}.", "Write one conversation a line."))
        except ValueError as error:
            faults.append(Fault(where, str(error)))
    if faults:
        raise DataError(faults)
    if not found:
        hint = 'Write one a line: {"dialog": [[{"id": "p1", "text": "hello"}, …]]}'
        raise DataError([Fault(Location(str(path)), "the file holds no conversation.", hint)])
    return found


def _conversation(data: Any, where: Location) -> Conversation:
    if not isinstance(data, dict) or not isinstance(data.get("dialog"), list):
        raise ValueError(f'the line has no list "dialog". {_TURN_HINT}')
    turns = tuple(Message(turn) for turn in _flat(data["dialog"]))
    context = data.get("context") or []
    if not isinstance(context, list):
        raise ValueError(f'"context" is {context!r:.40}, which is no list. {_TURN_HINT}')
    info = {name: value for name, value in data.items() if name not in ("dialog", "context")}
    return Conversation(turns, tuple(context), info, where)


def _flat(entries: Sequence[Any]) -> Iterable[dict[str, Any]]:
    """The turns of a dialog, in a list or in lists of lists (a pair for each parley)."""
    for entry in entries:
        if isinstance(entry, dict):
            yield {"id": None, "text": None} | entry
        elif isinstance(entry, list):
            yield from _flat(entry)
        else:
            raise ValueError(f"a turn is {entry!r:.40}, which is no object. {_TURN_HINT}")


def examples_of(conversations: Iterable[Conversation], label_turns: str = "secondspeaker") -> list[list[Message]]:
    """The dialogues to be posed: what one speaker said is the question, what the other answered is the label.

    ``label_turns`` says whose turns are labels; ``both`` makes two dialogues of each conversation. Turns of
    ``context`` are left out; a first speaker is asked with ``__SILENCE__``. Each example has ``x_turn`` and ``y_turn``.
    A turn without a text raises ``DataError``.
    """
    if label_turns not in LABEL_TURNS:
        hint = did_you_mean(label_turns, LABEL_TURNS)
        raise ValueError(f'label_turns is "{label_turns}"; it is one of {", ".join(LABEL_TURNS)}. {hint}'.rstrip())
    found: list[list[Message]] = []
    faults: list[Fault] = []
    for conversation in conversations:
        turns: list[Mapping[str, Any]] = [{"text": SILENCE}]
        turns += [turn for turn in conversation.turns if turn.get("id") != "context"]
        bad = [turn for turn in turns if not isinstance(turn.get("text"), str)]
        if bad:
            where = str(bad[0].get("id"))
            faults.append(Fault(conversation.location, f'a turn of "{where}" has no text.', "Delete the conversation."))
            continue
        for starts in (0, 1):
            if label_turns == LABEL_TURNS[starts] or label_turns == "both":
                found.append(_episode(turns[starts::2], turns[starts + 1 :: 2]))
    if faults:
        raise DataError(faults)
    return [episode for episode in found if episode]


def _episode(asked: Sequence[Mapping[str, Any]], answered: Sequence[Mapping[str, Any]]) -> list[Message]:
    pairs = list(zip(asked, answered, strict=False))
    return [
        Message(text=x["text"], labels=[y["text"]], x_turn=dict(x), y_turn=dict(y), episode_done=index == len(pairs))
        for index, (x, y) in enumerate(pairs, 1)
    ]


def read_metadata(path: Path) -> Metadata | None:
    """What stands beside a file of conversations; None if there is no such file. Raises ``DataError``."""
    beside = path.with_suffix(".metadata")
    if not beside.is_file():
        return None
    try:
        data = json.loads("\n".join(read_lines(beside)))
        known = {name: data.pop(name) for name in ("date", "opt", "self_chat", "speakers", "version")}
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        what = f"the field {error} is missing" if isinstance(error, KeyError) else "this is no JSON object"
        raise DataError([Fault(Location(str(beside)), f"{what}.", "Delete the file; it can be missing.")]) from error
    speakers = tuple(cast("Sequence[str | None]", known.pop("speakers") or ()))
    return Metadata(**known, speakers=speakers, extra=data)


# ---------------------------------------------------------------------- writing


def save_conversations(
    act_list: Iterable[Sequence[Sequence[Mapping[str, Any]]]],
    datapath: Path | str,
    opt: Mapping[str, Any],
    save_keys: str = "all",
    context_ids: str = "context",
    self_chat: bool = False,
    **kwargs: Any,
) -> Path:
    """Write conversations, each a list of parleys, each the acts in it; the path is returned (it ends in ``.jsonl``).

    ``save_keys`` names the fields to keep, with commas between them. Acts whose ``id`` is among ``context_ids`` go to
    the context. Metrics become numbers; a value that JSON has not becomes ``<not serializable>``. ``opt`` and
    ``kwargs`` go to ``NAME.metadata``.
    """
    path = Path(datapath).with_suffix(".jsonl")
    path.parent.mkdir(parents=True, exist_ok=True)
    keys = None if save_keys == "all" else save_keys.split(",")
    contexts = context_ids.strip().split(",")
    speakers: list[str | None] = []
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for parleys in act_list:
            if parleys:
                file.write(_dumps(_kept(parleys, path, keys, contexts, speakers)) + "\n")
    told = {"date": str(datetime.now()), "opt": dict(opt), "self_chat": self_chat, "speakers": speakers}
    beside = path.with_suffix(".metadata")
    beside.write_text(_dumps(told | {"version": _VERSION} | kwargs), encoding="utf-8", newline="\n")
    return path


def _kept(
    parleys: Sequence[Sequence[Mapping[str, Any]]],
    path: Path,
    keys: Sequence[str] | None,
    contexts: Sequence[str],
    speakers: list[str | None],
) -> dict[str, Any]:
    """The line of one conversation; new speakers are added to ``speakers``."""
    dialog: list[list[dict[str, Any]]] = []
    context: list[dict[str, Any]] = []
    for acts in parleys:
        turns = []
        for act in acts:
            speaker = act.get("id")
            if speaker in contexts:
                context.append(_turn(act, keys))
                continue
            turns.append(_turn(act, keys))
            if speaker not in speakers:
                speakers.append(speaker)
        if turns:
            dialog.append(turns)
    return {"dialog": dialog, "context": context, "metadata_path": str(path.with_suffix(".metadata"))}


def _turn(act: Mapping[str, Any], keys: Sequence[str] | None) -> dict[str, Any]:
    turn = {key: act.get(key, "") for key in (act if keys is None else keys)}
    if turn.get("metrics"):
        numbers = turn["metrics"].items()
        turn["metrics"] = {name: value.value() if isinstance(value, Metric) else value for name, value in numbers}
    return turn | {"id": act.get("id")}


def _dumps(data: Mapping[str, Any]) -> str:
    return json.dumps(data, default=lambda _: _NOT_SERIALIZABLE)
