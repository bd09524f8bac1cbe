"""The command itself: help, version, suggestions, exit codes of wrong usage, and what is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autograph.version import __version__
from cli.conftest import Run
from cli.environment import environment

HEAVY = ("openai", "pandas", "networkx", "openpyxl", "prompt_toolkit", "rich", "lark", "yaml")


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom autograph.cli.main import run\nfrom autograph.cli.chat import chat\n"
        "code = run(chat, 'autograph-chat', ['--help'])\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\nsys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", env=environment(tmp_path)
    )
    assert (done.stderr, done.returncode) == ("[]\n", 0)
    options = "model classifier config trace json script seed watch load save start var no-color no-stream"
    assert [option for option in options.split() if f"--{option}" not in done.stdout] == []
    assert "Examples:" in done.stdout


def test_no_terminal_library_is_loaded_in_a_pipe(cafe: Path, tmp_path: Path) -> None:
    code = (
        "import sys\nfrom autograph.cli.main import run\nfrom autograph.cli.chat import chat\n"
        "run(chat, 'autograph-chat', ['cafe.csv', '--model', 'offline'])\n"
        "print([n for n in ('openai', 'pandas', 'networkx', 'openpyxl', 'prompt_toolkit', 'rich') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="Ada\n", capture_output=True, encoding="utf-8", cwd=tmp_path,
        env=environment(tmp_path),
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "[]"


def test_help_version_and_suggestion(run: Run) -> None:
    assert "chat Talk to a program." in " ".join(run("--help").stdout.split())
    assert run("--version").stdout == f"autograph, version {__version__}\n"
    assert run("chat", "--version").stdout == f"autograph, version {__version__}\n"
    done = run("caht")
    assert 'there is no command "caht". Did you mean "chat"?' in done.stderr
    assert done.returncode == 2
    assert "The commands are chat, " in run("xyzzy").stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "Missing argument 'FILE'"),
        (("cafe.csv", "--modle", "x"), "--modle"),
        (("cafe.csv", "--model", "opneai:x"), 'Did you mean "openai"?'),
        (("cafe.csv", "--model", "scripted:none.yaml"), "The script none.yaml cannot be read"),
        (("cafe.csv", "--config", "none.yaml"), "--config: none.yaml cannot be read"),
        (("cafe.csv", "--config", "max_step=3"), 'there is no setting "max_step". Did you mean "max_steps"?'),
        (("cafe.csv", "--config", "max_steps=x"), 'must be a whole number, not "x"'),
        (("cafe.csv", "--var", "x"), '"x" is no variable'),
        (("cafe.csv", "--var", "n:=x"), "'x' is no JSON value. Write n=x for a text"),
        (("cafe.csv", "--var", "_n=1"), "cannot be the name of a variable"),
        (("cafe.csv", "--start", "teas"), 'there is no node "teas". Did you mean "tea"?'),
        (("cafe.csv", "--script", "none.txt"), "--script: none.txt cannot be read (No such file or directory)."),
        (("cafe.csv", "--model", "openai:"), '"openai:" is no model for the chatbot'),
        (("cafe.csv", "--load", "none.json"), "--load: there is no file none.json"),
        (("cafe.csv", "--load", "x", "--var", "a=b"), "does not go with --load"),
        (("https://example.org/x.csv", "--watch"), "--watch needs a file"),
        (("cafe.csv", "--seed", "x"), "not a valid integer"),
    ],
)
def test_wrong_usage(run: Run, cafe: Path, args: tuple[str, ...], message: str) -> None:
    done = run("chat", *args)
    assert message in done.stderr
    assert (done.stdout, done.returncode) == ("", 2)


def test_a_file_that_is_not_there(run: Run, cafe: Path) -> None:
    done = run("chat", "caffe.csv")
    assert 'Did you mean "cafe.csv"?' in done.stderr
    assert done.returncode == 65


def test_a_bad_file_of_settings(run: Run, cafe: Path, tmp_path: Path) -> None:
    (tmp_path / "set.yaml").write_text("max_steps: 5\nmax_step: 3\n", "utf-8")
    done = run("chat", "cafe.csv", "--config", "set.yaml")
    assert "set.yaml\n  line 2  AG018" in done.stderr
    assert done.returncode == 65


def test_a_bad_stored_conversation(run: Run, cafe: Path) -> None:
    done = run("chat", "cafe.csv", "--load", "cafe.csv")
    assert "cafe.csv holds no stored conversation" in done.stderr
    assert done.returncode == 70


def test_settings_from_options_win_and_later_ones_over_earlier_ones(run: Run, cafe: Path, tmp_path: Path) -> None:
    (tmp_path / "cafe.config.yaml").write_text("default_prompt: from the sheet\n", "utf-8")
    (tmp_path / "set.json").write_text('{"default_prompt": "from a file", "agent_name": "Bo"}', "utf-8")
    common = ("chat", "cafe.csv", "--model", "scripted:model.yaml", "--script", "-")
    assert "  from the sheet" in run(*common, text="/prompt\n").stdout
    assert "  from a file" in run(*common, "--config", "set.json", text="/prompt\n").stdout
    both = ("--config", "set.json", "--config", "default_prompt=from the line")
    assert "  from the line" in run(*common, *both, text="/prompt\n").stdout
    assert "Instruction for Bo:" in run(*common, *both, text="Ada\n/prompt\n").stdout


def test_an_error_of_ours_is_shown_and_counts_as_a_run_error(monkeypatch: pytest.MonkeyPatch, capsys: object) -> None:
    import click

    from autograph.cli.main import run as run_command
    from autograph.errors import ModelError

    @click.command()
    def fails() -> None:
        raise ZeroDivisionError("oops")

    @click.command()
    def unreachable() -> None:
        raise ModelError("nobody there")

    assert run_command(fails, "x", []) == 70
    assert run_command(unreachable, "x", []) == 69
    err = capsys.readouterr().err  # type: ignore[attr-defined]
    assert "ZeroDivisionError: oops" in err
    assert "error: nobody there" in err
