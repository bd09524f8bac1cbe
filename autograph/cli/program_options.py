"""What can be said of a program wherever one is loaded? Its settings, its host functions, and how far it is trusted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["program_options", "trust_options"]

Function = TypeVar("Function", bound=Callable[..., Any])


def program_options(function: Function) -> Function:
    """A command with ``--config`` and the options of ``trust_options``."""
    add = click.option(
        "--config",
        multiple=True,
        metavar="KEY=VALUE|FILE",
        help="A setting that wins over the program's own, or a YAML or JSON file of settings. May be repeated.",
    )
    return add(trust_options(function))


def trust_options(function: Function) -> Function:
    """A command with ``--host``, ``--allow`` and ``--untrusted/--own``."""
    options = (
        click.option(
            "--host",
            "hosts",
            multiple=True,
            metavar="FILE.py",
            help="A Python file with host functions for the program. May be repeated.",
        ),
        click.option(
            "--allow",
            multiple=True,
            metavar="NAME",
            help="What the program may have of what it asks for in its setting capabilities: names with commas "
            "between them, or all.",
        ),
        click.option(
            "--untrusted/--own",
            default=None,
            help="Whether a stranger wrote the program, which then runs in a locked process. Without it: a link is a "
            "stranger's, a file is your own.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function
