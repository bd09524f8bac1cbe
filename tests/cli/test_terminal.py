"""The chat at a terminal, as a person meets it: every command, the keys, streaming, errors, reloading."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

from autograph.cli.commands import COMMANDS

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

from cli.terminal import ALT_ENTER, CTRL_C, CTRL_D, PROMPT, TAB, PtyChat
from fake_openai import Answer, FakeServer, chunk, streamed, text

SCRIPTED = ("--model", "scripted:model.yaml")


def test_every_command(cafe: Path, tmp_path: Path) -> None:
    used: set[str] = set()

    def do(line: str, answer: str, end: str = PROMPT) -> str:
        used.add(line.split()[0])
        return chat.say(line, answer, end)

    with PtyChat("cafe.csv", *SCRIPTED, "--trace", state=tmp_path) as chat:
        assert "cafe · 5 nodes · scripted · /help" in chat.expect("Hello! What is your name?")
        chat.expect(PROMPT)
        assert "take back the last turn" in do("/help", "//text")
        assert "nothing to take back" in do("/undo", "nothing to take back")
        do("/vars", "There are no variables yet.")
        assert "ask · chat · 0." in chat.say("Ada", "Would you like some tea?")
        do("/why", "No question was asked in the last turn: there was one way to go (keep → ask).")
        do("/vars", "guest  str  'Ada'")
        do("/vars guset", 'Did you mean "guest"?')
        do("/vars guest", "Ada")
        chat.say("yes", "Here is your tea, Ada.")
        shown = do("/why", "led to tea")
        assert "ask asked" in shown
        assert "→   90% A. Yes" in shown
        shown = do("/trace 2", "Here is your tea, Ada.")
        assert "guest = 'Ada'" in shown
        assert "Do they want tea? · A. Yes (90%) → tea" in shown
        do("/prompt", "Instruction for Agent: Ask Ada whether they want tea.")
        do("/stack", "tea · base")
        do("/save talk.json", "Saved the conversation to talk.json.")
        do("/test talk.chat.yaml", "Wrote the test")
        do("/undo", "Took back the last turn. The conversation stands at ask.")
        assert "Would you like some tea?" in chat.screen[-200:]
        do("/retry", "Tea, perhaps?")
        do("/goto tea", "Here is your tea, Ada.")
        do("/goto nowhere", 'there is no node "nowhere"')
        do("/load talk.json", "Loaded talk.json. The conversation stands at tea.")
        do("/break bye if guest", "1  bye  if guest")
        do("/step", "The next turn stops at the first node that it enters.")
        chat.say("/goto ask", "Ask Ada whether they want tea.", "debug ›")
        chat.say("q", "The turn was given up.")
        do("/delete 1", "There are no breakpoints.")
        do("/model", "The model is scripted.")
        do("/model offline", "The model is offline rules")
        do("/model nonsense", '"nonsense" is no model')
        do("/reload", "Read cafe again: 5 nodes; nothing has changed.")
        do("/reset", "Hello! What is your name?")
        chat.say("/vras", 'Did you mean "/vars"?')
        do("/quit", "/quit", "")
        assert chat.end() == 0
    assert used == set(COMMANDS)
    assert json.loads((tmp_path / "talk.json").read_text("utf-8"))["autograph"] == "conversation"


def test_a_text_with_a_slash_and_one_with_two_lines(tmp_path: Path) -> None:
    program = tmp_path / "echo.csv"
    nodes = ["a,chat_exact,Speak.,b", 'b,chat_exact,"You said <${_last_user_reply}>.",b']
    program.write_text("\n".join(["name,action,instruction,transitions", *nodes]), "utf-8")
    with PtyChat("echo.csv", state=tmp_path) as chat:
        chat.expect(PROMPT)
        chat.say("//etc", "You said </etc>.")
        chat.type("one" + ALT_ENTER + "two")
        chat.say("", "You said <one\ntwo>.")
        chat.type("\x1b[200~pasted\nlines\x1b[201~")  # bracketed paste
        chat.say("", "You said <pasted\nlines>.")
        chat.say("   ", PROMPT, "")  # a blank line is no turn
        chat.say("again", "You said <again>.")  # now the next prompt is there, and knows its keys
        chat.type("\x12past")  # Ctrl-R
        chat.expect("pasted")
        chat.type("\r")
        chat.type("\r")
        chat.expect("You said <pasted\nlines>.")
        chat.expect(PROMPT)
        chat.type(CTRL_D)
        assert chat.end() == 0
    history = tmp_path / "autograph" / "chat_history"
    assert "//etc" in history.read_text("utf-8")
    assert history.stat().st_mode & 0o077 == 0


def test_completion_and_the_stack_of_calls(calls: Path, tmp_path: Path) -> None:
    with PtyChat("calls.csv", state=tmp_path) as chat:
        chat.expect("How shall I make 2 cups of tea?")
        chat.expect(PROMPT)
        shown = chat.say("/stack", "0 start1 · base")
        assert "› 1 order() · normal call" in shown
        assert "count  =  2" in shown
        chat.type("/sta" + TAB)
        chat.expect("ck")
        chat.say("", "0 start1 · base")
        chat.type("/goto do" + TAB)
        chat.say("", 'the variable "total" is not defined')  # since the call has not returned
        chat.type(CTRL_D)
        assert chat.end() == 0


def test_ctrl_c_at_the_prompt_warns_and_then_leaves(cafe: Path, tmp_path: Path) -> None:
    with PtyChat("cafe.csv", *SCRIPTED, state=tmp_path) as chat:
        chat.expect(PROMPT)
        chat.type("half a senten" + CTRL_C)
        chat.expect("Ctrl-C once more leaves")
        chat.expect(PROMPT)
        chat.say("Ada", "Would you like some tea?")
        chat.type(CTRL_C)
        chat.expect("Ctrl-C once more leaves")
        chat.expect(PROMPT)
        chat.type(CTRL_C)
        assert chat.end() == 130


def test_a_reply_streams_and_ctrl_c_stops_it(cafe: Path, tmp_path: Path) -> None:
    half = Answer(events=[chunk("Once upon "), chunk("a time "), chunk("there")], hang=True)
    with FakeServer(half, streamed("Would you ", "like ", "tea?"), text('{"choice": "Yes"}')) as server:
        model = f"openai:fake@{server.url}"
        with PtyChat(
            "cafe.csv", "--model", model, "--trace", state=tmp_path, env={"OPENAI_API_KEY": "sk-test"}
        ) as chat:
            assert f"fake at {server.url}" in chat.expect(PROMPT)
            chat.type("Ada\r")
            chat.expect("Once upon a time")  # shown although the reply is not whole
            chat.type(CTRL_C)
            chat.expect("Stopped. The conversation stands where it was before; /retry says it again.")
            chat.expect(PROMPT)
            assert server.client_left.wait(5)
            chat.say("/vars", "There are no variables yet.")
            assert "ask · chat · 27 tok · 0." in chat.say("/retry", "Would you like tea?")
            chat.type(CTRL_D)
            assert chat.end() == 0


def test_an_error_in_a_turn_leaves_the_conversation_as_it_was(cafe: Path, tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text("replies: [Some tea]\n", "utf-8")
    cafe.write_text(cafe.read_text("utf-8").replace("Ask $guest", "Ask $guets"), "utf-8")
    with PtyChat("cafe.csv", *SCRIPTED, state=tmp_path) as chat:
        chat.expect(PROMPT)
        shown = chat.say("Ada", "/reload after repairing the program.")
        assert 'error: node "ask" · cafe.csv, row 4, column "instruction" (C4):' in shown
        assert 'the variable "guets" is not defined. Did you mean "guest"?' in shown
        assert "path: keep → ask" in shown
        cafe.write_text(cafe.read_text("utf-8").replace("$guets", "$guest"), "utf-8")
        chat.say("/reload", "1 changed (ask)")
        chat.say("/retry", "Some tea")
        chat.say("yes", "The script of the model has run out of answers")
        chat.type(CTRL_D)
        assert chat.end() == 0


def test_the_end_of_a_conversation(cafe: Path, tmp_path: Path) -> None:
    with PtyChat("cafe.csv", "--start", "bye", "--var", "guest=Ada", "--save", "end.json", state=tmp_path) as chat:
        chat.expect("Goodbye, Ada.")
        ended = "The conversation has ended. /undo takes back the last turn, /reset begins anew."
        chat.expect(ended)
        chat.expect(PROMPT)
        chat.say("hello?", ended)
        chat.say("/goto tea", ended)
        chat.say("/reset", "Goodbye, Ada.")
        chat.type(CTRL_D)
        assert chat.end() == 0
    assert json.loads((tmp_path / "end.json").read_text("utf-8"))["memory"]["finished"] is True


def test_a_watched_program_is_read_again_while_the_prompt_waits(cafe: Path, tmp_path: Path) -> None:
    source = cafe.read_text("utf-8")
    with PtyChat("cafe.csv", *SCRIPTED, "--watch", state=tmp_path) as chat:
        chat.expect(PROMPT)
        chat.say("Ada", "Would you like some tea?")
        cafe.write_text(source.replace("Here is", "This is"), "utf-8")
        chat.expect("Read cafe again: 5 nodes; 1 changed (tea).")
        chat.expect(PROMPT)
        cafe.write_text(source.replace('"tea, bye"', '"tae, bye"'), "utf-8")
        shown = chat.expect("The program stays as it was.")
        assert "D4  AG104" in shown
        chat.expect(PROMPT)
        cafe.write_text(source.replace("ask,", "question,"), "utf-8")
        chat.expect('the node "ask", at which the conversation stands, is no longer in the program')
        chat.expect("The program stays as it was.")
        chat.expect(PROMPT)
        chat.say("yes", "This is your tea, Ada.")
        chat.type(CTRL_D)
        assert chat.end() == 0


def test_colours_only_where_they_are_wanted(cafe: Path, tmp_path: Path) -> None:
    colours = {}
    for name, args, env in (
        ("by default", (), {}),
        ("NO_COLOR", (), {"NO_COLOR": "1"}),
        ("empty NO_COLOR", (), {"NO_COLOR": ""}),
        ("--no-color", ("--no-color",), {}),
        ("dumb", (), {"TERM": "dumb"}),
    ):
        with PtyChat("cafe.csv", *SCRIPTED, *args, state=tmp_path, env=env) as chat:
            chat.expect(PROMPT)
            chat.type(CTRL_D)
            assert chat.end() == 0
        colours[name] = "\x1b[1m" in chat.raw or "\x1b[0;36m" in chat.raw
    assert colours == {
        "by default": True, "NO_COLOR": False, "empty NO_COLOR": True, "--no-color": False, "dumb": False,
    }  # fmt: skip


def test_long_replies_are_wrapped_between_words(tmp_path: Path) -> None:
    words = " ".join(f"word{number}" for number in range(30))
    (tmp_path / "long.csv").write_text(f"name,action,instruction\na,chat_exact,{words}\n", "utf-8")
    with PtyChat("long.csv", state=tmp_path, width=40) as chat:
        shown = chat.expect("word29")
        assert [line for line in shown.split("\n") if len(line) > 40 and "word" in line] == []
        assert " ".join(shown[shown.index("word0") :].split()) == words


def test_what_to_do_after_an_error_is_wrapped_too(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("name,action,instruction\na,chat_exact,$nobody\n", "utf-8")
    with PtyChat("bad.csv", state=tmp_path, width=60) as chat:
        shown = chat.expect("the program.")
        assert "Nothing has changed: say it again, /retry, or /reload after" in shown.split("\n")


def test_the_plain_reader_without_prompt_toolkit(cafe: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "prompt_toolkit.py").write_text(
        "raise ModuleNotFoundError('not installed', name='prompt_toolkit')", "utf-8"
    )
    with PtyChat("cafe.csv", *SCRIPTED, state=tmp_path, env={"PYTHONPATH": str(blocked)}) as chat:
        chat.expect(PROMPT)
        chat.say("Ada", "Would you like some tea?")
        chat.type("/va" + TAB)
        chat.expect("rs")
        chat.say("", "guest  str  'Ada'")
        time.sleep(0.3)  # readline misses a signal between its prompt and its waiting
        chat.type(CTRL_C)
        chat.expect("Ctrl-C once more leaves")
        chat.expect(PROMPT)
        chat.type(CTRL_D)
        assert chat.end() == 0
    assert "Ada" in (tmp_path / "autograph" / "chat_history.plain").read_text("utf-8")


def test_all_options_at_once(cafe: Path, tmp_path: Path) -> None:
    (tmp_path / "set.yaml").write_text("agent_name: Barista\n", "utf-8")
    with PtyChat(
        "cafe.csv", *SCRIPTED, "--classifier", "offline", "--config", "set.yaml", "--config", "max_steps=50",
        "--seed", "7", "--trace", "--watch", "--save", "kept.json", "--no-color", "--no-stream",
        "--start", "ask", "--var", "guest=Ada", "--var", "cups:=2", state=tmp_path,
    ) as chat:  # fmt: skip
        assert "scripted, questions: offline rules" in chat.expect("Would you like some tea?")
        chat.expect("ask · chat · 0.")
        chat.expect(PROMPT)
        chat.say("/vars", "cups   int  2")
        chat.say("/prompt", "Instruction for Barista: Ask Ada whether they want tea.")
        chat.say("yes please", "Here is your tea, Ada.")
        chat.type(CTRL_D)
        assert chat.end() == 0
    with PtyChat("cafe.csv", *SCRIPTED, "--load", "kept.json", state=tmp_path) as chat:
        chat.expect("Loaded kept.json. The conversation stands at tea.")
        chat.expect("Here is your tea, Ada.")
        chat.expect(PROMPT)
        chat.say("thanks", "Goodbye, Ada.")
        chat.type(CTRL_D)
        assert chat.end() == 0
