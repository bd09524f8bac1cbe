"""A conversation as the messages of the OpenAI API, and as turns; files of them, one conversation a line (JSONL).

A line is ``{"messages": [{"role", "content"}, …]}``, as fine-tuning files have it; a bare list is read too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from autograph.dialogue.openai_dialogs import Policies, pairs
from autograph.errors import StorageError
from autograph.memory import Level, MemoryObject
from autograph.memory.turns import Turn, add_turn, oldest_first

__all__ = ["memory_of", "messages_of", "read_messages", "spoken", "turns_of", "write_messages"]


def spoken(memory: MemoryObject) -> Iterator[Turn]:
    """What was said aloud, oldest first; levels of one conversation share their turns."""
    seen: set[int] = set()
    for level in memory.stack:
        for turn in oldest_first(level.turn):
            if turn.spoke and id(turn) not in seen:
                seen.add(id(turn))
                yield turn


def messages_of(memory: MemoryObject, *, prompt: bool = False) -> list[dict[str, Any]]:
    """What was said, as messages; ``prompt``: with the system prompt of the base level in front.

    Only what the memory holds: the turns of a local or normal call that has returned are forgotten.
    """
    messages: list[dict[str, Any]] = []
    if prompt and memory.stack and memory.stack[0].prompt:
        messages.append({"role": "system", "content": memory.stack[0].prompt})
    for turn in spoken(memory):
        if turn.user is not None:
            messages.append({"role": "user", "content": turn.user})
        messages.append({"role": "assistant", "content": turn.agent})
    return messages


def turns_of(memory: MemoryObject) -> list[dict[str, str]]:
    """What was said, as ``[{"user", "system"}, …]``; ``user`` is empty where the program spoke unasked."""
    turns: list[dict[str, str]] = []
    for turn in spoken(memory):
        if turn.user is None and turns:
            turns[-1]["system"] += f"\n\n{turn.agent}"
        else:
            turns.append({"user": turn.user or "", "system": turn.agent})
    return turns


def memory_of(messages: Sequence[Mapping[str, Any]], node: str, policies: Policies | None = None) -> MemoryObject:
    """A memory in which these messages were said and which stands at ``node``: a program can go on from it.

    System messages before the first turn become the prompt. Raises ``ValueError`` with the index of a bad message.
    """
    entries = [dict(message) for message in messages]
    opened = next((entry for entry in entries if entry.get("role") in ("user", "assistant")), None)
    unasked = opened is not None and opened["role"] == "assistant"
    if unasked:  # the program spoke first; a dialog begins with the user
        entries.insert(entries.index(opened), {"role": "user", "content": ""})  # type: ignore[arg-type]
    prompt, turns = pairs(entries, policies or Policies(system="context"))
    chain: Turn | None = None
    for index, turn in enumerate(turns):
        user = None if unasked and index == 0 else turn["user"]
        chain = add_turn(chain, node, user, turn["system"], (("user", user),) if user else ())
    memory = MemoryObject()
    level = Level("local", {}, None, prompt, "")
    level.turn, level.last_state = chain, node
    memory.stack.append(level)
    memory.set_counts([node] * len(turns), {})
    memory.texts = sum(1 for turn in turns if turn["user"])
    memory.last_user_reply = next((turn["user"] for turn in reversed(turns) if turn["user"]), None)
    return memory


def write_messages(path: str | PathLike[str], conversations: Iterable[Sequence[Mapping[str, Any]]]) -> int:
    """Write conversations, one a line; how many.

    Raises ``StorageError`` if the file cannot be written, or if something is no JSON data; then nothing is written.
    """
    target, lines = Path(path), []
    for number, messages in enumerate(conversations, 1):
        try:
            lines.append(json.dumps({"messages": list(messages)}, ensure_ascii=False, allow_nan=False) + "\n")
        except (TypeError, ValueError) as error:
            raise StorageError(f"{target}: conversation {number} is no JSON data ({error})") from error
    try:
        with target.open("w", encoding="utf-8", newline="\n", errors="backslashreplace") as file:
            file.writelines(lines)
    except OSError as error:
        raise StorageError(f"{target} cannot be written: {error.strerror or error}") from error
    return len(lines)


def read_messages(path: str | PathLike[str]) -> Iterator[list[dict[str, Any]]]:
    """The conversations of a file, one after the other. Raises ``StorageError`` with the file and the line."""
    source = Path(path)
    try:
        with source.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _conversation(line, f"{source}, line {number}")
    except OSError as error:
        raise StorageError(f"{source} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise StorageError(f"{source} is no UTF-8 text: {error}") from error


def _conversation(line: str, where: str) -> list[dict[str, Any]]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{where}: this is no JSON ({error})") from None
    messages = data.get("messages") if isinstance(data, dict) else data
    if not isinstance(messages, list):
        raise StorageError(f'{where}: no list of messages; a line is {{"messages": [{{"role", "content"}}, …]}}')
    for index, message in enumerate(messages):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str) or "content" not in message:
            raise StorageError(f"{where}: entry {index} is no message with a role and a content: {message!r:.80}")
    return messages
