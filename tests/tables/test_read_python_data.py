"""DataFrames, lists of dicts and dicts with nodes and config."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest

from autograph.errors import Location
from autograph.tables import read_rows
from tables_support import kinds, problems_of


def test_a_data_frame() -> None:
    frame = pd.DataFrame(
        {
            "Name": [1.0, 2.0],
            "action": ["chat", "chat"],
            "instruction": ["Hi\r\nyou ", None],
            "transitions": [2, None],
            "min_confidence": [0.5, float("nan")],
            "boolean_condition": pd.array([True, pd.NA], dtype="boolean"),
        }
    )
    rows = read_rows(frame)
    assert rows[0].fields == {
        "name": "1", "action": "chat", "instruction": "Hi\nyou", "transitions": "2", "min_confidence": "0.5",
        "boolean_condition": "True",
    }  # fmt: skip
    assert rows[1].fields == {
        "name": "2", "action": "chat", "instruction": "", "transitions": "", "min_confidence": "",
        "boolean_condition": "",
    }  # fmt: skip
    assert rows[1].cell("name") == Location(None, None, 3, "Name", "A3")
    assert (rows.format, rows.file) == ("python", None)


def test_a_data_frame_with_names_in_its_index() -> None:
    frame = pd.DataFrame({"name": ["a"], "action": ["chat"]}).set_index("name")
    (problem,) = problems_of(read_rows, frame)
    assert "reset_index" in problem.hint


def test_faults_in_a_data_frame() -> None:
    frame = pd.DataFrame({"name": ["a"], "action": ["chat"], "instruction": [pd.Timestamp("2026-02-01")]})
    (problem,) = problems_of(read_rows, frame)
    assert (problem.kind, problem.location.cell) == ("date-cell", "C2")
    assert kinds(problems_of(read_rows, pd.DataFrame({"name": [], "action": []}))) == ["no-nodes"]
    assert kinds(problems_of(read_rows, pd.DataFrame({"name": ["a"], "action": [[1]]}))) == ["bad-cell"]


def test_a_list_of_dicts() -> None:
    rows = read_rows(
        [
            {"Name": "a", "action": "chat", "transitions": ["b", "return max(x, y)"], "transition_choices": ["yes", 2]},
            {"name": 3.0, "action": None, "min_confidence": Decimal("0.50"), "# by": True},
        ]
    )
    assert rows[0].items("transitions") == ("b", "return max(x, y)")
    assert (rows[0].get("transition_choice_a"), rows[0].get("transition_choice_b")) == ("yes", "2")
    assert rows[1].fields == {"name": "3", "action": "", "min_confidence": "0.50"}
    assert rows[1].comments == {"# by": "True"}
    assert [row.row for row in rows] == [2, 3]
    assert rows[0].cell("name") == Location(row=2, column="Name")


def test_a_dict_with_nodes_and_config() -> None:
    def search(text: str) -> str:
        return text

    rows = read_rows({"config": {"Max Steps": 5, "python_modules": {"f": search}}, "nodes": {"a": {"action": "chat"}}})
    assert rows[0].fields == {"name": "a", "action": "chat"}
    assert rows.config == {"max_steps": 5, "python_modules": {"f": search}}


@pytest.mark.parametrize(
    ("source", "kind", "row", "column"),
    [
        ([{"name": "a"}, {"name": dt.date(2026, 2, 1)}], "date-cell", 3, "name"),
        ([{"name": "a", "instruction": object()}], "bad-cell", 2, "instruction"),
        ([{"name": "a", "nmae": "x"}], "unknown-column", 2, "nmae"),
        ([{"name": "a", "Name": "x"}], "duplicate-key", None, "name"),
        ({"nodes": {"a": {"action": b"x"}}}, "bad-cell", 2, "action"),
        ({"nodes": [{"name": "a\0"}]}, "control-character", None, None),
        ([], "no-nodes", None, None),
        ({"nodes": [], "config": 3}, "bad-config", None, None),
        ({}, "bad-yaml", None, None),
        (5, "unknown-format", None, None),
    ],
)
def test_faults(source: Any, kind: str, row: int | None, column: str | None) -> None:
    problem = problems_of(read_rows, source)[0]
    assert (problem.kind, problem.location.row, problem.location.column) == (kind, row, column)


def test_data_that_holds_itself() -> None:
    nodes: list[Any] = []
    nodes.append(nodes)
    assert "nested" in problems_of(read_rows, nodes)[0].message
