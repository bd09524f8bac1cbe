"""CSV and its relatives: encodings, delimiters, headers, cells that do not fit. The numbers are the gotchas'."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograph.errors import Location
from autograph.tables import Rows, read_bytes, read_rows
from tables_support import kinds, problems_of

HEADER = "name,action,instruction,transitions\n"


def read(text: str, name: str = "p.csv") -> Rows:
    return read_bytes(text.encode(), name)


def test_02_byte_order_mark_before_a_quoted_header() -> None:
    rows = read('\ufeff"name","action"\n"a","chat"\n')
    assert rows[0].fields == {"name": "a", "action": "chat"}


def test_03_windows_1252_is_read_with_a_warning() -> None:
    rows = read_bytes((HEADER + "a,chat,It’s “5 €”,\n").encode("cp1252"), "p.csv")
    assert rows[0].get("instruction") == "It’s “5 €”"
    assert kinds(rows.problems) == ["not-utf8"]
    assert rows.problems[0].location == Location("p.csv")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_04_unicode_encodings_with_and_without_mark(encoding: str) -> None:
    rows = read_bytes((HEADER + "a,chat,Grüße 你好,\n").encode(encoding), "p.txt")
    assert rows[0].get("instruction") == "Grüße 你好"
    assert rows.problems == []


def test_bytes_of_no_encoding_are_refused() -> None:
    assert kinds(problems_of(read_bytes, HEADER.encode() + b"a,chat,\x81\x8d\xff,", "p.csv")) == ["bad-encoding"]
    assert kinds(problems_of(read_bytes, b"\xff\xfen\x00a\x00m", "p.csv")) == ["bad-encoding"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_05_delimiter_of_the_header_line(delimiter: str) -> None:
    text = delimiter.join(["name", "action", "instruction"]) + "\n" + delimiter.join(["a", "chat", "'1', '2' - x"])
    assert read(text.replace("'1', '2'", '"1; 2, 3|4\t5"'))[0].get("name") == "a"


@pytest.mark.parametrize("line", ["sep=;", "SEP=;", '"sep=;"', "sep=;;;"])
def test_06_separator_line(line: str) -> None:
    rows = read(f"{line}\nname;action;instruction\na;chat;1, 2\n")
    assert (rows[0].row, rows[0].get("instruction")) == (3, "1, 2")
    assert rows.header_row == 2


def test_06_separator_of_any_kind() -> None:
    assert read("sep=^\nname^action\na^chat\n")[0].fields == {"name": "a", "action": "chat"}


def test_09_short_rows_are_filled() -> None:
    assert read(HEADER + "a,chat\n")[0].fields == {"name": "a", "action": "chat", "instruction": "", "transitions": ""}


@pytest.mark.parametrize("word", ["None", "NA", "null", "nan", "n/a", "#N/A", "TRUE", "FALSE", "1e5", "007"])
def test_11_12_13_words_stay_text(word: str) -> None:
    assert read(HEADER + f"{word},chat,{word},{word}\n")[0].fields == {
        "name": word, "action": "chat", "instruction": word, "transitions": word,
    }  # fmt: skip


def test_15_a_quotation_mark_that_is_never_closed() -> None:
    (problem,) = problems_of(read, HEADER + 'a,chat,"Hello,b\nb,chat,Bye,\n')
    assert (problem.kind, problem.location.row) == ("unclosed-quote", 2)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('"He said "hello" to me"', 'He said hello" to me"'),
        ('"a" + x', "a + x"),
        ('"one\ntwo "three" four"', 'one\ntwo three" four"'),
    ],
)
def test_15_quotation_marks_that_are_not_written_twice_are_warned_of(cell: str, text: str) -> None:
    rows = read(HEADER + f"a,chat,Hello,b\nb,chat,{cell},c\n")
    assert rows[1].get("instruction") == text
    (problem,) = rows.problems
    assert (problem.kind, problem.location.row, problem.location.cell) == ("stray-quote", 3, "C3")


@pytest.mark.parametrize("cell", ['"He said ""hello"" to me"', 'x = "a"', '"Hello" ', '""', '"""a"""'])
def test_15_other_quotation_marks_are_not(cell: str) -> None:
    assert not read(HEADER + f'a,chat,{cell},b\nb,chat,"Bye",c\n').problems


@pytest.mark.parametrize(("delimiter", "sign"), [(",", "a comma"), (";", "a semicolon")])
def test_10_the_hint_names_the_separator(delimiter: str, sign: str) -> None:
    (problem,) = problems_of(read, f"{HEADER}a,chat,Hello, you,b\n".replace(",", delimiter))
    assert problem.hint.startswith(f"Put a text that holds {sign} in quotes")


def test_paths_that_are_none() -> None:
    assert "the path is empty" in problems_of(read_rows, "")[0].message
    (problem,) = problems_of(read_rows, HEADER + "a,chat,Hello,b\n")
    assert "holds several lines" in problem.message
    assert problem.location == Location()


def test_10_extra_cells_after_a_blank_before_a_quote() -> None:
    (problem,) = problems_of(read, HEADER + 'a,chat, "Hello, you",b\n')
    assert problem.kind == "extra-cells"
    assert "No blank may stand before" in problem.hint


def test_10_the_cell_is_the_first_extra_one() -> None:
    (problem,) = problems_of(read, HEADER + "a,chat,Hello, you,b\n")
    assert (problem.location.row, problem.location.cell) == (2, "E2")


def test_16_outer_blanks_of_every_kind() -> None:
    rows = read(HEADER + "\u3000a\ufeff,chat,\u00a0 B\u00a0c\u200b,x\u200b\u00a0 , y\n".replace(" , y", "\u00a0"))
    assert rows[0].fields == {"name": "a", "action": "chat", "instruction": "B\u00a0c", "transitions": "x"}


def test_22_huge_cells() -> None:
    text = "word " * 60_000
    assert read(HEADER + f"a,chat,{text},\n")[0].get("instruction") == text.strip()


@pytest.mark.parametrize("character", ["\x00", "\x01", "\x0b", "\x1b", "\x7f", "\x85"])
def test_23_control_characters(character: str) -> None:
    (problem,) = problems_of(read, HEADER + f"a,chat,x{character},\n")
    assert (problem.kind, problem.location.cell) == ("control-character", "C2")
    assert problem.location.column == "instruction"


def test_24_header_as_people_type_it() -> None:
    header = 'Name ;ACTION;"Transition\n question";transition-choice a;User_Instruction  Transition B'
    rows = read(header + "\na;chat;q;c;u\n")
    assert rows[0].fields == {
        "name": "a", "action": "chat", "transition_question": "q",
        "transition_choice_a": "c", "user_instruction_transition_b": "u",
    }  # fmt: skip
    assert rows.headers["transition_question"] == "Transition question"
    assert rows[0].cell("transition_question") == Location("p.csv", None, 2, "Transition question", "C2")


def test_25_duplicates_by_normalised_header() -> None:
    (problem,) = problems_of(read, "name,action,Conv Scope,conv_scope\na,chat,x,y\n")
    assert (problem.kind, problem.location.cell, problem.location.column) == ("duplicate-column", "D1", "conv_scope")


def test_26_title_above_the_header() -> None:
    rows = read("My bot,,\n\n" + HEADER + "a,chat,Hi,\n")
    assert [row.row for row in rows] == [4]
    assert [(p.kind, p.location.row) for p in rows.problems] == [("text-before-header", 1)]


def test_27_cells_without_header_and_comments() -> None:
    rows = read("name,action,,# owner,#\na,chat,lost,Mia,x\nb,chat,lost too,,\n")
    assert rows[0].fields == {"name": "a", "action": "chat"}
    assert rows[0].comments == {"# owner": "Mia", "#": "x"}
    assert list(rows.headers) == ["name", "action", "# owner", "#"]
    assert [(p.kind, p.location.cell) for p in rows.problems] == [("cell-without-header", "C2")]
    assert "2 cells" in rows.problems[0].message


def test_27_comment_columns_may_have_one_header() -> None:
    rows = read("#,name,#,action\n1,a,2,chat\n")
    assert rows[0].comments == {"#": "1", "# (C)": "2"}
    assert rows.headers == {"#": "#", "name": "name", "# (C)": "#", "action": "action"}


def test_28_all_header_problems_are_reported() -> None:
    found = problems_of(read, "name,action,instrucion,colour,action\na,chat,x,y,\n")
    assert kinds(found) == ["unknown-column", "unknown-column", "duplicate-column"]
    assert found[0].hint == 'Did you mean "instruction"?'
    assert "#" in found[1].hint


@pytest.mark.parametrize("header", ["question", "Choice A"])
def test_28_a_header_without_the_word_transition(header: str) -> None:
    (problem,) = problems_of(read, f"name,action,{header}\na,chat,x\n")
    assert problem.hint == f'Did you mean "transition_{header.lower().replace(" ", "_")}"?'


def test_28_a_misspelt_action_header() -> None:
    found = problems_of(read, "name,acton,instruction\na,chat,Hi\n")
    assert kinds(found) == ["unknown-column", "no-header"]
    assert found[0].hint == 'Did you mean "action"?'


@pytest.mark.parametrize("name", ["p.csv", "p.yaml", "p.json", "p.txt"])
def test_29_web_pages(name: str) -> None:
    assert kinds(problems_of(read, "\n<html><body>Sign in</body></html>", name)) == ["not-a-table"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [("", "empty-table"), ("\n \n", "empty-table"), (",,\n,,\n", "empty-table"), ("hello\n", "no-header"),
     ("\ufeff", "empty-table"), (HEADER + ",,,\n", "no-nodes"), ("a,b,c\nd,e,f\n", "no-header")],
)  # fmt: skip
def test_30_31_nothing_to_read(text: str, kind: str) -> None:
    assert kinds(problems_of(read, text)) == [kind]


def test_51_a_cell_at_the_limit_of_spreadsheets() -> None:
    rows = read(HEADER + f"a,chat,{'x' * 32_767},\nb,chat,{'x' * 32_766},\nc,chat,{'x' * 40_000},\n")
    assert [(p.kind, p.location.cell) for p in rows.problems] == [("cell-at-limit", "C2")]


def test_rows_of_comments_only_are_no_nodes() -> None:
    rows = read("name,action,#\n,,Part one\na,chat,\n")
    assert [row.row for row in rows] == [3]


def test_a_missing_field_has_an_address_too() -> None:
    row = read(HEADER + "a,chat,Hi,\n")[0]
    assert row.cell("transition_question") == Location("p.csv", None, 2, "transition_question")
    assert row.location == Location("p.csv", row=2)
    assert row.get("transition_question") == ""


def test_rows_are_a_sequence() -> None:
    rows = read(HEADER + "a,chat,Hi,b\nb,chat,Ho,\n")
    assert (len(rows), rows[1].get("name"), [r.get("name") for r in rows[:1]]) == (2, "b", ["a"])
    assert (rows.format, rows.file, rows.sheet) == ("csv", "p.csv", None)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "tutor.csv").write_text(HEADER + "a,chat,Hi,\n", encoding="utf-8")
    (problem,) = problems_of(read_rows, tmp_path / "tutr.csv")
    assert (problem.kind, problem.hint) == ("unreadable-file", 'Did you mean "tutor.csv"?')
    assert kinds(problems_of(read_rows, tmp_path)) == ["unreadable-file"]
    assert kinds(problems_of(read_rows, "a\0b.csv")) == ["unreadable-file"]
    assert kinds(problems_of(read_rows, tmp_path / "tutor.csv", sheet="x")) == ["unknown-sheet"]


def test_other_formats_are_named() -> None:
    assert kinds(problems_of(read, "print(1)", "p.py")) == ["unknown-format"]
    assert kinds(problems_of(read, "<?xml version='1.0'?><Workbook/>", "p.xls")) == ["unknown-format"]
