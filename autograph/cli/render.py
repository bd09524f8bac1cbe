"""How do the contents of a conversation look on a terminal? Plain functions from data to text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from autograph.cli.style import Page, safe
from autograph.cli.wrap import clip, table, wrap
from autograph.errors import AutographError, Problem, ProgramError, RunError, path_text
from autograph.vocabulary import letter

if TYPE_CHECKING:
    from autograph.cli.session import Reloaded, Session, Step
    from autograph.memory import Level

__all__ = [
    "error_text",
    "listed",
    "messages_text",
    "reloaded_text",
    "stack_text",
    "status_line",
    "value_text",
    "variables_text",
]


def listed(names: Iterable[str], most: int = 6) -> str:
    """``a, b and c``; from ``most`` on only their number."""
    found = list(names)
    if len(found) > most:
        found = [*found[:most], f"{len(found) - most} more"]
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"


def status_line(session: Session, step: Step) -> str:
    """``intake.2 · chat · 402 tok · 0.9 s``: where the turn ended, and what it cost."""
    last = step.memory.last_turn
    name = (last.node if last else None) or step.memory.current or ""
    node = session.bot.nodes.get(name)
    parts = [name, node.spec.action.name if node else ""]
    if last is not None and last.usage is not None:
        parts.append(f"{last.usage.prompt + last.usage.completion} tok")
    parts.append(f"{step.seconds:.1f} s")
    return " · ".join(part for part in parts if part)


# ---------------------------------------------------------------------- values


def value_text(value: Any) -> str:
    """A value on one line, as a statement would write it."""
    return safe(repr(value))


def variables_text(variables: Mapping[str, Any], page: Page) -> str:
    """The variables in a table: name, type and the beginning of the value."""
    if not variables:
        return "There are no variables yet."
    names = max(len(name) for name in variables)
    kinds = max(len(type(value).__name__) for value in variables.values())
    room = max(page.width - names - kinds - 6, 20)
    rows = [
        (page.style.bold(name), page.style.dim(type(value).__name__), clip(value_text(value), room))
        for name, value in sorted(variables.items())
    ]
    return "\n".join(table(rows, page.width))


def full_value(name: str, value: Any, page: Page) -> str:
    """One variable with its whole value: text as it is, structures one item a line where they are long."""
    if isinstance(value, str):
        body = safe(value)
    elif type(value).__module__.startswith("pandas"):
        body = str(value)
    else:
        from pprint import pformat

        body = safe(pformat(value, width=page.width - 2, sort_dicts=False))
    head = f"{page.style.bold(name)} {page.style.dim('· ' + type(value).__name__)}"
    return "\n".join([head, *_indented(body, page)])


def _indented(text: str, page: Page, indent: str = "  ") -> list[str]:
    return [indent + line for line in wrap(text, page.width - len(indent))]


# ---------------------------------------------------------------------- the stack


def stack_text(stack: Sequence[Level], page: Page) -> str:
    """The levels, the one at work first: scope, node, own variables."""
    if not stack or stack[-1].last_state is None:
        return "The conversation has not begun."
    blocks = []
    for depth in range(len(stack) - 1, -1, -1):
        level = stack[depth]
        kind = f"{level.function_scope} call" if depth else "base"
        mark = page.style.chosen("›") if depth == len(stack) - 1 else " "
        node = page.style.bold(level.last_state or "(nothing entered)")
        head = f"{mark} {depth} {node} {page.style.dim('· ' + kind)}"
        own = [(name, clip(value_text(value), page.width - 12)) for name, value in level.own_items()]
        lines = table([(name, "=", value) for name, value in own], page.width, "    ") if own else ["    no variables"]
        blocks.append("\n".join([head, *(line if own else page.style.dim(line) for line in lines)]))
    return "\n".join(blocks)


# ---------------------------------------------------------------------- questions and prompts


def choices_text(event: Any, page: Page) -> str:
    """A question that was asked: its choices, the one taken, how sure, and where it led."""
    question, choice = event.question, event.choice
    interrupts = question.purpose == "interjection"
    head = page.style.bold(event.node) + page.style.dim(" asked whether to interrupt" if interrupts else " asked")
    lines = [head, *_indented(safe(question.question), page)]
    for index, label in enumerate(question.choices):
        taken = index == choice.index
        number = choice.probabilities[index] if choice.probabilities else choice.confidence if taken else None
        share = f"{number:>5.0%}" if number is not None else "     "
        first, *rest = wrap(safe(label), page.width - 13)
        text = f"  {'→' if taken else ' '} {share} {letter(index)}. {first}"
        lines.append(page.style.chosen(text) if taken else text)
        lines.extend(f"             {line}" for line in rest)
    if choice.index is None:
        lines.append(page.style.warning(f"  The answer was unclear: {safe(choice.text)!r}"))
    if event.target or interrupts:
        lines.append(page.style.dim(f"  led to {event.target}" if event.target else "  no interjection"))
    return "\n".join(lines)


def messages_text(messages: Iterable[Any], page: Page) -> str:
    """The messages of a request, each under its role."""
    blocks = []
    for message in messages:
        body = safe(message.content)
        blocks.append("\n".join([page.style.bold(message.role), *_indented(body, page)]))
    return "\n".join(blocks)


# ---------------------------------------------------------------------- what went wrong, what is new


def error_text(error: AutographError, page: Page) -> str:
    """An error with its node, cell, message and the path that led there."""
    if isinstance(error, ProgramError):
        from autograph.cli.problems import problem_report

        return problem_report(error.problems, page)
    if not isinstance(error, RunError):
        return "\n".join(_with_mark(f"{safe(str(error))}", page))
    places = (f'node "{error.node}"' if error.node else "", str(error.location or ""))
    where = " · ".join(place for place in places if place)
    message = safe(error.message)
    lines = _with_mark(f"{where}:" if where else message, page)
    if where:
        lines += _indented(message, page)
    if len(error.trace) > 1:
        lines += [page.style.dim(line) for line in _indented(f"path: {path_text(error.trace)}", page)]
    return "\n".join(lines)


def _with_mark(text: str, page: Page) -> list[str]:
    first, *rest = wrap(f"error: {text}", page.width)
    return [page.style.error("error:") + first.removeprefix("error:"), *(f"  {line}" for line in rest)]


def error_data(error: AutographError) -> dict[str, Any]:
    """An error as JSON data."""
    from dataclasses import asdict

    data: dict[str, Any] = {"kind": type(error).__name__, "message": getattr(error, "message", None) or str(error)}
    if isinstance(error, RunError):
        data["node"] = error.node
        data["location"] = asdict(error.location) if error.location else None
        data["path"] = list(error.trace)
    else:
        data["retryable"] = bool(getattr(error, "retryable", False))
    return data


def reloaded_text(name: str, found: Reloaded, warnings: Sequence[Problem], page: Page) -> str:
    """What reading the program again has brought."""
    parts = [
        f"{len(names)} {word} ({listed(names)})"
        for word, names in (("new", found.added), ("gone", found.gone), ("changed", found.changed))
        if names
    ]
    text = f"Read {name} again: {found.nodes} nodes; {', '.join(parts) or 'nothing has changed'}."
    lines = wrap(text, page.width)
    if warnings:
        from autograph.cli.problems import warning_lines

        lines += warning_lines(warnings, page)
    return "\n".join(lines)


def json_line(data: Any, *, ascii_only: bool = False) -> str:
    """``data`` as one line of JSON."""
    return json.dumps(data, ensure_ascii=ascii_only, default=str)
