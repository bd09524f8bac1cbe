"""``autograph graph``: draw a program to a file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import click

from autograph.version import __version__

if TYPE_CHECKING:
    from autograph.errors import ProgramError
    from autograph.graph import Drawing, View
    from autograph.graph.overlay import Counts
    from autograph.program import Program

__all__ = ["GraphOptions", "graph"]

_EPILOG = """\b
Examples:
  autograph graph clinic.yaml
  autograph graph clinic.yaml -o clinic.svg
  autograph graph clinic.yaml --focus confirm --depth 2
  autograph graph clinic.yaml --diff clinic-old.yaml
  autograph graph broken.csv --draft
  autograph graph quiz.csv --format mermaid -o -

\b
Exit codes: 0 good, 2 usage, 65 bad program, 70 the drawing cannot be made, 130 Ctrl-C.
"""
_FORMATS = ("html", "svg", "png", "pdf", "dot", "mermaid", "json")


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """The options of the command line, as click gives them."""

    file: str
    output: str | None
    form: str | None
    focus: str | None
    depth: int
    function: str | None
    category: str | None
    diff: str | None
    coverage: Path | None
    visits: Path | None
    draft: bool
    fold: bool | None
    engine: str
    title: str
    as_json: bool
    no_colour: bool


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("file")
@click.option("-o", "--output", metavar="OUT", help="Where to write; - is stdout. Without it: FILE with the ending of "
              "the format, beside it.")  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), help="The format. Without it: what OUT ends in, else html."
)
@click.option("--focus", metavar="NODE", help="Only this node and what is near.")
@click.option(
    "--depth", type=click.IntRange(0), default=2, show_default=True, help="With --focus: how many edges away."
)
@click.option("--function", metavar="NAME", help="Only this function.")
@click.option("--category", metavar="NAME", help="Only nodes with this state_category.")
@click.option("--diff", metavar="OLD", help="Compare with an earlier program: added, removed, changed.")
@click.option("--coverage", type=click.Path(dir_okay=False, path_type=Path), metavar="JSON",
              help='Mark what was entered: the file of autograph test --coverage, or {"nodes": {name: count}, '
              '"edges": [[from, to, count]]}.')  # fmt: skip
@click.option("--visits", type=click.Path(dir_okay=False, path_type=Path), metavar="JSON",
              help="The same data; the oftener a way was taken, the thicker it is.")  # fmt: skip
@click.option("--draft", is_flag=True, help="Draw a program that has errors, and mark them.")
@click.option("--fold/--no-fold", default=None, help="Functions folded or open at first (folded above 150 nodes).")
@click.option("--engine", type=click.Choice(["auto", "dot", "graphviz-pure"]), default="auto", show_default=True,
              help="The layout program.")  # fmt: skip
@click.option("--title", default="", metavar="TEXT", help="The title, if not the file's name.")
@click.option("--json", "as_json", is_flag=True, help="Say what was written as JSON.")
@click.option("--no-color", "no_colour", is_flag=True, help="No colours (also NO_COLOR).")
@click.version_option(__version__, prog_name="autograph")
@click.pass_context
def graph(context: click.Context, /, **options: Any) -> None:
    """Draw the program in FILE.

    The HTML page needs no network and no other file: search, click, fold functions, link to a node with #name. SVG and
    Mermaid go into documents, JSON and DOT to other programs. FILE is what autograph chat takes.
    """
    from autograph.cli.report import report
    from autograph.errors import AutographError, ProgramError
    from autograph.graph.focus import BadSelection
    from autograph.graph.overlay import BadCounts

    chosen = GraphOptions(**options)
    try:
        code = _draw(chosen)
    except (BadSelection, BadCounts) as error:
        raise click.UsageError(str(error)) from error
    except AutographError as error:
        code = report(error, as_json=chosen.as_json, no_colour=chosen.no_colour)
        if isinstance(error, ProgramError) and not chosen.draft and _has_rows(error):
            click.echo("With --draft what there is of the program is drawn, and the errors are marked.", err=True)
    context.exit(code)


def _has_rows(error: ProgramError) -> bool:
    """Whether the file could be read, and only what it says is wrong: only of that a draft can be drawn."""
    errors = [found for found in error.problems if found.severity == "error"]
    return all(found.code >= "AG100" or found.kind == "bad-config" for found in errors)


def _draw(chosen: GraphOptions) -> int:
    from autograph.cli.exits import GOOD
    from autograph.graph import Drawing

    form = _format(chosen)
    drawing = Drawing(_view(chosen), chosen.fold, chosen.engine)
    content = drawing.render(form)
    notes = drawing.notes(form)
    target = _target(chosen, form)
    if target is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        try:
            target.write_bytes(content)
        except OSError as error:
            raise click.UsageError(f"{target} cannot be written: {error.strerror or error}.") from error
    _say(chosen, drawing, target, form, notes)
    return GOOD


def _say(chosen: GraphOptions, drawing: Drawing, target: Path | None, form: str, notes: list[str]) -> None:
    """What was done: on stdout where a file was written, and notes on stderr."""
    from autograph.cli.render import json_line

    view = drawing.view
    if chosen.as_json and target is not None:
        click.echo(json_line({"file": str(target), "format": form, **_figures(view), "notes": notes}))
        return
    for note in [*notes, *([view.counted] if "left out" in view.counted else [])]:
        click.echo(f"note: {note}", err=True)
    errors = sum(1 for node in view.nodes for p in node.problems) + len(view.problems)
    if chosen.draft and errors:
        click.echo(f"note: {errors} problem{'' if errors == 1 else 's'} marked in the drawing", err=True)
    if target is not None:
        figures = _figures(view)
        parts = [f"{n} {word if n != 1 else word[:-1]}" for word, n in figures.items() if n or word != "functions"]
        click.echo(f"Wrote {target}: {', '.join(parts)}.")


def _figures(view: View) -> Mapping[str, int]:
    return {"nodes": len(view.nodes), "edges": len(view.edges), "functions": len(view.functions)}


# ---------------------------------------------------------------------- what is drawn


def _view(chosen: GraphOptions) -> View:
    from autograph.graph import view_of
    from autograph.graph.diff import compared
    from autograph.graph.focus import around, of_category, of_function
    from autograph.graph.overlay import overlaid

    program = _program(chosen.file, chosen.draft)
    view = view_of(program, chosen.title)
    if chosen.diff is not None:
        old = view_of(_program(chosen.diff, chosen.draft))
        view = compared(old, view)
    for path, weighted in ((chosen.coverage, False), (chosen.visits, True)):
        if path is not None:
            view = overlaid(view, _counts(path, program), weighted=weighted)
    if chosen.function is not None:
        view = of_function(view, chosen.function)
    if chosen.category is not None:
        view = of_category(view, chosen.category)
    if chosen.focus is not None:
        view = around(view, chosen.focus, chosen.depth)
    return view


def _counts(path: Path, program: Program) -> Counts:
    """The counts of a coverage file that are of this program, or those of a file of plain counts."""
    from autograph.graph.overlay import Counts, read_counts
    from autograph.testing.coverage_file import CoverageError, traffic_for

    text = _text(path)
    try:
        found = traffic_for(text, str(path), program)
    except CoverageError as error:
        raise click.UsageError(str(error)) from error
    return read_counts(text, str(path)) if found is None else Counts(found.nodes, found.edges)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{path} cannot be read: {error}.") from error


def _program(source: str, draft: bool) -> Program:
    """The program, which is not run: not even a stranger's one needs a locked process."""
    from autograph.interpreter.loading import read_source
    from autograph.interpreter.plugins import installed_actions
    from autograph.program.build import build, build_draft

    found = read_source(source)
    actions = {name: cls.action for name, cls in installed_actions().items() if cls.action is not None}
    if draft:
        return build_draft(found.rows, None, found.modules, actions)[0]
    return build(found.rows, None, found.modules, actions)


# ---------------------------------------------------------------------- where it goes


def _format(chosen: GraphOptions) -> str:
    from autograph.graph import DrawingError
    from autograph.graph.drawing import format_of

    if chosen.form:
        return chosen.form
    if chosen.output in (None, "-"):
        return "html"
    try:
        return format_of(Path(chosen.output or ""))
    except DrawingError as error:
        raise click.UsageError(f"{str(error).removesuffix('.')} with --format.") from error


def _target(chosen: GraphOptions, form: str) -> Path | None:
    """The file to write; None for stdout. A workbook's sheet is part of the name."""
    from autograph.graph import FORMATS

    if chosen.output == "-":
        return None
    if chosen.output is not None:
        return Path(chosen.output)
    if "://" in chosen.file:
        return Path(f"program{FORMATS[form]}")
    file, _, sheet = chosen.file.partition("#") if not Path(chosen.file).exists() else (chosen.file, "", "")
    name = PurePath(file).stem + (f".{sheet}" if sheet else "") + FORMATS[form]
    target = Path(file).with_name(name)
    if target == Path(file):
        raise click.UsageError(f"{target} is the program itself. Say with -o where to write.")
    return target
