"""Commands that show what happened and what is known: ``/trace /why /vars /stack /prompt``."""

from __future__ import annotations

from typing import Any

from autograph.cli.exits import USAGE
from autograph.cli.outcome import Outcome, turn_count
from autograph.cli.render import choices_text, full_value, messages_text, stack_text, variables_text
from autograph.cli.session import Session
from autograph.cli.style import Page, safe
from autograph.cli.traced import trace_text
from autograph.cli.wrap import wrap
from autograph.errors import did_you_mean

__all__ = ["show_prompt", "show_stack", "show_trace", "show_variables", "show_why"]


def show_trace(session: Session, argument: str, page: Page) -> Outcome:
    """The events of the last turns."""
    count = turn_count(argument, 1)
    steps = list(enumerate(session.history, 1))[-count:]
    return Outcome(trace_text(steps, page) if steps else "No turn was taken yet.")


def show_why(session: Session, argument: str, page: Page) -> Outcome:
    """The questions of the last turn, and what was answered."""
    if not session.history:
        return Outcome("No turn was taken yet.")
    last = session.history[-1].memory.last_turn
    events = last.trace if last else []
    asked = [event for event in events if event.kind == "asked"]
    if asked:
        return Outcome("\n\n".join(choices_text(event, page) for event in asked))
    path = [event.node for event in events if event.kind == "entered"]
    text = f"No question was asked in the last turn: there was one way to go ({' → '.join(path)})."
    return Outcome("\n".join(wrap(text, page.width)))


def show_variables(session: Session, argument: str, page: Page) -> Outcome:
    """The visible variables, or one of them in full."""
    variables = session.memory.variables
    if not argument:
        return Outcome(variables_text(variables, page))
    name = argument.removeprefix("$")
    if name not in variables:
        hint = did_you_mean(name, variables)
        return Outcome(f'The variable "{safe(name)}" is not defined here. {hint}'.rstrip(), code=USAGE)
    return Outcome(full_value(name, variables[name], page))


def show_stack(session: Session, argument: str, page: Page) -> Outcome:
    """The levels of the stack."""
    return Outcome(stack_text(session.memory.stack, page))


def show_prompt(session: Session, argument: str, page: Page) -> Outcome:
    """The messages of the last request for a text, else the system prompt."""
    request: Any = None
    for step in reversed(session.history):
        last = step.memory.last_turn
        texts = [event for event in (last.trace if last else []) if event.kind == "generated"]
        if texts:
            request = texts[-1].request
            break
    if request is not None:
        head = page.style.dim(f"The last request to the model, at {request.node} ({request.purpose}):")
        return Outcome(f"{head}\n{messages_text(request.messages, page)}")
    prompt = session.memory.top.prompt if session.memory.stack else session.bot.config.default_prompt
    head = page.style.dim("No text was asked of the model yet. The system prompt:")
    return Outcome("\n".join([head, *(f"  {line}" for line in wrap(safe(prompt), page.width - 2))]))
