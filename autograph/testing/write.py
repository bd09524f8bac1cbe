"""How does a person write a test down? Cases as YAML text that reads back as the same cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from autograph.errors import AutographError
from autograph.testing.case import Call, Case, CaseTurn, Expectation, Script
from autograph.testing.keys import OTHERS
from autograph.testing.kinds import KINDS, NEGATED
from autograph.testing.yaml_text import Doc, flow, lines_of, text_doc, word

__all__ = ["case_yaml", "suite_yaml"]

_SHORT = 70


def case_yaml(case: Case) -> str:
    """One test as an item of the list. Raises ``AutographError`` for a value that YAML cannot hold."""
    return suite_yaml([case])


def suite_yaml(cases: Iterable[Case], *, program: str | None = None) -> str:
    """Several tests as the text of a file, which names ``program`` if that is given."""
    tests = [_case(case) for case in cases]
    blocks = ["\n".join(lines_of([test], 0 if program is None else 2)) for test in tests]
    head = [] if program is None else [f"program: {word(program)}\ntests:"]
    return "\n".join(head) + ("\n" if head else "") + "\n\n".join(blocks) + "\n"


def _case(case: Case) -> dict[str, Doc]:
    doc: dict[str, Doc] = {"test": word(case.name)}
    for key, value in (("start", case.start), ("model", case.model), ("recording", case.recording)):
        if value is not None:
            doc[key] = word(value)
    for key, values in (("variables", case.variables), ("config", case.config)):
        if values:
            doc[key] = _values(values)
    if case.live:
        doc["live"] = "true"
    if case.unused:
        doc["unused"] = "ok"
    doc |= _script(case.script)
    if case.call is not None:
        doc |= _call(case.call)
    if case.turns:
        doc["turns"] = [_turn(turn) for turn in case.turns]
    if case.expect:
        doc["expect"] = _expectations(case.expect)
    return doc


def _values(values: Mapping[str, Any]) -> Doc:
    line = flow(values)
    return line if len(line) <= _SHORT else {str(name): flow(value) for name, value in values.items()}


def _call(call: Call) -> dict[str, Doc]:
    doc: dict[str, Doc] = {"call": word(call.function)}
    if call.scope != "local":
        doc["call"] = {"function": word(call.function), "type": call.scope}
    if call.args or isinstance(call.args, Mapping):
        doc["args"] = flow(call.args)
    return doc


def _turn(turn: CaseTurn) -> Doc:
    doc: dict[str, Doc] = {} if turn.say is None else {"say": text_doc(turn.say)}
    doc |= _script(turn.script)
    if turn.expect:
        doc["expect"] = _expectations(turn.expect)
    return doc or "{}"


# ---------------------------------------------------------------------- scripts


def _script(script: Script) -> dict[str, Doc]:
    doc: dict[str, Doc] = {}
    for key, in_order, by_node, entry in (
        ("replies", script.replies, script.node_replies, text_doc),
        ("answers", script.answers, script.node_answers, flow),
    ):
        if by_node:
            doc[key] = {name: _entries(entries, entry) for name, entries in by_node.items()}
            if in_order:
                doc[key] |= {OTHERS: _entries(in_order, entry)}  # type: ignore[operator]
        elif in_order:
            doc[key] = _listed(in_order, entry)
    return doc


def _entries(entries: Sequence[Any], entry: Callable[[Any], Doc]) -> Doc:
    return entry(entries[0]) if len(entries) == 1 else _listed(entries, entry)


def _listed(entries: Sequence[Any], entry: Callable[[Any], Doc]) -> Doc:
    """A list in one line if it is short, else one line for each."""
    line = flow(list(entries))
    short = len(line) <= _SHORT and not any(isinstance(item, str) and "\n" in item for item in entries)
    return line if short or not entries else [entry(item) for item in entries]


# ---------------------------------------------------------------------- expectations


def _expectations(expectations: Sequence[Expectation]) -> Doc:
    short = {kind: name for name, kind in NEGATED.items()}
    doc: dict[str, Doc] = {}
    denied: dict[str, Doc] = {}
    for expectation in _merged(expectations):
        value = _value(expectation)
        if not expectation.negated:
            doc[expectation.kind] = value
        elif expectation.kind in short:
            doc[short[expectation.kind]] = value
        else:
            denied[expectation.kind] = value
            doc["not"] = denied
    return doc


def _merged(expectations: Sequence[Expectation]) -> list[Expectation]:
    """Expectations of one kind as one, since a mapping holds a key once."""
    found: dict[tuple[str, bool], Expectation] = {}
    for expectation in expectations:
        key = (expectation.kind, expectation.negated)
        before = found.get(key)
        value = expectation.value
        if before is not None and before.value != value:
            if KINDS[expectation.kind].shape not in ("texts", "patterns", "names", "vars", "number"):
                raise AutographError(f"`{expectation.kind}` is expected twice with different values.")
            value = (*before.value, *(item for item in value if item not in before.value))
        found[key] = Expectation(expectation.kind, value, expectation.line, expectation.negated)
    return list(found.values())


def _value(expectation: Expectation) -> Doc:
    value, shape = expectation.value, KINDS[expectation.kind].shape
    if shape in ("flag", "value"):
        return flow(value)
    if shape == "error":
        return _error(value)
    if shape == "number":
        comparisons = [text.removeprefix("== ") if text.startswith("== ") else flow(text) for text in value]
        return comparisons[0] if len(comparisons) == 1 else f"[{', '.join(comparisons)}]"
    if shape == "vars":
        return _vars(value)
    if shape == "path":
        return flow(value)
    return text_doc(value[0]) if len(value) == 1 else _listed(value, text_doc)


def _vars(items: Sequence[Any]) -> Doc:
    pairs = [item for item in items if isinstance(item, tuple)]
    if len(pairs) == len(items) and len(dict(pairs)) == len(pairs):
        return _values(dict(pairs)) if pairs else "{}"
    listed: list[Doc] = [flow(dict([item])) if isinstance(item, tuple) else word(item) for item in items]
    return listed[0] if len(listed) == 1 else listed


def _error(value: Mapping[str, str]) -> Doc:
    return flow(value) if value else "true"
