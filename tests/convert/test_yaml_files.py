"""YAML in and out: readable, the same texts for every YAML reader, and with its comments kept."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from autograph.program.write import read_for_writing, rendered, write_rows
from autograph.tables import Rows, read_rows
from autograph.tables.cells import clean
from convert_support import essence, read, texts

PROGRAM = """\
# What it is about,
# in two lines.
config:
  agent_name: Robo  # short
  # How many steps.
  max_steps: 100
  python_imports: [math]

nodes:
  # ---- beginning
  start1:
    action: chat_exact
    # why so friendly
    instruction: |
      Hello!

      How are you?
    transitions: [tea, "return max(1, 2)"]
    transition_question: Tea?
    transition_choices: ["yes", "no"]
    "#owner": Ada
# ---- end
  tea: {action: chat_exact, instruction: "Tea: # 1", transitions: quit}
"""


def written(rows: Rows, name: str = "p.yaml") -> str:
    return rendered(rows, "yaml", name)[name].decode()


def rows_of(tmp_path: Path, text: str) -> Rows:
    path = tmp_path / "p.yaml"
    path.write_text(text, "utf-8")
    return read_for_writing(str(path))


def test_it_is_yaml_as_people_write_it() -> None:
    rows = read_rows(
        {
            "config": {"agent_name": "Robo", "max_steps": "100", "statement_seconds": "1.50", "language": "1"},
            "nodes": [
                {
                    "name": "start1",
                    "action": "chat_exact",
                    "instruction": "Hello!\n\n  How are you?",
                    "transitions": "tea, return max(1, 2), tea:2",
                    "transition_question": "Tea: what else?",
                    "transition_choice_a": "yes",
                    "transition_choice_b": '"no"',
                    "transition_choice_c": "a longer choice that would not read well if it stood in brackets",
                    "transition_context": "2",
                    "#owner": "",
                },
                {"name": "f(a, b=2)", "action": "python", "instruction": "a + b  # sum", "transitions": "return"},
                {"name": "tea:2", "action": "chat_exact", "instruction": "1.10", "transitions": "a,b", "#owner": "Ada"},
            ],
        }
    )
    assert (
        written(rows)
        == """\
config:
  agent_name: Robo
  max_steps: 100
  statement_seconds: "1.50"
  language: 1

nodes:
  start1:
    action: chat_exact
    instruction: |
      Hello!

        How are you?
    transitions: [tea, "return max(1, 2)", "tea:2"]
    transition_question: "Tea: what else?"
    transition_choices:
      - "yes"
      - '"no"'
      - a longer choice that would not read well if it stood in brackets
    transition_context: 2

  f(a, b=2):
    action: python
    instruction: "a + b  # sum"
    transitions: return

  tea:2:
    action: chat_exact
    instruction: "1.10"
    transitions: a,b
    "#owner": Ada
"""
    )


@given(st.lists(texts, min_size=1, max_size=4))
def test_other_readers_find_the_same_texts(found: list[str]) -> None:
    nodes = [{"name": f"n{i}", "action": "chat", "instruction": text, "#x": text} for i, text in enumerate(found)]
    rows = read_rows({"nodes": nodes, "config": {"agent_name": found[0]}})
    data = yaml.safe_load(written(rows))
    for row, node in zip(rows, data["nodes"].values(), strict=True):
        for key, text in {"instruction": row.get("instruction"), "#x": row.comments["#x"]}.items():
            assert node.get(key, "").removesuffix("\n" if "\n" in text else "") == text
    assert clean(data["config"]["agent_name"]) == clean(found[0])


def test_choices_with_a_gap_keep_their_letters(tmp_path: Path) -> None:
    text = "nodes:\n  a:\n    action: chat\n    transition_choice_b: two\n    transition_choice_d: four\n"
    rows = rows_of(tmp_path, text)
    assert written(rows) == text


@pytest.mark.parametrize(
    "nodes",
    [
        [{"name": "a", "action": "chat"}, {"name": "a", "action": "chat"}],
        [{"name": "", "action": "chat"}],
        [{"name": "<<", "action": "chat"}],
        [{"name": "x" * 300, "action": "chat"}],
        [{"name": "#x", "action": "chat"}],
        [{"action": "chat"}],
        [{"name": "a", "action": "chat"}, {}],
        [{"name": "a", "action": "chat"}, {"#x": ""}],
    ],
)
def test_names_that_cannot_be_keys_make_a_list(nodes: list[dict[str, str]], tmp_path: Path) -> None:
    rows = read_rows(nodes)
    assert isinstance(yaml.safe_load(written(rows))["nodes"], list)
    write_rows(rows, tmp_path / "p.yaml")
    assert essence(read(tmp_path / "p.yaml"))["rows"] == essence(rows)["rows"]


def test_lists_of_a_tree_stay_what_they_are(tmp_path: Path) -> None:
    text = (
        'nodes:\n  a:\n    action: chat\n    conv_scope: ["a, b", c]\n    up_weight_states:\n'
        '      - return f("x y", 2) and so on until it is long\n      - d\n    transitions: tea\n'
    )
    rows = rows_of(tmp_path, text)
    assert rows[0].items("conv_scope") == ("a, b", "c")
    assert written(rows) == text
    assert essence(read_rows(str(tmp_path / "p.yaml"))) == essence(rows)


def test_the_columns_are_listed_where_the_nodes_do_not_tell_them(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("Action,NAME,,#a,Transition-Choice A,#a,notes\nchat,a,,x,,y,\n", "utf-8")
    text = written(read(tmp_path / "p.csv"))
    assert text == (
        'nodes:\n  a:\n    action: chat\n    "#a": x\n    "#a (F)": y\n\n'
        'columns: [Action, NAME, "", "#a", Transition-Choice A, "#a", notes]\n'
    )
    (tmp_path / "p.yaml").write_text(text, "utf-8")
    write_rows(read(tmp_path / "p.yaml"), tmp_path / "q.csv")
    assert (tmp_path / "q.csv").read_text("utf-8") == (tmp_path / "p.csv").read_text("utf-8")


def test_a_wrong_list_of_columns_is_refused(tmp_path: Path) -> None:
    from tables_support import kinds, problems_of

    def refused(columns: str) -> list[str]:
        (tmp_path / "p.yaml").write_text(f"columns: {columns}\nnodes:\n  a: {{action: chat}}\n", "utf-8")
        return kinds(problems_of(read, tmp_path / "p.yaml"))

    assert refused("name") == ["bad-yaml"]
    assert refused("[[name]]") == ["bad-yaml"]
    assert refused("[name, nmae]") == ["unknown-column"]
    assert refused("[name, Name]") == ["duplicate-column"]


# ---------------------------------------------------------------------- comments


def test_comments_go_to_a_column_and_to_remarks(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, PROGRAM)
    assert [row.comments for row in rows] == [
        {"#comment": "---- beginning\nwhy so friendly", "#owner": "Ada"},
        {"#comment": "---- end"},
    ]
    assert [(r.position, r.key, r.text) for r in rows.config_remarks] == [
        (0, "#comment", "What it is about,\nin two lines."),
        (1, "#comment 2", "short"),
        (1, "#comment 3", "How many steps."),
    ]
    assert dict(rows.config) == dict(read(tmp_path / "p.yaml").config)
    write_rows(rows, tmp_path / "q.csv")
    assert read(tmp_path / "q.csv")[1].comments["#comment"] == "---- end"
    assert (tmp_path / "q.config.yaml").read_text("utf-8") == (
        '"#comment": |\n  What it is about,\n  in two lines.\nagent_name: Robo\n"#comment 2": short\n'
        '"#comment 3": How many steps.\nmax_steps: 100\npython_imports: [math]\n'
    )


def test_comments_of_the_settings_beside_a_table_are_kept(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("name,action,instruction\na,chat_exact,Hi\n", "utf-8")
    (tmp_path / "p.config.yaml").write_text("# of the clinic\nagent_name: Robo # short\nmax_steps: 100\n", "utf-8")
    rows = read_for_writing(tmp_path / "p.csv")
    assert [(r.position, r.key, r.text) for r in rows.config_remarks] == [
        (0, "#comment", "of the clinic"),
        (1, "#comment 2", "short"),
    ]
    assert [(row.row, row.comments) for row in rows] == [(2, {})]
    assert "#comment: of the clinic" in written(rows).replace('"', "")


def test_comments_survive_yaml_to_yaml(tmp_path: Path) -> None:
    first = written(rows_of(tmp_path, PROGRAM))
    assert first.startswith('config:\n  "#comment": |\n    What it is about,\n    in two lines.\n  agent_name: Robo\n')
    assert "columns" not in first
    assert written(rows_of(tmp_path, first)) == first


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("nodes:\n  a: {action: chat}\n  # last\n", ["last"]),
        ("# yaml-language-server: $schema=x.json\nnodes:\n  a: {action: chat}\n", [""]),
        ("- name: a\n  action: chat  # said\n# next\n- name: b\n  action: chat # é\n", ["said", "next\né"]),
        (
            "nodes:\n  a:\n    action: chat\n    instruction: |\n      # text\n    # of a\n  b: {action: chat}\n",
            ["of a", ""],
        ),
        ("nodes:\n  a:\n    action: chat\n    '#comment': own\n    # more\n", ["more\nown"]),
        ("# \n#\nnodes:\n  a: {action: 'chat # no'}\n", [""]),
    ],
)
def test_where_a_comment_belongs(text: str, comments: list[str], tmp_path: Path) -> None:
    rows = rows_of(tmp_path, text)
    assert [row.comments.get("#comment", "") for row in rows] == comments


def test_rows_of_remarks_stand_where_they_stood(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(
        "name,action,#part\n,,Beginning\na,chat,\n\n,,End\nb,chat,last\n,,\n,,That is all\n", "utf-8"
    )
    rows = read(tmp_path / "p.csv")
    assert [(position, dict(row.comments)) for position, row in rows.asides] == [
        (0, {"#part": "Beginning"}),
        (1, {"#part": "End"}),
        (2, {"#part": "That is all"}),
    ]
    text = written(rows)
    assert '\n  "# 2":\n    "#part": End\n\n  b:\n' in text
    (tmp_path / "p.yaml").write_text(text, "utf-8")
    assert essence(read(tmp_path / "p.yaml"))["asides"] == essence(rows)["asides"]
    write_rows(rows, tmp_path / "q.xlsx")
    write_rows(read(tmp_path / "q.xlsx"), tmp_path / "q.csv")
    assert (tmp_path / "q.csv").read_text("utf-8") == (
        "name,action,#part\n,,Beginning\na,chat,\n\n,,End\nb,chat,last\n\n,,That is all\n"
    )


def test_remarks_without_a_node_are_no_program(tmp_path: Path) -> None:
    from tables_support import kinds, problems_of

    (tmp_path / "p.yaml").write_text('nodes:\n  "# 1": {"#x": y}\n', "utf-8")
    assert kinds(problems_of(read, tmp_path / "p.yaml")) == ["no-nodes"]
