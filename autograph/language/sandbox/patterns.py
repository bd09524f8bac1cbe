"""How do programs search text with regular expressions? Those of Python's ``re``, searched for a bounded time.

The package ``regex`` does the work, since it can be given a time-out; only what ``re`` knows may stand in a
pattern (and ``\\p{L}``), because the further features of ``regex`` bound nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.calling import callee
from autograph.language.sandbox.limits import PATTERN_CHARACTERS, PATTERN_SECONDS, PATTERN_WEIGHT
from autograph.language.sandbox.tokens import Native, functions

__all__ = ["MATCH_METHODS", "PATTERNS", "Match", "group"]

_FLAGS = {"I": 2, "IGNORECASE": 2, "M": 8, "MULTILINE": 8, "S": 16, "DOTALL": 16, "A": 128, "ASCII": 128}
_ALL_FLAGS = 2 | 8 | 16 | 128
_COST = 20
_PIECE = re.compile(
    r"(?P<escape>\\[NpP]\{[^}]*\}|\\.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])"
    r"|(?P<open>\((?:\?(?P<kind>[:=!>]|<[=!]|P[<=]|[aimsu]+\)|[aims]*-?[ims]+:|.?))?)|(?P<close>\))"
    r"|(?P<count>\{(?P<least>\d*)(?P<comma>,?)(?P<most>\d*)\})|(?P<many>[+*?])|(?P<other>.)",
    re.S,
)
_KINDS = re.compile(r"[:=!>]|<[=!]|P[<=]|[aimsu]+\)|[aims]*-?[ims]+:")
_NAMED = re.compile(r"\\(?:(?P<kind>[pPN])(?P<name>\{[^}]*\}|.)?|.)", re.S)
_PROPERTY = re.compile(r"\{[\w &.:=^-]{1,60}\}")
_CHARACTER = re.compile(r"\{[\w -]+\}")
_BRACKET = re.compile(r"(\\.)|\[", re.S)
_ESCAPES = frozenset("AbBdDsSwWZafnrtvxuUNpP0123456789")


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """What a search found."""

    found: Any


# ---------------------------------------------------------------------- patterns


def _compiled(fuel: Units, pattern: Any, flags: Any) -> Any:
    """The pattern of ``regex``. Raises ``StatementError`` or ``LimitError`` for what may not be searched for."""
    import regex

    if type(pattern) is not str:
        raise StatementError(f"a pattern is a text, not a value of type {type(pattern).__name__}.")
    if len(pattern) > PATTERN_CHARACTERS:
        raise LimitError(f"a pattern of more than {PATTERN_CHARACTERS} characters is too long.")
    if type(flags) is not int or flags & ~_ALL_FLAGS:
        raise StatementError("the flags of a pattern are re.I, re.M, re.S and re.A, joined with |.")
    fuel.charge(_COST + len(pattern))
    checked = _checked(pattern)
    try:
        return regex.compile(checked, flags)
    except regex.error as error:
        raise StatementError(f"the pattern {pattern[:60]!r} is malformed: {error}.") from None


def _checked(pattern: str) -> str:
    """The pattern as ``regex`` reads it like ``re``; refused if it is too much work to compile.

    Counted repetitions are written out by the compiler, those inside of others many times; so each item counts
    as one, and a repetition as often as it is repeated.
    """
    parts: list[str] = []
    weights, last = [0], 0
    for piece in _PIECE.finditer(pattern):
        kind, shown = piece.lastgroup, piece[0]
        if piece["open"] is not None:
            _check_group(piece["kind"], shown)
            if shown[-1] != ")":  # which ends a group that only sets flags
                weights.append(0)
                last = 0
        elif kind == "close" and len(weights) > 1:
            last = weights.pop() + 1
            weights[-1] += last
        elif kind == "many" or (piece["count"] is not None and (piece["least"] or piece["most"])):
            times = _times(piece)
            weights[-1] += last * times
            last *= times + 1
        else:
            if kind == "escape":
                _check_escape(shown)
            if kind in ("escape", "set"):
                _check_named(shown)
            if kind == "set":  # a bracket inside is one: no class of POSIX, no set in a set
                shown = "[" + _BRACKET.sub(lambda found: found[1] or "\\[", shown[1:])
            shown = f"\\{shown}" if shown[0] == "{" else shown
            last = 1
            weights[-1] += 1
        if sum(weights) > PATTERN_WEIGHT:
            raise LimitError("the pattern repeats too much; use smaller numbers in { }.")
        parts.append(shown)
    return "".join(parts)


def _times(piece: re.Match[str]) -> int:
    """How often more than once a repetition writes out what it repeats."""
    if piece["count"] is None:
        return 1 if piece["many"] == "+" else 0
    numbers = [number for number in (piece["least"], piece["most"]) if number]
    return max(min(int(number[:9]), PATTERN_WEIGHT + 1) for number in numbers)


def _check_named(shown: str) -> None:
    """Refuse properties and names that are none: ``regex`` would read them as a pattern of its own."""
    for found in _NAMED.finditer(shown):
        if found["kind"] is None:
            continue
        fitting = _CHARACTER if found["kind"] == "N" else _PROPERTY
        if fitting.fullmatch(found["name"] or "") is None:
            raise StatementError(f"a pattern cannot have {found[0][:20]!r}; write a property like \\p{{L}}.")


def _check_group(kind: str | None, shown: str) -> None:
    if kind is not None and _KINDS.fullmatch(kind) is None:
        raise StatementError(f"a pattern cannot have a group that begins with {shown[:8]!r}.")


def _check_escape(shown: str) -> None:
    if shown[1].isascii() and shown[1].isalpha() and shown[1] not in _ESCAPES:
        raise StatementError(f"a pattern cannot have {shown!r} in it.")


def _subject(fuel: Units, text: Any) -> str:
    if type(text) is not str:
        raise StatementError(f"a pattern is searched for in a text, not in a value of type {type(text).__name__}.")
    fuel.charge(1 + (len(text) >> 6))
    return text


def _in_time(search: Callable[[], Any]) -> Any:
    try:
        return search()
    except TimeoutError:
        raise LimitError(
            f"the pattern takes longer than {PATTERN_SECONDS:g} s on this text; write it in a simpler way."
        ) from None


# ---------------------------------------------------------------------- functions


def _once(name: str) -> Native:
    """``search``, ``match`` and ``fullmatch``."""

    def run(fuel: Units, pattern: Any, string: Any, flags: Any = 0) -> Match | None:
        method = getattr(_compiled(fuel, pattern, flags), name)
        found = _in_time(partial(method, _subject(fuel, string), timeout=PATTERN_SECONDS))
        return None if found is None else Match(found)

    return run


def _all(fuel: Units, pattern: Any, text: str, flags: Any) -> Iterator[Any]:
    """The matches in a text, one after the other, counted and charged."""
    compiled = _compiled(fuel, pattern, flags)
    found = compiled.finditer(text, timeout=PATTERN_SECONDS)
    count = 0
    while True:
        match = _in_time(partial(next, found, None))
        if match is None:
            return
        count += 1
        fuel.check_count(count, "a list of matches")
        fuel.charge(4 + (compiled.groups >> 2))
        yield match


def _findall(fuel: Units, pattern: Any, string: Any, flags: Any = 0) -> list[Any]:
    result: list[Any] = []
    for match in _all(fuel, pattern, _subject(fuel, string), flags):
        _charge_groups(fuel, match)
        groups = match.groups("")
        result.append(match[0] if not groups else groups[0] if len(groups) == 1 else groups)
    return result


def _split(fuel: Units, pattern: Any, string: Any, maxsplit: Any = 0, flags: Any = 0) -> list[Any]:
    text = _subject(fuel, string)
    most = _limit("maxsplit", maxsplit)
    parts: list[Any] = []
    end = 0
    for count, match in enumerate(_all(fuel, pattern, text, flags), 1):
        _charge_groups(fuel, match)
        parts += [text[end : match.start()], *match.groups()]
        end = match.end()
        if count == most:
            break
    return [*parts, text[end:]]


def _sub(fuel: Units, pattern: Any, repl: Any, string: Any, count: Any = 0, flags: Any = 0) -> str:
    text = _subject(fuel, string)
    most = _limit("count", count)
    replace = _replacement(fuel, repl)
    parts: list[str] = []
    end = size = 0
    for number, match in enumerate(_all(fuel, pattern, text, flags), 1):
        parts += [text[end : match.start()], replace(match)]
        size += len(parts[-1]) + len(parts[-2])
        fuel.check_length(size)
        end = match.end()
        if number == most:
            break
    parts.append(text[end:])
    return fuel.text("".join(parts))


def _limit(name: str, value: Any) -> int:
    if type(value) is not int or value < 0:
        raise StatementError(f"{name}= is a whole number; 0 stands for all.")
    return value


def _replacement(fuel: Units, repl: Any) -> Callable[[Any], str]:
    """What makes the text that replaces a match: a function of the program, or a template with ``\\1``."""
    if type(repl) is not str:
        function = callee(fuel, repl)
        return lambda match: _text_of(function(Match(match)))
    if "\\" not in repl:
        return lambda match: repl
    if len(repl) > PATTERN_CHARACTERS:
        raise LimitError(f"a replacement with \\ of more than {PATTERN_CHARACTERS} characters is too long.")
    return lambda match: _expanded(fuel, match, repl)


def _expanded(fuel: Units, match: Any, template: str) -> str:
    import regex

    longest = max(end - start for start, end in match.regs)  # a group may lie outside of the match
    fuel.check_length(template.count("\\") * longest)
    fuel.charge(1 + (len(template) >> 4) + (template.count("\\") * longest >> 8))
    try:
        shown: str = match.expand(template)
    except (regex.error, IndexError) as error:
        raise StatementError(f"the replacement {template[:60]!r} is malformed: {error}.") from None
    return fuel.text(shown)


def _text_of(value: Any) -> str:
    if type(value) is not str:
        raise StatementError(f"the function for sub() must give a text, not a value of type {type(value).__name__}.")
    return value


def _escape(fuel: Units, pattern: Any, /) -> str:
    text = _subject(fuel, pattern)
    fuel.check_length(2 * len(text))
    return fuel.text(re.escape(text))


PATTERNS: Mapping[str, Any] = MappingProxyType(
    {
        **_FLAGS,
        **functions(
            "re",
            {
                **{name: _once(name) for name in ("search", "match", "fullmatch")},
                "findall": _findall,
                "split": _split,
                "sub": _sub,
                "escape": _escape,
            },
        ),
    }
)
"""The module ``re``."""

# ---------------------------------------------------------------------- matches


def group(fuel: Units, match: Match, /, *names: Any) -> Any:
    """``match.group(*names)``, and ``match[name]``"""
    for name in names:
        _check_group_name(name)
    fuel.charge(1 + len(names))
    size = sum([len(match.found[name] or "") for name in names])
    fuel.check_length(size)
    fuel.bytes(4 * size)
    return match.found.group(*names)


def _charge_groups(fuel: Units, match: Any) -> None:
    """Charge for the texts of all groups; a group may be much longer than the match."""
    size = sum([end - start for start, end in match.regs])
    fuel.charge(1 + (size >> 8))
    fuel.bytes(4 * size + 80 * len(match.regs))


def _groups(fuel: Units, match: Match, default: Any = None, /) -> Any:
    _charge_groups(fuel, match.found)
    return match.found.groups(default)


def _groupdict(fuel: Units, match: Match, default: Any = None, /) -> Any:
    _charge_groups(fuel, match.found)
    return match.found.groupdict(default)


def _check_group_name(name: Any) -> None:
    if type(name) not in (int, str):
        raise StatementError(f"a group is a number or a name, not a value of type {type(name).__name__}.")


def _place(name: str) -> Native:
    def run(fuel: Units, match: Match, which: Any = 0, /) -> Any:
        _check_group_name(which)
        return getattr(match.found, name)(which)

    return run


MATCH_METHODS: Mapping[str, Native] = MappingProxyType(
    {
        "group": group,
        "groups": _groups,
        "groupdict": _groupdict,
        **{name: _place(name) for name in ("start", "end", "span")},
    }
)
"""The methods of ``Match``."""
