"""YAML and JSON: everything stays text, lines are kept, nothing gets lost."""

from __future__ import annotations

import pytest

from autograph.errors import Location
from autograph.tables import Rows, read_bytes
from tables_support import kinds, problems_of


def read(text: str, name: str = "p.yaml") -> Rows:
    return read_bytes(text.encode(), name)


PROGRAM = """\
# yaml-language-server: $schema=autograph.schema.json
config:
  default_prompt: |
    Be kind.
    Be brief.
  max_steps: 50
  python_imports: [math]
nodes:
  - name: f(a, b)
    action: python
    instruction: x = yes
    transitions: [next.1, "return max(a, b)"]
    Transition-Question: Which?
    transition_choices: [yes, 1.10]
    "# owner": Mia
  - name: next.1
    action: chat
    notes: null
"""


def test_a_program() -> None:
    rows = read(PROGRAM)
    assert rows[0].fields == {
        "name": "f(a, b)", "action": "python", "instruction": "x = yes", "transitions": "next.1, return max(a, b)",
        "transition_question": "Which?", "transition_choice_a": "yes", "transition_choice_b": "1.10",
    }  # fmt: skip
    assert rows[0].items("transitions") == ("next.1", "return max(a, b)")
    assert rows[0].items("instruction") is None
    assert rows[0].comments == {"# owner": "Mia"}
    assert rows[1].fields == {"name": "next.1", "action": "chat", "notes": "null"}
    assert rows.config == {"default_prompt": "Be kind.\nBe brief.", "max_steps": "50", "python_imports": ["math"]}
    assert (rows.format, rows.problems) == ("yaml", [])


def test_addresses_are_lines() -> None:
    rows = read(PROGRAM)
    assert rows[0].location == Location("p.yaml", line=9)
    assert rows[0].cell("transition_choice_b") == Location("p.yaml", column="transition_choice_b", line=14)
    assert rows[0].cell("transition_question") == Location("p.yaml", column="Transition-Question", line=13)
    assert rows[1].cell("transitions") == Location("p.yaml", column="transitions", line=16)
    assert rows.config_location("max_steps").line == 6
    assert rows[0].row is None


def test_nodes_by_name() -> None:
    start = "nodes:\n  start:\n    action: chat\n    transitions: end\n"
    rows = read(start + '  "f(a, b=2)": {action: chat, name: "f(a, b=2)"}')
    assert [row.get("name") for row in rows] == ["start", "f(a, b=2)"]
    assert [row.line for row in rows] == [2, 5]
    assert rows[0].cell("name").line == 2


def test_a_list_of_nodes_is_a_program_too() -> None:
    assert read("- {name: a, action: chat}")[0].fields == {"name": "a", "action": "chat"}


WORDS = ["yes", "no", "on", "off", "null", "~", "1.10", "007", "0x1F", "1_000", "2026-02-01", "1:30"]


@pytest.mark.parametrize("word", WORDS)
def test_plain_words_stay_text(word: str) -> None:
    assert read(f"nodes:\n- name: {word}\n  action: chat")[0].get("name") == word


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("nodes:\n- name: a\n  name: b\n", "duplicate-key", 3),
        ("nodes:\n- Name: a\n  name: b\n", "duplicate-key", 3),
        ("nodes: [{name: a}]\nnodes: [{name: a}]", "duplicate-key", 2),
        ("nodes:\n- name: a\n  transition_choices: [x]\n  transition_choice_a: y\n", "duplicate-key", 4),
        ("nodes:\n- name: !!int 3\n", "bad-yaml", 2),
        ("nodes:\n- !node {name: a}\n", "bad-yaml", 2),
        ("nodes:\n- name: a\n  instruction: {x: y}\n", "bad-yaml", 3),
        ("nodes:\n- name: a\n  instruction:\n  - x\n", "bad-yaml", 4),
        ("nodes:\n- name: a\n  transitions: [[x]]\n", "bad-yaml", 3),
        ("nodes:\n- name: a\n  transition_choices: x, y\n", "bad-yaml", 3),
        ("nodes:\n- name: a: b\n", "bad-yaml", 2),
        ("nodes:\n- name: a\n\taction: chat\n", "bad-yaml", 3),
        ("nodes:\n- a\n", "bad-yaml", 2),
        ("nodes:\n  a:\n", "bad-yaml", 2),
        ("nodes:\n  a: {name: b}\n", "bad-yaml", 2),
        ("nodes: hello\n", "bad-yaml", 1),
        ("nodes:\n", "no-nodes", 1),
        ("nodes: []\n", "no-nodes", 1),
        ("hello\n", "bad-yaml", 1),
        ("config: {}\n", "bad-yaml", 1),
        ("nodes: [{name: a}]\n---\nnodes: []\n", "bad-yaml", 2),
        ("node: []\nnodes: [{name: a}]\n", "bad-yaml", 1),
        ("nodes: [{name: a, <<: {action: chat}}]\n", "bad-yaml", 1),
        ("nodes: [{[a]: b}]\n", "bad-yaml", 1),
        ("nodes: [{name: *b}]\n", "bad-yaml", 1),
        ("nodes: &n [*n]\n", "bad-yaml", 1),
        ("nodes: [{name: a, colour: b}]\n", "unknown-column", 1),
        ("config: [a]\nnodes: [{name: a}]\n", "bad-config", 1),
        ("config: {a: b, A: c}\nnodes: [{name: a}]\n", "duplicate-key", 1),
        ("nodes:\n- name: \"a\\x01\"\n", "control-character", 2),
        ("nodes:\n- name: a\x01\n", "control-character", 2),
    ],
)  # fmt: skip
def test_faults(text: str, kind: str, line: int) -> None:
    assert [(p.kind, p.location.line) for p in problems_of(read, text)] == [(kind, line)]


def test_both_lines_of_a_repeated_key() -> None:
    (problem,) = problems_of(read, "nodes:\n  a: {action: chat}\n  b: {action: chat}\n  a: {action: chat}\n")
    assert "lines 2 and 4" in problem.message


def test_all_faults_are_reported() -> None:
    found = problems_of(read, "nodes:\n- {name: a, acton: chat}\n- {name: b, instruction: [x]}\n- c\n")
    assert kinds(found) == ["unknown-column", "bad-yaml", "bad-yaml"]
    assert found[0].hint == 'Did you mean "action"?'


def test_anchors_are_allowed_within_bounds() -> None:
    rows = read("nodes:\n- {name: a, instruction: &hi Hello}\n- {name: b, instruction: *hi}\n")
    assert rows[1].get("instruction") == "Hello"
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 10))
    (problem,) = problems_of(read, bomb + "nodes: []\n")
    assert "aliases" in problem.message


@pytest.mark.parametrize("name", ["p.yaml", "p.json"])
def test_depth_is_bounded(name: str) -> None:
    (problem,) = problems_of(read, "[" * 5_000, name)
    assert "nest" in problem.message
    (problem,) = problems_of(read, "[" * 60 + "]" * 60, name)
    assert "more than 50 deep" in problem.message


JSON = """\
{"$schema": "x.json",
 "config": {"max_steps": 1e3, "seed": null, "self_referential": true},
 "nodes": {
\t"start": {"action": "chat", "instruction": "A \\ud83d\\ude00 \\/ \\"b\\"", "transitions": ["a", "b"],
            "min_confidence": 0.50, "boolean_condition": false, "notes": null}
 }
}
"""


def test_json() -> None:
    rows = read(JSON, "p.json")
    assert rows[0].fields == {
        "name": "start", "action": "chat", "instruction": 'A 😀 / "b"', "transitions": "a, b",
        "min_confidence": "0.50", "boolean_condition": "False", "notes": "",
    }  # fmt: skip
    assert rows[0].items("transitions") == ("a", "b")
    assert rows.config == {"max_steps": "1e3", "seed": None, "self_referential": "True"}
    assert rows[0].cell("notes").line == 5
    assert rows.format == "json"


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ('{"nodes":\n [{"name": "a",\n "name": "b"}]}', "duplicate-key", 3),
        ('{"nodes": [\n{"name": "a",}]}', "bad-yaml", 2),
        ('{"nodes": [\n{"name": "a"}', "bad-yaml", 2),
        ('{"nodes": [\n{"name" "a"}]}', "bad-yaml", 2),
        ('{"nodes": [\n{"name": 01}]}', "bad-yaml", 2),
        ('{"nodes": [\n{"name": nul}]}', "bad-yaml", 2),
        ('{"nodes": [\n{"name": NaN}]}', "bad-yaml", 2),
        ('{"nodes": [\n{\'name\': "a"}]}', "bad-yaml", 2),
        ('{"nodes": [\n{"name": "a\nb"}]}', "bad-yaml", 2),
        ('{"nodes": [\n{"name": "\\q"}]}', "bad-yaml", 2),
        ('{"nodes": [\n{"name": "\\ud83d"}]}', "control-character", 2),
        ('{"nodes": [{"name": "a"}]}\n{}', "bad-yaml", 2),
        ('\n{"nodes": [{"name": {}}]}', "bad-yaml", 2),
    ],
)
def test_faults_of_json(text: str, kind: str, line: int) -> None:
    assert [(p.kind, p.location.line) for p in problems_of(read, text, "p.json")] == [(kind, line)]
