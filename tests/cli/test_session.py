"""The state of a chat: turns, undo, retry, goto, reload, another model; no terminal is needed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from autograph.cli.recipe import Recipe
from autograph.cli.session import LiveTurn, Session
from autograph.config import AutographConfig
from autograph.errors import ModelError, ProgramError, RunError
from autograph.models import ScriptedModel


def make(program: Path, *, replies: Iterable[str] = (), answers: Iterable[object] = (), **options: object) -> Session:
    model = ScriptedModel(replies, answers)
    return Session(Recipe(str(program), AutographConfig(), model), **options)  # type: ignore[arg-type]


def said(turn: LiveTurn) -> str:
    return "".join(turn)


def test_turns_are_taken_and_kept(cafe: Path) -> None:
    session = make(cafe, replies=["Some tea?"], answers=["yes"])
    assert session.fresh
    assert said(session.open()) == "Hello! What is your name?"
    turn = session.say("Ada")
    pieces = list(turn)
    assert len(pieces) > 1  # it streams
    assert "".join(pieces) == "Some tea?"
    assert turn.step is not None
    assert turn.step.reply == "Some tea?"
    assert turn.step.seconds >= 0
    assert said(session.say("yes")) == "Here is your tea, Ada."
    assert said(session.say("thanks")) == "Goodbye, Ada."
    assert session.finished
    assert len(session.history) == 4


def test_without_streaming_a_reply_comes_whole(cafe: Path) -> None:
    session = make(cafe, replies=["Some tea?"], streams=False)
    said(session.open())
    assert list(session.say("Ada")) == ["Some tea?"]


def test_a_turn_that_is_left_changes_nothing(cafe: Path) -> None:
    session = make(cafe, replies=["Some tea for you?", "Again: some tea?"])
    said(session.open())
    before = session.memory
    for _ in session.say("Ada"):
        break
    assert session.memory is before
    assert session.unfinished is not None
    assert said(session.retry()) == "Again: some tea?"
    assert session.memory.variables == {"guest": "Ada"}
    assert session.unfinished is None


def test_a_turn_that_fails_changes_nothing_and_can_be_retried(cafe: Path) -> None:
    session = make(cafe)
    said(session.open())
    before = session.memory
    with pytest.raises(ModelError):
        said(session.say("Ada"))
    assert session.memory is before
    with pytest.raises(ModelError):
        said(session.retry())
    assert session.memory is before


def test_undo_keeps_the_opening(cafe: Path) -> None:
    session = make(cafe, replies=["Some tea?"], answers=["yes"])
    assert session.undo() == 0
    said(session.open())
    assert session.undo() == 0
    said(session.say("Ada"))
    said(session.say("yes"))
    assert session.undo(5) == 2
    assert session.memory.current == "start1"
    assert session.memory.variables == {}


def test_undo_takes_back_a_text_that_began_the_conversation(cafe: Path) -> None:
    session = make(cafe)
    assert said(session.say("hi")) == "Hello! What is your name?"
    assert session.undo() == 1
    assert session.fresh


def test_retry_says_the_same_from_the_same_place(cafe: Path) -> None:
    session = make(cafe, replies=["Some tea?", "Tea, perhaps?"])
    with pytest.raises(RunError, match="no turn yet"):
        session.retry()
    said(session.open())
    said(session.say("Ada"))
    assert said(session.retry()) == "Tea, perhaps?"
    assert [step.reply for step in session.history] == ["Hello! What is your name?", "Tea, perhaps?"]


def test_a_retry_that_fails_keeps_the_turn(cafe: Path) -> None:
    session = make(cafe, replies=["Some tea?"])
    said(session.open())
    said(session.say("Ada"))
    with pytest.raises(ModelError):
        said(session.retry())
    assert session.history[-1].reply == "Some tea?"


def test_goto_enters_a_node(cafe: Path) -> None:
    session = make(cafe, variables={"guest": "Ada"})
    assert said(session.goto("tea")) == "Here is your tea, Ada."
    assert session.memory.trajectory == ["tea"]
    with pytest.raises(RunError, match=r'there is no node "teas"\. Did you mean "tea"\?'):
        session.goto("teas")


def test_a_function_is_not_entered_by_goto(calls: Path) -> None:
    session = make(calls)
    with pytest.raises(RunError, match="is a function"):
        session.goto("order()")


def test_start_and_variables_hold_for_each_beginning(cafe: Path) -> None:
    session = make(cafe, replies=["Some tea?", "Tea!"], variables={"guest": "Bo"}, start="ask")
    assert said(session.open()) == "Some tea?"
    assert said(session.reset()) == "Tea!"
    assert session.memory.variables == {"guest": "Bo"}
    assert len(session.history) == 1
    with pytest.raises(RunError, match='no node "nowhere"'):
        make(cafe, start="nowhere")


def test_reload_goes_on_with_the_new_program(cafe: Path) -> None:
    session = make(cafe, replies=["Some tea?"], answers=["yes"])
    said(session.open())
    said(session.say("Ada"))
    source = cafe.read_text("utf-8")
    cafe.write_text(source.replace("Here is", "This is") + "extra,chat_exact,x,,,,\n", "utf-8")
    found = session.reload()
    assert (found.nodes, found.added, found.gone, found.changed) == (6, ("extra",), (), ("tea",))
    assert said(session.say("yes")) == "This is your tea, Ada."


def test_reload_keeps_the_program_where_the_new_one_is_bad(cafe: Path) -> None:
    session = make(cafe, replies=["Some tea?"], answers=["yes"])
    said(session.open())
    said(session.say("Ada"))
    before, source = session.bot, cafe.read_text("utf-8")
    cafe.write_text(source.replace("tea, bye", "tea, by"), "utf-8")
    with pytest.raises(ProgramError):
        session.reload()
    cafe.write_text(source.replace("ask,", "question,"), "utf-8")
    with pytest.raises(RunError, match='the node "ask", at which the conversation stands, is no longer'):
        session.reload()
    assert session.bot is before
    assert said(session.say("yes")) == "Here is your tea, Ada."


def test_reload_follows_a_node_to_its_new_name(cafe: Path) -> None:
    session = make(cafe, replies=["Some tea?"], answers=["yes"])
    said(session.open())
    said(session.say("Ada"))
    lines = cafe.read_text("utf-8").replace("ask,", "question,").splitlines()
    former = ["formerly", "", "", "ask", "", ""]
    cafe.write_text("\n".join(f"{line},{name}" for line, name in zip(lines, former, strict=True)), "utf-8")
    assert session.reload().gone == ("ask",)
    assert said(session.say("yes")) == "Here is your tea, Ada."


def test_another_model_in_the_middle(cafe: Path) -> None:
    session = make(cafe)
    said(session.open())
    session.use_model("offline")
    assert session.model_name == "offline rules (no language model)"
    assert said(session.say("Ada"))
    with pytest.raises(ModelError, match="is no model"):
        session.use_model("nonsense")
    assert session.model_name == "offline rules (no language model)"


def test_adopt_refuses_a_conversation_of_another_program(cafe: Path, calls: Path) -> None:
    other = make(calls)
    said(other.open())
    session = make(cafe)
    said(session.open())
    with pytest.raises(RunError, match=r'stands at the node "order\(\)", which is not in cafe'):
        session.adopt(other.memory)
    assert session.memory.current == "start1"
    session.adopt(session.memory)
    assert session.history == []
    assert session.undo() == 0


def test_the_name_of_a_program() -> None:
    class Named(Session):
        def __init__(self, source: str) -> None:
            self._recipe = Recipe(source, AutographConfig())

    assert Named("a/b/clinic.xlsx#intake").name == "clinic · intake"
    assert Named("quiz.csv").name == "quiz"
    assert Named("https://x.org/quiz.csv").name == "https://x.org/quiz.csv"
