"""Programs in a line a node, for tests."""

from __future__ import annotations


def rows(*lines: str) -> list[dict[str, str]]:
    """Rows from ``name | action | transitions | instruction`` lines."""
    keys = ("name", "action", "transitions", "instruction")
    return [dict(zip(keys, (part.strip() for part in line.split("|")), strict=True)) for line in lines]
