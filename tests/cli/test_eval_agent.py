"""``autograph eval agent``, ``export`` and ``import``: what is said, what is written, and how errors end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import autograph
from autograph.cli.main import cli
from autograph.cli.saved import read_conversation, write_conversation
from autograph.dialogue.state import validate_state

TEA = """\
name,action,instruction,transitions
start1,chat_exact,Who are you?,keep
keep,python_function,guest = _last_user_reply,tea
tea,chat_exact,"Tea, $guest?",keep
"""
AGENT = """\
services:
  skills:
    tea: {program: tea.csv}
    echo: {output: {text: "I see, and I do see.", confidence: 0.5}}
  response_selectors:
    best: {selector: confidence}
  last_chance_service: {text: Sorry.}
"""
BROKEN = """\
services:
  skills:
    tea: {program: tea.csv, confidence: sure}
  response_selectors:
    best: {selector: confidence}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program and an agent, without models of the environment."""
    (tmp_path / "tea.csv").write_text(TEA, "utf-8")
    (tmp_path / "agent.yaml").write_text(AGENT, "utf-8")
    (tmp_path / "broken.yaml").write_text(BROKEN, "utf-8")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "AUTOGRAPH_MODEL", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, said: str = "") -> Result:
    return CliRunner().invoke(cli, ["eval", *arguments], input=said)


def data(name: str) -> Any:
    return json.loads(Path(name).read_text("utf-8"))


# ---------------------------------------------------------------------- agent


def test_lines_go_in_and_replies_come_out() -> None:
    result = run("agent", "agent.yaml", "--model", "offline", said="hello\n\nAnn\n/quit\nlost\n")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "Who are you?\nTea, Ann?\n", "")


def test_the_trace_shows_who_proposed_what() -> None:
    result = run("agent", "agent.yaml", "--model", "offline", "--trace", said="hello\n")
    assert result.stderr == "  ✓ tea   1.00  Who are you?\n    echo  0.50  I see, and I do see.\n"


def test_a_turn_as_json() -> None:
    result = run("agent", "agent.yaml", "--model", "offline", "--json", said="hello\nAnn\n")
    first, second = map(json.loads, result.stdout.splitlines())
    assert (first["reply"], first["skill"], first["confidence"]) == ("Who are you?", "tea", 1.0)
    assert [hypothesis["skill_name"] for hypothesis in second["hypotheses"]] == ["tea", "echo"]
    assert second["services"]["skills.echo"] == {"done": True, "skipped": False, "error": False}
    assert second["errors"] == {}
    assert first["dialog_id"] == second["dialog_id"]


def test_a_dialog_is_saved_and_gone_on_with() -> None:
    options = ("agent", "agent.yaml", "--model", "offline", "--user", "ann", "--save", "dialog.json")
    assert run(*options, said="hello\nAnn\n").exit_code == 0
    state = data("dialog.json")
    assert validate_state(state) == []
    assert state["human"]["user_external_id"] == "ann"
    assert run(*options, "--load", "dialog.json", said="Bob\n").stdout == "Tea, Bob?\n"
    assert len(data("dialog.json")["utterances"]) == 6


def test_another_dialog_begins_with_the_same_human() -> None:
    options = ("agent", "agent.yaml", "--model", "offline", "--save", "dialog.json")
    result = run(*options, said="hello\nAnn\n/start\nBob\n")
    assert result.stdout == "Who are you?\nTea, Ann?\nTea, Bob?\n"
    assert len(data("dialog.json")["utterances"]) == 2


def test_nobody_answers() -> None:
    result = run("agent", "broken.yaml", "--model", "offline", said="hello\n")
    assert result.exit_code == 70
    assert "no service has answered" in result.stderr.replace("\n", " ")
    result = run("agent", "broken.yaml", "--model", "offline", "--json", said="hello\n")
    assert (result.exit_code, "sure must hold a confidence" in json.loads(result.stdout)["error"]["message"]) == (
        70,
        True,
    )


def test_a_bad_pipeline_is_told_with_its_lines(folder: Path) -> None:
    Path("bad.yaml").write_text(AGENT.replace("selector: confidence", "python: 'x:y'"), "utf-8")
    result = run("agent", "bad.yaml")
    assert result.exit_code == 65
    assert result.stderr.startswith('error: bad.yaml, line 6: "response_selectors.best": x:y is Python code')
    [fault] = json.loads(run("agent", "bad.yaml", "--json").stdout)["faults"]
    assert (fault["file"], fault["line"]) == ("bad.yaml", 6)
    assert "cannot be imported" in run("agent", "bad.yaml", "--allow-code").stderr
    assert run("agent", "agent.yaml", "--timeout", "0").exit_code == 2
    Path("state.json").write_text("{}", "utf-8")
    result = run("agent", "agent.yaml", "--model", "offline", "--load", "state.json")
    assert (result.exit_code, "no dialogue state" in result.stderr) == (70, True)


# ---------------------------------------------------------------------- export and import


@pytest.fixture
def talk() -> str:
    """A saved conversation."""
    bot = autograph.load("tea.csv", model="offline")
    _, memory = bot.reply()
    _, memory = bot.reply("Ann", memory)
    write_conversation("talk.json", memory, "tea.csv")
    return "talk.json"


def test_a_conversation_goes_out_and_comes_back(talk: str) -> None:
    result = run("export", talk, "--to", "deeppavlov", "-o", "state.json", "--user", "ann")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "Wrote state.json.\n")
    state = data("state.json")
    assert validate_state(state) == []
    assert state["human"]["attributes"]["tea_state"]["program"] == "tea"
    result = run("import", "state.json", "--from", "deeppavlov", "--program", "tea.csv", "-o", "back.json")
    assert (result.exit_code, result.stderr) == (0, 'Wrote back.json. It stands at "tea".\n')
    assert read_conversation("back.json").memory == read_conversation(talk).memory
    assert read_conversation("back.json").program == "tea.csv"


def test_the_same_seed_gives_the_same_file(talk: str) -> None:
    one, other = (run("export", talk, "--to", "deeppavlov", "--seed", "x").stdout for _ in range(2))
    assert one == other
    assert validate_state(json.loads(one)) == []


def test_messages_go_out_and_come_back(talk: str) -> None:
    result = run("export", talk, "--to", "openai")
    messages = json.loads(result.stdout)["messages"]
    assert [message["role"] for message in messages] == ["system", "assistant", "user", "assistant"]
    Path("messages.jsonl").write_text(result.stdout, "utf-8")
    options = ("import", "messages.jsonl", "--from", "openai", "-o", "back.json", "--program", "tea.csv")
    assert run(*options).exit_code == 2
    assert 'Did you mean "tea"?' in run(*options, "--node", "taa").stderr
    assert run(*options, "--node", "tea").exit_code == 0
    assert read_conversation("back.json").memory.current == "tea"
    Path("messages.jsonl").write_text(result.stdout * 2, "utf-8")
    result = run(*options, "--node", "tea")
    assert (result.exit_code, "holds 2 conversations" in result.stderr) == (70, True)


def test_another_version_of_the_program_is_refused(talk: str) -> None:
    run("export", talk, "--to", "deeppavlov", "-o", "state.json")
    Path("tea.csv").write_text(TEA.replace("Who are you?", "Your name?"), "utf-8")
    result = run("import", "state.json", "--from", "deeppavlov", "--program", "tea.csv", "-o", "back.json")
    assert (result.exit_code, "has changed since" in result.stderr.replace("\n", " ")) == (70, True)
    assert not Path("back.json").exists()


def test_the_state_of_another_program_is_named_with_both_files(talk: str) -> None:
    run("export", talk, "--to", "deeppavlov", "-o", "state.json")
    Path("other.csv").write_text(TEA.replace("Who", "How"), "utf-8")
    result = run("import", "state.json", "--from", "deeppavlov", "--program", "other.csv", "-o", "back.json")
    told = " ".join(result.stderr.split())
    assert 'state.json: the program "tea" has changed since the state was written, or other.csv is another one' in told
    result = run("import", "nothing.json", "--from", "deeppavlov", "-o", "back.json")
    assert " ".join(result.stderr.split()) == "error: nothing.json cannot be read: No such file or directory"


def test_a_state_that_cannot_be_gone_on_with_is_named_by_its_file() -> None:
    Path("bad.json").write_text('{"utterances": 5}', "utf-8")
    result = run("agent", "agent.yaml", "--load", "bad.json", said="hello\n")
    assert result.exit_code == 70
    assert result.stderr.startswith("error: bad.json: this is no dialogue state: ")


def test_without_its_program_a_conversation_has_no_fingerprint(talk: str) -> None:
    Path("tea.csv").rename("other.csv")
    result = run("export", talk, "--to", "deeppavlov", "--name", "chai")
    assert "without the program tea.csv, the state has no fingerprint" in result.stderr.replace("\n", " ")
    assert json.loads(result.stdout)["human"]["attributes"]["chai_state"]["fingerprint"] == ""


def test_files_that_are_something_else_are_named(talk: str) -> None:
    assert "nothing.json cannot be read" in run("export", "nothing.json", "--to", "openai").stderr.replace("\n", " ")
    result = run("import", talk, "--from", "deeppavlov", "-o", "back.json")
    assert (result.exit_code, "talk.json: this is no dialogue state" in result.stderr.replace("\n", " ")) == (70, True)
    assert run("export", talk, "--to", "latin").exit_code == 2
