"""How do the rows of a program and its configuration cross to the worker?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from autograph.config import AutographConfig
from autograph.errors import Location
from autograph.memory.codec import decode_values, encode_values
from autograph.tables import Origin, Row, Rows

__all__ = ["config_data", "config_of", "rows_data", "rows_of"]


def rows_data(rows: Rows) -> dict[str, Any]:
    """The rows as JSON data; warnings stay behind."""
    return {
        "origin": _origin(rows.origin),
        "rows": [_row(row) for row in rows],
        "config": encode_values([dict(rows.config)])[0],
        "places": {key: asdict(place) for key, place in rows.config_places.items()},
    }


def _origin(origin: Origin) -> dict[str, Any]:
    return {
        "file": origin.file,
        "sheet": origin.sheet,
        "headers": dict(origin.headers),
        "letters": dict(origin.letters),
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "fields": dict(row.fields),
        "row": row.row,
        "line": row.line,
        "lists": {name: list(items) for name, items in row.lists.items()},
        "lines": dict(row.lines),
    }


def rows_of(data: Mapping[str, Any]) -> Rows:
    """The rows that ``rows_data`` describes."""
    origin = Origin(**data["origin"])
    rows = tuple(
        Row(
            item["fields"], item["row"], origin, item["line"],
            lists={name: tuple(items) for name, items in item["lists"].items()}, lines=item["lines"],
        )
        for item in data["rows"]
    )  # fmt: skip
    places = {key: Location(**place) for key, place in data["places"].items()}
    return Rows(rows, origin, config=decode_values([data["config"]])[0], config_places=places)


def config_data(config: AutographConfig) -> dict[str, Any]:
    """What was set explicitly, as JSON data; host functions cross by themselves."""
    given = sorted(config.given - {"python_modules"})
    values = [_plain(getattr(config, name)) for name in given]
    return dict(zip(given, encode_values(values, given), strict=True))


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list | tuple | set | frozenset) else value


def config_of(data: Mapping[str, Any]) -> AutographConfig:
    """The configuration that ``config_data`` describes."""
    return AutographConfig(**dict(zip(data, decode_values(list(data.values())), strict=True)))
