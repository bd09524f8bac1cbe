"""Dialogs in the form of the OpenAI API, ``[{"role", "content"}, …]``, and as pairs, ``[{"user", "system"}, …]``.

By default nothing that is given is changed, and what is wrong is refused with the index of the entry. With
``compatible=True`` everything is as unitxt 1.26 does it, its slips included: the caller's entries are
changed in place, an empty dialog is an ``IndexError``, roles are compared with their case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

__all__ = [
    "Policies",
    "merge_dialog_entries",
    "pairs",
    "to_dialog",
    "transform_dialog_to_standard_format",
    "validate_openai_dialog_format",
]

Entry = dict[str, Any]
_SPEAKERS = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Policies:
    """What becomes of entries that are neither the user's nor the assistant's.

    ``system``: ``error``; ``skip``; ``context`` (the texts before the first turn are put in front of it, as a
    context is); ``render`` (part of the user's text that follows). ``tool``: ``error``; ``skip``; ``render``
    (part of the assistant's text before it). ``separator`` joins texts of one speaker in a row.
    """

    system: Literal["error", "skip", "context", "render"] = "error"
    tool: Literal["error", "skip", "render"] = "error"
    separator: str = " "

    def __post_init__(self) -> None:
        for name, allowed in (
            ("system", ("error", "skip", "context", "render")),
            ("tool", ("error", "skip", "render")),
        ):
            if getattr(self, name) not in allowed:
                raise ValueError(f"the policy for {name} entries is {getattr(self, name)!r}; it is one of {allowed}")


def validate_openai_dialog_format(dialog: Any, *, compatible: bool = False, policies: Policies | None = None) -> None:
    """Raise ``ValueError``, with the index of the first bad entry, if ``dialog`` is no OpenAI dialog.

    It is a list with at least one entry; an entry has a ``role``, ``user`` or ``assistant`` (others by
    ``policies``), and a ``content``, a text or a list of text parts; the user speaks first.
    """
    if compatible:
        _validate_as_original(dialog)
        return
    if not isinstance(dialog, list):
        raise ValueError(f"a dialog must be a list of entries, not {type(dialog).__name__}")
    first = next((entry for entry in _checked(dialog, policies or Policies()) if entry["role"] in _SPEAKERS), None)
    if first is None:
        raise ValueError("the dialog is empty: it needs at least one entry of the user")
    if first["role"] != "user":
        raise ValueError(f"entry {first['index']}: the {first['role']} speaks first; a dialog begins with the user")


def _checked(dialog: Sequence[Any], policies: Policies) -> list[Entry]:
    """Role, text and index of every entry; those that are skipped are left out. Raises ``ValueError``."""
    entries = []
    for index, entry in enumerate(dialog):
        if not isinstance(entry, Mapping):
            raise ValueError(f"entry {index} is no mapping but {type(entry).__name__}: {entry!r:.80}")
        for key in ("role", "content"):
            if key not in entry:
                raise ValueError(f'entry {index} has no "{key}": {dict(entry)!r:.120}')
        role = entry["role"]
        if not isinstance(role, str):
            raise ValueError(f"entry {index}: the role is {role!r}, not a text")
        policy = _policy(role, index, policies)
        if policy != "skip":
            entries.append({"role": role, "content": _text(entry, index), "index": index, "policy": policy})
    return entries


def _policy(role: str, index: int, policies: Policies) -> str:
    if role in _SPEAKERS:
        return "keep"
    if role in ("system", "developer", "tool", "function"):
        kind = "tool" if role in ("tool", "function") else "system"
        policy: str = getattr(policies, kind)
        if policy == "error":
            raise ValueError(f'entry {index}: the role is "{role}". Say with a policy what to do with {kind} entries.')
        return policy
    if role.strip().lower() in (*_SPEAKERS, "system", "tool"):
        raise ValueError(f'entry {index}: the role is "{role}"; write "{role.strip().lower()}"')
    raise ValueError(f'entry {index}: the role is "{role}"; it must be "user" or "assistant"')


def _text(entry: Mapping[str, Any], index: int) -> str:
    content = entry["content"]
    if isinstance(content, str):
        return content
    if content is None and entry.get("tool_calls"):
        return ""
    if not isinstance(content, list):
        raise ValueError(f"entry {index}: the content is {content!r:.60}, not a text")
    texts = []
    for place, part in enumerate(content):
        text = part.get("text") if isinstance(part, Mapping) and part.get("type") in ("text", "input_text") else None
        if not isinstance(text, str):
            raise ValueError(f"entry {index}, part {place} of the content is no text: {part!r:.80}")
        texts.append(text)
    return "".join(texts)


def merge_dialog_entries(dialog: Sequence[Entry], *, separator: str = " ", compatible: bool = False) -> list[Entry]:
    """The dialog with entries of one role in a row made one, their texts joined by ``separator``.

    Other keys of the first of them stay. ``compatible``: the caller's entries are changed.
    """
    if compatible:
        return _merged_as_original(dialog)
    merged: list[Entry] = []
    for index, entry in enumerate(dialog):
        for key in ("role", "content"):
            if key not in entry:
                raise ValueError(f'entry {index} has no "{key}": {dict(entry)!r:.120}')
        if merged and merged[-1]["role"] == entry["role"]:
            merged[-1]["content"] = _joined(merged[-1]["content"], separator, entry["content"], index)
        else:
            merged.append(dict(entry))
    return merged


def _joined(before: Any, separator: str, after: Any, index: int) -> Any:
    """Two contents as one; if either is a list of parts, so is the result."""
    if isinstance(before, str) and isinstance(after, str):
        return before + separator + after
    parts: list[Any] = []
    for content in (before, separator, after):
        if not isinstance(content, (str, list)):
            raise ValueError(f"entry {index}: the content is {content!r:.60}, not a text")
        parts += content if isinstance(content, list) else [{"type": "text", "text": content}]
    return parts


def pairs(dialog: Sequence[Entry], policies: Policies | None = None) -> tuple[str, list[dict[str, str]]]:
    """The context before the first turn (system texts, by policy), and the turns. Raises ``ValueError``."""
    policies = policies or Policies()
    validate_openai_dialog_format(dialog, policies=policies)
    context: list[str] = []
    spoken: list[Entry] = []
    held: list[str] = []
    for entry in _checked(dialog, policies):
        role, text = entry["role"], entry["content"]
        if entry["policy"] == "context" and not spoken:
            context.append(text)
        elif entry["policy"] in ("context", "render"):
            if role in ("tool", "function"):
                spoken.append({"role": "assistant" if spoken else "user", "content": text})
            else:
                held.append(text)
        else:
            if role == "user" and held:
                text, held = policies.separator.join([*held, text]), []
            spoken.append({"role": role, "content": text})
    if held:
        spoken.append({"role": "user", "content": policies.separator.join(held)})
    merged = merge_dialog_entries(spoken, separator=policies.separator)
    return policies.separator.join(context), _paired(merged)


def transform_dialog_to_standard_format(
    dialog: Sequence[Entry], *, compatible: bool = False, policies: Policies | None = None
) -> list[dict[str, str]]:
    """An OpenAI dialog as turns, ``[{"user", "system"}, …]``; ``system`` of an unanswered last one is empty."""
    if not compatible:
        return pairs(dialog, policies)[1]
    _validate_as_original(dialog)
    return _paired(merge_dialog_entries(dialog, compatible=True))


def _paired(merged: Sequence[Entry]) -> list[dict[str, str]]:
    return [
        {"user": merged[i]["content"], "system": merged[i + 1]["content"] if i + 1 < len(merged) else ""}
        for i in range(0, len(merged), 2)
    ]


def to_dialog(turns: Iterable[tuple[str, str]]) -> list[Entry]:
    """Pairs of question and answer as an OpenAI dialog."""
    spoken = ((("user", question), ("assistant", answer)) for question, answer in turns)
    return [{"role": role, "content": text} for both in spoken for role, text in both]


# ---------------------------------------------------------------------- as the original does it


def _merged_as_original(dialog: Sequence[Entry]) -> list[Entry]:
    """Where ``dialog`` or an entry is malformed, what is looked at first decides which error it is."""
    if len(dialog) == 0:
        return []
    merged = [dialog[0]]
    for entry in dialog[1:]:
        role = entry["role"]
        if merged[-1]["role"] == role:
            merged[-1]["content"] += " " + entry["content"]
        else:
            merged.append(entry)
    return merged


def _validate_as_original(dialog: Any) -> None:
    if not isinstance(dialog, list):
        raise ValueError("Dialog must be a list of dictionaries.")
    for i, entry in enumerate(dialog):
        if not isinstance(entry, dict):
            raise ValueError(f"Entry {i} is not a dictionary: {entry}. Each entry in the dialog must be a dictionary.")
        for key in ("role", "content"):
            if key not in entry:
                raise ValueError(
                    f"Entry {i} is missing the '{key}' key: {entry}. Each dictionary must have a '{key}' key."
                )
        for key in ("role", "content"):
            if not isinstance(entry[key], str):
                raise ValueError(
                    f"Entry {i} has a non-string '{key}': {entry[key]}. The '{key}' value must be a string."
                )
        if entry["role"].lower() not in _SPEAKERS:
            raise ValueError(
                f"Entry {i} has an invalid role: {entry['role']}. Allowed roles are 'user' and 'assistant'."
            )
    first = dialog[0]["role"]
    if first.lower() != "user":
        raise ValueError(f"First entry role is expected to be 'user' It is  {first}.")
