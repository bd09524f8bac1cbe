"""How does a chat begin? The program is loaded as the options say, and the terminal or the pipe takes over."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import click

from autograph.cli.breaking import refuse_untrusted, set_breakpoint
from autograph.cli.chat import ChatOptions
from autograph.cli.debugger import GREETING
from autograph.cli.keeping import load_text
from autograph.cli.options import read_config, read_hosts, read_model, read_variables
from autograph.cli.problems import warning_lines
from autograph.cli.recipe import Recipe
from autograph.cli.recording import end_recording, with_recording
from autograph.cli.saved import write_conversation
from autograph.cli.session import LiveTurn, Session
from autograph.cli.style import Style, page_of
from autograph.cli.telling import story_of
from autograph.cli.wrap import wrap
from autograph.errors import RunError

__all__ = ["hold"]

Changed = Callable[[], bool] | None
"""Says whether the program's file has changed; None where nobody wants to know."""


def hold(options: ChatOptions) -> int:
    """Load the program and hold the chat that the options and streams ask for."""
    if options.load and options.variables:
        raise click.UsageError("--var sets variables at the beginning, so it does not go with --load.")
    if options.watch and "://" in options.file:
        raise click.UsageError("--watch needs a file; a link is read again with /reload.")
    changed = _changed(options)  # made first, so that no change between reading and watching is missed
    session = _session(options)
    _warn(session, options)
    _debug(session, options)
    if options.load:
        _load(session, options)
    opening = session.open() if session.fresh or options.start else None
    save = _saver(session, options)
    interactive = not (options.script or options.as_json) and sys.stdin.isatty() and sys.stdout.isatty()
    hold_it = _interactive if interactive else _piped
    code = hold_it(session, options, opening, save, changed)
    end_recording(session, code)
    return code


def _session(options: ChatOptions) -> Session:
    said: set[str] = set()

    def notify(line: str) -> None:
        if line not in said:  # a program that is read again asks again
            said.add(line)
            page = page_of(sys.stderr, no_colour=options.no_colour)
            shown = wrap(line, page.width) if sys.stderr.isatty() else [line]
            click.echo(page.style.dim("\n".join(shown)), err=True, color=page.style.colour)

    recipe = Recipe(
        options.file,
        read_config(options.config, options.seed),
        read_model(options.model, "chatbot", notify),
        read_model(options.classifier, "classifier", notify),
        notify,
        None if options.untrusted is None else ("untrusted" if options.untrusted else "own"),
        read_hosts(options.hosts),
        tuple(name.strip() for names in options.allow for name in names.split(",") if name.strip()),
    )
    recipe = with_recording(recipe, options.recording, options.record)
    variables = read_variables(options.variables)
    try:
        return Session(recipe, variables=variables, start=options.start, streams=not options.no_stream)
    except RunError as error:  # what the options name: a node, a variable
        raise click.UsageError(f"{error}.".replace("..", ".").replace("?.", "?")) from None


def _warn(session: Session, options: ChatOptions) -> None:
    page = page_of(sys.stderr, no_colour=options.no_colour)
    for line in warning_lines(session.bot.problems, page):
        click.echo(line, err=True, color=page.style.colour)


def _debug(session: Session, options: ChatOptions) -> None:
    if not (options.debug or options.breaks):
        return
    try:
        refuse_untrusted(session)
        for text in options.breaks:
            set_breakpoint(session, text)
    except RunError as error:
        what = "--break" if options.breaks else "--debug"
        raise click.UsageError(f"{what}: {error}.".replace("..", ".").replace("?.", "?")) from None
    session.stepper.wanted = True


def _load(session: Session, options: ChatOptions) -> None:
    assert options.load is not None
    if not os.path.isfile(options.load):
        raise click.UsageError(f"--load: there is no file {options.load}.")
    page = page_of(sys.stderr, no_colour=options.no_colour)
    text = load_text(session, options.load, page)
    click.echo(text, err=True, color=page.style.colour)


def _saver(session: Session, options: ChatOptions) -> Callable[[], None]:
    def save() -> None:
        if options.save:
            write_conversation(options.save, session.memory, session.source, story_of(session))

    return save


def _changed(options: ChatOptions) -> Changed:
    if not options.watch:
        return None
    from autograph.cli.watch import Watch

    return Watch(options.file).changed


# ---------------------------------------------------------------------- the two kinds of chat


def _interactive(
    session: Session,
    options: ChatOptions,
    opening: LiveTurn | None,
    save: Callable[[], None],
    changed: Callable[[], bool] | None,
) -> int:
    from autograph.cli.terminal import Terminal

    terminal = Terminal(
        session, sys.stdout, sys.stderr,
        no_colour=options.no_colour, traced=options.trace, after=save, changed=changed or (lambda: False),
    )  # fmt: skip
    _banner(session, options)
    reader = _reader(session, terminal, changed)
    try:
        return terminal.run(reader, opening)
    finally:
        reader.close()


def _banner(session: Session, options: ChatOptions) -> None:
    page = page_of(sys.stderr, no_colour=options.no_colour)
    count = len(session.bot.nodes)
    nodes = f"{count} node{'' if count == 1 else 's'}"
    first, *rest = wrap(f"{session.name} · {nodes} · {session.model_name} · /help", page.width)
    name = session.name if first.startswith(session.name) else ""
    text = "\n".join([first.removeprefix(name), *rest])
    click.echo(page.style.bold(name) + page.style.dim(text), err=True, color=page.style.colour)
    if session.stepper.wanted:
        click.echo(page.style.dim("\n".join(wrap(GREETING, page.width))), err=True, color=page.style.colour)


def _reader(session: Session, terminal: Any, changed: Changed) -> Any:
    """The comfortable reader where it is installed and the terminal can do it, else the plain one."""
    from autograph.cli.complete import completions
    from autograph.cli.debug_commands import debug_completions
    from autograph.cli.readers import PlainReader

    def complete(line: str) -> tuple[str, list[str]]:
        stop = terminal.debugger.stop
        return completions(session, line) if stop is None else debug_completions(stop, line)

    coloured = terminal.page.style.colour
    if os.environ.get("TERM") != "dumb":
        try:
            from autograph.cli.prompt import PromptReader
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] != "prompt_toolkit":
                raise
        else:
            return PromptReader(complete, coloured=coloured, changed=changed, on_change=terminal.read_again)
    return PlainReader(complete, coloured=coloured)


def _piped(
    session: Session,
    options: ChatOptions,
    opening: LiveTurn | None,
    save: Callable[[], None],
    changed: Callable[[], bool] | None,
) -> int:
    from autograph.cli.piped import Piped, lines_of

    pages = [page_of(stream, no_colour=options.no_colour) for stream in (sys.stdout, sys.stderr)]
    page = replace(pages[0], style=Style(all(page.style.colour for page in pages)))
    piped = Piped(
        session, sys.stdout, sys.stderr, page,
        as_json=options.as_json, traced=options.trace, echo=bool(options.script), after=save, changed=changed,
    )  # fmt: skip
    if options.script and options.script != "-":
        try:
            with open(options.script, encoding="utf-8-sig") as script:
                lines = list(lines_of(script, comments=True))
        except (OSError, UnicodeDecodeError) as error:
            why = (error.strerror if isinstance(error, OSError) else None) or error
            raise click.UsageError(f"--script: {options.script} cannot be read ({why}).") from None
        return piped.run(lines, opening)
    return piped.run(lines_of(_asking(sys.stdin), comments=bool(options.script)), opening)


def _asking(stream: Any) -> Iterable[str]:
    """The lines of ``stream``; where somebody types them, with a prompt on stderr."""
    return _prompted(stream) if stream.isatty() and sys.stderr.isatty() else stream


def _prompted(stream: Any) -> Iterator[str]:
    from autograph.cli.readers import PROMPT

    while True:
        click.echo(PROMPT, err=True, nl=False)
        line = stream.readline()
        if not line:
            return
        yield line
