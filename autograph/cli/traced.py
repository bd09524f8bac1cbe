"""How does a turn read, step by step? Its events in lines: the node, then what happened there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from autograph.cli.render import value_text
from autograph.cli.style import Page, safe
from autograph.cli.wrap import clip, columns, table
from autograph.vocabulary import letter

if TYPE_CHECKING:
    from autograph.cli.session import Step

__all__ = ["event_line", "trace_text"]

_NODE_COLUMN = 24


def trace_text(steps: Sequence[tuple[int, Step]], page: Page) -> str:
    """The events of turns, each under a line that says what the user said."""
    return "\n\n".join("\n".join(_turn_lines(number, step, page)) for number, step in steps)


def _turn_lines(number: int, step: Step, page: Page) -> list[str]:
    said = f'"{clip(safe(step.attempt.text), page.width - 16)}"' if step.attempt.text else "(no user text)"
    if step.attempt.node:
        said = f"/goto {step.attempt.node}"
    last = step.memory.last_turn
    rows = list(_rows(last.trace if last else (), page))
    head = page.style.bold(f"turn {number}") + page.style.dim(f" · {said}")
    return [head, *table(rows, page.width)]


def _rows(events: Iterable[Any], page: Page) -> Iterable[tuple[str, str, str]]:
    before = None
    for event in events:
        if event.kind == "entered" and event.node != before:
            before = event.node
            yield page.style.bold(clip(event.node, _NODE_COLUMN)), "entered", ""
            continue
        name = "" if event.node == before else page.style.bold(clip(event.node, _NODE_COLUMN))
        before = event.node
        yield name, event.kind, _clipped(event_line(event), page)


def _clipped(text: str, page: Page) -> str:
    """A line of an event in at most about two lines of the page."""
    return clip(text, max(2 * (page.width - _NODE_COLUMN - 14), 40)) if columns(text) > 40 else text


def event_line(event: Any) -> str:
    """What an event says, on one line."""
    match event.kind:
        case "value":
            value = value_text(event.value)
            return f"{event.variable} = {value}" if event.variable else value
        case "said" | "printed":
            return safe(event.text)
        case "generated":
            return f"{event.request.purpose}: {safe(event.reply.text)}"
        case "asked":
            return _asked(event)
        case "interrupted":
            return f"to {event.target}"
        case "called":
            return f"{event.function} with {value_text(event.arguments)}"
        case "returned":
            return value_text(event.value)
        case "prompted":
            return f"{event.which}: {safe(event.text)}"
        case "trimmed":
            return f"only the newest {event.kept} turns fitted into the prompt"
    return ""


def _asked(event: Any) -> str:
    choice = event.choice
    if choice.index is None:
        answer = f"unclear ({safe(choice.text)!r})"
    else:
        sure = f" ({choice.confidence:.0%})" if choice.confidence is not None else ""
        answer = f"{letter(choice.index)}. {safe(event.question.choices[choice.index])}{sure}"
    target = f" → {event.target}" if event.target else ""
    return f"{safe(event.question.question)} · {answer}{target}"
