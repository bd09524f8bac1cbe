"""The debugger of the chat: where turns stop, what its commands show and change; at a terminal and in a pipe."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from autograph.cli.commands import COMMANDS, run_line
from autograph.cli.debug_commands import DEBUG_COMMANDS, debug_completions
from autograph.cli.debugger import Debugger, GivenUp
from autograph.cli.recipe import Recipe
from autograph.cli.session import Session
from autograph.cli.style import Page
from autograph.config import AutographConfig
from autograph.errors import ModelError, RunError
from autograph.models import ScriptedModel
from cli.conftest import Run
from locked_support import needs_lock

NESTED = """\
name,action,instruction,transitions
start1,function,total = order(2),say
order(count),python_function,count = count + 1,deeper
deeper,local_function,more = one(),back
back,transition,,return count + more
one(),python_function,debug_checkpoint(),return 1
say,chat_exact,That makes $total.,again
again,function,total = order(total),say
"""

SCRIPTED = ("--model", "scripted:model.yaml")


class Screen:
    """A screen that types lines, then ``c``, and keeps what is told. A line that is an exception is raised."""

    def __init__(self, lines: Iterable[str | type[BaseException]]) -> None:
        self.lines = iter(lines)
        self.page = Page(80)
        self.told: list[str] = []
        self.wrong: list[str] = []

    def ask(self) -> str:
        line = next(self.lines, "c")
        if isinstance(line, str):
            return line
        raise line

    def tell(self, text: str, wrong: bool) -> None:
        (self.wrong if wrong else self.told).append(text)

    def hold(self) -> None:
        self.told.append("")

    def release(self) -> None: ...

    def interrupted(self) -> None:
        self.told.append("interrupted")

    @property
    def stops(self) -> list[str]:
        """The first words of the heads of all stops: the node."""
        return [text.split()[1] for text in self.told if text.startswith("▸")]


def debugging(
    path: Path, text: str, *lines: str | type[BaseException], model: object = None, interactive: bool = True
) -> tuple[Session, Screen]:
    """A chat with the program ``text``, and the screen of its debugger, where ``lines`` are typed."""
    path.write_text(text, "utf-8")
    session = Session(Recipe(str(path), AutographConfig(), model or ScriptedModel()))
    screen = Screen(lines)
    session.stepper.wanted = True
    session.debug = Debugger(session.stepper, screen, interactive=interactive).pause
    return session, screen


# ---------------------------------------------------------------------- where turns stop


@pytest.mark.parametrize(
    ("lines", "stops"),
    [
        (("s",) * 9, ["start1", "order()", "deeper", "one()", "one()", "deeper", "back", "start1", "say"]),
        (("n",) * 3, ["start1", "one()", "deeper", "back"]),  # the checkpoint stops inside the call
        (("s", "n", "n", "n", "n", "n"), ["start1", "order()", "deeper", "one()", "deeper", "back"]),
        (("s", "s", "s", "o", "o", "c"), ["start1", "order()", "deeper", "one()", "one()", "deeper"]),
        (("s", "s", "o", "c", "c"), ["start1", "order()", "deeper", "one()"]),
        (("c",) * 4, ["start1", "one()"]),
        (("b deeper", "c", "c", "c"), ["start1", "deeper", "one()"]),
        (("b back if more == 1 and count == 3", "c", "c", "c"), ["start1", "one()", "back"]),
        (("b back if count > 3", "c", "c", "c"), ["start1", "one()"]),
        (("b order", "d 2", "c", "c"), ["start1", "one()"]),
        (("/step", "", "", "/continue", "c"), ["start1", "order()", "deeper", "one()", "one()"]),
    ],
)
def test_steps_and_breakpoints(tmp_path: Path, lines: tuple[str, ...], stops: list[str]) -> None:
    session, screen = debugging(tmp_path / "nested.csv", NESTED, *lines)
    session.stepper.add("start1")
    assert "".join(session.open()) == "That makes 4."
    assert screen.stops[: len(stops)] == stops
    assert screen.wrong == []


def test_without_a_reason_no_turn_stops(tmp_path: Path) -> None:
    session, screen = debugging(tmp_path / "nested.csv", NESTED.replace("debug_checkpoint()", "0"))
    assert "".join(session.open()) == "That makes 4."
    assert screen.told == []


def test_a_step_goes_over_the_end_of_a_turn(tmp_path: Path) -> None:
    session, screen = debugging(tmp_path / "nested.csv", NESTED.replace("debug_checkpoint()", "0"), "s", "c")
    session.stepper.add("say")
    "".join(session.open())
    assert "".join(session.say("x")) == "That makes 6."
    assert screen.stops == ["say", "again", "say"]


def test_a_condition_that_fails_stops_and_says_so(tmp_path: Path) -> None:
    session, screen = debugging(tmp_path / "nested.csv", NESTED, "c", "c", "c")
    session.stepper.add("back", "nothing > 1")
    "".join(session.open())
    assert "breakpoint 1, whose condition fails: 'nothing' is not defined." in " ".join(screen.told[-1].split())


def test_a_node_that_is_broken_at_stops_once_for_its_call(tmp_path: Path) -> None:
    session, screen = debugging(tmp_path / "nested.csv", NESTED, *["c"] * 9)
    session.stepper.add("deeper")
    session.stepper.add("start1")
    "".join(session.open())
    assert screen.stops == ["start1", "deeper", "one()"]


# ---------------------------------------------------------------------- the commands


def test_what_is_shown_at_a_stop(tmp_path: Path) -> None:
    session, screen = debugging(tmp_path / "nested.csv", NESTED, "s", "c", "n", "n")
    session.stepper.add("order()")
    "".join(session.open())
    assert [text.splitlines() for text in screen.told if text] == [
        ["▸ order() · python_function · nested.csv, row 3 (C3) · called by start1 ·", "  breakpoint 1",
         "  count = count + 1"],
        ["▸ deeper · local_function · nested.csv, row 4 (C4) · called by start1", "  more = one()"],
        ["▸ one() · python_function · nested.csv, row 6 (C6) · called by deeper ·", "  debug_checkpoint()",
         "  debug_checkpoint()"],
        ["▸ deeper · local_function · nested.csv, row 4 (C4) · called by start1", "  The call has returned 1."],
        ["▸ back · transition · nested.csv, row 5 (C5) · called by start1", "  → return count + more"],
    ]  # fmt: skip


def test_every_command_of_the_debugger(cafe: Path) -> None:
    lines = [
        "p guest + '!'", "print [guest] * 30", "set guest = 'Bo'", "set guest += 'b'", "set print(guest)", "vars",
        "/vars guest", "prompt", "/prompt", "stack", "path", "node", "where", "b", "b tea if guest", "d 2", "help", "c",
    ]  # fmt: skip
    session, screen = debugging(cafe, cafe.read_text("utf-8"), *lines, model=ScriptedModel(["Some tea, Bob?"]))
    session.stepper.add("ask")
    "".join(session.open())
    assert "".join(session.say("Ada")) == "Some tea, Bob?"
    assert screen.wrong == []
    (
        _,
        stop,
        value,
        long,
        one,
        two,
        printed,
        table,
        whole,
        prompt,
        again,
        stack,
        path,
        node,
        where,
        points,
        more,
        less,
        help_,
    ) = screen.told
    assert stop == where.replace("Bob", "Ada")
    assert (value, one, two, printed) == ("'Ada!'", "guest = 'Bo'", "guest = 'Bob'", "None")
    assert len(long.splitlines()) > 3
    assert (table, whole) == ("  guest  str  'Bob'", "guest · str\n  Bob")
    assert prompt == again
    assert prompt.splitlines()[0] == "What ask would send to the model (chat):"
    assert prompt.splitlines()[-1] == "  Instruction for Agent: Ask Bob whether they want tea."
    assert stack.splitlines() == ["› 0 ask · base", "    guest  =  'Bob'"]
    assert path == "keep → ask"
    assert node.splitlines()[2] == "  C4  instruction          Ask $guest whether they want tea."
    assert points == less == "  1  ask"
    assert more.splitlines() == ["  1  ask", "  2  tea  if guest"]
    assert [line.split(",")[0].split()[0] for line in help_.splitlines() if line[2] != " "] == [
        command.names[0] for command in DEBUG_COMMANDS
    ]
    used = {line.removeprefix("/").split()[0] for line in lines}
    assert {c.names[0] for c in DEBUG_COMMANDS} - used == {"s", "n", "o", "q"}


def test_questions_are_shown_before_they_are_put(tmp_path: Path) -> None:
    text = (
        "name,action,instruction,transitions,transition_question,transition_choice_a,transition_choice_b\n"
        'start1,transition,,"one, two",Which of them?,the first,the second\n'
        "one,chat_exact,One,,,,\ntwo,chat_exact,Two,,,,\n"
    )
    session, screen = debugging(
        tmp_path / "ask.csv", text, "prompt", "n", "prompt", "c", model=ScriptedModel([], ["B"])
    )
    session.stepper.add("start1")
    assert "".join(session.open()) == "Two"
    asked, answered = (screen.told[2].splitlines(), screen.told[5].splitlines())
    assert asked[0] == "What start1 would ask the classifier:"
    assert asked[-4:] == ["question", "  Which of them?", "  A.  the first", "  B.  the second"]
    assert answered == ["two asks no model.", "  said   Two", "  value  'Two'", "  then   the turn ends"]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("stpe", 'There is no command stpe while the turn waits. Did you mean "step"?'),
        ("tea, please", "There is no command tea, while the turn waits. help lists them all."),
        ("o", "There is no call to get out of. c goes on to the next breakpoint."),
        ("d 7", 'There is no breakpoint "7". Write d N.'),
        ("b nowhere", 'error: there is no node "nowhere".'),
        ("b aks", 'error: there is no node "aks". Did you mean "ask"?'),
        ("b ask if guest =", "error: "),
        ("p", "The value of what? Write p EXPR."),
        ("p guets", "error: 'guets' is not defined. Did you mean 'guest'?"),
        ("p x = 3", "error: one expression is expected here, not an assignment; == compares."),
        ("set", "Which variable? Write set NAME = EXPR."),
        ("set x = open('a')", "error: "),
        ("vars guets", 'The variable "guets" is not defined here. Did you mean "guest"?'),
    ],
)
def test_commands_typed_wrongly(cafe: Path, line: str, text: str) -> None:
    session, screen = debugging(cafe, cafe.read_text("utf-8"), line, "c", model=ScriptedModel(["Some tea?"]))
    session.stepper.add("ask")
    "".join(session.open())
    assert "".join(session.say("Ada")) == "Some tea?"
    assert screen.wrong[0].startswith(text)
    assert session.memory.variables == {"guest": "Ada"}


def test_completions_at_the_debuggers_prompt(cafe: Path) -> None:
    session, _ = debugging(cafe, cafe.read_text("utf-8"))
    found: list[object] = []

    class Looking(Screen):
        def ask(self) -> str:
            assert debugger.stop is not None
            for line in ("st", "/pa", "b t", "b ", "p g", "vars x", "help x"):
                found.append(debug_completions(debugger.stop, line)[1])
            return "c"

    debugger = Debugger(session.stepper, Looking(()), interactive=True)
    session.debug = debugger.pause
    session.stepper.add("tea")
    session.adopt(session.bot.reply("", session.bot.start({"guest": "Ada"}))[1])
    "".join(session.goto("tea"))
    assert debugger.stop is None
    assert found == [["step", "stack"], ["path"], ["tea"], ["start1", "keep", "ask", "tea", "bye"], ["guest"], [], []]


# ---------------------------------------------------------------------- giving up, failing


@pytest.mark.parametrize(
    "how", [("q",), ("set guest = 'Bo'", "/quit"), (EOFError,), (KeyboardInterrupt, KeyboardInterrupt)]
)
def test_giving_up_leaves_the_conversation_as_it_was(cafe: Path, how: tuple[str, ...]) -> None:
    session, screen = debugging(cafe, cafe.read_text("utf-8"), *how, "c", model=ScriptedModel(["Some tea?"]))
    session.stepper.add("ask")
    "".join(session.open())
    before = session.memory
    stored = before.to_json()
    with pytest.raises(GivenUp):
        "".join(session.say("Ada"))
    assert session.memory is before
    assert before.to_json() == stored
    assert "".join(session.retry()) == "Some tea?"
    assert session.memory.variables == {"guest": "Ada"}
    assert screen.stops == ["ask", "ask"]


@pytest.mark.parametrize("line", ["c", "s", "q", EOFError])
def test_a_turn_that_fails_stops_and_fails_as_always(cafe: Path, line: str) -> None:
    session, screen = debugging(cafe, cafe.read_text("utf-8"), "prompt", "set guest = 1", line)
    "".join(session.open())
    before = session.memory
    with pytest.raises(ModelError):
        "".join(session.say("Ada"))
    assert session.memory is before
    assert screen.stops == ["ask"]
    assert "the turn fails here" in screen.told[1]
    assert "Ask Ada whether they want tea." in screen.told[2]
    assert "there is nothing to be changed any more" in screen.wrong[0]


# ---------------------------------------------------------------------- the chat's own commands


def test_breakpoints_by_the_chats_commands(cafe: Path) -> None:
    session, screen = debugging(cafe, cafe.read_text("utf-8"), *["c"] * 9, model=ScriptedModel(["Some tea?"], ["yes"]))
    session.stepper.wanted = False
    page = Page(80)
    assert run_line(session, "/break", page).text == "There are no breakpoints."
    assert not session.stepper.active
    assert run_line(session, "/break ask if guest == 'Ada'", page).text == "  1  ask  if guest == 'Ada'"
    assert run_line(session, "/break nowhere", page).text == 'error: there is no node "nowhere".'
    assert run_line(session, "/delete x", page).text == 'There is no breakpoint "x". Write /delete N.'
    "".join(session.open())
    "".join(session.say("Ada"))
    assert screen.stops == ["ask"]
    assert run_line(session, "/delete 1", page).text == "There are no breakpoints."
    assert run_line(session, "/step", page).text == "The next turn stops at the first node that it enters."
    "".join(session.say("yes"))
    "".join(session.say("thanks"))
    assert screen.stops == ["ask", "tea"]


def test_a_breakpoint_whose_node_is_gone(cafe: Path) -> None:
    session, _ = debugging(cafe, cafe.read_text("utf-8"))
    run_line(session, "/break tea", Page(80))
    cafe.write_text(
        cafe.read_text("utf-8").replace("tea,chat", "drink,chat").replace('"tea, bye"', '"drink, bye"'), "utf-8"
    )
    session.reload()
    assert run_line(session, "/break", Page(80)).text == "  1  tea  no such node"


@needs_lock
def test_a_program_that_is_not_trusted_is_not_debugged(cafe: Path, run: Run) -> None:
    session = Session(Recipe(str(cafe), AutographConfig(), ScriptedModel(), trust="untrusted"))
    assert "it runs in a locked process, which cannot be debugged" in " ".join(
        run_line(session, "/break ask", Page(80)).text.split()
    )
    with pytest.raises(RunError, match="which cannot be debugged"):
        session.bot.reply(debug=print)
    done = run("chat", "cafe.csv", *SCRIPTED, "--untrusted", "--debug")
    assert done.returncode == 2
    assert "--debug: the program is not trusted" in " ".join(done.stderr.split())


# ---------------------------------------------------------------------- in a pipe


def test_a_pipe_reads_commands_among_the_lines(cafe: Path, run: Run) -> None:
    text = "Ada\np guest\nset guest = 'Bo'\nc\nyes\nthanks\n"
    done = run("chat", "cafe.csv", *SCRIPTED, "--break", "ask if guest == 'Ada'", text=text)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "Hello! What is your name?",
        "▸ ask · chat · cafe.csv, row 4 (C4) · breakpoint 1",
        "  Ask Ada whether they want tea.",
        "'Ada'",
        "guest = 'Bo'",
        "Would you like some tea?",
        "Here is your tea, Bo.",
        "Goodbye, Bo.",
    ]


def test_after_the_last_line_a_turn_goes_on(cafe: Path, run: Run) -> None:
    done = run("chat", "cafe.csv", *SCRIPTED, "--break", "ask", "--json", text="Ada\np 1\n")
    assert done.returncode == 0
    assert [json.loads(line)["node"] for line in done.stdout.splitlines()] == ["start1", "ask"]
    assert done.stderr.splitlines() == [
        "▸ ask · chat · cafe.csv, row 4 (C4) · breakpoint 1", "  Ask Ada whether they want tea.", "1",
    ]  # fmt: skip


def test_a_wrong_command_ends_a_pipe_and_giving_up_does_not(cafe: Path, run: Run) -> None:
    done = run("chat", "cafe.csv", *SCRIPTED, "--break", "ask", text="Ada\nnonsense\nyes\n")
    assert done.returncode == 2
    assert done.stderr.startswith("There is no command nonsense while the turn waits.")
    done = run("chat", "cafe.csv", *SCRIPTED, "--break", "ask", text="Ada\nq\nBo\nc\nyes\n")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "Here is your tea, Bo."
    assert done.stderr.startswith("The turn was given up.")


@pytest.mark.parametrize(("text", "message"), [("nowhere", 'there is no node "nowhere"'), ("ask if (", "--break: ")])
def test_breakpoints_that_cannot_be(cafe: Path, run: Run, text: str, message: str) -> None:
    done = run("chat", "cafe.csv", *SCRIPTED, "--break", text)
    assert done.returncode == 2
    assert message in done.stderr


# ---------------------------------------------------------------------- at a terminal

if sys.platform != "win32":
    from cli.terminal import CTRL_C, CTRL_D, PROMPT, TAB, PtyChat

needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
DEBUG = "debug ›"


@needs_terminal
@pytest.mark.parametrize("plain", [False, True])
def test_a_session_at_a_terminal(cafe: Path, tmp_path: Path, plain: bool) -> None:
    env = {"TERM": "dumb"} if plain else {}
    with PtyChat("cafe.csv", *SCRIPTED, "--break", "ask", state=tmp_path, env=env) as chat:
        chat.expect("Debugging: a turn stops at breakpoints, at debug_checkpoint() and where it fails.")
        chat.expect(PROMPT)
        assert "▸ ask · chat · cafe.csv, row 4 (C4) · breakpoint 1" in chat.say("Ada", "Ask Ada whether", DEBUG)
        chat.say("p guest.upper()", "'ADA'", DEBUG)
        chat.type("vars gu" + TAB)
        chat.say("", "guest · str", DEBUG)
        chat.say("set guest = 'Bo'", "guest = 'Bo'", DEBUG)
        chat.say("hello", "There is no command hello", DEBUG)
        chat.say("q", "The turn was given up. The conversation stands where it was before; /retry says it again.")
        chat.say("/vars", "There are no variables yet.")
        chat.say("/retry", "▸ ask · chat", DEBUG)
        chat.say("set guest = 'Bo'", "guest = 'Bo'", DEBUG)
        chat.say("c", "Would you like some tea?")
        chat.say("yes", "Here is your tea, Bo.")
        chat.say("/step", "The next turn stops at the first node")
        chat.say("thanks", "▸ bye · chat_exact", DEBUG)
        chat.type(CTRL_D)
        chat.expect("The turn was given up.")
        chat.expect(PROMPT)
        chat.type(CTRL_D)
        assert chat.end() == 0


SLOW = """\
name,action,instruction,transitions
start1,chat_exact,Hello,wait
wait,python_function,print(slow()),told
told,python_function,told = 1,end
end,chat_exact,Told.,wait
"""


@needs_terminal
def test_ctrl_c_stops_at_the_next_node_and_then_ends_the_turn(tmp_path: Path) -> None:
    (tmp_path / "slow.csv").write_text(SLOW, "utf-8")
    (tmp_path / "host.py").write_text(
        "import time, autograph\n\n@autograph.host_function\ndef slow():\n"
        "    print('at work', flush=True)\n    time.sleep(1.5)\n",
        "utf-8",
    )
    with PtyChat(
        "slow.csv", "--model", "offline", "--host", "host.py", "--allow", "slow", "--debug", state=tmp_path
    ) as chat:
        chat.expect(PROMPT)
        chat.type("x\r")
        chat.expect("at work")
        chat.type(CTRL_C)
        chat.expect("Stopping at the next node; Ctrl-C once more ends the turn.")
        chat.expect("▸ told · python_function · slow.csv, row 4 (C4) · Ctrl-C")
        chat.expect(DEBUG)
        chat.type("half" + CTRL_C)
        chat.expect("c goes on; q, or Ctrl-C once more, gives the turn up.")
        chat.expect(DEBUG)
        chat.say("c", "Told.")
        chat.type("y\r")
        chat.expect("at work")
        chat.type(CTRL_C)
        chat.expect("Stopping at the next node")
        chat.type(CTRL_C)
        chat.expect("Stopped. The conversation stands where it was before")
        chat.expect(PROMPT)
        chat.type(CTRL_D)
        assert chat.end() == 0


def test_the_chat_knows_the_debuggers_commands() -> None:
    assert {"/break", "/delete", "/step"} <= set(COMMANDS)
