"""Tests that are cut out of chats, with ``/test`` and ``autograph test --from-conversation``; and recorded chats."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from autograph.cli.commands import run_line
from autograph.cli.outcome import Outcome
from autograph.cli.recipe import Recipe
from autograph.cli.saved import read_conversation, write_conversation
from autograph.cli.session import Session
from autograph.cli.style import Page
from autograph.cli.telling import story_of
from autograph.config import AutographConfig
from autograph.models import OfflineModel, ScriptedModel
from autograph.testing.case import Case
from autograph.testing.discover import load_suite
from autograph.testing.run import run_suite
from cli.conftest import Run
from conversations import Conversation, program_conversations

PAGE = Page(80)


def begun(program: Path, replies: list[str], answers: list[object], **options: object) -> Session:
    """A chat after its opening."""
    config = options.pop("config", AutographConfig())
    session = Session(Recipe(str(program), config, ScriptedModel(replies, answers)), **options)  # type: ignore[arg-type]
    list(session.open())
    return session


def do(session: Session, *lines: str) -> Outcome:
    outcome = Outcome()
    for line in lines:
        outcome = run_line(session, line, PAGE)
        if outcome.turn is not None:
            list(outcome.turn)
    return outcome


def passing(path: Path) -> tuple[Case, ...]:
    """The tests of a file, which pass."""
    suite = load_suite(path)
    results = run_suite(suite)
    assert all(result.passed for result in results), [result.failures for result in results]
    return suite.cases


# ---------------------------------------------------------------------- /test


def test_the_talk_so_far_becomes_a_test(cafe: Path, tmp_path: Path) -> None:
    file = tmp_path / "cafe.chat.yaml"
    session = begun(cafe, ["Tea?"], ["no", ["yes", 0.9]])
    do(session, "Ada", "no, wait", "/undo")
    assert do(session, f"/test {file}").text == f"Wrote the test 'cafe 2' to {file}."
    do(session, "yes")
    assert do(session, f"/test {file}").text == f"Wrote the test 'cafe 3' to {file}."
    first, second = passing(file)
    assert [turn.say for turn in first.turns] == [None, "Ada"]
    assert [turn.script.replies for turn in second.turns] == [(), ("Tea?",), ()]
    assert file.read_text("utf-8").startswith("# Cut from a chat with /test.\n- test: cafe 2\n")


def test_what_a_chat_began_with_is_in_the_test(cafe: Path, tmp_path: Path) -> None:
    file = tmp_path / "cafe.chat.yaml"
    config = AutographConfig(agent_name="Mia")
    session = begun(cafe, ["Tea?"], [], variables={"guest": "Bo"}, start="ask", config=config)
    do(session, f"/test {file}")
    (case,) = passing(file)
    assert (case.start, case.variables, case.config) == ("ask", {"guest": "Bo"}, {"agent_name": "Mia"})


def test_after_goto_the_test_begins_there(cafe: Path, tmp_path: Path) -> None:
    file = tmp_path / "cafe.chat.yaml"
    session = begun(cafe, ["Tea?", "More?"], ["no"])
    do(session, "Ada", "/goto ask", "no")
    note = do(session, f"/test {file}").text.splitlines()[1]
    assert note == "note: It begins with turn 3, for which the node was chosen by hand (/goto)."
    (case,) = passing(file)
    assert (case.start, [turn.say for turn in case.turns]) == ("ask", [None, "no"])


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("/test", "Where to? Write /test FILE."),
        ("/test talk.yaml", "error: talk.yaml must end in .chat.yaml, as files of tests do"),
        (
            "/test no/cafe.chat.yaml",
            "error: the test cannot be written to no/cafe.chat.yaml: No such file or directory",
        ),
    ],
)
def test_tests_that_cannot_be_written(cafe: Path, tmp_path: Path, line: str, text: str) -> None:
    outcome = do(begun(cafe, [], []), line)
    assert " ".join(outcome.text.split()).startswith(text)
    assert outcome.code != 0


def test_nothing_is_tested_before_the_first_turn(cafe: Path, tmp_path: Path) -> None:
    session = Session(Recipe(str(cafe), AutographConfig(), ScriptedModel()))
    assert "has no turn yet" in do(session, f"/test {tmp_path / 'x.chat.yaml'}").text


@pytest.mark.parametrize("talk", program_conversations(), ids=lambda talk: talk.name)
def test_every_talk_with_a_shipped_program(talk: Conversation, tmp_path: Path) -> None:
    for path in talk.program.parent.glob(f"{talk.program.stem}.*"):
        if ".chat." not in path.name:
            shutil.copy(path, tmp_path)
    session = Session(Recipe(str(tmp_path / talk.program.name), AutographConfig(), OfflineModel()))
    list(session.open())
    said = []
    for step in talk.steps[1:]:
        if not session.finished:
            said.append(step.say)
            list(session.say(step.say))
    file = tmp_path / f"{talk.program.stem}.chat.yaml"
    notes = do(session, f"/test {file}").text.splitlines()[1:]
    assert all("Left out are variables" in note for note in notes if note.startswith("note:"))
    (case,) = passing(file)
    assert [turn.say for turn in case.turns] == [None, *said]
    replies = [next((e.value for e in turn.expect if e.kind == "reply"), ("",)) for turn in case.turns]
    assert replies == [(step.reply,) for step in session.history]


# ---------------------------------------------------------------------- /save and /load


def test_a_saved_conversation_tells_its_turns(calls: Path, tmp_path: Path) -> None:
    session = begun(calls, [], [])
    do(session, "strong", f"/save {tmp_path / 'talk.json'}")
    data = json.loads((tmp_path / "talk.json").read_text("utf-8"))
    assert [turn["said"] for turn in data["turns"]] == [None, "strong"]  # the memory has dropped "strong"
    assert data["turns"][1]["path"] == ["back", "start1", "done"]
    other = begun(calls, [], [])
    do(other, f"/load {tmp_path / 'talk.json'}")
    assert story_of(other) == story_of(session)
    do(other, f"/test {tmp_path / 'calls.chat.yaml'}")
    (case,) = passing(tmp_path / "calls.chat.yaml")
    assert [turn.say for turn in case.turns] == [None, "strong"]


def test_a_loaded_conversation_goes_on(cafe: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    do(begun(cafe, ["Tea?"], []), "Ada", f"/save {first}")
    session = begun(cafe, [], ["yes"])
    do(session, f"/load {first}", "yes", f"/save {second}", "/test " + str(tmp_path / "cafe.chat.yaml"))
    saved = read_conversation(second)
    assert saved.story is not None
    assert [turn["said"] for turn in saved.story["turns"]] == [None, "Ada", "yes"]
    (case,) = passing(tmp_path / "cafe.chat.yaml")
    assert [turn.script.answers for turn in case.turns] == [(), (), ("Yes",)]
    do(session, "/reset")
    assert [turn["said"] for turn in (story_of(session) or {})["turns"]] == [None]


def test_a_memory_that_was_loaded_is_told_as_far_as_it_knows(cafe: Path, tmp_path: Path) -> None:
    earlier = begun(cafe, ["Tea?"], [])
    do(earlier, "Ada")
    write_conversation(tmp_path / "a.json", earlier.memory, "cafe.csv")
    session = begun(cafe, [], ["yes"])
    do(session, f"/load {tmp_path / 'a.json'}", "yes")
    assert story_of(session) is None
    do(session, "/test " + str(tmp_path / "cafe.chat.yaml"))
    (case,) = passing(tmp_path / "cafe.chat.yaml")
    assert [turn.say for turn in case.turns] == [None, "Ada", "yes"]
    assert case.turns[1].script.replies == ("Tea?",)


# ---------------------------------------------------------------------- autograph test --from-conversation


SCRIPTED = ("--model", "scripted:model.yaml")


def test_from_conversation(run: Run, cafe: Path, tmp_path: Path) -> None:
    run("chat", "cafe.csv", *SCRIPTED, "--save", "talk.json", text="Ada\nyes\n")
    done = run("test", "--from-conversation", "talk.json")
    assert done.stdout.startswith(
        "# Cut from talk.json by autograph test --from-conversation.\nprogram: cafe.csv\ntests:\n"
    )
    assert (done.stderr, done.returncode) == ("", 0)
    done = run("test", "--from-conversation", "talk.json", "-o", "cafe.chat.yaml")
    assert (done.stdout, done.returncode) == ("", 0)
    assert done.stderr == "Wrote the test 'talk' to cafe.chat.yaml. Run it: autograph test cafe.chat.yaml\n"
    assert run("test", "cafe.chat.yaml").returncode == 0
    refused = run("test", "--from-conversation", "talk.json", "-o", "cafe.chat.yaml")
    assert refused.returncode == 2
    assert "cafe.chat.yaml exists. Add --append to put the test behind its others, or --force." in refused.stderr
    run("test", "--from-conversation", "talk.json", "-o", "cafe.chat.yaml", "--append")
    assert [case.name for case in passing(tmp_path / "cafe.chat.yaml")] == ["talk", "talk (2)"]
    run("test", "--from-conversation", "talk.json", "-o", "cafe.chat.yaml", "--force")
    assert [case.name for case in passing(tmp_path / "cafe.chat.yaml")] == ["talk"]


def test_from_the_lines_of_json(run: Run, cafe: Path, tmp_path: Path) -> None:
    done = run("chat", "cafe.csv", *SCRIPTED, "--json", text="Ada\nyes\n")
    (tmp_path / "talk.jsonl").write_text(done.stdout, "utf-8")
    done = run("test", "--from-conversation", "talk.jsonl", "--program", "cafe.csv", "-o", "cafe.chat.yaml")
    assert done.returncode == 0
    (case,) = passing(tmp_path / "cafe.chat.yaml")
    assert [turn.say for turn in case.turns] == [None, "Ada", "yes"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--from-conversation", "none.json"), 2, "there is no file none.json"),
        (("--from-conversation", "cafe.csv"), 70, "this is no conversation"),
        (("--from-conversation", "cafe.csv", "cafe.csv"), 2, "leave the paths out"),
        (("--from-conversation", "cafe.csv", "-o", "x.yaml"), 2, "must end in .chat.yaml"),
        (("-o", "x.chat.yaml"), 2, "belong to --from-conversation"),
    ],
)
def test_wrong_usage(run: Run, cafe: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    done = run("test", *arguments)
    assert done.returncode == code
    assert message in " ".join(done.stderr.split())


# ---------------------------------------------------------------------- --recording


def test_a_chat_is_recorded_and_played_back(run: Run, cafe: Path, tmp_path: Path) -> None:
    said = "Ada\nyes\nthanks\n"
    recorded = run("chat", "cafe.csv", *SCRIPTED, "--recording", "r.jsonl", "--record", "new", text=said)
    played = run("chat", "cafe.csv", "--recording", "r.jsonl", text=said)
    assert (played.stdout, played.stderr, played.returncode) == (recorded.stdout, "", 0)
    missed = run("chat", "cafe.csv", "--recording", "r.jsonl", text="Bo\n")
    assert missed.returncode == 69
    assert 'The nearest one (node "ask")' in " ".join(missed.stderr.split())


def test_a_chat_is_recorded_anew(run: Run, cafe: Path, tmp_path: Path) -> None:
    for said in ("Ada\nyes\n", "Bo\nyes\n"):
        run("chat", "cafe.csv", *SCRIPTED, "--recording", "r.jsonl", "--record", "all", text=said)
    assert run("chat", "cafe.csv", "--recording", "r.jsonl", text="Bo\nyes\n").returncode == 0
    assert run("chat", "cafe.csv", "--recording", "r.jsonl", text="Ada\n").returncode == 69  # was not asked again


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--record", "new"), "--record new needs a file to record into: add --recording FILE."),
        (("--recording", "none.jsonl"), "The recording none.jsonl cannot be read"),
        (("--recording", "r.jsonl", *SCRIPTED), "leave --model out, or add --record new"),
    ],
)
def test_recordings_that_cannot_be(run: Run, cafe: Path, options: tuple[str, ...], message: str) -> None:
    done = run("chat", "cafe.csv", *options)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())
