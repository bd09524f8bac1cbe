"""Is it the same program? A digest of its nodes and settings."""

from __future__ import annotations

from dataclasses import fields
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograph.program import Program

__all__ = ["fingerprint"]

_ELSEWHERE = frozenset(("seed", "chatbot", "classifier"))
"""Settings that a manifest tells by itself."""


def fingerprint(program: Program) -> str:
    """A digest of all cells and of the settings in force, 16 hexadecimal digits.

    It does not depend on where the file lies or on its format; of host functions only the names count.
    """
    digest = sha256(program.fingerprint.encode())
    for field in fields(program.config):
        if field.name not in _ELSEWHERE:
            value: Any = getattr(program.config, field.name)
            plain = sorted(value) if field.name == "python_modules" else value
            digest.update(f"{field.name}={plain!r}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]
