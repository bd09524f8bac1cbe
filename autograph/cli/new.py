"""``autograph new``: write the starter program as a workbook, a CSV table or a YAML file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import click

__all__ = ["new"]

_EPILOG = """\b
Examples:
  autograph new cafe.xlsx
  autograph new cafe.yaml --force
"""


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite a file that is there.")
def new(file: Path, force: bool) -> None:
    """Write a small program to begin with to FILE (.xlsx, .csv or .yaml).

    The workbook has drop-down lists and explains its columns. The settings of a .csv go to a file NAME.config.yaml
    beside it.
    """
    write = _WRITERS.get(file.suffix.lower())
    if write is None:
        raise click.UsageError(f"{file} must end in {', '.join(_WRITERS)}: the ending says which format to write.")
    try:
        _refuse_existing(file, force)
        written = write(file)
    except OSError as error:
        raise click.UsageError(f"{error.filename or file} cannot be written: {error.strerror or error}.") from error
    click.echo(f"Wrote {' and '.join(map(str, written))}. Try it: autograph chat {_quoted(str(file))}")


def _refuse_existing(file: Path, force: bool) -> None:
    there = [str(path) for path in _files_of(file) if path.exists()]
    if there and not force:
        verb = "are" if len(there) > 1 else "is"
        raise click.UsageError(f"{' and '.join(there)} {verb} there already. Choose another name, or --force.")


def _files_of(file: Path) -> tuple[Path, ...]:
    return (file, file.with_suffix(".config.yaml")) if file.suffix.lower() == ".csv" else (file,)


def _quoted(name: str) -> str:
    from shlex import quote

    return quote(name)


def _workbook(file: Path) -> tuple[Path, ...]:
    from autograph.cli.workbook import write_workbook

    write_workbook(file)
    return (file,)


def _csv(file: Path) -> tuple[Path, ...]:
    import csv

    from autograph.cli.starter import COLUMNS, CONFIG, ROWS

    table, settings = _files_of(file)
    with table.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        writer.writerows(list(row.values()) for row in ROWS)
    settings.write_text("".join(f"{key}: {_scalar(text)}\n" for key, text in CONFIG.items()), "utf-8")
    return table, settings


def _yaml(file: Path) -> tuple[Path, ...]:
    from autograph.cli.starter import CONFIG, ROWS, used_fields

    lines = ["# A node is what the program does at one point; it begins at start1.", "", "config:"]
    lines += [f"  {key}: {_scalar(text)}" for key, text in CONFIG.items()]
    lines += ["", "nodes:"]
    for row in ROWS:
        lines += _node(used_fields(row))
    file.write_text("\n".join(lines).rstrip() + "\n", "utf-8")
    return (file,)


def _node(fields: Mapping[str, str]) -> list[str]:
    lines = [f"  {fields['name']}:"]
    lines += [f"    {key}: {_yaml_value(key, text)}" for key, text in fields.items() if key != "name"]
    return [*lines, ""]


def _yaml_value(key: str, text: str) -> str:
    if key == "transitions" and "," in text:
        return f"[{text}]"
    return _scalar(text)


def _scalar(text: str) -> str:
    """A text as YAML: plain where that is safe, else in double quotes, which YAML shares with JSON."""
    import json

    safe = set(" _.,;'!?()=-/$")
    word = text.lower() in ("yes", "no", "true", "false", "on", "off", "null")  # no text for other YAML readers
    plain = text[:1].isalnum() and not word and all(letter.isalnum() or letter in safe for letter in text)
    return text if plain and " #" not in text else json.dumps(text, ensure_ascii=False)


_WRITERS: Mapping[str, Callable[[Path], tuple[Path, ...]]] = MappingProxyType(
    {".xlsx": _workbook, ".csv": _csv, ".yaml": _yaml, ".yml": _yaml}
)
