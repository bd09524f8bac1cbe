"""How is ``autograph eval agent`` run? Lines in, replies of the pipeline out, the dialog state kept between them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import click

from autograph.cli.eval_agent import AgentOptions
from autograph.cli.exchange import read_json, write_text
from autograph.cli.exits import GOOD, exit_code
from autograph.cli.options import read_model
from autograph.cli.piped import lines_of
from autograph.cli.render import error_data, error_text, json_line
from autograph.cli.report import report, report_faults
from autograph.cli.style import Page, page_of, safe
from autograph.cli.wrap import clip, wrap
from autograph.dialogue.state import export_state, import_state
from autograph.dialogue.state_model import Dialog
from autograph.errors import AutographError, StorageError
from autograph.evaluation.fault import DataError
from autograph.evaluation.pipeline.pipeline import Answer, Pipeline, load_pipeline

__all__ = ["talk"]


def talk(options: AgentOptions) -> int:
    """Do what the options say; the exit code. Raises ``click.UsageError``."""
    try:
        pipeline = load_pipeline(
            options.file,
            allow_code=options.allow_code,
            model=read_model(options.model, "chatbot", _notify),
            classifier=read_model(options.classifier, "classifier", _notify),
            timeout=options.timeout,
        )
        dialog = _dialog(pipeline, options)
    except DataError as error:
        return report_faults(error, as_json=options.as_json, no_colour=options.no_colour)
    except AutographError as error:
        return report(error, as_json=options.as_json, no_colour=options.no_colour)
    return _Talk(pipeline, options, page_of(sys.stdout, no_colour=options.no_colour)).run(dialog)


def _notify(line: str) -> None:
    click.echo(line, err=True)


def _dialog(pipeline: Pipeline, options: AgentOptions) -> Dialog:
    if options.load is None:
        return pipeline.new_dialog(options.user)
    data = read_json(options.load)
    try:
        return import_state(data)
    except StorageError as error:
        raise StorageError(f"{options.load}: {error.message}") from error


@dataclass(frozen=True, slots=True)
class _Talk:
    """A talk with an agent; ``page`` is that of the replies."""

    pipeline: Pipeline
    options: AgentOptions
    page: Page

    def run(self, dialog: Dialog) -> int:
        """Answer line by line until there are no more; the exit code. At a terminal, errors do not end it."""
        interactive = sys.stdin.isatty()
        for line in self._typed() if interactive else lines_of(sys.stdin):
            if line.strip() in ("/start", "/close"):
                dialog = self.pipeline.new_dialog(dialog.human)
                continue
            if line.strip() in ("/quit", "/exit"):
                break
            try:
                answer = self.pipeline.respond(line, dialog)
            except AutographError as error:
                self._failed(error)
                if not interactive:
                    return exit_code(error)
                continue
            dialog = answer.dialog
            self._show(answer)
            if self.options.save is not None:
                write_text(self.options.save, json_line(export_state(dialog)) + "\n")
        return GOOD

    def _typed(self) -> Iterator[str]:
        """The lines of a person; blank ones are left out."""
        while True:
            try:
                line = input("you › ")
            except EOFError:
                click.echo(err=True)
                return
            if line.strip():
                yield line

    def _show(self, answer: Answer) -> None:
        if self.options.as_json:
            click.echo(json_line(_data(answer)))
            return
        label = f"{answer.active_skill} › " if sys.stdin.isatty() else ""
        click.echo(self.page.style.dim(label) + safe(answer.reply), color=self.page.style.colour)
        if self.options.trace:
            page = page_of(sys.stderr, no_colour=self.options.no_colour)
            for line in _traced(answer, page):
                click.echo(line, err=True, color=page.style.colour)

    def _failed(self, error: AutographError) -> None:
        if self.options.as_json:
            click.echo(json_line({"error": error_data(error)}))
            return
        page = page_of(sys.stderr, no_colour=self.options.no_colour)
        click.echo(error_text(error, page), err=True, color=page.style.colour)


def _data(answer: Answer) -> dict[str, Any]:
    """A turn as JSON data."""
    found = answer.debug_response()
    return {
        "reply": answer.reply,
        "skill": answer.active_skill,
        "confidence": answer.utterance.confidence,
        "hypotheses": found.pop("debug_output"),
        "services": {name: status.to_dict() for name, status in answer.services.items()},
        "errors": dict(answer.errors),
        "dialog_id": found["dialog_id"],
        "utt_id": found["utt_id"],
    }


def _traced(answer: Answer, page: Page) -> Iterable[str]:
    """What the skills proposed, the one that was taken marked, and what went wrong."""
    names = max((len(str(found["skill_name"])) for found in answer.hypotheses), default=0)
    for found in answer.hypotheses:
        taken = found["skill_name"] == answer.active_skill and found["text"] == answer.reply
        text = clip(safe(" ".join(str(found["text"]).split())), max(20, page.width - names - 11))
        line = f"  {'✓' if taken else ' '} {found['skill_name']!s:{names}}  {found['confidence']:.2f}  {text}"
        yield page.style.chosen(line) if taken else page.style.dim(line)
    if not any(found["skill_name"] == answer.active_skill for found in answer.hypotheses):
        yield page.style.dim(f"    {answer.active_skill} stood in")
    for name, message in answer.errors.items():
        first, *rest = wrap(safe(f"{name}: {message}"), max(20, page.width - 4))
        yield page.style.warning(f"  ! {first}")
        yield from (page.style.warning(f"    {line}") for line in rest)
