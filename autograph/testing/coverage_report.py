"""How is coverage shown? A table of all programs, what is missing with its cell, and the same as data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from autograph.errors import did_you_mean
from autograph.testing.coverage import KINDS, Coverage, Share
from autograph.testing.coverage_file import CoverageError

__all__ = ["MOST", "Line", "read_least", "report_data", "report_lines", "too_little"]

_LEAST = re.compile(r"(?:(\w+)\s*=\s*)?(\d+(?:\.\d+)?)\s*%?")

MOST = 20
"""How many missing ones of a program are shown, where not all are wanted."""

_SINGULAR: Mapping[str, str] = {kind: kind.removesuffix("s") for kind in KINDS}


class Line(NamedTuple):
    """A line of the report and what it is, for who colours it: ``heading``, ``full``, ``short`` or ``missing``."""

    kind: str
    text: str


def report_lines(coverages: Sequence[Coverage], *, most: int | None = MOST) -> list[Line]:
    """The table, then for each program what is missing, at most ``most`` (None: all)."""
    lines = list(_table(coverages))
    for coverage in coverages:
        if coverage.missing:
            lines += [Line("missing", ""), Line("heading", f"Missing in {coverage.name}")]
            lines += [Line("missing", text) for text in _missing(coverage, most)]
    return lines


def _table(coverages: Sequence[Coverage]) -> Iterator[Line]:
    rows = [(c.name, [_cell(c.share(kind)) for kind in KINDS]) for c in coverages]
    first = max(len(name) for name in ("Coverage", *(name for name, _ in rows)))
    widths = [max(len(kind), *(len(cells[i]) for _, cells in rows)) if rows else 0 for i, kind in enumerate(KINDS)]

    def line(name: str, cells: Sequence[str]) -> str:
        padded = [cell.rjust(width) for cell, width in zip(cells, widths, strict=True)]
        return "   ".join([name.ljust(first), *padded])

    yield Line("heading", line("Coverage", KINDS))
    for coverage, (name, cells) in zip(coverages, rows, strict=True):
        yield Line("short" if coverage.missing else "full", line(name, cells))


def _cell(share: Share) -> str:
    return f"{share.covered}/{share.total} {share.shown:>5}" if share.total else "none"


def _missing(coverage: Coverage, most: int | None) -> Iterator[str]:
    shown = coverage.missing if most is None else coverage.missing[:most]
    kinds = max(len(_SINGULAR[item.kind]) for item in shown)
    texts = [" ".join(item.text.split()) for item in shown]
    texts = [text if len(text) <= 60 else f"{text[:59]}…" for text in texts]
    width = max(map(len, texts))
    for item, text in zip(shown, texts, strict=True):
        where = replace(item.location, file=None, sheet=None)
        yield f"  {_SINGULAR[item.kind].ljust(kinds)}  {text.ljust(width)}  {where}"
    if len(shown) < len(coverage.missing):
        yield f"  … and {len(coverage.missing) - len(shown)} more; -v shows all"


def report_data(coverages: Sequence[Coverage]) -> list[dict[str, Any]]:
    """The report as JSON data: one object for each program."""
    return [
        {
            "file": coverage.file,
            "sheet": coverage.sheet,
            "fingerprint": coverage.fingerprint,
            **{kind: _share_data(coverage.share(kind)) for kind in KINDS},
            "missing": [
                {"kind": _SINGULAR[item.kind], "node": item.node, "text": item.text, **asdict(item.location)}
                for item in coverage.missing
            ],
        }
        for coverage in coverages
    ]


def _share_data(share: Share) -> dict[str, Any]:
    return {"covered": share.covered, "total": share.total, "percent": round(share.percent, 2)}


def too_little(coverages: Sequence[Coverage], least: Mapping[str, float]) -> list[str]:
    """A sentence for each kind of which a program has less covered than ``least`` per cent."""
    return [
        f"{coverage.name}: {share.covered} of {share.total} {kind} are covered, "
        f"{share.percent:.1f} %, and {percent:g} % are asked for."
        for coverage in coverages
        for kind, percent in least.items()
        if (share := coverage.share(kind)).percent < percent
    ]


def read_least(entries: Iterable[str]) -> dict[str, float]:
    """The percentages of a text such as ``90`` (of each kind) or ``nodes=100,answers=95``. Raises ``CoverageError``."""
    least: dict[str, float] = {}
    for part in (part.strip() for entry in entries for part in entry.split(",")):
        match = _LEAST.fullmatch(part)
        kind = match[1] if match else None
        if match is None or float(match[2]) > 100 or (kind is not None and kind not in KINDS):
            hint = did_you_mean(kind, KINDS) if kind else ""
            form = f"Write a number up to 100, or KIND=NUMBER with one of {', '.join(KINDS)}. {hint}".rstrip()
            raise CoverageError(f'"{part}" is no percentage. {form}')
        least.update(dict.fromkeys(KINDS if kind is None else (kind,), float(match[2])))
    return least
