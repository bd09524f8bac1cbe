"""What stands in a settings sheet or mapping: each setting's text or list, and the remarks between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from autograph.program.setting_kinds import kind_of
from autograph.tables import Rows
from autograph.tables.cells import BadCell, clean, value_text

__all__ = ["Setting", "config_entries", "plain_setting", "same_setting"]

Setting = str | None | list["Setting"] | dict[str, "Setting"]


def plain_setting(value: object) -> Setting:
    """A setting as text, None, lists and mappings, whatever objects it was given as."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        return {str(key): plain_setting(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_setting(inner) for inner in value]
    text = value_text(value)
    return clean(text.text if isinstance(text, BadCell) else text)


def config_entries(rows: Rows) -> Iterator[tuple[str, Setting]]:
    """The settings in their order, and the remarks where they stand between them."""
    remarks = list(rows.config_remarks)
    for position, (key, value) in enumerate(rows.config.items()):
        while remarks and remarks[0].position <= position:
            yield remarks[0].key, remarks[0].text
            del remarks[0]
        yield key, plain_setting(value)
    yield from ((remark.key, remark.text) for remark in remarks)


def same_setting(key: str, one: object, other: object) -> bool:
    """Whether two values of a setting mean the same: a list may also be a text with commas."""
    return _meant(key, one) == _meant(key, other)


def _meant(key: str, value: object) -> object:
    found = plain_setting(value)
    if kind_of(key) != "list":
        return found
    if isinstance(found, str):
        return [item.strip() for item in found.split(",") if item.strip()]
    return found
