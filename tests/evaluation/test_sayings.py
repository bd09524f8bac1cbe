"""Tables of sayings and labelled sets: what is read, what is refused with its cell, what is written."""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.evaluation.fault import DataError
from autograph.evaluation.understanding.labelled import is_labelled, read_labelled
from autograph.evaluation.understanding.sayings import COLUMNS, Saying, read_sayings, sayings_beside
from autograph.evaluation.understanding.write_sayings import append_sayings, write_sayings


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def faults(path: Path) -> list[str]:
    with pytest.raises(DataError) as caught:
        read_sayings(path)
    return [str(fault).replace(str(path), path.name) for fault in caught.value.faults]


# ---------------------------------------------------------------------- reading


def test_a_table_is_read_with_its_rows(tmp_path: Path) -> None:
    head = "Node,choice,say,before,Variables,note,# who"
    rows = 'ask,yes,"sure, gladly",Tea?,"{""n"": 2}",polite,Ada\nask,B,nah,,,,\n'
    path = written(tmp_path / "tea.sayings.csv", f"{head}\n{rows}")
    first, second = read_sayings(path)
    assert (first.node, first.choice, first.text, first.before, first.note) == (
        "ask", "yes", "sure, gladly", "Tea?", "polite",
    )  # fmt: skip
    assert dict(first.variables) == {"n": 2}
    assert (second.choice, second.text, second.before, second.location.row) == ("B", "nah", "", 3)
    assert str(second.at("choice")) == f'{path}, row 3, column "choice" (B3)'


def test_variables_are_carried_down_for_a_node(tmp_path: Path) -> None:
    path = written(
        tmp_path / "s.csv",
        'node,choice,say,variables\na,yes,1,"{""n"": 1}"\nb,yes,2,\na,yes,3,\na,yes,4,{}\na,yes,5,\n',
    )
    assert [dict(saying.variables) for saying in read_sayings(path)] == [{"n": 1}, {}, {"n": 1}, {}, {}]


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_other_separators(separator: str, tmp_path: Path) -> None:
    path = written(
        tmp_path / "s.csv", separator.join(["node", "choice", "say"]) + f"\nask{separator}yes{separator}ok, go\n"
    )
    assert [saying.text for saying in read_sayings(path)] == ["ok, go"]


def test_a_sheet_of_a_workbook(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    program = book.active
    assert program is not None
    program.append(["name", "action"])
    program.append(["start1", "chat"])
    sheet = book.create_sheet("Sayings")
    sheet.append(["node", "choice", "say"])
    sheet.append(["ask", 1, "two please"])
    book.save(tmp_path / "tea.xlsx")
    assert sayings_beside(tmp_path / "tea.xlsx") == tmp_path / "tea.xlsx"
    (saying,) = read_sayings(tmp_path / "tea.xlsx")
    assert (saying.choice, saying.text, saying.location.cell, saying.at("say").cell) == ("1", "two please", None, "C2")


def test_json_lines(tmp_path: Path) -> None:
    lines = [
        {"node": "ask", "choice": 0, "say": "yes", "variables": {"n": [1]}},
        {"node": "ask", "choice": "no", "say": "no"},
    ]
    path = written(tmp_path / "s.jsonl", "\n\n".join(map(json.dumps, lines)))
    first, second = read_sayings(path)
    assert (first.choice, dict(first.variables), first.location.line) == ("0", {"n": [1]}, 1)
    assert (second.text, dict(second.variables), second.location.line) == ("no", {"n": [1]}, 3)


def test_the_file_beside_a_program(tmp_path: Path) -> None:
    assert sayings_beside(tmp_path / "tea.csv") is None
    written(tmp_path / "tea.sayings.jsonl", "")
    assert sayings_beside(tmp_path / "tea.yaml") == tmp_path / "tea.sayings.jsonl"
    written(tmp_path / "tea.sayings.csv", "")
    assert sayings_beside(tmp_path / "tea.yaml") == tmp_path / "tea.sayings.csv"


# ---------------------------------------------------------------------- what is refused


def test_faults_have_their_cells_and_all_are_told(tmp_path: Path) -> None:
    path = written(
        tmp_path / "s.csv",
        'node,choice,say,variables\nask,,hm,\n,yes,ok,{bad\nask,no,,"[1]"\nask,yes,ok,"{""a b"": 1}"\n',
    )
    assert faults(path) == [
        's.csv, row 2, column "choice" (B2): the cell is empty. Say what should follow: a choice, a target, the node '
        "of an interjection, or none.",
        's.csv, row 3, column "node" (A3): the cell is empty. Name the node at which the user says this.',
        's.csv, row 3, column "variables" (D3): this is no JSON: Expecting property name enclosed in double quotes: '
        'line 1 column 2 (char 1). Write an object: {"name": "Ada", "tries": 2}.',
        's.csv, row 4, column "say" (C4): the cell is empty. Write what the user says.',
        's.csv, row 4, column "variables" (D4): variables are a JSON object of names and values, not [1]. Write it '
        'like {"name": "Ada", "tries": 2}.',
        's.csv, row 5, column "variables" (D5): "a b" cannot be the name of a variable. Use letters, digits and '
        "underscores, a letter first.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "s.csv: the table is empty. The first row names the columns: node, choice, say and so on."),
        ("node,choice,say\n", "s.csv: there is a header but no saying. Write one saying a row."),
        ("node,say\na,b\n", 's.csv, row 1: the header has no column "choice". The first row names the columns: node, '
         "choice, say and so on."),
        ("node,chioce,say\na,b,c\n", 's.csv, row 1, column "chioce" (B1): there is no column "chioce" in such a table. '
         'Did you mean "choice"?'),
        ("node,choice,say,say\na,b,c,d\n", 's.csv, row 1, column "say" (D1): two columns have the header "say". Delete '
         "one of them."),
        ("node,choice,say\na,b,c, d\n", 's.csv, row 2, cell D2: row 2 has 4 cells but there are 3 columns. Put a text '
         'that holds a comma in quotes: "…".'),
    ],
)  # fmt: skip
def test_bad_tables(text: str, fault: str, tmp_path: Path) -> None:
    assert faults(written(tmp_path / "s.csv", text))[0] == fault


def test_a_missing_file(tmp_path: Path) -> None:
    assert faults(tmp_path / "no.csv") == ["no.csv: the file cannot be read: No such file or directory."]


def test_bad_json_lines(tmp_path: Path) -> None:
    path = written(tmp_path / "s.jsonl", '{"node": "a", "choice": "b", "sya": "c"}\n')
    assert faults(path) == [
        's.jsonl, line 1: there is no key "sya" in a saying. Did you mean "say"?',
        's.jsonl, line 1: "say" is missing or empty. Write what the user says.',
    ]
    assert faults(written(tmp_path / "s.jsonl", "[1]\n")) == [
        "s.jsonl, line 1: a JSON object is expected, not [1]. Write {…} on each line."
    ]


# ---------------------------------------------------------------------- writing


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u200b\u2060\ufeff"), max_size=20)
cells = texts.map(str.strip).filter(lambda text: bool(text) and not text.startswith("sep="))
values = st.one_of(st.integers(), texts, st.booleans(), st.lists(st.integers(), max_size=3))
rows = st.builds(
    Saying,
    st.sampled_from(["ask", "more"]),
    cells,
    cells,
    texts.map(str.strip),
    st.dictionaries(st.sampled_from(["a", "b_1"]), values, min_size=1, max_size=2),
)


@given(sayings=st.lists(rows, min_size=1, max_size=6))
def test_what_is_written_is_read_again(sayings: list[Saying], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("written") / "s.sayings.csv"
    write_sayings(path, sayings[:1])
    append_sayings(path, sayings[1:])
    found = read_sayings(path)
    kept = [(s.node, s.choice, s.text, s.before, dict(s.variables)) for s in sayings]
    assert [(s.node, s.choice, s.text, s.before, dict(s.variables)) for s in found] == kept


def test_rows_are_put_behind_those_that_people_edited(tmp_path: Path) -> None:
    text = "# mine;say;choice;node\nx;  ok ;yes;ask"
    path = written(tmp_path / "s.csv", text)
    append_sayings(path, [Saying("ask", "no", "no; never", note="generated")])
    assert path.read_text("utf-8") == f'{text}\n;"no; never";no;ask\n'


def test_a_table_that_cannot_hold_the_rows_stays_as_it_is(tmp_path: Path) -> None:
    path = written(tmp_path / "s.csv", "node,choice,say\nask,yes,ok\n")
    with pytest.raises(DataError, match='the table has no column "variables", which the new sayings need'):
        append_sayings(path, [Saying("ask", "no", "no", variables={"n": 1})])
    latin = tmp_path / "latin.csv"
    latin.write_bytes("node,choice,say\nask,yes,café\n".encode("cp1252"))
    with pytest.raises(DataError, match="the table is not UTF-8"):
        append_sayings(latin, [Saying("ask", "no", "no")])
    with pytest.raises(DataError, match="sayings are written as CSV only"):
        write_sayings(tmp_path / "s.xlsx", [Saying("ask", "no", "no")])
    assert path.read_text("utf-8") == "node,choice,say\nask,yes,ok\n"
    assert not (tmp_path / "s.xlsx").exists()


def test_a_new_file_has_all_columns(tmp_path: Path) -> None:
    append_sayings(tmp_path / "s.csv", [Saying("ask", "no", "no")])
    assert (tmp_path / "s.csv").read_text("utf-8") == ",".join(COLUMNS) + "\nask,no,no,,,\n"


# ---------------------------------------------------------------------- labelled sets


QUESTION = {
    "id": 7,
    "kind": "yesno",
    "turns": [{"role": "assistant", "content": "Tea?"}, {"role": "user", "content": "ok"}],
    "question": "Does the user want tea?",
    "choices": ["Yes", "No"],
    "answer": 0,
}


def test_a_labelled_set(tmp_path: Path) -> None:
    other = {**QUESTION, "kind": "interject", "answer": "No"}
    del other["id"]
    path = written(tmp_path / "q.jsonl", f"{json.dumps(QUESTION)}\n{json.dumps(other)}\n")
    assert is_labelled(path)
    first, second = read_labelled(path)
    assert (first.name, first.kind, first.answer, first.said) == ("7", "yesno", 0, "ok")
    assert [message.to_dict() for message in first.question.context] == QUESTION["turns"]
    assert (first.question.purpose, first.question.passes_on) == ("transition", None)
    assert (second.name, second.answer, second.question.purpose, second.question.passes_on) == (
        "line 2", 1, "interjection", 1,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"question": ""}, 'line 1: "question" is missing. Write the question as a text.'),
        ({"choices": ["Yes"]}, 'line 1: "choices" must be a list of two texts or more. Write them like ["Yes", "No"].'),
        ({"answer": 2}, 'line 1: "answer" is 2, which is none of the 2 choices. Give the number of a choice, counted '
         "from 0, or its text."),
        ({"answer": True}, 'line 1: "answer" is True, which is none of the 2 choices. Give the number of a choice, '
         "counted from 0, or its text."),
        ({"turns": [{"role": "bot", "content": ""}]}, 'line 1: "turns" must be a list of messages. Write them like '
         '[{"role": "user", "content": "Hi"}].'),
    ],
)  # fmt: skip
def test_bad_questions(change: dict[str, object], fault: str, tmp_path: Path) -> None:
    path = written(tmp_path / "q.jsonl", json.dumps({**QUESTION, **change}))
    with pytest.raises(DataError) as caught:
        read_labelled(path)
    assert [str(each) for each in caught.value.faults] == [f"{path}, {fault}"]
