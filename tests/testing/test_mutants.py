"""Which mutants does a program have, what do they change, and do they keep their names?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph
from autograph.interpreter.bot import Autograph
from autograph.tables import Rows, read_rows
from autograph.testing.code_edits import code_edits
from autograph.testing.edits import Edit, altered_words, applied, excerpt
from autograph.testing.mutants import KINDS, Mutant, mutants_of, mutated
from autograph.testing.text_edits import instruction_edits, text_edits

PROGRAMS = Path(autograph.__file__).parents[1] / "programs"
SHIPPED = ("sort.csv", "recruiter.csv", "clinic.yaml", "tutor.csv")

SMALL = [
    {"name": "start1", "action": "python_function", "instruction": "n = 1\nitems = [n]\nitems.append(2)",
     "transitions": "ask"},
    {"name": "ask", "action": "chat_exact", "instruction": "Are you ready, $n?{ and $name}?",
     "transitions": "go.*, wait", "transition_question": "Is the user ready?", "transition_choice_a": "yes",
     "transition_choice_b": "no", "on_unclear": "wait"},
    {"name": "go.a", "action": "chat_exact", "instruction": "Off we go!", "boolean_condition": "n > 3 and not items",
     "transitions": "quit"},
    {"name": "go.b", "action": "function", "instruction": "n = twice(n, 2)", "transitions": "ask"},
    {"name": "wait", "action": "chat_exact", "instruction": "note = Take your time.", "transitions": "ask",
     "condition_interjection": "The user needs time."},
    {"name": "twice(a, b)", "action": "transition", "transitions": "return a * b if a else True"},
]  # fmt: skip


def small() -> Rows:
    return read_rows(SMALL)


def of(kind: str, node: str | None = None, rows: Rows | None = None) -> list[tuple[str, str, dict[str, str]]]:
    return [
        (mutant.node, mutant.field, dict(mutant.texts))
        for mutant in mutants_of(rows or small())
        if mutant.kind == kind and node in (None, mutant.node)
    ]


def bodies(source: str, kind: str) -> list[str]:
    return [applied(source, edit) for edit in code_edits(source) if edit.kind == kind]


# ---------------------------------------------------------------------- nodes


def test_transitions_and_choices_are_exchanged() -> None:
    assert of("swap-transitions") == [("ask", "transitions", {"transitions": "wait, go.*"})]
    assert of("swap-choices") == [
        ("ask", "transition_choice_a", {"transition_choice_a": "no", "transition_choice_b": "yes"})
    ]


def test_every_pair_of_three_is_exchanged() -> None:
    row = {"name": "a", "action": "chat_exact", "instruction": "?", "transitions": "b, a, quit",
           "transition_question": "Which?", "transition_choice_a": "one", "transition_choice_b": "two",
           "transition_choice_c": "three"}  # fmt: skip
    rows = read_rows([row, {"name": "b", "action": "chat_exact", "instruction": "!"}])
    texts = [change["transitions"] for _, _, change in of("swap-transitions", rows=rows)]
    assert texts == ["a, b, quit", "quit, a, b", "b, quit, a"]
    assert [(c, sorted(t)) for _, c, t in of("swap-choices", rows=rows)] == [
        ("transition_choice_a", ["transition_choice_a", "transition_choice_b"]),
        ("transition_choice_a", ["transition_choice_a", "transition_choice_c"]),
        ("transition_choice_b", ["transition_choice_b", "transition_choice_c"]),
    ]


def test_the_last_transition_goes_with_its_question() -> None:
    gone = dict.fromkeys(("transition_question", "transition_choice_a", "transition_choice_b", "on_unclear"), "")
    assert of("drop-transition", "ask") == [("ask", "transitions", {"transitions": "go.*", **gone})]
    assert of("drop-transition", "go.a") == [("go.a", "transitions", {"transitions": ""})]


def test_transitions_and_on_unclear_lead_elsewhere() -> None:
    changes = of("redirect-target", "ask")
    assert [(field, len(texts)) for _, field, texts in changes] == [("transitions", 1)] * 4 + [("on_unclear", 1)]
    assert changes[-1][2] == {"on_unclear": "go.*"}
    names = {"start1", "ask", "go.a", "go.b", "wait", "quit"}
    for _, _, texts in changes[:4]:
        first, second = texts["transitions"].split(", ")
        assert (first == "go.*") != (second == "wait")
        assert {first, second} <= names | {"go.*"}


def test_conditions_are_turned_round_and_left_out() -> None:
    assert of("negate-condition") == [("go.a", "boolean_condition", {"boolean_condition": "not (n > 3 and not items)"})]
    assert of("drop-condition") == [("go.a", "boolean_condition", {"boolean_condition": ""})]


def test_what_is_optional_is_left_out() -> None:
    assert of("drop-interjection") == [("wait", "condition_interjection", {"condition_interjection": ""})]
    assert of("drop-on-unclear") == [("ask", "on_unclear", {"on_unclear": ""})]
    rows = read_rows([{**SMALL[1], "min_confidence": "0.5", "transition_context": "3"}, *SMALL[2:]])
    assert of("drop-on-unclear", rows=rows) == [("ask", "on_unclear", {"on_unclear": "", "min_confidence": ""})]
    assert [field for _, field, _ in of("drop-setting", rows=rows)] == ["min_confidence", "transition_context"]


def test_the_cells_of_a_node() -> None:
    assert [texts["boolean_condition"] for _, _, texts in of("shift-comparison")] == ["n >= 3 and not items"]
    assert [texts["boolean_condition"] for _, _, texts in of("swap-and-or")] == ["n > 3 or not items"]
    assert [texts["boolean_condition"] for _, _, texts in of("drop-not")] == ["n > 3 and  items"]
    assert [texts for _, _, texts in of("swap-arguments")] == [{"instruction": "n = twice(2, n)"}]
    assert of("change-constant") == [("twice(a, b)", "transitions", {"transitions": "return a * b if a else False"})]
    assert of("swap-branches") == [("twice(a, b)", "transitions", {"transitions": "return True if a else a * b"})]
    assert of("swap-operator") == [("twice(a, b)", "transitions", {"transitions": "return a // b if a else True"})]
    assert of("drop-optional") == [("ask", "instruction", {"instruction": "Are you ready, $n?"})]
    assert of("drop-statement") == [("start1", "instruction", {"instruction": "n = 1\nitems = [n]"})]


def test_assignments_are_left_out() -> None:
    assert [(node, texts["instruction"]) for node, _, texts in of("drop-assignment")] == [
        ("start1", "items = [n]\nitems.append(2)"),
        ("start1", "n = 1\nitems.append(2)"),
        ("go.b", "twice(n, 2)"),
        ("wait", "Take your time."),
    ]


def test_words_are_altered() -> None:
    assert [(field, texts[field]) for _, field, texts in of("change-text", "ask")] == [
        ("instruction", "Are you readyx, $n?{ and $name}?"),
        ("instruction", "Are you ready, $n?{ andx $name}?"),
        ("transition_question", "Is the user readyx?"),
        ("transition_choice_a", "yesx"),
        ("transition_choice_b", "nox"),
    ]
    assert of("change-text", "wait") == [
        ("wait", "instruction", {"instruction": "note = Takex your time."}),
        ("wait", "condition_interjection", {"condition_interjection": "The user needsx time."}),
    ]


def test_what_the_program_does_not_use_has_no_mutants() -> None:
    rows = read_rows([{"name": "a", "action": "transition", "notes": "n > 1", "instruction_short": "Say hello."}])
    assert mutants_of(rows) == []


# ---------------------------------------------------------------------- code


@pytest.mark.parametrize(
    ("source", "kind", "changed"),
    [
        ("a < b", "shift-comparison", ["a <= b"]),
        ("a <= b", "shift-comparison", ["a < b"]),
        ("a > b", "shift-comparison", ["a >= b"]),
        ("a >= b", "shift-comparison", ["a > b"]),
        ("a == b", "shift-comparison", ["a != b"]),
        ("a != b", "shift-comparison", ["a == b"]),
        ("a in b", "shift-comparison", ["a not in b"]),
        ("a not  in b", "shift-comparison", ["a in b"]),
        ("a is None", "shift-comparison", ["a is not None"]),
        ("a is not None", "shift-comparison", ["a is None"]),
        ("(a) < (b) <= c", "shift-comparison", ["(a) <= (b) <= c", "(a) < (b) < c"]),
        ("x = 2.5", "shift-number", ["x = 1.5", "x = 3.5"]),
        ("x[-1]", "shift-number", ["x[-0]", "x[-2]"]),
        ("a and b and c", "swap-and-or", ["a or b and c", "a and b or c"]),
        ("(a or b) and c", "swap-and-or", ["(a and b) and c", "(a or b) or c"]),
        ("not(a)", "drop-not", ["(a)"]),
        ("f(a, b, k=1)", "swap-arguments", ["f(b, a, k=1)"]),
        ("f(a, a)", "swap-arguments", []),
        ("f(*a, b)", "swap-arguments", []),
        ("a if c else b", "swap-branches", ["b if c else a"]),
        ("[x for x in y if x if z]", "negate-condition",
         ["[x for x in y if not (x) if z]", "[x for x in y if x if not (z)]"]),
        ("a % b // c", "swap-operator", ["a * b // c", "a % b * c"]),
        ("a ** b | c", "swap-operator", []),
        ("x = True", "change-constant", ["x = False"]),
        ("x = False", "change-constant", ["x = True"]),
        ("a, b = 1, 2", "drop-assignment", ["1, 2"]),
        ("a = 1\nb['k'] = (2,\n 3)\nc = 3", "drop-assignment",
         ["b['k'] = (2,\n 3)\nc = 3", "a = 1\nb['k'] = (2,\n 3)"]),
        ("a = 1\nb['k'] = (2,\n 3)\nc = 3", "drop-statement", ["a = 1\nc = 3"]),
        ("b['k'] = 1", "drop-statement", ["None"]),
        ("x += 1", "drop-statement", ["None"]),
        ("f(x)", "drop-statement", []),
        (r"x = 'one\ntwo'", "change-text", [r"x = 'onex\ntwo'"]),
        ("x = r'ab'", "change-text", ["x = r'abx'"]),
        ("x = ', '", "change-text", []),
        ("'−', $name == 'größe'", "change-text", ["'−', $name == 'größex'"]),
        ("f'{a} is {b:>10} {c!r} {{not}}'", "change-text",
         ["f'{a} isx {b:>10} {c!r} {{not}}'", "f'{a} is {b:>10} {c!r} {{notx}}'"]),
        ('f"{d[1:] if a != b else 3:,}"', "shift-comparison", ['f"{d[1:] if a == b else 3:,}"']),
        ('f"{d[1:] if a else 3:,}"', "shift-number",
         [f'f"{{d[{i}:] if a else 3:,}}"' for i in (0, 2)] + [f'f"{{d[1:] if a else {i}:,}}"' for i in (2, 4)]),
        ("this is no code", "shift-number", []),
    ],
)  # fmt: skip
def test_code(source: str, kind: str, changed: list[str]) -> None:
    assert bodies(source, kind) == changed


def test_curly_quotes_are_repaired_first() -> None:
    rows = read_rows(
        [{"name": "a", "action": "python_function", "instruction": "x = “word” × 2", "transitions": "quit"}]
    )
    assert of("change-text", rows=rows) == [("a", "instruction", {"instruction": 'x = "wordx" * 2'})]


# ---------------------------------------------------------------------- texts


def test_texts() -> None:
    source = r"Hello \$ $name?{, $title ?{of ${f(x, 1)}}}. {plain} braces"
    changes = [(edit.kind, applied(source, edit)) for edit in text_edits(source)]
    assert [text for kind, text in changes if kind == "drop-optional"] == [
        r"Hello \$ $name. {plain} braces",
        r"Hello \$ $name?{, $title }. {plain} braces",
    ]
    assert [text for kind, text in changes if kind == "change-text"] == [
        r"Hellox \$ $name?{, $title ?{of ${f(x, 1)}}}. {plain} braces",
        r"Hello \$ $name?{, $title ?{ofx ${f(x, 1)}}}. {plain} braces",
        r"Hello \$ $name?{, $title ?{of ${f(x, 1)}}}. {plain} bracesx",
    ]
    assert [text for kind, text in changes if kind == "swap-arguments"] == [
        r"Hello \$ $name?{, $title ?{of ${f(1, x)}}}. {plain} braces"
    ]


def test_malformed_texts_have_no_changes() -> None:
    assert text_edits("a ${b") == []
    assert instruction_edits("name =") == []


@given(st.text(alphabet="ab ?{}$x\\=,'\"[(", max_size=30))
def test_changes_differ_and_keep_the_rest(text: str) -> None:
    for edit in instruction_edits(text):
        assert applied(text, edit) != text
        assert 0 <= edit.start <= edit.end <= len(text)


def test_the_longest_word_is_altered() -> None:
    assert list(altered_words("an older one", 5)) == [Edit(8, 13, "olderx", "change-text")]
    assert list(altered_words("a 1 ?!")) == []


def test_excerpts_stay_on_their_line() -> None:
    text = "first line\nsecond = 1\nthird"
    assert excerpt(text, 11, 17) == "second = 1"
    assert excerpt("x" * 60 + "y" + "z" * 60, 60, 61) == f"…{'x' * 24}y{'z' * 24}…"


# ---------------------------------------------------------------------- programs


def test_a_mutant_changes_one_node_and_leaves_the_rest() -> None:
    rows = small()
    for mutant in mutants_of(rows):
        changed = mutated(rows, mutant)
        differing = [new.get("name") for old, new in zip(rows, changed, strict=True) if old.fields != new.fields]
        assert differing == [mutant.node], mutant
    assert rows[0].fields == SMALL[0]


def test_ids_are_unique_and_stay_when_rows_move() -> None:
    found = mutants_of(small())
    assert len({mutant.id for mutant in found}) == len(found)
    assert {mutant.kind for mutant in found} <= set(KINDS)
    moved = read_rows([{"name": "before", "action": "transition", "transitions": "start1"}, *reversed(SMALL)])
    stayed = {mutant.id for mutant in mutants_of(moved)}
    lost = [mutant for mutant in found if mutant.id not in stayed]
    assert {mutant.kind for mutant in lost} <= {"redirect-target"}
    assert len(lost) <= 3
    shuffled = replace(small(), rows=tuple(reversed(small().rows)))
    assert {mutant.id for mutant in mutants_of(shuffled)} == {mutant.id for mutant in found}


def test_the_same_words_twice_in_a_cell_are_two_mutants() -> None:
    row = {"name": "a", "action": "python_function", "instruction": "x = 1\ny = 2\nx = 1", "transitions": "quit"}
    assert [texts["instruction"] for _, _, texts in of("drop-assignment", rows=read_rows([row]))] == [
        "y = 2\nx = 1", "x = 1\nx = 1", "x = 1\ny = 2",
    ]  # fmt: skip
    assert len({mutant.id for mutant in mutants_of(read_rows([row]))}) == len(mutants_of(read_rows([row])))


def test_lists_of_yaml_stay_lists(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(
        "nodes:\n  a:\n    action: chat_exact\n    instruction: Hello!\n    transitions: [b, 'return f(1, 2)']\n"
        "    transition_question: Which?\n    transition_choices: [one, two]\n"
        "  b:\n    action: chat_exact\n    instruction: Bye!\n",
        encoding="utf-8",
    )
    rows = read_rows(path)
    found = {mutant.kind: mutant for mutant in mutants_of(rows)}
    swapped = mutated(rows, found["swap-transitions"])
    assert swapped[0].items("transitions") == ("return f(1, 2)", "b")
    assert str(found["swap-transitions"].location) == f'{path}, line 5, column "transitions"'
    assert mutated(rows, found["swap-arguments"])[0].items("transitions") == ("b", "return f(2, 1)")
    assert mutated(rows, found["swap-choices"])[0].get("transition_choice_a") == "two"


@pytest.mark.parametrize("name", SHIPPED[:3])
def test_mutants_of_shipped_programs_load(name: str) -> None:
    rows = read_rows(PROGRAMS / name)
    found = mutants_of(rows)
    for mutant in found[:: max(1, len(found) // 40)]:
        bot = Autograph().load_rows(mutated(rows, mutant))
        assert len(bot.nodes) == len(rows)


def test_shipped_programs_have_mutants_of_most_kinds() -> None:
    kinds: set[str] = set()
    for name in SHIPPED:
        found: list[Mutant] = mutants_of(read_rows(PROGRAMS / name))
        assert len(found) > 150
        kinds |= {mutant.kind for mutant in found}
    assert kinds == set(KINDS)
