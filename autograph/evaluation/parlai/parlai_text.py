"""What does a line of ParlAI's dialogue text say? ``text:…<TAB>labels:…|…<TAB>episode_done:True``, read and written.

``strict=True`` refuses what is ambiguous instead of reading it as ParlAI does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from autograph.errors import Location
from autograph.evaluation.fault import DataError, Fault
from autograph.evaluation.parlai.message import Message

__all__ = ["msg_to_str", "read_lines", "read_parlai_text", "str_to_msg", "write_parlai_text"]

LISTS = frozenset({"labels", "eval_labels", "label_candidates", "text_candidates"})
_FIRST = ("id", "text", "labels", "label_candidates", "episode_done", "reward")
_ESCAPES = (("\t", "\\t"), ("\n", "\\n"), ("|", "__PIPE__"))
_BOOLEANS = {"true": True, "false": False, "": False}
_NEEDED = {"text": "Write what is said as text:….", "labels": "Write the right answers as labels:….|…."}


# ---------------------------------------------------------------------- one line


def str_to_msg(txt: str | None, ignore_fields: str = "", *, strict: bool = False) -> Message | None:
    """The message of a line; None for an empty one. ``ignore_fields``: names with commas between them.

    As ParlAI reads it, ``episode_done:False`` is true (any text is), a field without a colon loses its last character,
    and the last of two fields with one name counts. With ``strict``, ``False`` is false and such fields are refused.
    Raises ``ValueError``.
    """
    if not txt:
        return None
    ignored = ignore_fields.split(",")
    found: dict[str, Any] = {}
    for part in (txt.rstrip("\r") if strict else txt).split("\t"):
        colon = part.find(":")
        key, value = part[:colon], part[colon + 1 :]
        if strict:
            _check(part, key, colon, found)
        if key not in ignored:
            found[key] = convert(key, value, strict=strict)
    found.setdefault("episode_done", False)
    return Message(found)


def _check(part: str, key: str, colon: int, found: Mapping[str, Any]) -> None:
    if colon < 0:
        raise ValueError(f'the field "{part:.40}" has no colon. Write name:value.')
    if key != key.strip() or not key:
        raise ValueError(f'the name of the field "{part:.40}" is empty or has blanks around it. Delete them.')
    if key in found:
        raise ValueError(f'the field "{key}" occurs twice. Delete one of them.')


def convert(key: str, value: str, *, strict: bool = False) -> Any:
    """The value of a field from its text. Raises ``ValueError``."""
    if key in LISTS:
        return [_unescaped(item) for item in value.split("|")]
    if key == "reward":
        return _number(value)
    if key != "episode_done":
        return _unescaped(value)
    if not strict:
        return bool(value)
    if value.lower() not in _BOOLEANS:
        raise ValueError(f'"episode_done" is {value!r:.40}. Write True or False.')
    return _BOOLEANS[value.lower()]


def _number(text: str) -> int | float:
    for kind in (int, float):
        with suppress(ValueError):  # what is no whole number may be a fraction
            return kind(text)
    raise ValueError(f'"reward" is {text!r:.40}, which is no number. Write one like 1 or 0.5.')


def _unescaped(text: str) -> str:
    for plain, escaped in _ESCAPES:
        text = text.replace(escaped, plain)
    return text


def msg_to_str(msg: Mapping[str, Any], ignore_fields: str = "", *, strict: bool = False) -> str:
    """The line of a message: the usual fields first, the others in their order; a reward of 0 and an
    ``episode_done`` that is false are left out.

    With ``strict``, a message is refused (``ValueError``) that would not be read back as it is: a value that is no
    text, or a text that holds ``\\n``, ``\\t`` (a backslash and a letter) or ``__PIPE__``.
    """
    ignored = ignore_fields.split(",")
    names = [name for name in _FIRST if name in msg] + [name for name in msg if name not in _FIRST]
    line = "\t".join(
        f"{name}:{_text(msg[name])}" for name in names if name not in ignored and not _is_usual(name, msg[name])
    ).rstrip("\t")
    if strict:
        _check_kept(msg, line, ignored)
    return line


def _is_usual(name: str, value: Any) -> bool:
    return (name == "reward" and bool(value == 0)) or (name == "episode_done" and value is False)


def _text(value: Any) -> str:
    if type(value) is set:
        value = sorted(value, key=str)  # a set has no order of its own; the line should be the same each time
    return "|".join(map(_escaped, value)) if type(value) in (list, tuple) else _escaped(value)


def _escaped(value: Any) -> str:
    text = str(value)
    for plain, escaped in _ESCAPES:
        text = text.replace(plain, escaped)
    return text


def _check_kept(msg: Mapping[str, Any], line: str, ignored: Sequence[str]) -> None:
    back: Mapping[str, Any] = str_to_msg(line, strict=True) or {}
    for name, value in msg.items():
        wanted = sorted(value) if isinstance(value, set) else list(value) if isinstance(value, tuple) else value
        if name not in ignored and not _is_usual(name, value) and back.get(name) != wanted:
            remedy = (
                "Such a line holds texts, without \\n, \\t or __PIPE__ spelt out; leave the field out, or write JSON."
            )
            raise ValueError(f'the field "{name}" would not be read back as it is, {value!r:.60}. {remedy}')


# ---------------------------------------------------------------------- files


def read_parlai_text(path: Path, *, strict: bool = False) -> list[list[Message]]:
    """The dialogues of a file, each a list of examples. Empty lines are no ends; the file's end is one.

    Raises ``DataError`` with every line that is wrong.
    """
    episodes: list[list[Message]] = []
    episode: list[Message] = []
    faults: list[Fault] = []
    for number, line in enumerate(read_lines(path, "\n"), 1):
        if message := _example(line, Location(str(path), line=number), faults, strict):
            episode.append(message)
            if message["episode_done"]:
                episodes.append(episode)
                episode = []
    if episode:
        episode[-1].force_set("episode_done", True)
        episodes.append(episode)
    if faults:
        raise DataError(faults)
    if not episodes:
        raise DataError(
            [Fault(Location(str(path)), "the file holds no example.", "Write one a line: text:…\tlabels:…")]
        )
    return episodes


def _example(line: str, where: Location, faults: list[Fault], strict: bool) -> Message | None:
    try:
        message = str_to_msg(line, strict=strict)
    except ValueError as error:
        faults.append(Fault(where, str(error)))
        return None
    if message is None:
        return None
    wrong = []
    if "eval_labels" in message:
        hint = 'Call it "labels"; where they are not for learning, the teacher turns them into eval_labels.'
        wrong.append(Fault(where, 'the field "eval_labels" stands in no file.', hint))
    for name, hint in _NEEDED.items():
        if name not in message:
            wrong.append(Fault(where, f'the field "{name}" is missing.', hint))
    faults.extend(wrong)
    return None if wrong else message


def write_parlai_text(path: Path, episodes: Iterable[Iterable[Mapping[str, Any]]], *, strict: bool = True) -> None:
    """Write dialogues so that ``read_parlai_text`` reads them back. Raises ``ValueError`` as ``msg_to_str``."""
    lines = []
    for episode in episodes:
        acts = list(episode)
        for index, act in enumerate(acts, 1):
            message = {**act, "episode_done": index == len(acts)}
            lines.append(msg_to_str(message, strict=strict) + "\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def read_lines(path: Path, ends: str = "") -> list[str]:
    """The lines of a UTF-8 text, without their ends: any kind of end, or only the one given. Raises ``DataError``."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError([Fault(Location(str(path)), f"the file cannot be read: {error.strerror or error}.")]) from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"this is no UTF-8 text: {error.reason}."
        raise DataError([Fault(Location(str(path), line=line), message, "Save the file as UTF-8.")]) from error
    if not ends:
        text, ends = text.replace("\r\n", "\n").replace("\r", "\n"), "\n"
    lines = text.split(ends)
    return lines[:-1] if not lines[-1] else lines
