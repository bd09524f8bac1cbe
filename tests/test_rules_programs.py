"""Rules of sections 1 and 8 that a single sheet cannot show: YAML, settings, problems."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook

import autograph
from autograph import AutographConfig, ProgramError
from autograph.models import ScriptedModel
from autograph.models.base import GenerateRequest

SHEET = """name,action,transitions,instruction
start1,chat_exact,mood,Hello! Which colour?
mood,thought,reply,mood=Name the mood.
reply,chat,mood,Greet a $mood person.
"""

MAPPING = """nodes:
  start1:
    action: chat_exact
    instruction: Hello! Which colour?
    transitions: mood
  mood: {action: thought, instruction: mood=Name the mood., transitions: reply}
  reply: {action: chat, instruction: Greet a $mood person., transitions: mood}
"""

LIST = """nodes:
- name: start1
  action: chat_exact
  instruction: Hello! Which colour?
  transitions: [mood]
- {name: mood, action: thought, instruction: mood=Name the mood., transitions: reply}
- {name: reply, action: chat, instruction: Greet a $mood person., transitions: mood}
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def problems_of(source: object, config: AutographConfig | None = None) -> list[autograph.Problem]:
    with pytest.raises(ProgramError) as caught:
        autograph.load(source, config=config, model=ScriptedModel())
    return caught.value.problems


def test_nodes_keep_the_order_of_the_rows(tmp_path: Path) -> None:
    bot = autograph.load(write(tmp_path, "p.csv", SHEET), model=ScriptedModel())
    assert list(bot.nodes) == ["start1", "mood", "reply"]
    assert bot.nodes["mood"].instruction == "mood=Name the mood."


@pytest.mark.parametrize(("name", "text"), [("p.csv", SHEET), ("p.yaml", MAPPING), ("q.yaml", LIST)])
def test_yaml_says_the_same_as_the_sheet(tmp_path: Path, name: str, text: str) -> None:
    model = ScriptedModel(replies=["calm", "Lovely!"])
    bot = autograph.load(write(tmp_path, name, text), model=model)
    assert [(n.name, n.spec.action.name, n.instruction, n.transitions) for n in bot] == [
        ("start1", "chat_exact", "Hello! Which colour?", ["mood"]),
        ("mood", "thought", "mood=Name the mood.", ["reply"]),
        ("reply", "chat", "Greet a $mood person.", ["mood"]),
    ]
    first, memory = bot.reply()
    second, memory = bot.reply("Blue", memory)
    assert (first, second, memory.variables) == ("Hello! Which colour?", "Lovely!", {"mood": "calm"})


def workbook(folder: Path) -> Path:
    book = Workbook()
    program = book.create_sheet("program", 0)
    for row in (("name", "action", "instruction"), ("a", "chat_exact", "A"), ("b", "chat_exact", "B")):
        program.append(row)
    settings = book.create_sheet("config")
    settings.append(("start_state", "b"))
    path = folder / "p.xlsx"
    book.save(path)
    return path


def test_where_settings_stand(tmp_path: Path) -> None:
    nodes = "nodes:\n  a: {action: chat_exact, instruction: A}\n  b: {action: chat_exact, instruction: B}\n"
    in_yaml = write(tmp_path, "in.yaml", "config:\n  start_state: b\n" + nodes)
    beside = write(tmp_path, "beside.csv", "name,action,instruction\na,chat_exact,A\nb,chat_exact,B\n")
    write(tmp_path, "beside.config.yaml", "start_state: b\n")
    for path in (in_yaml, beside, workbook(tmp_path)):
        assert autograph.load(path, model=ScriptedModel()).reply()[0] == "B"


def test_python_wins_over_the_sheet(tmp_path: Path) -> None:
    path = write(tmp_path, "p.yaml", "config:\n  start_state: b\n  agent_name: Ada\n" + MAPPING)
    bot = autograph.load(path, config=AutographConfig(start_state="mood"), model=ScriptedModel())
    assert (bot.config.start_state, bot.config.agent_name, bot.config.user_name) == ("mood", "Ada", "User")


def test_newer_language_is_refused(tmp_path: Path) -> None:
    written = write(tmp_path, "p.yaml", "config:\n  language: 2\n" + MAPPING)
    assert [p.kind for p in problems_of(written)] == ["newer-language"]
    plain = write(tmp_path, "q.yaml", MAPPING)
    assert [p.kind for p in problems_of(plain, AutographConfig(language=2))] == ["newer-language"]
    same = write(tmp_path, "r.yaml", "config:\n  language: 1\n" + MAPPING)
    assert autograph.load(same, model=ScriptedModel()).config.language == 1


def test_a_function_named_like_a_host_function() -> None:
    rows = [
        {"name": "start1", "action": "chat_exact", "instruction": "x"},
        {"name": "look_up(word)", "action": "python_function", "instruction": "word", "transitions": "return"},
    ]
    assert list(autograph.load(rows, model=ScriptedModel()).nodes) == ["start1", "look_up()"]
    with pytest.raises(ProgramError) as caught:
        autograph.load(rows, model=ScriptedModel(), modules={"look_up": str.upper})
    assert [p.kind for p in caught.value.problems] == ["name-taken"]


def test_lists_in_yaml_are_taken_as_they_are(tmp_path: Path) -> None:
    text = """nodes:
  f(a, b):
    action: python_function
    instruction: n = 0
    transitions:
      - return max(a, b)
      - "return 'a, b'"
    transition_question: Which?
    transition_choices: [the larger, a text]
"""
    bot = autograph.load(write(tmp_path, "p.yaml", text), model=ScriptedModel(answers=["A", "B"]))
    assert bot.nodes["f()"].transitions == ["return max(a, b)", "return 'a, b'"]
    assert [bot.apply_fn("f()", [3, 8]), bot.apply_fn("f()", [3, 8])] == [8, "a, b"]


def test_all_problems_are_reported_at_once(tmp_path: Path) -> None:
    text = """name,action,transitions,instruction,colour
start1,speak,b,x,red
b,chat_exact,nowhere,x,
b,chat_exact,"a,,b",x,
f(),python_function,return,1 +,
"""
    found = problems_of(write(tmp_path, "p.csv", text))
    assert {(p.location.row, p.kind) for p in found} == {(1, "unknown-column")}
    found = problems_of(write(tmp_path, "q.csv", text.replace(",colour", ",notes")))
    assert {(p.location.row, p.kind) for p in found} == {
        (2, "unknown-action"),
        (3, "unknown-target"),
        (4, "duplicate-node"),
        (5, "bad-statement"),
    }


def test_lettered_fields_may_be_lists_in_yaml(tmp_path: Path) -> None:
    text = """nodes:
  start1:
    action: chat_exact
    instruction: Tea?
    transitions: [a, b]
    transition_question: Well?
    transition_choices: ["yes", "no"]
    user_instruction_transitions: [Say yes., Say no.]
    transition_probs: [0, 1]
  a: {action: chat_exact, instruction: A}
  b: {action: chat_exact, instruction: B}
"""
    model = ScriptedModel(replies=["Nope."], answers=["No"])
    bot = autograph.load(write(tmp_path, "p.yaml", text), model=model, classifier=model)
    _, memory = bot.reply()
    assert bot.simulate_user(memory) == ("Nope.", "b")
    (request,) = [r for r in model.requests if isinstance(r, GenerateRequest)]
    assert "Say no." in request.messages[-1].content
    assert bot.reply("Nope.", memory)[0] == "B"


def test_unknown_nodes_in_lists_are_warned_of() -> None:
    rows = [{"name": "start1", "action": "chat_exact", "instruction": "x", "blocking_states": "strat1"}]
    (warning,) = autograph.load(rows, model=ScriptedModel()).problems
    assert (warning.kind, warning.severity, warning.location.column) == ("unknown-node", "warning", "blocking_states")
    assert 'Did you mean "start1"?' in warning.hint
