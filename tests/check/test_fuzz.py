"""No edited sheet makes the checks fail, and what they find has an address in the sheet."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.check import check_rows
from autograph.errors import ProgramError
from autograph.problems import KINDS
from autograph.tables import Rows, read_bytes
from test_loader_fuzz import edited_sheets, texts

NAMES = st.sampled_from(["start1", "a", "b", "p.1", "p.2", "p.a", "p.b", "f(x)", "g()", "h(x, y=1)"])
ACTIONS = st.sampled_from(["chat", "chat_exact", "thought", "python_function", "local_function", "function",
                           "global_function", "set_prompt", "transition"])  # fmt: skip
TARGETS = st.sampled_from(["a", "b", "p.n", "p.*", "return", "return x", "quit", "resume", "$x", "f()", "a, b", ""])
CODE = st.sampled_from(["x = 1", "x = f(1)", "y = x + 1", "$x and ?{$y}", "f(g())", "x == 1", "h(x)", "r = $x", "{x}"])


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Small sheets in which nearly everything fits together somehow."""
    lines = ["name,action,instruction,transitions,boolean_condition,condition_interjection,on_unclear"]
    for name in draw(st.lists(NAMES, min_size=1, max_size=8, unique=True)):
        condition = draw(st.sampled_from(["", "", "x < 3", "x < 2 and y", "True"]))
        interjection = draw(st.sampled_from(["", "", "", "The user asks"]))
        cells = [
            name,
            draw(ACTIONS),
            draw(CODE),
            draw(TARGETS),
            condition,
            interjection,
            draw(st.sampled_from(["", "b"])),
        ]
        lines.append(",".join(f'"{cell}"' for cell in cells))
    return "\n".join(lines)


def _look(text: str) -> None:
    try:
        rows: Rows = read_bytes(text.encode("utf-8", "surrogatepass"), "sheet.csv")
    except ProgramError:
        return
    for found in check_rows(rows).problems:
        assert found.location.file == "sheet.csv"
        assert (found.code, found.severity) == KINDS[found.kind][:2]
        assert found.message
        assert "→  →" not in found.message


@settings(deadline=None, max_examples=200)
@given(edited_sheets())
def test_edited_sheets_are_checked(text: str) -> None:
    _look(text)


@settings(deadline=None, max_examples=300)
@given(programs())
def test_small_programs_are_checked(text: str) -> None:
    _look(text)


@settings(deadline=None, max_examples=50)
@given(st.lists(texts, min_size=4, max_size=4))
def test_any_texts_are_checked(cells: list[str]) -> None:
    quoted = ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)
    _look(f"name,action,instruction,transitions\n{quoted}\nstart1,chat_exact,Hi,quit\n")
