"""The slash commands: what a line means and what it leads to."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograph.cli.commands import COMMANDS, Say, interpret, run_line
from autograph.cli.complete import completions
from autograph.cli.outcome import Outcome
from autograph.cli.recipe import Recipe
from autograph.cli.session import Session
from autograph.cli.style import Page
from autograph.config import AutographConfig
from autograph.models import ScriptedModel

PAGE = Page(80)


@pytest.fixture
def session(cafe: Path) -> Session:
    model = ScriptedModel(["Some tea?", "Tea?"], [["yes", 0.9], "no"])
    found = Session(Recipe(str(cafe), AutographConfig(), model))
    list(found.open())
    return found


def do(session: Session, line: str) -> Outcome:
    outcome = run_line(session, line, PAGE)
    if outcome.turn is not None:
        list(outcome.turn)
    return outcome


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("hello", Say("hello")),
        ("  hello /x ", Say("  hello /x ")),
        ("//etc/passwd", Say("/etc/passwd")),
        ("/undo  3 ", ("/undo", "3")),
        ("/vars", ("/vars", "")),
        ("   ", None),
        ("", None),
    ],
)
def test_what_a_line_means(line: str, meaning: object) -> None:
    assert interpret(line) == meaning


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("/vras", 'There is no command /vras. Did you mean "/vars"?'),
        ("/zzz", "There is no command /zzz. /help lists them all."),
        ("/", "There is no command /. /help lists them all."),
        ("/undo x", '"x" is no number of turns. Write /undo [n].'),
        ("/undo 0", '"0" is no number of turns. Write /undo [n].'),
        ("/goto", "Where to? Write /goto NODE."),
        ("/save", "Where to? Write /save FILE."),
        ("/load", "From where? Write /load FILE."),
        ("/vars tea", 'The variable "tea" is not defined here.'),
    ],
)
def test_commands_typed_wrongly(session: Session, line: str, text: str) -> None:
    outcome = run_line(session, line, PAGE)
    assert (outcome.text, outcome.code, outcome.turn) == (text, 2, None)


def test_help_lists_every_command(session: Session) -> None:
    text = do(session, "/help").text
    assert [line.split()[0] for line in text.splitlines()] == [*COMMANDS, "//text"]


def test_why_shows_questions_and_answers(session: Session) -> None:
    assert "there was one way to go (start1)" in do(session, "/why").text
    do(session, "Ada")
    do(session, "yes")
    assert do(session, "/why").text.splitlines() == [
        "ask asked",
        "  Do they want tea?",
        "  →   90% A. Yes",
        "          B. No",
        "  led to tea",
    ]


def test_trace_of_the_last_turns(session: Session) -> None:
    do(session, "Ada")
    do(session, "yes")
    assert do(session, "/trace").text.splitlines() == [
        'turn 3 · "yes"',
        "  ask  value    'Some tea?'",
        "       asked    Do they want tea? · A. Yes (90%) → tea",
        "  tea  entered",
        "       said     Here is your tea, Ada.",
    ]
    assert do(session, "/trace 9").text.count("turn ") == 3


def test_prompt_shows_the_last_request(session: Session) -> None:
    assert do(session, "/prompt").text.splitlines() == [
        "No text was asked of the model yet. The system prompt:",
        "  You are an agent.",
    ]
    do(session, "Ada")
    do(session, "yes")
    text = do(session, "/prompt").text
    assert text.startswith("The last request to the model, at ask (chat):\nsystem\n  You are an agent.\nassistant\n")
    assert "  Instruction for Agent: Ask Ada whether they want tea." in text.splitlines()


def test_vars_and_stack(cafe: Path) -> None:
    variables = {"name": "Ada", "long": list(range(100)), "text": "one\ntwo"}
    session = Session(Recipe(str(cafe), AutographConfig(), ScriptedModel()), variables=variables)
    assert do(session, "/stack").text == "The conversation has not begun."
    list(session.open())
    lines = do(session, "/vars").text.splitlines()
    assert [line.split()[:2] for line in lines] == [["long", "list"], ["name", "str"], ["text", "str"]]
    assert lines[0].endswith("…")
    assert all(len(line) <= 80 for line in lines)
    assert do(session, "/vars $text").text.splitlines() == ["text · str", "  one", "  two"]
    assert "99]" in do(session, "/vars long").text
    assert do(session, "/stack").text.splitlines()[0] == "› 0 start1 · base"


def test_control_characters_do_not_reach_the_terminal(cafe: Path) -> None:
    recipe = Recipe(str(cafe), AutographConfig(), ScriptedModel(["\x1b[2Jboo\x07"]))
    session = Session(recipe)
    list(session.open())
    do(session, "A\x1b]0;x\x07da")
    for line in ("/vars", "/vars guest", "/trace", "/prompt", "/stack"):
        assert "\x1b" not in do(session, line).text


def test_undo_says_where_the_conversation_stands(session: Session) -> None:
    assert do(session, "/undo").text == "There is nothing to take back."
    do(session, "Ada")
    do(session, "yes")
    assert do(session, "/undo").text == "Took back the last turn. The conversation stands at ask.\n\nSome tea?"
    assert do(session, "/undo 4").text == (
        "Took back the last turn, which is all there were. The conversation stands at start1.\n\n"
        "Hello! What is your name?"
    )


def test_save_and_load(session: Session, tmp_path: Path) -> None:
    do(session, "Ada")
    file = tmp_path / "talk.json"
    assert do(session, f"/save {file}").text == f"Saved the conversation to {file}."
    do(session, "yes")
    assert do(session, f"/load {file}").text == f"Loaded {file}. The conversation stands at ask.\n\nSome tea?"
    assert session.memory.variables == {"guest": "Ada"}
    outcome = do(session, f"/load {tmp_path}/none.json")
    assert " ".join(outcome.text.split()) == f"error: {tmp_path}/none.json cannot be read: No such file or directory"
    assert outcome.code == 70


def test_after_the_end_only_commands_go_on(session: Session) -> None:
    do(session, "Ada")
    do(session, "yes")
    do(session, "thanks")
    ended = "The conversation has ended. /undo takes back the last turn, /reset begins anew."
    for line in ("hello", "/goto tea"):
        assert do(session, line).text == ended
    do(session, "/undo")
    assert not session.finished


def test_completions(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    do(session, "Ada")
    assert completions(session, "/re") == ("/re", ["/retry", "/reload", "/reset"])
    assert completions(session, "/goto T") == ("T", ["tea"])
    assert completions(session, "/vars ") == ("", ["guest"])
    assert completions(session, "/model o")[1] == ["offline", "openai:"]
    assert completions(session, "/undo ") == ("", [])
    assert completions(session, "hello") == ("", [])
    assert completions(session, "//re") == ("", [])
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    assert completions(session, "/load c") == ("c", ["cafe.csv"])
    assert completions(session, "/load f") == ("f", ["folder/"])
    assert completions(session, "/load nowhere/") == ("nowhere/", [])
