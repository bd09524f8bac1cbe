"""Random tables for the tests of conversion, and what must stay the same of them, told without the code under test."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from autograph.language.lists import split_list
from autograph.language.text import TextError
from autograph.tables import Row, Rows, read_rows
from autograph.tables.cells import CONTROL
from autograph.vocabulary import ACTIONS, FIELDS, field_names

FORMS = ("csv", "xlsx", "yaml", "json")
ROOT = Path(__file__).parent.parent
CASES = sorted((ROOT / "tests" / "conformance").glob("*/program.csv"))
SHIPPED = sorted(path for path in (ROOT / "programs").glob("*.*") if path.stem.count(".") == 0)  # no settings beside
_NOT_IN_XML = "\ufffe\uffff"

_FRAGMENTS = """
yes no on off null ~ true True 1.10 007 1e3 0x1F 0o17 1_000 12:30:45 2024-01-01 .5 .inf nan - -- --- ... = <<
=1+1 +1 -1 @x ' '' " "" \\ \\n \\x41 # #x x# :x x: a:b {} [] {a} [a] , a,b ; | || > & *x !x % ` ? $x ${x} ?{$x} %TAG
_x000D_ _x005F_ _x0041_x0042_ _x000d #NAME? #N/A é ñ 日本 😀 “q” – … return return(1) p.n p.* quit sep=; <html> PK
"""
fragments = st.sampled_from(
    [
        *_FRAGMENTS.split(),
        "a b",
        "a  b",
        ": ",
        " #",
        "\n",
        "\n\n",
        "\n  ",
        "\t",
        " ",
        "\u200b",
        "\u2028",
        "\ufeff",
        "\u00a0",
    ]
)
texts = st.one_of(
    st.just(""),
    fragments,
    st.lists(fragments, max_size=5).map("".join),
    st.lists(fragments, max_size=4).map(" ".join),
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.lists(st.sampled_from(["tea", "a.1", "return max(a, b)", "x y"]), max_size=3).map(", ".join),
    st.sampled_from(sorted(ACTIONS)),
).map(lambda text: "".join(sign for sign in text if not CONTROL.match(sign) and sign not in _NOT_IN_XML))

names = st.one_of(st.sampled_from(["start1", "tea", "p.a", "f(a, b=2)", "x: y", "yes", "1", "#x", "é"]), texts)
_HEADERS = [f"{f[:-1]}{letter}" for f in field_names() if f.endswith("_a") for letter in "abcd"]
_HEADERS += [f.name for f in FIELDS.values() if not f.lettered and f.name not in ("name", "action")]
spellings = st.sampled_from(
    [str, str.upper, str.title, lambda name: name.replace("_", " "), lambda name: name.replace("_", "-").title()]
)
comment_headers = texts.filter(lambda text: "name" not in text).map(lambda text: f"#{text}")


@dataclass
class Table:
    """A text table and the settings beside it, as they are put on the disk."""

    lines: list[list[str]]
    config: dict[str, Any] = field(default_factory=dict)

    def written(self, folder: Path) -> Path:
        """The table as a file."""
        stream = io.StringIO()
        csv.writer(stream).writerows(self.lines)
        path = folder / "in.csv"
        path.write_bytes(stream.getvalue().encode("utf-8"))
        beside = folder / "in.config.json"
        beside.unlink(missing_ok=True)
        if self.config:
            beside.write_text(json.dumps(self.config), "utf-8")
        return path


settings_of_a_file = st.dictionaries(
    st.sampled_from(["agent_name", "default_prompt", "max_steps", "python_imports", "no such setting", "#why", "#"]),
    texts,
    max_size=3,
)
lists_of_settings = st.fixed_dictionaries(
    {}, optional={"python_built_ins": st.lists(st.sampled_from(["len", "max", "int"]), min_size=1, max_size=3)}
)


@st.composite
def tables(draw: Any) -> Table:
    """Tables with all kinds of headers, cells, blank rows and rows of comments."""
    spelling = draw(spellings)
    fields = draw(st.lists(st.sampled_from(_HEADERS), max_size=5, unique=True))
    extra = draw(st.lists(st.one_of(comment_headers, st.just("")), max_size=3))
    headers = draw(st.permutations(["name", "action", *map(spelling, fields), *extra]))
    lines = [list(headers)]
    for kind in draw(st.lists(st.sampled_from(["row", "row", "row", "blank", "remark"]), min_size=1, max_size=5)):
        cells = [draw(_cell(header, kind)) for header in headers]
        lines.append(cells)
    lines.append([{"name": "last", "action": "chat"}.get(header, "") for header in headers])
    return Table(lines, {**draw(settings_of_a_file), **draw(lists_of_settings)})


def _cell(header: str, kind: str) -> st.SearchStrategy[str]:
    if not header or kind == "blank" or (kind == "remark" and not header.startswith("#")):
        return st.just("")
    return names if header == "name" else texts


# ---------------------------------------------------------------------- what must stay the same


def essence(rows: Rows) -> dict[str, Any]:
    """All that a table says, as plain data."""
    letters = rows.origin.letters
    ordered = [[key, header, letters.get(key) if rows.format in ("csv", "xlsx") else None]
               for key, header in rows.headers.items()]  # fmt: skip
    return {
        "headers": ordered,
        "rows": [_row(row) for row in rows],
        "asides": [(position, _row(row)) for position, row in rows.asides],
        "config": {key: _setting(key, value) for key, value in rows.config.items()},
        "order": list(rows.config),
        "remarks": [(r.position, r.key, r.text) for r in rows.config_remarks],
    }


def _row(row: Row) -> tuple[dict[str, str], dict[str, str], dict[str, Any]]:
    fields = {key: text for key, text in row.fields.items() if text}
    comments = {key: text for key, text in row.comments.items() if text}
    lists = {
        key: _items(row, key) for key in fields if FIELDS.get(key) and FIELDS[key].kind in ("list", "nodes", "numbers")
    }
    return fields, comments, lists


def _items(row: Row, key: str) -> Any:
    try:
        return row.items(key) or split_list(row.get(key))
    except TextError:
        return "malformed"


def _setting(key: str, value: Any) -> Any:
    """A setting: a list of one item is a single cell in a sheet, and the same to the program."""
    if key == "python_built_ins" and isinstance(value, str):
        return value.split(",")
    return value[0] if key != "python_built_ins" and isinstance(value, list) and len(value) == 1 else value


def gaps(rows: Rows) -> list[int]:
    """The numbers of the rows as they would be with the header in row 1."""
    assert rows.header_row is not None
    return [row.row - rows.header_row for row in rows if row.row is not None]


def read(path: Path) -> Rows:
    return read_rows(str(path))
