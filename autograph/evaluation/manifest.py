"""What was evaluated, by what and when? The manifest that stands in every result of an evaluation."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

from autograph.version import __version__

__all__ = ["Manifest", "digest_of", "manifest"]

_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a result is about.

    ``fingerprint`` is a digest of the program's nodes, or of the labelled set; ``data`` one of what was said to it.
    ``models`` are those that were compared; ``options`` is whatever else decides the figures. ``date`` is UTC.
    """

    subject: str
    fingerprint: str
    data: str
    models: tuple[str, ...]
    autograph: str
    python: str
    date: str
    options: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)

    def to_dict(self) -> dict[str, Any]:
        """The manifest as JSON data."""
        return {
            "subject": self.subject,
            "fingerprint": self.fingerprint,
            "data": self.data,
            "models": list(self.models),
            "options": dict(self.options),
            "autograph": self.autograph,
            "python": self.python,
            "date": self.date,
        }


def manifest(
    subject: str, fingerprint: str, data: str, models: Sequence[str], options: Mapping[str, Any] = _EMPTY
) -> Manifest:
    """A manifest of now and of this installation."""
    date = datetime.now(UTC).isoformat(timespec="seconds")
    return Manifest(
        subject, fingerprint, data, tuple(models), __version__, platform.python_version(), date, MappingProxyType(
            dict(options)
        ),
    )  # fmt: skip


def digest_of(path: Path) -> str:
    """The SHA-256 of a file's content."""
    return sha256(path.read_bytes()).hexdigest()
