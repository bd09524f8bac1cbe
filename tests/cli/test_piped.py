"""The chat in a pipe and with a script: what goes to stdout, what to stderr, and the exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.environment import environment

SCRIPTED = ("--model", "scripted:model.yaml")
TALK = "Ada\nyes\nthanks\nmore\n"
REPLIES = ["Hello! What is your name?", "Would you like some tea?", "Here is your tea, Ada.", "Goodbye, Ada."]


def test_a_pipe_gets_replies_only(run: Run, cafe: Path) -> None:
    done = run("chat", "cafe.csv", *SCRIPTED, text=TALK)
    assert (done.stdout.splitlines(), done.stderr, done.returncode) == (REPLIES, "", 0)


def test_the_end_of_the_lines_ends_the_chat(run: Run, cafe: Path) -> None:
    done = run("chat", "cafe.csv", *SCRIPTED, text="\ufeffAda\r\n\r\n")
    assert (done.stdout.splitlines(), done.returncode) == (REPLIES[:2], 0)


def test_auto_says_which_model_it_came_to_on_stderr(run: Run, cafe: Path) -> None:
    done = run("chat", "cafe.csv", text="Ada\n")
    assert done.stdout.splitlines()[0] == REPLIES[0]
    assert done.stderr.startswith("No language model is configured: answers come from simple offline rules.")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_reason_to_fail(cafe: Path, closed: str) -> None:
    command = f"{sys.executable} -m autograph chat cafe.csv --model scripted:model.yaml {closed}"
    done = subprocess.run(
        ["sh", "-c", command], input=b"", capture_output=True, cwd=cafe.parent, env=environment(cafe.parent)
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_said(cafe: Path) -> None:
    command = f"{sys.executable} -m autograph chat cafe.csv --model scripted:model.yaml > /dev/full"
    done = subprocess.run(
        ["sh", "-c", command], input=b"", capture_output=True, cwd=cafe.parent, env=environment(cafe.parent)
    )
    assert done.stderr == b"error: the output cannot be written: No space left on device\n"
    assert done.returncode == 70


def test_json_has_one_object_a_turn(run: Run, cafe: Path) -> None:
    done = run("chat", "cafe.csv", *SCRIPTED, "--json", text=TALK)
    turns = [json.loads(line) for line in done.stdout.splitlines()]
    assert [list(turn) for turn in turns] == [["reply", "node", "finished", "trace", "said"]] * 4
    assert [turn["said"] for turn in turns] == [None, "Ada", "yes", "thanks"]
    assert [turn["reply"] for turn in turns] == REPLIES
    assert [turn["node"] for turn in turns] == ["start1", "ask", "tea", "bye"]
    assert [turn["finished"] for turn in turns] == [False, False, False, True]
    asked = next(event for event in turns[2]["trace"] if event["event"] == "asked")
    assert asked["choice"] == {"index": 0, "confidence": 0.9, "text": "yes"}
    assert done.returncode == 0


def test_a_script_shows_both_sides(run: Run, cafe: Path, tmp_path: Path) -> None:
    (tmp_path / "talk.txt").write_text("# a comment\nAda\n/vars\n\n/undo\nBo\n/quit\nnever said\n", "utf-8")
    done = run("chat", "cafe.csv", *SCRIPTED, "--script", "talk.txt")
    assert done.stdout == (
        "Hello! What is your name?\n"
        "you › Ada\nWould you like some tea?\n"
        "you › /vars\n  guest  str  'Ada'\n"
        "you › /undo\nTook back the last turn. The conversation stands at start1.\n\nHello! What is your name?\n"
        "you › Bo\nTea, perhaps?\n"
        "you › /quit\n"
    )
    assert (done.stderr, done.returncode) == ("", 0)


def test_a_script_from_stdin_and_its_status_lines(run: Run, cafe: Path) -> None:
    done = run("chat", "cafe.csv", *SCRIPTED, "--script", "-", "--trace", text="# hi\nAda\n")
    assert done.stdout.splitlines() == [REPLIES[0], "you › Ada", REPLIES[1]]
    assert done.stderr.startswith("start1 · chat_exact · 0.")
    assert "ask · chat · 0." in done.stderr


def test_a_wrong_command_ends_a_script(run: Run, cafe: Path) -> None:
    done = run("chat", "cafe.csv", *SCRIPTED, text="/vras\nAda\n")
    assert done.stdout.splitlines() == REPLIES[:1]
    assert done.stderr == 'There is no command /vras. Did you mean "/vars"?\n'
    assert done.returncode == 2


def test_an_error_while_running(run: Run, cafe: Path) -> None:
    cafe.write_text(cafe.read_text("utf-8").replace("Ask $guest", "Ask $guets"), "utf-8")
    done = run("chat", "cafe.csv", *SCRIPTED, text=TALK)
    assert done.stdout.splitlines() == REPLIES[:1]
    assert done.stderr.splitlines() == [
        'error: node "ask" · cafe.csv, row 4, column "instruction" (C4):',
        '  the variable "guets" is not defined. Did you mean "guest"?',
        "  path: keep → ask",
    ]
    assert done.returncode == 70
    done = run("chat", "cafe.csv", *SCRIPTED, "--json", text=TALK)
    error = json.loads(done.stdout.splitlines()[-1])["error"]
    assert (error["kind"], error["node"], error["path"]) == ("RunError", "ask", ["keep", "ask"])
    assert error["message"] == 'the variable "guets" is not defined. Did you mean "guest"?'
    assert error["location"]["cell"] == "C4"
    assert (done.stderr, done.returncode) == ("", 70)


def test_a_model_that_fails(run: Run, cafe: Path) -> None:
    done = run("chat", "cafe.csv", *SCRIPTED, "--json", text="Ada\n/retry\n/retry\n/retry\n")
    error = json.loads(done.stdout.splitlines()[-1])["error"]
    assert (error["kind"], error["retryable"]) == ("ModelError", False)
    assert "has run out of replies" in error["message"]
    assert done.returncode == 69


def test_a_model_that_is_not_there(run: Run, cafe: Path) -> None:
    model = "openai:x@http://127.0.0.1:9/v1"
    done = run("chat", "cafe.csv", "--model", model, text="Ada\n", OPENAI_API_KEY="sk-test")
    assert done.stdout.splitlines() == REPLIES[:1]
    assert done.stderr.startswith("error: No connection to http://127.0.0.1:9/v1")
    assert done.returncode == 69


def test_a_bad_program_is_shown_with_all_its_problems(run: Run, broken: Path) -> None:
    done = run("chat", "broken.csv", COLUMNS="110")
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "broken.csv",
        '  B2  AG103  there is no action "chta"                 Did you mean "chat"?',
        '  D3  AG104  there is no node "nowhere"                Add the node or correct the name.',
        '  A4  AG102  "tea" stands in row 3 and again in row 4  Names must be unique: rename or delete one of',
        "                                                       them.",
        "",
        "3 errors",
    ]
    assert done.returncode == 65


def test_a_bad_program_as_json(run: Run, broken: Path) -> None:
    done = run("chat", "broken.csv", "--json")
    problems = json.loads(done.stdout)["problems"]
    assert problems[0] == {
        "code": "AG103",
        "severity": "error",
        "message": 'there is no action "chta"',
        "hint": 'Did you mean "chat"?',
        "file": "broken.csv",
        "sheet": None,
        "row": 2,
        "column": "action",
        "cell": "B2",
        "line": None,
    }
    assert (done.stderr, done.returncode) == ("", 65)


def test_warnings_are_shown_once_before_the_chat(run: Run, tmp_path: Path) -> None:
    program = "name,action,instruction,transitions,transition_question\na,chat_exact,Hi,quit,Which?\n"
    (tmp_path / "warned.csv").write_text(program, "utf-8")
    done = run("chat", "warned.csv")
    assert done.stdout == "Hi\n"
    assert done.stderr.startswith("warning: E2: ")
    assert done.stderr.count("warning") == 1
    assert done.returncode == 0


def test_saving_and_going_on(run: Run, cafe: Path) -> None:
    run("chat", "cafe.csv", *SCRIPTED, "--save", "kept.json", text="Ada\nyes\n")
    done = run("chat", "cafe.csv", *SCRIPTED, "--load", "kept.json", text="thanks\n")
    assert done.stdout.splitlines() == ["Goodbye, Ada."]
    assert done.stderr.startswith("Loaded kept.json. The conversation stands at tea.")
    done = run("chat", "cafe.csv", *SCRIPTED, "--load", "kept.json", "--start", "ask")
    assert done.stdout.splitlines() == ["Would you like some tea?"]


def test_a_program_that_changes_in_a_pipe(cafe: Path, tmp_path: Path) -> None:
    code = "from autograph.cli.main import main; main()"
    chat = subprocess.Popen(
        [sys.executable, "-c", code, "chat", "cafe.csv", *SCRIPTED, "--watch"], cwd=tmp_path, env=environment(tmp_path),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    assert chat.stdout is not None
    assert chat.stdin is not None
    assert chat.stdout.readline() == "Hello! What is your name?\n"
    cafe.write_text(cafe.read_text("utf-8").replace("Here is", "This is"), "utf-8")
    out, err = chat.communicate("Ada\nyes\n", timeout=20)
    assert out.splitlines() == ["Would you like some tea?", "This is your tea, Ada."]
    assert err == "Read cafe again: 5 nodes; 1 changed (tea).\n"


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_in_a_pipe(cafe: Path, tmp_path: Path) -> None:
    code = "from autograph.cli.main import main; main()"
    chat = subprocess.Popen(
        [sys.executable, "-c", code, "chat", "cafe.csv", *SCRIPTED], cwd=tmp_path, env=environment(tmp_path),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    assert chat.stdout is not None
    assert chat.stdout.readline() == "Hello! What is your name?\n"
    time.sleep(0.2)
    chat.send_signal(signal.SIGINT)
    _, err = chat.communicate(timeout=20)
    assert (chat.returncode, err.strip()) == (130, "")


def test_a_reader_that_goes_away(cafe: Path, tmp_path: Path) -> None:
    code = "from autograph.cli.main import main; main()"
    chat = subprocess.Popen(
        [sys.executable, "-c", code, "chat", "cafe.csv", *SCRIPTED], cwd=tmp_path, env=environment(tmp_path),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    assert chat.stdin is not None
    assert chat.stdout is not None
    assert chat.stderr is not None
    chat.stdout.readline()
    chat.stdout.close()
    chat.stdin.write("Ada\nyes\n")
    chat.stdin.close()
    assert (chat.wait(20), chat.stderr.read()) == (0, "")
    chat.stderr.close()


def test_bytes_that_are_no_text(cafe: Path, tmp_path: Path) -> None:
    code = "from autograph.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "chat", "cafe.csv", *SCRIPTED], cwd=tmp_path, env=environment(tmp_path),
        input=b"Ad\xff\nyes\n", capture_output=True,
    )  # fmt: skip
    assert done.stdout.decode("utf-8").splitlines()[-1] == "Here is your tea, Ad\ufffd."
    assert done.returncode == 0
