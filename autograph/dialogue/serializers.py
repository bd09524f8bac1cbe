"""How is a dialog written into one text? Operators over instances (rows of a dataset), under unitxt's names.

``SerializeDialog`` takes turns, ``[{"user", "system"}, …]``; ``SerializeOpenAiFormatDialog`` takes messages,
``[{"role", "content"}, …]``. ``process`` gives a new instance. With ``compatible=True`` the result, the errors
and the changes to the given instance are those of unitxt 1.26.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, ClassVar

from autograph.dialogue.fields import MISSING, assigned, changed, found, shape
from autograph.dialogue.formats import SystemFormat, apply_capital_new_line_notation, format_named
from autograph.dialogue.openai_dialogs import (
    Entry,
    Policies,
    merge_dialog_entries,
    pairs,
    transform_dialog_to_standard_format,
    validate_openai_dialog_format,
)

__all__ = ["SerializeDialog", "SerializeOpenAiFormatDialog", "SystemFormat"]

_USER, _SYSTEM = "{user}", "{system}"
_REFUSE = Policies()


@dataclass(frozen=True, slots=True, kw_only=True)
class SerializeDialog:
    """Write the dialog in ``field`` as text into ``to_field``.

    ``field``, ``to_field``: paths (``a/b``, ``x/0``); without ``to_field`` the text replaces the dialog.
    ``field_to_field``: several at once, a mapping or pairs. ``process_every_value``: the field holds a list of
    dialogs. ``not_exist_ok``: a missing field has the value ``get_default``; ``not_exist_do_nothing``: the instance
    stays as it is. ``format``: a ``SystemFormat`` or its name; without it ``recipe_metadata/format`` of the instance.

    ``context_field``: a text put in front, then ``context_separator``. ``slice_first_and_last_turns_format``: the
    result is meant to stand inside an outer prompt, so what the format has before the first user text and after the
    last system text is cut. ``last_response_to_field``: the last system text goes there, and the text ends with the
    last user text. ``last_user_turn_to_field``, ``last_system_turn_to_field``: the last user and system texts go
    there. ``is_last_turn_user_only``: true leaves the last system text out. ``compatible``: as the original.
    """

    field: str | None = None
    to_field: str | None = None
    field_to_field: Mapping[str, str] | Sequence[Sequence[str]] | None = None
    process_every_value: bool = False
    get_default: Any = None
    not_exist_ok: bool = False
    not_exist_do_nothing: bool = False
    format: SystemFormat | str | None = None
    last_response_to_field: str | None = None
    last_user_turn_to_field: str | None = None
    last_system_turn_to_field: str | None = None
    context_field: str | None = None
    context_separator: str = " "
    slice_first_and_last_turns_format: bool = True
    is_last_turn_user_only: bool | None = None
    compatible: bool = False

    _name: ClassVar[str] = "SerializeDialog"

    def __post_init__(self) -> None:
        if isinstance(self.format, str):
            object.__setattr__(self, "format", format_named(self.format))
        if not self.compatible:
            try:
                self._fields()
            except AssertionError as error:
                raise ValueError(str(error)) from None
            if isinstance(self.format, SystemFormat):
                self._template(self.format)

    # ------------------------------------------------------------------ instances

    def process(self, instance: dict[str, Any]) -> dict[str, Any]:
        """The instance with its dialog written out: a new one; the same one, changed, if ``compatible``.

        Raises ``ValueError`` with the field and the index of the bad turn (``compatible``: what the original raises).
        """
        for source, target in self._fields():
            dialog = found(instance, source)
            if dialog is MISSING and not (self.not_exist_ok or self.not_exist_do_nothing):
                raise ValueError(self._missing(source, instance))
            if dialog is MISSING and self.not_exist_do_nothing:
                continue
            if dialog is MISSING:
                dialog = self.get_default
            if self.compatible:
                assigned(instance, target, self._each(dialog, instance))
            else:
                instance = self._written(dialog, instance, source, target)
        return instance

    process_instance = process

    def _fields(self) -> list[tuple[str, str]]:
        """Where dialogs are, and where their texts go. Raises ``AssertionError``, as the original."""
        mapping = self.field_to_field
        if (self.field is None) == (mapping is None):
            raise AssertionError(
                "Must uniquely define the field to work on, through exactly one of either 'field' or 'field_to_field'"
            )
        if mapping is None:
            assert self.field is not None
            return [(self.field, self.field if self.to_field is None else self.to_field)]
        if self.to_field is not None:
            raise AssertionError(
                f"Can not apply operator to create both {self.to_field} and the to fields in the mapping {mapping}"
            )
        if not mapping:
            raise AssertionError(
                f"'input argument '{self._name}.field_to_field' should convey at least one field to process. "
                f"Got {mapping}"
            )
        if isinstance(mapping, Mapping):
            _refuse_entangled(mapping)
            return list(mapping.items())
        if any(len(pair) != 2 for pair in mapping):
            raise AssertionError(
                "when 'field_to_field' is defined as a list of lists, the inner lists should all be of length 2. "
                f"{mapping}"
            )
        return [(source, target) for source, target in mapping]

    def _missing(self, source: str, instance: Mapping[str, Any]) -> str:
        if self.compatible:
            return f'query "{source}" did not match any item in dict:\n{shape(instance)}'.rstrip()
        there = ", ".join(f'"{name}"' for name in instance)
        return f'there is no field "{source}" in the instance, which has {there or "no fields"}'

    def _each(self, dialog: Any, instance: dict[str, Any]) -> Any:
        if self.process_every_value:
            return [self._as_original(one, instance) for one in dialog]
        return self._as_original(dialog, instance)

    # ------------------------------------------------------------------ the right way

    def _written(self, dialog: Any, instance: dict[str, Any], source: str, target: str) -> dict[str, Any]:
        dialogs = dialog if self.process_every_value else [dialog]
        if not isinstance(dialogs, list):
            raise ValueError(f"{source}: a list of dialogs is needed, not {type(dialogs).__name__}")
        texts, last = [], {"user": "", "system": ""}
        for number, one in enumerate(dialogs):
            where = f"{source}/{number}" if self.process_every_value else source
            try:
                context, turns = self._turns(one)
            except ValueError as error:
                raise ValueError(f"{where}: {error}") from None
            texts.append(self._context(instance, context) + self._text(turns, self._format(instance), where))
            last = turns[-1]
        new = instance
        for place, value in (
            (self.last_user_turn_to_field, last["user"]),
            (self.last_system_turn_to_field, last["system"]),
            (self.last_response_to_field, last["system"]),
        ):
            if place is not None:
                new = changed(new, place, value)
        return changed(new, target, texts if self.process_every_value else texts[0])

    def _turns(self, dialog: Any) -> tuple[str, list[dict[str, Any]]]:
        """The dialog's own context, and its turns. Raises ``ValueError`` with the index of a bad turn."""
        if not isinstance(dialog, list):
            raise ValueError(f"a dialog must be a list of turns, not {type(dialog).__name__}")
        if not dialog:
            raise ValueError("the dialog is empty")
        for index, turn in enumerate(dialog):
            if not isinstance(turn, Mapping):
                raise ValueError(f"turn {index} is no mapping but {type(turn).__name__}: {turn!r:.80}")
            for key in ("user", "system"):
                if key == "system" and index == len(dialog) - 1 and turn.get(key, "") in ("", None):
                    continue  # nobody has answered the last one yet
                if not isinstance(turn.get(key), str):
                    problem = f"the {key} text is {turn[key]!r:.60}" if key in turn else f'there is no "{key}"'
                    raise ValueError(f"turn {index}: {problem}; a text is needed")
        return "", [*dialog[:-1], {**dialog[-1], "system": dialog[-1].get("system") or ""}]

    def _context(self, instance: Mapping[str, Any], own: str) -> str:
        context = own
        if self.context_field is not None:
            given = found(instance, self.context_field)
            if given is MISSING:
                raise ValueError(f'the context field "{self.context_field}" is not in the instance')
            if not isinstance(given, str):
                raise ValueError(f'the context field "{self.context_field}" holds {given!r:.60}, not a text')
            context = self.context_separator.join(text for text in (given, own) if text)
        return context + self.context_separator if context else ""

    def _format(self, instance: Mapping[str, Any]) -> SystemFormat:
        if isinstance(self.format, SystemFormat):
            return self.format
        given = found(instance, "recipe_metadata/format")
        if not hasattr(given, "demo_format"):
            raise ValueError("no format is given, and the instance has none in recipe_metadata/format")
        return SystemFormat(given.demo_format)

    def _template(self, given: SystemFormat) -> str:
        template = _named(given.demo_format)
        if self.slice_first_and_last_turns_format or self.last_response_to_field is not None:
            order = template.find(_USER), template.find(_SYSTEM)
            if -1 in order or order[0] > order[1]:
                raise ValueError(f"the format {given.demo_format!r} must hold {{source}}, then {{target}}")
        try:
            list(Formatter().parse(template))
        except ValueError as error:
            raise ValueError(f"the format {given.demo_format!r} cannot be read: {error}") from None
        return template

    def _text(self, turns: Sequence[Mapping[str, Any]], given: SystemFormat, where: str) -> str:
        template = self._template(given)
        out, end = "", len(turns) - 1
        for index, turn in enumerate(turns):
            part, values = template, dict(turn)
            if index == 0 and self.slice_first_and_last_turns_format:
                part = part[part.index(_USER) :]
            if index == end and self.last_response_to_field is not None:
                part = part[: part.index(_USER) + len(_USER)]
            elif index == end and self.slice_first_and_last_turns_format:
                part = part[: part.index(_SYSTEM) + len(_SYSTEM)]
            if index == end and self.is_last_turn_user_only:
                values["system"] = ""
            out = _filled(out, part, values, f"{where}: turn {index}", given)
        return out

    # ------------------------------------------------------------------ as the original does it

    def _as_original(self, dialog: Any, instance: dict[str, Any]) -> str:
        out = "" if self.context_field is None else instance[self.context_field] + self.context_separator
        given: Any = instance["recipe_metadata"]["format"] if self.format is None else self.format
        template = _named(given.demo_format)
        sliced, turn = self.slice_first_and_last_turns_format, MISSING
        for index, turn in enumerate(dialog):
            part = template
            if index == 0 and sliced:
                part = part[part.index(_USER) :]
            if index == len(dialog) - 1 and sliced:
                part = part[: part.index(_SYSTEM) + len(_SYSTEM)]
            if index == len(dialog) - 1 and self.last_response_to_field is not None:
                part = part[: part.index(_USER) + len(_USER)]
            out += str.format(part, **turn)
        if self.last_response_to_field is not None:
            if turn is MISSING:
                raise UnboundLocalError("cannot access local variable 'turn' where it is not associated with a value")
            instance[self.last_response_to_field] = turn["system"]
        return out


@dataclass(frozen=True, slots=True, kw_only=True)
class SerializeOpenAiFormatDialog(SerializeDialog):
    """As ``SerializeDialog``, for messages. Entries of one speaker in a row are one; what becomes of system and tool
    messages, ``policies`` says (by default they are refused)."""

    policies: Policies = _REFUSE

    _name: ClassVar[str] = "SerializeOpenAiFormatDialog"

    def _turns(self, dialog: Any) -> tuple[str, list[dict[str, Any]]]:
        context, turns = pairs(dialog, self.policies)
        return context, list(turns)

    def _as_original(self, dialog: Any, instance: dict[str, Any]) -> str:
        turns = self.transform_dialog_to_standard_format(dialog)
        return SerializeDialog._as_original(self, turns, instance)

    @staticmethod
    def validate_openai_dialog_format(dialog: Any, *, compatible: bool = False) -> None:
        """Raise ``ValueError`` if this is no dialog of messages."""
        validate_openai_dialog_format(dialog, compatible=compatible)

    @staticmethod
    def merge_dialog_entries(dialog: Sequence[Entry], *, compatible: bool = False) -> list[Entry]:
        """The dialog with entries of one role in a row made one."""
        return merge_dialog_entries(dialog, compatible=compatible)

    def transform_dialog_to_standard_format(self, dialog: Any) -> list[dict[str, str]]:
        """Messages as turns, in the operator's own way (``compatible``, ``policies``)."""
        return transform_dialog_to_standard_format(dialog, compatible=self.compatible, policies=self.policies)


def _named(demo_format: str) -> str:
    return demo_format.replace("{source}", _USER).replace("{target}", _SYSTEM).replace("{target_prefix}", "")


def _filled(out: str, part: str, values: Mapping[str, Any], where: str, given: SystemFormat) -> str:
    r"""``out`` with a part of the format after it, its ``\N`` resolved against what stands before; values are not."""
    for literal, name, spec, conversion in Formatter().parse(part):
        out = _continued(out, literal)
        if name is None:
            continue
        if name not in values:
            raise ValueError(f'{where} has no "{name}", which the format {given.demo_format!r} wants')
        out += ("{:" + (spec or "") + "}").format(Formatter().convert_field(values[name], conversion))
    return out


_RUN = re.compile(r"\A(?:\n|\\N)*\\N")


def _continued(out: str, literal: str) -> str:
    run = _RUN.match(literal)
    if run is None:
        return out + (apply_capital_new_line_notation(f"x{literal}")[1:] if "\\N" in literal else literal)
    rest = literal[run.end() :]
    out = out if not out or out.endswith("\n") else f"{out}\n"
    return out + (apply_capital_new_line_notation(f"x{rest}")[1:] if "\\N" in rest else rest)


def _refuse_entangled(mapping: Mapping[str, str]) -> None:
    """Refuse what depends on the order: a target that is a source as well, or is one of two."""
    for first, to_first in mapping.items():
        for other, to_other in mapping.items():
            if first == other:
                continue
            said = f"In input argument 'field_to_field': {mapping}, "
            if to_other == first:
                raise AssertionError(
                    f"{said}field {other} is mapped to field {to_other}, while the latter is mapped to {to_first}. "
                    f"Whether {other} or {to_other} is processed first might impact end result."
                )
            if to_first == to_other:
                raise AssertionError(
                    f"{said}two different fields: {other} and {first} are mapped to field {to_first}. "
                    f"Whether {other} or {first} is processed last might impact end result."
                )
