"""What has a spreadsheet made of a text, and which cells are filled in although nobody looks at them?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from autograph.check.subject import Subject
from autograph.errors import Problem
from autograph.program import NodeSpec
from autograph.vocabulary import choice_index

__all__ = ["broken_letters", "date_like", "error_texts", "unused_fields"]

_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DATE = re.compile(
    rf"\d{{1,2}}-(?:{_MONTHS})(?:-\d{{2,4}})?|(?:{_MONTHS})-\d{{2}}|\d{{4}}-\d\d-\d\d 00:00:00", re.IGNORECASE
)
_SHORT = frozenset(
    ["name", "transitions", "on_unclear", "allowed_targets", "formerly", "required_revisit", "transition_probs"]
)
_ERROR = re.compile(r"#(?:NAME\?|REF!|VALUE!|DIV/0!|N/A|NUM!|NULL!|SPILL!|ERROR!)")
_BROKEN = re.compile('â€[™œ\x9d“”˜¦"\x80-\x9f]|Ã[©¨¼¶¤±³¡\xad\xa0§´º]|Â[\xa0°£©®«»]|\ufffd|_x000[Dd]_')


def _cells(subject: Subject) -> Iterator[tuple[NodeSpec, str, str]]:
    for spec in subject.graph.specs:
        for field, text in spec.row.fields.items():
            if text:
                yield spec, field, text


def date_like(subject: Subject) -> Iterator[Problem]:
    """Names and choices such as ``4-Mar``, which a spreadsheet makes of ``3-4`` or ``3/4``."""
    for spec, field, text in _cells(subject):
        if len(text) < 20 and (field in _SHORT or choice_index(field)) and _DATE.fullmatch(text.strip()):
            message = f'"{text}" looks like a date that a spreadsheet made of another text'
            hint = "Format the column as text and type it again, for instance 3-4."
            yield subject.note("date-like-text", spec, field, message, hint)


def error_texts(subject: Subject) -> Iterator[Problem]:
    """Cells that hold ``#NAME?`` or another error of a spreadsheet as text."""
    for spec, field, text in _cells(subject):
        if text[0] == "#" and _ERROR.fullmatch(text.strip()):
            message = f"the cell holds {text}, with which a spreadsheet marks a formula that fails"
            hint = "If the text is to begin with =, format the cell as text and type it again."
            yield subject.note("error-text", spec, field, message, hint)


def broken_letters(subject: Subject) -> Iterator[Problem]:
    """Letters that were broken by a wrong encoding: ``Ã©`` for ``é``."""
    for spec, field, text in _cells(subject):
        if text.isascii() and "_x000" not in text:
            continue
        found = _BROKEN.search(text)
        if found:
            around = " ".join(text[max(0, found.start() - 12) : found.end() + 12].split())
            message = f'"{around}" holds letters that were broken by a wrong encoding'
            hint = 'Type them again, and save the sheet as "CSV UTF-8" or as a workbook.'
            yield subject.note("broken-letters", spec, field, message, hint)


# ---------------------------------------------------------------------- cells that nobody looks at


def _is_variant(spec: NodeSpec) -> bool:
    prefix, dot, suffix = spec.name.rpartition(".")
    return bool(prefix and dot) and len(suffix) == 1 and suffix.isalpha()


def _by_score(subject: Subject, spec: NodeSpec) -> bool:
    group = subject.program.groups.get(spec.name.rpartition(".")[0])
    names = group.lettered if group is not None and _is_variant(spec) else ()
    return bool(names) and all(not subject.program.nodes[n].row.fields.get("boolean_condition") for n in names)


def _asks(spec: NodeSpec) -> bool:
    return len(spec.transitions) > 1


_Used = Callable[[Subject, NodeSpec], bool]
_SCORE = "only the variants of a .* group without conditions are chosen by it"
_QUESTION = "only a node with several transitions asks"
_INTERJECTION = "only a node with condition_interjection uses it"

_USED_BY: Mapping[str, tuple[_Used, str]] = MappingProxyType(
    {
        "boolean_condition": (
            lambda _, s: _is_variant(s),
            "only the variants p.a, p.b … of a .* group have conditions",
        ),
        "prerequisite_states": (_by_score, _SCORE),
        "blocking_states": (_by_score, _SCORE),
        "up_weight_states": (_by_score, _SCORE),
        "down_weight_states": (_by_score, _SCORE),
        "required_revisit": (lambda _, s: s.action.instruction == "call", "only a node that calls a function uses it"),
        "allowed_targets": (
            lambda _, s: any(t.kind == "dynamic" for t in s.transitions),
            "only a node with a $name transition uses it",
        ),
        "on_unclear": (lambda _, s: _asks(s), _QUESTION),
        "min_confidence": (lambda _, s: _asks(s), _QUESTION),
        "question_prompt": (lambda _, s: _asks(s), _QUESTION),
        "transition_context": (lambda _, s: _asks(s), _QUESTION),
        "example_interjection": (lambda _, s: s.condition_interjection is not None, _INTERJECTION),
        "user_interjection": (lambda _, s: s.condition_interjection is not None, _INTERJECTION),
        "probability_interjection": (lambda _, s: s.condition_interjection is not None, _INTERJECTION),
    }
)


def unused_fields(subject: Subject) -> Iterator[Problem]:
    """Cells that are filled in although the node does not use them."""
    for spec in subject.graph.specs:
        fields = spec.row.fields
        if spec.name in subject.broken:
            continue
        for field in _USED_BY.keys() & fields.keys():
            if fields[field]:
                used, reason = _USED_BY[field]
                if not used(subject, spec):
                    message = f"{field} is not used here: {reason}"
                    yield subject.note("unused-field", spec, field, message, "Clear the cell, or see what is missing.")
        if spec.action.name == "transition" and spec.assign is None and fields.get("instruction"):
            message = "a transition node does nothing with its instruction"
            hint = "Move it to notes, or use another action."
            yield subject.note("unused-field", spec, "instruction", message, hint)
