"""How is a failed test told? Where it stands, what was said, what was expected and got, and the way that led there."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Iterator

from autograph.errors import path_text
from autograph.testing.result import CaseResult, Failure, TurnResult

__all__ = ["Failure", "failure_text", "way_text"]

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_SHORT = 60
_NEWEST = 40
_LONGEST_WAY = 12


def failure_text(result: CaseResult, width: int = 80) -> str:
    """The failures of a test as plain text, at most ``width`` columns where words allow it."""
    suite, case = result.suite, result.case
    place = f'{suite.path}, sheet "{suite.sheet}"' if suite.sheet else str(suite.path)
    address = f"{place}:{case.line}" if suite.unit == "line" and not suite.sheet else f"{place}, row {case.line}"
    lines = [f"{address}: {case.name}"]
    turn = None
    for failure in result.failures:
        if failure.turn != turn:
            turn = failure.turn
            lines += ["", *_wrapped(_heading(result, failure), width, "    ")]
        lines += _failure(failure, width)
    way = way_text(result, width)
    if way:
        lines += ["", "the way there", *way]
    return "\n".join(lines)


def way_text(result: CaseResult, width: int = 80) -> list[str]:
    """The turns so far with the nodes that each entered, one under the other."""
    lines = []
    for turn in result.turns[-_LONGEST_WAY:]:
        first = f"  {turn.number:>2}  {_said(turn, result)}"
        path = path_text(turn.path, _NEWEST) or "no node"
        lines += [*_wrapped(first, width, "      "), *_wrapped(f"      {path}", width, "        ")]
    hidden = len(result.turns) - _LONGEST_WAY
    return [f"   … {hidden} more before", *lines] if hidden > 0 else lines


def _heading(result: CaseResult, failure: Failure) -> str:
    if not failure.turn:
        return "the test as a whole"
    if result.case.call is not None:
        return f"the call of {result.case.call.function}"
    turn = next((turn for turn in result.turns if turn.number == failure.turn), None)
    return f"turn {failure.turn}" + (f", {_said(turn, result)}" if turn else "")


def _said(turn: TurnResult, result: CaseResult) -> str:
    if result.case.call is not None:
        return f"the call of {result.case.call.function}"
    if turn.say is None:
        return "the program begins"
    return f"the user says: {_short(turn.say)}" if turn.say.strip() else "the user says nothing"


def _failure(failure: Failure, width: int) -> Iterator[str]:
    yield f"  {failure.what} ({failure.unit} {failure.line})"
    if failure.wanted is not None and failure.text is not None and _is_long(failure.wanted, failure.text):
        yield from _difference(failure.wanted, failure.text, width)
        return
    yield from _labelled("expected", failure.expected, width)
    if failure.text is not None and "\n" in failure.text:
        yield "    got"
        yield from (f"      | {_plain(line)}".rstrip() for line in failure.text.split("\n"))
    else:
        yield from _labelled("got", failure.got, width)


def _is_long(wanted: str, text: str) -> bool:
    return "\n" in wanted or "\n" in text or max(len(wanted), len(text)) > _SHORT


def _difference(wanted: str, text: str, width: int) -> Iterator[str]:
    """The two texts line by line, or as one with marks where lines are too long to stand below each other."""
    before, after = wanted.rstrip("\n"), text.rstrip("\n")
    if max(map(len, (*before.split("\n"), *after.split("\n")))) + 6 > width:
        yield "    expected [-this-], got {+that+}"
        for line in _marked(before, after).split("\n"):
            yield from _wrapped(f"      {_plain(line)}".rstrip(), width, " " * 6)
        return
    yield "    - expected"
    yield "    + got"
    for line in difflib.ndiff(before.split("\n"), after.split("\n")):
        yield f"    {_plain(line.rstrip())}".rstrip()


def _marked(wanted: str, text: str) -> str:
    """One text with what is missing in ``[-…-]`` and what is too much in ``{+…+}``, by words."""
    before, after = _WORDS.findall(wanted), _WORDS.findall(text)
    parts = []
    for kind, start, end, left, right in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
        old, new = "".join(before[start:end]), "".join(after[left:right])
        parts += [old] if kind == "equal" else [f"[-{old}-]" if old else "", f"{{+{new}+}}" if new else ""]
    return "".join(parts)


def _labelled(label: str, text: str, width: int) -> list[str]:
    first, *others = _plain(text).split("\n")
    lines = _wrapped(f"    {label:<8}  {first}", width, " " * 14)
    for other in others:
        lines += _wrapped(f"{' ' * 14}{other}", width, " " * 14)
    return lines


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    return textwrap.wrap(
        text, max(width, 40), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False,
        replace_whitespace=False, drop_whitespace=True,
    ) or [text]  # fmt: skip


def _short(text: str) -> str:
    line = _plain(" ".join(text.split()))
    return line if len(line) <= _SHORT else f"{line[: _SHORT - 1]}…"


def _plain(text: str) -> str:
    """A text without characters that would steer a terminal."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
