"""What holds for every table: it is read back as written, and nothing but ``ProgramError`` comes of nonsense."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.errors import ProgramError
from autograph.tables import read_bytes
from autograph.tables.archive import OLE_MAGIC, ZIP_MAGIC
from autograph.tables.cells import CONTROL, at_limit, clean, column_letter

FIELDS = ["name", "action", "instruction", "notes"]
TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
SPECIAL = st.text(alphabet="ab \"',;|\t\n\r=é“€\u00a0\u200b", max_size=12)
PROSE = (SPECIAL | TEXT).filter(lambda text: not CONTROL.search(text.replace("\r", "\n")))
NAMES = st.text(alphabet="abc.1", min_size=1, max_size=5)
ROWS = st.lists(st.tuples(NAMES, st.just("chat"), PROSE, PROSE), min_size=1, max_size=5)


ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"])


@given(ROWS, st.sampled_from(",;\t|"), ENCODINGS, st.sampled_from(["\r\n", "\n"]))
def test_written_tables_are_read_back(rows: list[tuple[str, ...]], delimiter: str, encoding: str, end: str) -> None:
    if end == "\n":  # csv.writer leaves a lone \r without quotes then, which ends a row for everybody
        rows = [tuple(cell.replace("\r", "\n") for cell in row) for row in rows]
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator=end).writerows([FIELDS, *rows])
    found = read_bytes(stream.getvalue().encode(encoding), "p.csv")
    assert [tuple(row.fields.values()) for row in found] == [tuple(map(clean, row)) for row in rows]
    assert [row.row for row in found] == list(range(2, len(rows) + 2))


@given(ROWS)
def test_json_says_the_same(rows: list[tuple[str, ...]]) -> None:
    nodes = [dict(zip(FIELDS, row, strict=True)) for row in rows]
    for name, indent in (("p.json", None), ("p.json", 1), ("p.yaml", 1)):
        text = json.dumps({"nodes": nodes}, indent=indent, ensure_ascii=name == "p.json")
        if name == "p.yaml" and not text.isprintable():
            continue
        found = read_bytes(text.encode(), name)
        assert [tuple(row.fields.values()) for row in found] == [tuple(map(clean, row)) for row in rows]


SUFFIXES = st.sampled_from(["p.csv", "p.xlsx", "p.yaml", "p.json", "p"])
STARTS = st.sampled_from([b"", b"name,action\n", b"\xff\xfe", b"nodes:\n", b"sep=;\n", ZIP_MAGIC, OLE_MAGIC])


@given(STARTS, st.binary(max_size=200), SUFFIXES)
def test_nonsense_is_refused(start: bytes, data: bytes, name: str) -> None:
    with suppress(ProgramError):
        read_bytes(start + data, name)


@given(st.text(alphabet="nodes:- []{}&*!|>'\"#%@\n\t ,a1?<~\\u", max_size=60), st.sampled_from(["p.yaml", "p.json"]))
def test_nonsense_in_yaml_is_refused(text: str, name: str) -> None:
    for whole in (text, f"nodes:\n- name: a\n  action: {text}", '{"nodes": [{"name": ' + text):
        with suppress(ProgramError):
            read_bytes(whole.encode(), name)


@settings(max_examples=25)
@given(st.integers(0, 20_000))
def test_letters_of_columns(index: int) -> None:
    number = 0
    for letter in column_letter(index):
        number = number * 26 + ord(letter) - ord("A") + 1
    assert number == index + 1


@pytest.mark.parametrize(("text", "at"), [("x", True), ("😀", False)])
def test_the_limit_counts_utf_16_units(text: str, at: bool) -> None:
    assert at_limit("x" * 32_766 + text) is at
    assert at_limit("😀" + "x" * 32_764 + text) is at
