"""Sheets with a meaning of their own, and which texts of YAML stand in quotation marks."""

from __future__ import annotations

import io

import openpyxl

from autograph.tables.tree import Entries, Scalar
from autograph.tables.workbook import read_aside
from autograph.tables.yaml_tree import parse_yaml


def test_a_sheet_beside_the_program() -> None:
    book = openpyxl.Workbook()
    sheet = book.create_sheet(" TESTS ")
    sheet.append(["test", "say"])
    sheet["B3"] = 5
    data = io.BytesIO()
    book.save(data)
    grid = read_aside(data.getvalue(), "a.xlsx", "tests")
    assert grid is not None
    assert (grid.sheet, list(grid.rows)) == (" TESTS ", [(1, ["test", "say"]), (3, ["", "5"])])
    assert read_aside(data.getvalue(), "a.xlsx", "config") is None


def test_texts_in_quotation_marks() -> None:
    tree = parse_yaml("a: 1\nb: '1'\nc: \"1\"\nd: |\n  1\ne: !!str 1\nf:\n", "a.yaml")
    assert isinstance(tree, Entries)
    assert [value.quoted for _, value in tree.entries if isinstance(value, Scalar)] == [
        False, True, True, True, True, False,
    ]  # fmt: skip
