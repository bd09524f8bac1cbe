"""How is ``autograph check`` run? Read, check, show; the exit code says whether something was found."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from autograph.check import Checked, check, check_rows
from autograph.check.explain import Explanation, explanation, find_kind, suggestion
from autograph.cli.check import CheckOptions
from autograph.cli.exits import BAD_PROGRAM, FOUND, GOOD
from autograph.cli.options import read_config, read_hosts
from autograph.cli.problems import counted, problem_data, problem_report
from autograph.cli.render import json_line
from autograph.cli.style import Page, page_of, safe
from autograph.cli.wrap import wrap
from autograph.errors import Problem, ProgramError
from autograph.tables.companions import companion

__all__ = ["run_check"]


def run_check(options: CheckOptions) -> int:
    """Do what the options say; the exit code. Raises ``click.UsageError``."""
    _refuse_odd(options)
    page = page_of(sys.stdout, no_colour=options.no_colour)
    if options.explain is not None:
        found = explanation(options.explain)
        if found is None:
            raise click.UsageError(f"--explain: there is no code {options.explain}. {suggestion(options.explain)}")
        click.echo(_explained(found, page), color=page.style.colour)
        return GOOD
    checked = {name: _checked(name, options) for name in _programs(options.files)}
    if options.conversations is not None:
        checked.update(_conversations(options, checked[options.files[0]]))
    if options.mark is not None:
        _mark(options.files[0], checked[options.files[0]], options.mark)
    _show(checked, options, page)
    return _exit_code(checked.values(), options.strict)


def _refuse_odd(options: CheckOptions) -> None:
    if not options.files and options.explain is None:
        raise click.UsageError("name a file to check, or a code to --explain.")
    if options.as_json and options.sarif:
        raise click.UsageError("--json and --sarif are two forms of the same: choose one.")
    if (options.against is None) != (options.conversations is None):
        raise click.UsageError("--against OLD and --conversations DIR belong together.")
    if len(options.files) != 1 and (options.mark or options.against):
        raise click.UsageError("--mark and --against are for one file.")
    if options.mark is not None and options.mark.suffix.lower() != ".xlsx":
        raise click.UsageError(f"--mark: {options.mark} must end in .xlsx.")
    for word in _codes(options.disable):
        if find_kind(word) is None:
            raise click.UsageError(f"--disable: there is no code {word}. {suggestion(word)}")


def _programs(files: Sequence[str]) -> Sequence[str]:
    """The files, without those that a pattern such as ``*.csv`` has caught and that belong to a program."""
    beside = [name for name in files if companion(name)]
    if len(beside) == len(files):
        return files
    for name in beside:
        click.echo(f"{safe(name)} is left out: it holds {companion(name)}.", err=True)
    return [name for name in files if name not in beside]


def _codes(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        yield from filter(None, (part.strip() for part in word.split(",")))


# ---------------------------------------------------------------------- checking


def _checked(name: str, options: CheckOptions) -> Checked:
    disable = [kind for word in _codes(options.disable) if (kind := find_kind(word))]
    config = read_config(options.config, None)
    try:
        modules = {**{function: _HostFunction() for function in options.functions}, **read_hosts(options.hosts)}
        if name == "-":
            return check_rows(_standard_input(), config=config, modules=modules, disable=disable)
        return check(name, config=config, modules=modules, disable=disable)
    except ProgramError as error:
        return Checked(tuple(error.problems))


class _HostFunction:
    """Stands for a function of the host, of which only the name is known. It is never called."""

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        raise NotImplementedError("autograph check runs nothing")


def _standard_input() -> Any:
    """The rows on the standard input; what they are is told by how they begin."""
    from autograph.tables import read_bytes

    data = sys.stdin.buffer.read()
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:200]
    lines = [line for line in start.splitlines() if line.strip() and not line.startswith(b"#")]
    first = lines[0].rstrip() if lines else b""
    suffix = ".json" if start[:1] in (b"{", b"[") else ".yaml" if first.endswith(b":") else ".csv"
    return read_bytes(data, "-", suffix=suffix)


def _conversations(options: CheckOptions, new: Checked) -> dict[str, Checked]:
    from autograph.cli.conversations import stored_conversations

    assert options.conversations is not None
    old = check(options.against, config=read_config(options.config, None))
    if old.program is None:
        raise click.UsageError(f"--against: {options.against} is no program: {old.problems[0]}")
    if new.program is None:
        return {}
    return stored_conversations(options.conversations, old.program, new.program)


def _mark(source: str, checked: Checked, target: Path) -> None:
    from autograph.cli.mark import mark

    if source != "-" and target.exists() and Path(source.rpartition("#")[0] or source).exists():
        same = target.samefile(Path(source) if Path(source).exists() else Path(source.rpartition("#")[0]))
        if same:
            raise click.UsageError("--mark: give another name, so that the program itself stays as it is.")
    try:
        mark(source, checked, target)
    except OSError as error:
        raise click.UsageError(f"--mark: {target} cannot be written: {error.strerror or error}.") from error
    click.echo(f"Wrote {target}.", err=True)


# ---------------------------------------------------------------------- showing


def _show(checked: dict[str, Checked], options: CheckOptions, page: Page) -> None:
    problems = [found for each in checked.values() for found in each.problems]
    if options.as_json:
        click.echo(json_line({"problems": [problem_data(found) for found in problems]}))
    elif options.sarif:
        from autograph.cli.sarif import sarif_log

        click.echo(json_line(sarif_log(problems)))
    else:
        click.echo(_report(checked, problems, page), color=page.style.colour)


def _report(checked: dict[str, Checked], problems: Sequence[Problem], page: Page) -> str:
    blocks = []
    for name, each in checked.items():
        if each.problems:
            blocks.append(problem_report(each.problems, page))
        else:
            blocks.append(f"{page.style.bold(safe(name))}: no problems")
    if len(checked) > 1:
        blocks.append(f"{len(checked)} files: {counted(problems)}")
    codes = sorted({found.code for found in problems})
    if codes:
        blocks.append(page.style.dim(f"What a code means: autograph check --explain {codes[0]}"))
    return "\n\n".join(blocks)


def _explained(found: Explanation, page: Page) -> str:
    lines = [
        f"{page.style.bold(found.code)} {found.kind} ({found.severity})",
        *wrap(found.summary, page.width),
        "",
        *wrap(found.why, page.width),
        "",
        *wrap(f"Example: {found.example}", page.width),
        *wrap(f"Remedy: {found.remedy}", page.width),
    ]
    return "\n".join(lines)


def _exit_code(checked: Iterable[Checked], strict: bool) -> int:
    found = list(checked)
    if not all(each.readable for each in found):
        return BAD_PROGRAM
    problems = [problem for each in found for problem in each.problems]
    return FOUND if any(strict or problem.severity == "error" for problem in problems) else GOOD
