"""Which files beside a program are no programs? Told by their names, since people write ``programs/*.csv``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["COMPANIONS", "companion"]

COMPANIONS: Mapping[str, str] = MappingProxyType(
    {
        ".tests": "conversation tests (autograph test)",
        ".chat": "conversation tests (autograph test)",
        ".sayings": "sayings for autograph eval transitions",
        ".mutants": "mutants that no test can notice (autograph test --mutate)",
        ".config": "the settings of a program",
    }
)
"""The word before the last suffix of a file's name, and what such a file holds."""


def companion(name: str) -> str | None:
    """What the file holds that stands beside a program; None if it may be a program."""
    stem = name.partition("#")[0].rsplit("/", 1)[-1].rsplit("\\", 1)[-1].rpartition(".")[0]
    return COMPANIONS.get(stem[stem.rfind(".") :]) if "." in stem else None
