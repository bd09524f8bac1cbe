"""``autograph schema``: the JSON Schema by which editors complete and check programs, and tests, in YAML."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["schema"]

_EPILOG = """\b
Examples:
  autograph schema
  autograph schema -o program.schema.json
  autograph schema --tests -o chat-tests.schema.json
Then, as the first line of a YAML program:
  # yaml-language-server: $schema=program.schema.json
"""


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write it to this file.")
@click.option("--tests", is_flag=True, help="The schema of conversation tests (NAME.chat.yaml) instead.")
@click.option("--json", "as_json", is_flag=True, help="Accepted like everywhere: the schema is JSON anyway.")
def schema(output: Path | None, tests: bool, as_json: bool) -> None:
    """Print the JSON Schema (draft-07) of programs in YAML and JSON.

    An editor that is given it, such as VS Code with its YAML extension, completes fields and actions, explains them,
    and marks what is misspelt.
    """
    text = _text(tests)
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.write_text(text, "utf-8", newline="\n")
    except OSError as error:
        raise click.UsageError(f"{output} cannot be written: {error.strerror or error}.") from error
    click.echo(f"Wrote {output}.")


def _text(tests: bool) -> str:
    if tests:
        from autograph.testing.schema import tests_schema_text

        return tests_schema_text()
    from autograph.program.schema import schema_text

    return schema_text()
