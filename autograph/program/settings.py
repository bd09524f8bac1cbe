"""Which configuration does a sheet bring? Its entries, typed against ``AutographConfig``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograph.config import AutographConfig
from autograph.errors import Problem, did_you_mean
from autograph.problems import problem
from autograph.program.setting_kinds import CHOICES, kind_of, setting_names
from autograph.tables import Rows
from autograph.vocabulary import normalise_header

__all__ = ["LANGUAGE", "read_settings"]

LANGUAGE = 1
"""The version of the language that this autograph speaks."""


_POSITIVE = (
    "max_steps",
    "max_depth",
    "max_prompt_tokens",
    "statement_fuel",
    "statement_items",
    "statement_characters",
    "statement_depth",
    "turn_fuel",
    "turn_bytes",
)
"""The settings that must be at least 1."""


def read_settings(rows: Rows, config: AutographConfig) -> tuple[AutographConfig, list[Problem]]:
    """``config`` laid over the sheet's own configuration, and what is wrong with the latter."""
    problems: list[Problem] = []
    sheet: dict[str, Any] = {}
    known = setting_names()
    for key, value in rows.config.items():
        where = rows.config_location(key)
        name = normalise_header(key)
        if name not in known:
            message = f'there is no setting "{key}"'
            problems.append(problem("bad-config", message, where, did_you_mean(name, known)))
            continue
        if value is None:
            continue  # a key without a value, as null in JSON: the default
        try:
            sheet[name] = _typed(name, value)
        except ValueError as error:
            problems.append(problem("bad-config", f'the setting "{key}" {error}', where))
    settings = config.over(sheet)
    problems.extend(_check(settings, rows))
    return settings, problems


def _typed(name: str, value: Any) -> Any:
    kind = kind_of(name)
    if kind == "list":
        items = value if isinstance(value, (list, tuple)) else str(value).split(",")
        return tuple(str(item).strip() for item in items if str(item).strip())
    if isinstance(value, (list, Mapping)):
        raise ValueError("takes one value, not a list or mapping")
    text = str(value).strip()
    if kind == "flag":
        if text.lower() in ("true", "yes", "1", "false", "no", "0"):
            return text.lower() in ("true", "yes", "1")
        raise ValueError(f'must be true or false, not "{text}"')
    if kind in ("whole", "number"):
        return _number(text, int if kind == "whole" else float)
    if kind == "choice" and text not in CHOICES[name]:
        raise ValueError(f'must be one of {", ".join(CHOICES[name])}, not "{text}"')
    return str(value)


def _number(text: str, kind: type[int] | type[float]) -> int | float:
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f'must be a {"whole " if kind is int else ""}number, not "{text}"') from None


def _check(settings: AutographConfig, rows: Rows) -> list[Problem]:
    """What is wrong with values, wherever they come from."""
    wrong: list[tuple[str, str, str, str]] = []
    if settings.language > LANGUAGE:
        message = f"the program needs version {settings.language} of the language; this autograph speaks {LANGUAGE}"
        wrong.append(("newer-language", "language", message, "Update autograph."))
    for name, allowed in CHOICES.items():
        value = getattr(settings, name)
        if value not in allowed:
            message = f'the setting "{name}" must be one of {", ".join(allowed)}, not "{value}"'
            wrong.append(("bad-config", name, message, ""))
    for name in _POSITIVE:
        if getattr(settings, name) < 1:
            wrong.append(("bad-config", name, f'the setting "{name}" must be at least 1', ""))
    return [problem(kind, message, rows.config_location(name), hint) for kind, name, message, hint in wrong]
