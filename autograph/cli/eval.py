"""``autograph eval``: how good is it? A group whose commands are loaded when they are used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

import click

from autograph.errors import did_you_mean

__all__ = ["eval"]

_COMMANDS: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "transitions": (
            "autograph.cli.eval_transitions",
            "transitions",
            "How often are users understood? The accuracy of a program's questions.",
        ),
        "scenarios": (
            "autograph.cli.eval_scenarios",
            "scenarios",
            "How often are goals reached? Simulated users talk to programs.",
        ),
        "run": (
            "autograph.cli.eval_run",
            "run",
            "Measure a program or a baseline on tasks, as ParlAI does; compare two.",
        ),
        "display-data": ("autograph.cli.eval_display", "display_data", "Show the examples of tasks."),
        "display-model": ("autograph.cli.eval_display", "display_model", "Show what is answered to them."),
        "train": ("autograph.cli.eval_train", "train", "Build the dictionary of the baseline of word overlap."),
        "interactive": ("autograph.cli.eval_talk", "interactive", "Talk to an agent."),
        "self-chat": ("autograph.cli.eval_talk", "self_chat", "Let two agents talk to each other."),
        "agent": ("autograph.cli.eval_agent", "agent", "Talk to an agent of several programs and services."),
        "export": ("autograph.cli.eval_exchange", "export", "Write a conversation in the form of another system."),
        "import": ("autograph.cli.eval_exchange", "import_", "Make a conversation of one in another form."),
    }
)
"""Name of a subcommand to its module, the click command there, and what it does."""


class _Evaluations(click.Group):
    """A group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, name, _ = _COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, _, summary) in _COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            hint = did_you_mean(args[0], _COMMANDS) or f"There are: {', '.join(_COMMANDS)}."
            ctx.fail(f'there is no evaluation "{args[0]}". {hint}')
        return super().resolve_command(ctx, args)


@click.group("eval", cls=_Evaluations, context_settings={"help_option_names": ["-h", "--help"]})
def eval() -> None:
    """Measure how good programs and models are."""
