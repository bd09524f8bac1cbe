"""docs/chat.md is true: its session happens, its lists are complete."""

from __future__ import annotations

import re
from pathlib import Path

from autograph.cli.chat import chat
from autograph.cli.commands import COMMANDS
from autograph.cli.debug_commands import DEBUG_COMMANDS
from autograph.cli.debugger import GREETING
from cli.conftest import Run

PAGE = (Path(__file__).parents[2] / "docs" / "chat.md").read_text("utf-8")


def block(kind: str, containing: str) -> str:
    """The fenced block of this kind that holds a text."""
    found: list[str] = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    return next(text for text in found if containing in text)


def lines_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def test_the_session_happens(run: Run) -> None:
    shown = lines_of(block("session", "$ autograph new"))
    assert shown[:2] == ["$ autograph new cafe.yaml", run("new", "cafe.yaml").stdout.strip()]
    command, banner, talk = shown[2], shown[3], shown[4:-1]
    assert banner.startswith("cafe · 8 nodes · offline rules")
    assert shown[-1].startswith("The conversation has ended.")
    said = [line.removeprefix("you › ") for line in talk if line.startswith("you › ")]
    done = run(*command.split()[2:], "--script", "-", text="\n".join(said))
    assert lines_of(done.stdout) == talk


def test_the_debugging_session_happens(run: Run) -> None:
    run("new", "cafe.yaml")
    command, _, *greeting = lines_of(block("session", "--break"))
    begins = next(number for number, line in enumerate(greeting) if line.startswith("Welcome"))
    talk = greeting[begins:-1]
    assert " ".join(greeting[:begins]) == GREETING
    typed = [line.partition(" › ")[2] for line in talk if line.startswith(("you › ", "debug › "))]
    done = run(*command.split()[2:], "--script", "-", text="\n".join(typed))
    assert lines_of(done.stdout) == talk


def test_the_debuggers_commands_are_listed() -> None:
    section = PAGE.partition("## Debugging")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ((?:`[a-z]+(?: [^`|]*)?`(?:, )?)+) \| ", section, re.MULTILINE)
    listed = [[word.split(" ")[0] for word in re.findall(r"`([^`]*)`", row)] for row in rows]
    assert [tuple(names) for names in listed] == [command.names for command in DEBUG_COMMANDS]


def test_the_pipe_happens(run: Run) -> None:
    run("new", "cafe.yaml")
    command, *replies = lines_of(block("console", "printf"))
    text = re.findall(r"printf '(.*?)'", command)[0].replace("\\n", "\n")
    done = run("chat", "cafe.yaml", "--model", "offline", text=text)
    assert done.stdout.splitlines() == replies


def test_the_problems_are_shown_like_this(run: Run, broken: Path) -> None:
    done = run("chat", "broken.csv", COLUMNS="100")
    assert done.stderr == block("text", "broken.csv")


def test_the_error_is_shown_like_this(run: Run, cafe: Path) -> None:
    cafe.write_text(cafe.read_text("utf-8").replace("Ask $guest", "Ask $guets"), "utf-8")
    done = run("chat", "cafe.csv", "--model", "offline", text="Ada\n")
    assert block("text", "guets").startswith(done.stderr)


def test_every_command_and_option_is_listed() -> None:
    commands = re.findall(r"^\| `(/\w+)( [^`]*)?` \|", PAGE, re.MULTILINE)
    assert [(name, arguments.strip()) for name, arguments in commands] == [
        (c.name, c.arguments) for c in COMMANDS.values()
    ]
    options = {
        name for line in PAGE.splitlines() if line.startswith("| `-") for name in re.findall(r"`(--[\w-]+)", line)
    }
    assert options == {
        name for option in chat.params for name in (*option.opts, *option.secondary_opts) if name.startswith("--")
    } | {"--help"}
