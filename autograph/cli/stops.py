"""How does a turn that has stopped look? The node with its place and instruction, its cells, and what it would do."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from autograph.cli.render import messages_text, value_text
from autograph.cli.style import Page, safe
from autograph.cli.traced import event_line
from autograph.cli.wrap import clip, table, wrap
from autograph.errors import AutographError, Location, path_text
from autograph.vocabulary import letter

if TYPE_CHECKING:
    from autograph.interpreter.debugging import Paused
    from autograph.interpreter.outlook import Outlook

__all__ = ["cells_text", "outlook_text", "path_lines", "printed_text", "stop_text"]

_MOST_LINES = 6
"""Lines of an instruction that are shown at a stop."""

_MOST_NODES = 40
"""Nodes of a path that are shown."""


def stop_text(paused: Paused, reason: str, page: Page) -> str:
    """``ask · chat · tutor.csv, row 14 (C14)``, why the turn has stopped there, and what is about to happen."""
    node, failed = paused.node, paused.error is not None
    location = getattr(paused.error, "location", None) or node.location()
    parts = [node.name, node.spec.action.name, _place(location), _caller(paused), reason]
    first, *rest = wrap(safe(" · ".join(part for part in parts if part)), page.width - 2)
    mark = page.style.error("▸") if failed else page.style.warning("▸")
    dim = page.style.dim
    head = page.style.bold(node.name) + dim(first[len(node.name) :]) if first.startswith(node.name) else first
    lines = [f"{mark} {head}", *(dim(f"  {line}") for line in rest)]
    return "\n".join(lines + [f"  {line}" for line in _about_to(paused, Page(page.width - 2, page.style))])


def _place(location: Location) -> str:
    """``tutor.csv, row 14 (C14)``: short, since the column is known by its letter."""
    file = location.file or ""
    parts = [file if "://" in file else PurePath(file).name, location.sheet or ""]
    if location.line is not None:
        parts.append(f"line {location.line}")
    elif location.row is not None:
        parts.append(f"row {location.row}" + (f" ({location.cell})" if location.cell else ""))
    return ", ".join(part for part in parts if part)


def _caller(paused: Paused) -> str:
    return f"called by {paused.stack[-2].last_state}" if paused.depth > 1 else ""


def _about_to(paused: Paused, page: Page) -> list[str]:
    """The instruction as it will be filled in; of a call that has come back, its value; of an error, the message."""
    if paused.error is not None:
        return wrap(safe(getattr(paused.error, "message", None) or str(paused.error)), page.width)
    if paused.returned:
        return [clip(f"The call has returned {value_text(paused.value)}.", page.width)]
    remark = ""
    try:
        text = paused.instruction()
    except AutographError as error:
        text = paused.node.instruction
        remark = f"(as written, since it cannot be filled in: {getattr(error, 'message', error)})"
    if not text and paused.node.transitions:
        return wrap(page.style.dim(f"→ {', '.join(paused.node.transitions)}"), page.width)
    lines = wrap(safe(text), page.width) if text else []
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], page.style.dim("…")]
    return lines + [page.style.dim(line) for line in (wrap(remark, page.width) if remark else ())]


def cells_text(paused: Paused, page: Page) -> str:
    """The cells of the node, as they are written, each with its address."""
    row = paused.node.spec.row
    rows = []
    for name, text in row.fields.items():
        if text:
            place = row.cell(name)
            address = place.cell or (f"line {place.line}" if place.line is not None else "")
            rows.append((page.style.dim(address), page.style.bold(place.column or name), safe(text)))
    if not any(address for address, _, _ in rows):
        rows = [("", name, text) for _, name, text in rows]
    return "\n".join(table(rows, page.width))


def path_lines(paused: Paused, page: Page) -> str:
    """The nodes entered in this turn."""
    return "\n".join(wrap(path_text(paused.path, _MOST_NODES) or "No node was entered yet.", page.width))


def printed_text(value: Any, page: Page) -> str:
    """A value as a statement would write it, long ones on several lines."""
    if type(value).__module__.startswith("pandas"):
        return safe(str(value))
    from pprint import pformat

    return "\n".join(wrap(safe(pformat(value, width=page.width, sort_dicts=False)), page.width))


# ---------------------------------------------------------------------- what would happen


def outlook_text(paused: Paused, page: Page) -> str:
    """The messages that the node would send, or the questions that it would put; else what it does without a model."""
    found, name = paused.outlook(), paused.node.name
    dim = page.style.dim
    if found.request is not None:
        head = dim(f"What {name} would send to the model ({found.request.purpose}):")
        return f"{head}\n{messages_text(found.request.messages, page)}"
    if found.questions:
        return "\n".join(line for question in found.questions for line in _question_lines(name, question, page))
    rows = [(dim(event.kind), event_line(event)) for event in found.events]
    rows.append((dim("then"), _then(found)))
    return "\n".join([f"{name} asks no model.", *table(rows, page.width)])


def _question_lines(name: str, question: Any, page: Page) -> list[str]:
    from autograph.models.base import Message

    what = "ask whether to interrupt" if question.purpose == "interjection" else "ask the classifier"
    lines = [page.style.dim(f"What {name} would {what}:")]
    messages = [*([Message("system", question.question_prompt)] if question.question_prompt else []), *question.context]
    lines += [messages_text(messages, page)] if messages else []
    lines += [page.style.bold("question"), *(f"  {line}" for line in wrap(safe(question.question), page.width - 2))]
    return lines + table([(f"{letter(i)}.", safe(text)) for i, text in enumerate(question.choices)], page.width)


def _then(found: Outlook) -> str:
    if found.error is not None:
        return f"it fails: {getattr(found.error, 'message', found.error)}"
    if found.awaits:
        return f"it waits for {found.awaits}() of the host"
    return f"on to {found.follows}" if found.follows else "the turn ends"
