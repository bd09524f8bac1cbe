"""Random edits of random sheets never raise anything but ``ProgramError``, and every problem has an address."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import autograph
from autograph.vocabulary import ACTIONS, field_names

HERE = Path(__file__).parent
SHEETS = sorted([*HERE.glob("conformance/*/program.csv"), *HERE.parent.glob("programs/*.csv")])

FRAGMENTS = """
$x ${x} ${ ?{ ?{$a} } { } ( ) [ ] , ; = == \\ \\$ ' \" “ ” – … return return( quit resume p.n p.* .n .* f() f( f(x)
f(g(x)) x=f(1) v= lambda await __class__ import None True 1e9 -1 0.5 nan 😀 é start1 a.1 a.b
"""
fragments = st.sampled_from([*FRAGMENTS.split(), "\u200b", "\ufeff", " ", ""])
texts = st.one_of(
    fragments,
    st.lists(fragments, max_size=4).map(" ".join),
    st.text(max_size=12),
    st.sampled_from(sorted(ACTIONS)),
    st.sampled_from(field_names()),
)


@st.composite
def edited_sheets(draw: Any) -> str:
    path = draw(st.sampled_from(SHEETS))
    with path.open(newline="", encoding="utf-8") as file:
        table = list(csv.reader(file))
    for _ in range(draw(st.integers(1, 4))):
        row = draw(st.integers(0, len(table) - 1))
        edit = draw(st.sampled_from(["cell", "insert", "delete row", "copy row", "swap", "column"]))
        column = draw(st.integers(0, max(len(table[row]) - 1, 0)))
        if edit == "cell" and table[row]:
            table[row][column] = draw(texts)
        elif edit == "insert" and table[row]:
            cell = table[row][column]
            at = draw(st.integers(0, len(cell)))
            table[row][column] = cell[:at] + draw(texts) + cell[at:]
        elif edit == "delete row" and len(table) > 1:
            del table[row]
        elif edit == "copy row":
            table.insert(row, list(table[row]))
        elif edit == "swap" and len(table[row]) > 1:
            other = draw(st.integers(0, len(table[row]) - 1))
            table[row][column], table[row][other] = table[row][other], table[row][column]
        elif edit == "column":
            header = draw(st.sampled_from(field_names()))
            table = [[*line, header if index == 0 else draw(texts)] for index, line in enumerate(table)]
    buffer = io.StringIO()
    csv.writer(buffer).writerows(table)
    return buffer.getvalue()


def problems_of(load: Callable[[], autograph.Autograph]) -> list[autograph.Problem]:
    """The problems of a program that is refused; none of one that loads."""
    try:
        bot = load()
    except autograph.ProgramError as error:
        found = error.problems
    else:
        assert bot.nodes
        return []
    assert any(problem.severity == "error" for problem in found)
    assert all(problem.message and problem.code.startswith("AG") and str(problem) for problem in found)
    return found


@settings(deadline=None, max_examples=300)
@given(edited_sheets())
def test_edited_sheets(text: str) -> None:
    from autograph.interpreter.bot import Autograph
    from autograph.tables import read_bytes

    problems = problems_of(
        lambda: Autograph(model="offline").load_rows(read_bytes(text.encode("utf-8", "surrogatepass"), "sheet.csv"))
    )
    assert all(problem.location.file == "sheet.csv" for problem in problems)


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.dictionaries(st.sampled_from(field_names()), texts, max_size=6).map(
            lambda fields: {"name": "start1", "action": "chat", **fields}
        ),
        min_size=1,
        max_size=4,
    )
)
def test_random_rows(rows: list[dict[str, str]]) -> None:
    problems_of(lambda: autograph.load(rows, model="offline"))
