"""Counts kept between runs: what is written, added up, refused, and picked for a program."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph
from autograph.interpreter.traffic import Traffic
from autograph.models import ScriptedModel
from autograph.program import Program
from autograph.testing.coverage_file import (
    CoverageError,
    Entry,
    entry_of,
    joined,
    read_entries,
    traffic_for,
    write_entries,
)

SHEET = "name,action,instruction,transitions\na,chat_exact,{text},b\nb,chat_exact,Bye,quit\n"
ONE = Traffic(nodes={"a": 1}, starts={"a": 1})
TWO = Traffic(nodes={"a": 1, "b": 2}, edges={("a", "b"): 2})
Load = Callable[..., Program]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def loaded(name: str = "p.csv", text: str = "Hi") -> Program:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(SHEET.format(text=text), "utf-8")
        return autograph.load(str(path), model=ScriptedModel(replies=[], answers=[])).program

    return loaded


def test_written_and_read(tmp_path: Path, load: Load) -> None:
    entries = (entry_of(load(), ONE), entry_of(load("sub/q.csv", "Ho"), TWO))
    path = tmp_path / "sub" / "counts.json"
    write_entries(path, entries)
    assert read_entries(path) == entries
    data = json.loads(path.read_text("utf-8"))
    assert data["autograph_coverage"] == 1
    assert [item["file"] for item in data["programs"]] == ["../p.csv", "q.csv"]
    assert data["programs"][1]["traffic"]["edges"] == [["a", "b", 2]]
    written = path.read_bytes()
    write_entries(path, entries[::-1])
    assert path.read_bytes() == written
    assert sorted(p.name for p in path.parent.iterdir()) == ["counts.json", "q.csv"]


def test_no_file_has_no_counts(tmp_path: Path) -> None:
    assert read_entries(tmp_path / "none.json") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing", "is no coverage file"),
        ("[1]", "is no coverage file"),
        ('{"nodes": {}}', "is no coverage file"),
        ('{"autograph_coverage": 2}', "has the form 2; this autograph reads 1"),
        ('{"autograph_coverage": 1}', "is no complete coverage file: 'programs'"),
        ('{"autograph_coverage": 1, "programs": [{"file": 1, "fingerprint": "x", "traffic": {}}]}', "is no text"),
        ('{"autograph_coverage": 1, "programs": [{"file": "p", "fingerprint": "x", "traffic": 1}]}', "no counts"),
    ],
)  # fmt: skip
def test_other_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "counts.json"
    path.write_text(text, "utf-8")
    with pytest.raises(CoverageError, match=message):
        read_entries(path)


def test_where_nothing_can_be_written(tmp_path: Path, load: Load) -> None:
    with pytest.raises(CoverageError, match="cannot be written"):
        write_entries(tmp_path / "no" / "counts.json", [entry_of(load(), ONE)])


# ---------------------------------------------------------------------- sums


def test_runs_add_up_while_the_program_stays(load: Load) -> None:
    first, other = entry_of(load(), ONE), entry_of(load("q.csv"), TWO)
    found, notes = joined((first, other), (replace(first, traffic=TWO),))
    assert found == (replace(first, traffic=ONE + TWO), other)
    assert notes == ()


def test_counts_of_a_changed_program_are_left_out(load: Load) -> None:
    old = entry_of(load(text="Old"), ONE)
    new = entry_of(load(text="New"), TWO)
    assert joined((old,), (new,)) == ((new,), ("p.csv has changed since the earlier counts, which are left out.",))


ENTRIES = st.lists(
    st.builds(
        Entry, st.sampled_from(["/p.csv", "/q.csv"]), st.none(), st.just("f"), st.sampled_from([ONE, TWO, Traffic()])
    ),
    max_size=3,
    unique_by=lambda entry: entry.file,
)


def _as_dict(entries: Any) -> dict[str, Traffic]:
    return {entry.file: entry.traffic for entry in entries}


@given(ENTRIES, ENTRIES, ENTRIES)
def test_the_order_of_runs_does_not_matter(a: list[Entry], b: list[Entry], c: list[Entry]) -> None:
    assert _as_dict(joined(a, b)[0]) == _as_dict(joined(b, a)[0])
    assert _as_dict(joined(joined(a, b)[0], c)[0]) == _as_dict(joined(a, joined(b, c)[0])[0])


# ---------------------------------------------------------------------- for a drawing


def _text(tmp_path: Path, *entries: Entry) -> str:
    path = tmp_path / "counts.json"
    write_entries(path, entries)
    return path.read_text("utf-8")


def test_the_counts_of_a_program_also_where_it_has_moved(tmp_path: Path, load: Load) -> None:
    name = str(tmp_path / "counts.json")
    text = _text(tmp_path, entry_of(load(), ONE), entry_of(load("q.csv", "Ho"), TWO))
    assert traffic_for(text, name, load()) == ONE
    assert traffic_for(text, name, load("q.csv", "Ho")) == TWO
    assert traffic_for(text, name, load("moved.csv", "Ho")) == TWO
    assert traffic_for('{"nodes": {"a": 1}}', name, load()) is None
    assert traffic_for("no JSON", name, load()) is None


def test_two_copies_of_a_program_keep_their_own_counts(tmp_path: Path, load: Load) -> None:
    name = str(tmp_path / "counts.json")
    text = _text(tmp_path, entry_of(load(), ONE), entry_of(load("q.csv"), TWO))
    assert traffic_for(text, name, load("q.csv")) == TWO
    assert traffic_for(text, name, load("third.csv")) == ONE + TWO


def test_stale_counts_and_those_of_others_are_refused(tmp_path: Path, load: Load) -> None:
    text = _text(tmp_path, entry_of(load(), ONE))
    with pytest.raises(CoverageError, match=r"counts.json has the counts of an earlier .*p.csv. Run autograph test"):
        traffic_for(text, str(tmp_path / "counts.json"), load(text="Changed"))
    with pytest.raises(CoverageError, match=r"has no counts of .*q.csv, but of p.csv. Run its tests"):
        traffic_for(text, str(tmp_path / "counts.json"), load("q.csv", "Ho"))
