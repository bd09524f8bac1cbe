"""What is a template, and how is it filled in?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["Expression", "Name", "OptionalPart", "Part", "Template", "UndefinedName"]

Lookup = Callable[[str], object]
Evaluate = Callable[[Any], object]


class UndefinedName(LookupError):
    """A text needs a variable that is not defined, or is None (``was_none``)."""

    def __init__(self, name: str, was_none: bool = False) -> None:
        super().__init__(f'The variable "{name}" {"is None" if was_none else "is not defined"}.')
        self.name = name
        self.was_none = was_none

    def __reduce__(self) -> tuple[type[UndefinedName], tuple[str, bool]]:
        return type(self), (self.name, self.was_none)


@dataclass(frozen=True, slots=True)
class Name:
    """``$name``."""

    name: str


@dataclass(frozen=True, slots=True)
class Expression:
    """``${source}``; ``compiled`` is what the caller's compiler made of it, None before."""

    source: str
    compiled: Any = None


@dataclass(frozen=True, slots=True)
class OptionalPart:
    """``?{…}``: kept if all variables of ``needs`` are defined and not None.

    ``needs`` are the part's own variables; those of an optional part inside it do not count.
    """

    parts: tuple[Part, ...]
    needs: frozenset[str]


Part = str | Name | Expression | OptionalPart


@dataclass(frozen=True, slots=True)
class Template:
    """A text with places to fill in.

    ``names``: all ``$`` variables; ``required`` those that stand outside of optional parts at least once,
    ``optional`` the others. ``expressions``: the compiled ``${…}``, in order. ``literal``: the whole text if
    there is nothing to fill in.
    """

    source: str
    parts: tuple[Part, ...]
    names: frozenset[str]
    required: frozenset[str]
    expressions: tuple[Any, ...]
    literal: str | None
    _format: str | None
    _order: tuple[str, ...]

    @property
    def optional(self) -> frozenset[str]:
        """The variables that occur in optional parts only."""
        return self.names - self.required

    @classmethod
    def of(cls, source: str, parts: tuple[Part, ...]) -> Template:
        """The template that consists of ``parts``, in which no two texts are neighbours."""
        if not parts or (len(parts) == 1 and type(parts[0]) is str):
            return cls(source, parts, frozenset(), frozenset(), (), parts[0] if parts else "", None, ())  # type: ignore[arg-type]
        order = tuple([part.name for part in parts if type(part) is Name])
        if all(type(part) in _SIMPLE for part in parts):
            form = "".join([part.replace("%", "%%") if type(part) is str else "%s" for part in parts])
            names = frozenset(order)
            return cls(source, parts, names, names, (), None, form, order)
        flat = list(_flatten(parts))
        names = frozenset(part.name for part in flat if type(part) is Name)
        expressions = tuple(part.compiled for part in flat if type(part) is Expression)
        return cls(source, parts, names, frozenset(order), expressions, None, None, ())

    def render(self, lookup: Lookup, evaluate: Evaluate, to_text: Callable[[object], str] = str) -> tuple[str, bool]:
        """The text, and whether an optional part is in it.

        ``lookup`` gives a variable's value or raises ``KeyError``; ``evaluate`` computes a compiled expression;
        ``to_text`` turns values into text. What is filled in is never looked at again. Raises ``UndefinedName``
        for a variable outside of optional parts that is undefined or None.
        """
        if self._format is not None:
            values = []
            name = ""
            try:
                for name in self._order:
                    value = lookup(name)
                    if value is None:
                        raise UndefinedName(name, was_none=True)
                    values.append(value)
            except KeyError:
                raise UndefinedName(name) from None
            if to_text is not str:
                values = list(map(to_text, values))
            return self._format % tuple(values), False
        if self.literal is not None:
            return self.literal, False
        filler = _Filler(lookup, evaluate, to_text)
        return filler.fill(self.parts), filler.filled


_SIMPLE = frozenset((str, Name))


def _flatten(parts: Iterable[Part]) -> Iterable[Part]:
    for part in parts:
        yield part
        if type(part) is OptionalPart:
            yield from _flatten(part.parts)


def _value(name: str, lookup: Lookup) -> object:
    try:
        value = lookup(name)
    except KeyError:
        raise UndefinedName(name) from None
    if value is None:
        raise UndefinedName(name, was_none=True)
    return value


class _Filler:
    """One rendering; ``filled`` says whether an optional part was kept."""

    def __init__(self, lookup: Lookup, evaluate: Evaluate, to_text: Callable[[object], str]) -> None:
        self._lookup = lookup
        self._evaluate = evaluate
        self._to_text = to_text
        self.filled = False

    def fill(self, parts: tuple[Part, ...]) -> str:
        return "".join([part if type(part) is str else self._fill(part) for part in parts])

    def _fill(self, part: Any) -> str:
        if type(part) is Name:
            return self._to_text(_value(part.name, self._lookup))
        if type(part) is Expression:
            return self._to_text(self._evaluate(part.compiled))
        if not all(map(self._is_there, part.needs)):
            return ""
        self.filled = True
        return self.fill(part.parts)

    def _is_there(self, name: str) -> bool:
        try:
            return self._lookup(name) is not None
        except KeyError:
            return False
