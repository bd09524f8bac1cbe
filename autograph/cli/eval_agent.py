"""What can be asked for with ``autograph eval agent``? The options; ``agent_talk`` does what they say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

__all__ = ["AgentOptions", "agent"]

_EPILOG = """\b
Examples:
  autograph eval agent agent.yaml
  autograph eval agent pipeline_conf.json --allow-code --trace
  printf 'hello\\nbye\\n' | autograph eval agent agent.yaml --json --save dialog.json

\b
/start begins another dialog with the same user, /quit leaves.
Exit codes: 0 good, 2 usage, 65 bad pipeline or program, 69 model unreachable, 70 nobody answered, 130 Ctrl-C.
"""


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """The options of the command line, as click gives them."""

    file: Path
    model: str | None
    classifier: str | None
    user: str
    timeout: float | None
    allow_code: bool
    load: Path | None
    save: Path | None
    trace: bool
    as_json: bool
    no_colour: bool


_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("file", type=_FILE)
@click.option("--model", metavar="NAME", help="Who writes texts for programs whose entries name no model.")
@click.option("--classifier", metavar="NAME", help="Who answers their questions, if not the same model.")
@click.option("--user", default="user", show_default=True, metavar="NAME", help="The user's name in the dialog state.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="For a whole turn, in "
              "place of what the pipeline says.")  # fmt: skip
@click.option("--allow-code", is_flag=True, help="Run the Python code that the pipeline names, with all your rights.")
@click.option("--load", type=_FILE, metavar="FILE.json", help="Go on with a dialog state.")
@click.option("--save", type=_FILE, metavar="FILE.json", help="Write the dialog state to a file after each turn.")
@click.option("--trace", is_flag=True, help="Show after each turn what the skills proposed, and what failed.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a turn: reply, skill, hypotheses, services.")
@click.option("--no-color", "no_colour", is_flag=True, help="No colours (also NO_COLOR).")
@click.pass_context
def agent(context: click.Context, /, **options: Any) -> None:
    """Talk to the agent in FILE: a pipeline of annotators, skills, programs among them, and selectors.

    FILE is YAML, or the pipeline_conf.json of a DeepPavlov Agent. With a pipe instead of a terminal, each line of input
    is one turn and only replies are printed.
    """
    from autograph.cli.agent_talk import talk

    context.exit(talk(AgentOptions(**options)))
