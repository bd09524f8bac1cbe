"""What does ``"%s is %d" % values`` give? Python's text, with every width bounded and nothing but plain values."""

from __future__ import annotations

import re
from typing import Any

from autograph.errors import StatementError
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.limits import PAD
from autograph.language.sandbox.sizes import NUMBERS
from autograph.language.sandbox.texts import represent, text

__all__ = ["percent"]

_FIELD = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?(?P<flags>[-#0 +]*)(?P<width>\d*|\*)"
    r"(?:\.(?P<precision>\d*|\*))?[hlL]?(?P<type>.?)",
    re.S,
)


def percent(fuel: Units, template: str, values: Any) -> str:
    """``template % values``. Raises ``StatementError`` for formats and values that do not fit."""
    fuel.charge(1 + (len(template) >> 8))
    mapping = values if type(values) is dict else None
    waiting = list(values) if type(values) is tuple else [values]
    waiting.reverse()
    parts: list[str] = []
    end, size, used = 0, 0, mapping is not None
    for found in _FIELD.finditer(template):
        parts.append(template[end : found.start()])
        end = found.end()
        if found["type"] == "%":
            parts.append("%")
        else:
            parts.append(_field(fuel, found, _pick(found["key"], mapping, waiting)))
        size += len(parts[-1]) + len(parts[-2])
        fuel.check_length(size)
    if waiting and not used:
        raise StatementError("the format has fewer places than there are values.")
    parts.append(template[end:])
    return fuel.text("".join(parts))


def _pick(key: str | None, mapping: Any, waiting: list[Any]) -> Any:
    if key is not None:
        if mapping is None:
            raise StatementError(f"the format names %({key}), which needs a dict on the right of %.")
        return mapping[key]
    if not waiting:
        raise StatementError("the format has more places than there are values.")
    return waiting.pop()


def _field(fuel: Units, found: re.Match[str], value: Any) -> str:
    width, precision, kind = found["width"], found["precision"], found["type"]
    if width == "*" or precision == "*":
        raise StatementError("a * in a format is not possible; write the number.")
    for number in (width, precision):
        if number and (len(number) > 9 or int(number) > PAD):
            raise StatementError(f"a width or precision of a format is larger than {PAD:,}.")
    fuel.charge(1 + (int(width or 0) + int(precision or 0) >> 8))
    pattern = f"%{found['flags']}{width}{'' if precision is None else '.' + precision}"
    if kind in ("s", "r", "a"):
        shown = text(fuel, value) if kind == "s" else represent(fuel, value)
        if kind == "a":
            shown = shown.encode("ascii", "backslashreplace").decode("ascii")
        return (pattern + "s") % shown
    if kind == "c" and type(value) in (int, str):
        return str((pattern + "c") % value)
    if kind and kind in "diouxXeEfFgG":
        if type(value) not in NUMBERS:
            raise StatementError(f"%{kind} in a format needs a number, not {type(value).__name__}.")
        return str((pattern + kind) % value)
    raise StatementError(f"the format %{kind} does not exist; write %% for a percent sign.")
