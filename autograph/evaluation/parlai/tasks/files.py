"""Which tasks are only files? ``fromfile:parlaiformat``, ``fromfile:fbformat``, ``jsonfile``, ``rows``, or a path."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from autograph.errors import did_you_mean
from autograph.evaluation.parlai.conversation_format import examples_of, read_conversations
from autograph.evaluation.parlai.datatypes import Datatype
from autograph.evaluation.parlai.fb_format import read_candidates, read_fb_format
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.parlai_text import read_lines, read_parlai_text
from autograph.evaluation.parlai.row_dialogues import read_row_dialogues
from autograph.evaluation.parlai.tasks.task import Opt, Task, fixed_teacher, refusal
from autograph.evaluation.parlai.teachers import Teacher

__all__ = ["FORMATS", "dialogues_in", "file_tasks", "format_of"]

Dialogues = list[list[Message]]
FORMATS = ("parlai", "fbdialog", "conversations", "rows")
_COLUMNS = {"text": "text_column", "labels": "labels_column", "label_candidates": "candidates_column"}


def dialogues_in(path: Path, form: str, opt: Opt) -> Dialogues:
    """The dialogues in a file of one of the ``FORMATS``. Raises ``DataError``.

    Options: ``strict`` (parlai); ``cloze``, ``cands_datafile`` (fbdialog); ``label_turns`` (conversations);
    ``text_column``, ``labels_column``, ``candidates_column``, ``sheet`` (rows).
    """
    if form == "parlai":
        return read_parlai_text(path, strict=bool(opt.get("strict", False)))
    if form == "fbdialog":
        candidates = opt.get("cands_datafile")
        offered = read_candidates(Path(candidates)) if candidates else None
        return read_fb_format(path, cloze=bool(opt.get("cloze", False)), candidates=offered)
    if form == "conversations":
        try:
            return examples_of(read_conversations(path), opt.get("label_turns") or "secondspeaker")
        except ValueError as error:
            raise refusal(str(error)) from error
    if form == "rows":
        columns = {field: str(opt[option]) for field, option in _COLUMNS.items() if opt.get(option)}
        return read_row_dialogues(path, columns, str(opt.get("sheet") or ""))
    raise refusal(f'there is no format "{form}".', did_you_mean(form, FORMATS) or f"It is one of {', '.join(FORMATS)}.")


def format_of(path: Path) -> str:
    """The format of a file, by its suffix and its first line."""
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        first = next((line for line in read_lines(path) if line.strip()), "")
        return "conversations" if '"dialog"' in first else "rows"
    if suffix in (".csv", ".tsv", ".xlsx", ".xlsm"):
        return "rows"
    first = next((line for line in read_lines(path) if line.strip()), "")
    return "fbdialog" if first.lstrip().partition(" ")[0].isdecimal() else "parlai"


def file_tasks() -> tuple[Task, ...]:
    """The tasks whose file is given by an option."""
    text, numbered = _by_option("parlai", "fromfile_datapath"), _by_option("fbdialog", "fromfile_datapath")
    fromfile = {
        "DefaultTeacher": text,
        "ParlaiformatTeacher": text,
        "Parlaiformat2Teacher": _by_option("parlai", "fromfile_datapath2"),
        "FbformatTeacher": numbered,
        "Fbformat2Teacher": _by_option("fbdialog", "fromfile_datapath2"),
    }
    json = _by_option("conversations", "jsonfile_datapath")
    rows = _by_option("rows", "rows_datapath")
    return (
        Task("fromfile", fromfile, (), "Dialogues in a text file of ParlAI", needs="fromfile_datapath"),
        Task("jsonfile", {"DefaultTeacher": json, "JsonTeacher": json}, (), "Conversations", needs="jsonfile_datapath"),
        Task("rows", {"DefaultTeacher": rows}, (), "A table with text and labels", needs="rows_datapath"),
    )


def _by_option(form: str, option: str) -> Callable[[Opt], Teacher]:
    """What makes the teacher of a task whose file is named by an option."""

    def make(opt: Opt) -> Teacher:
        given = opt.get(option)
        if not given:
            flag = option.replace("_", "-")
            hint = f"Give it with --{flag} FILE, or as {opt['task']}:{option}=FILE."
            raise refusal(f'the task "{opt["task"]}" needs a file.', hint)
        file = _extended(str(given), option, opt)
        name = str(opt["task"]) if form == "fbdialog" else file if option.endswith("2") else _short(file)
        return fixed_teacher(dialogues_in(Path(file), form, opt), opt, name, stream_ends=form != "parlai")

    return make


def _extended(given: str, option: str, opt: Opt) -> str:
    """The file for the datatype, where files have ``_train``, ``_valid`` or ``_test`` in their names."""
    if not opt.get(option.replace("datapath", "datatype_extension")):
        return given
    suffix = {"jsonfile_datapath": ".jsonl", "rows_datapath": ".csv"}.get(option, ".txt")
    return f"{given}_{Datatype(opt.get('datatype', 'train')).fold}{suffix}"


def _short(file: str) -> str:
    """The file with its folder: what ParlAI calls such a task."""
    folder, name = os.path.split(file)
    return "/".join(filter(None, (os.path.split(folder)[1], name)))
