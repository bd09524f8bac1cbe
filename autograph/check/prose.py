"""Which signs in texts look as if they were meant otherwise: braces, optional parts, categories that nobody has?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograph.check.questions import choice_columns
from autograph.check.subject import Subject
from autograph.errors import Problem, did_you_mean
from autograph.language.template import Expression, Name, OptionalPart, Part, Template
from autograph.program import NodeSpec

__all__ = ["braces_in_text", "idle_optional_parts", "templates", "unknown_categories"]

_BRACED = re.compile(r"(?<!\{)\{\s*([A-Za-z_]\w*)\s*\}(?!\})")


def templates(spec: NodeSpec) -> Iterator[tuple[str, Template]]:
    """The texts of a node with their fields."""
    if spec.text is not None:
        yield "instruction", spec.text
    if spec.question is not None:
        yield "transition_question", spec.question
    if spec.choices and any(choice.literal is None for choice in spec.choices):
        yield from zip(choice_columns(spec), spec.choices, strict=False)
    for name in ("question_prompt", "condition_interjection", "example_interjection", "user_interjection"):
        text = getattr(spec, name)
        if text is not None:
            yield name, text


def braces_in_text(subject: Subject) -> Iterator[Problem]:
    """``{name}`` in a text where ``name`` is a variable: it stays as it is, since only ``$name`` is filled in."""
    flow = None
    for spec in subject.graph.specs:
        for field, text in templates(spec):
            if "{" not in text.source:
                continue
            flow = flow or subject.flow
            for name in dict.fromkeys(name for piece in _texts(text.parts) for name in _BRACED.findall(piece)):
                if name in flow.bits and flow.set_anywhere & flow.bits[name]:
                    message = f'"{{{name}}}" stays as it is: the variable {name} is not filled in'
                    hint = f"Write ${name}."
                    yield subject.note("braces-in-text", spec, field, message, hint)


def _texts(parts: tuple[Part, ...]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, OptionalPart):
            yield from _texts(part.parts)


def idle_optional_parts(subject: Subject) -> Iterator[Problem]:
    """``?{…}`` without a variable of its own: it always stays."""
    for spec in subject.graph.specs:
        for field, text in templates(spec):
            if text.literal is None and "?{" in text.source and any(_idle(text.parts)):
                message = "an optional part ?{…} without a variable always stays"
                hint = "Put the $variable inside it on which it depends, or leave the marks out."
                yield subject.note("idle-optional-part", spec, field, message, hint)


def _idle(parts: tuple[Part, ...]) -> Iterator[bool]:
    for part in parts:
        if isinstance(part, OptionalPart):
            yield not any(isinstance(inner, (Name, Expression)) for inner in part.parts)
            yield from _idle(part.parts)


def unknown_categories(subject: Subject) -> Iterator[Problem]:
    """Categories in ``conv_scope`` that no node has, so that no turn fits."""
    known = {spec.state_category for spec in subject.graph.specs if spec.state_category}
    for spec in subject.graph.specs:
        for name in spec.conv_scope:
            if name not in known:
                hint = did_you_mean(name, known) or "Write it into the state_category of the nodes that are meant."
                message = f'no node has the category "{name}"'
                yield subject.note("unknown-category", spec, "conv_scope", message, hint)
