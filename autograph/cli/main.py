"""What do I type? The command ``autograph`` and its subcommands, each loaded when it is asked for."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any

import click

from autograph.cli.exits import GOOD, INTERRUPTED, RUN_ERROR
from autograph.errors import AutographError, did_you_mean
from autograph.version import __version__

__all__ = ["chat_main", "cli", "graph_main", "main", "run"]

_COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "chat": ("autograph.cli.chat", "Talk to a program."),
        "check": ("autograph.cli.check", "Say what is wrong with a program, or doubtful."),
        "convert": ("autograph.cli.convert", "Write a program in another file format."),
        "eval": ("autograph.cli.eval", "Measure how good programs and models are."),
        "graph": ("autograph.cli.graph", "Draw a program."),
        "new": ("autograph.cli.new", "Write a small program to begin with."),
        "schema": ("autograph.cli.schema", "Print the JSON Schema of programs in YAML."),
        "simulate": ("autograph.cli.simulate", "Hold many conversations with simulated users."),
        "test": ("autograph.cli.test", "Run conversation tests."),
    }
)
"""Name of a subcommand to its module, which has a click command of that name, and what it does."""


class _Commands(click.Group):
    """A group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(_COMMANDS[cmd_name][0]), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            hint = did_you_mean(args[0], _COMMANDS) or f"The commands are {', '.join(_COMMANDS)}."
            ctx.fail(f'there is no command "{args[0]}". {hint}')
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="autograph")
def cli() -> None:
    """Chatbots as graph programs: a spreadsheet or YAML file that talks."""


def run(command: click.Command, name: str, args: Sequence[str] | None = None) -> int:
    """Run a command and give its exit code; every error is shown here at the latest."""
    _open_closed_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a byte or a character that does not fit is no reason to fail
    try:
        code: Any = command.main(list(args) if args is not None else None, prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except AutographError as error:
        from autograph.cli.report import report

        return report(error)
    except BrokenPipeError:
        _forget_stdout()
        return GOOD
    except OSError as error:
        if not _is_about_output(error):
            traceback.print_exc()
        else:
            _forget_stdout()
            click.echo(f"error: the output cannot be written: {error.strerror}", err=True)
        return RUN_ERROR
    except SystemExit:  # click's own answer to a reader that has gone
        return GOOD
    except Exception:
        traceback.print_exc()
        return RUN_ERROR
    return code if isinstance(code, int) else GOOD


def _open_closed_streams() -> None:
    """Streams that the caller closed (``<&-``, ``>&-``) hold nothing and keep nothing."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - it lives as long as the process
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _is_about_output(error: OSError) -> bool:
    """Whether writing to a stream failed: such an error names no file."""
    return error.errno in (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT) and error.filename is None


def _forget_stdout() -> None:
    """The reader of our output has gone, as `head` does: nothing is left to be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """The script ``autograph``."""
    sys.exit(run(cli, "autograph"))


def chat_main() -> None:
    """The script ``autograph-chat``: the same as ``autograph chat``."""
    from autograph.cli.chat import chat

    sys.exit(run(chat, "autograph-chat"))


def graph_main() -> None:
    """The script ``autograph-graph``: the same as ``autograph graph``."""
    from autograph.cli.graph import graph

    sys.exit(run(graph, "autograph-graph"))
