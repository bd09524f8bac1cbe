"""How are multiple-choice questions put to a language model, and how are its answers read?"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from autograph.models.answers import normalised, parse_answer
from autograph.models.base import Message, Question, letter

__all__ = ["answer_schema", "answer_words", "complaint", "question_messages", "read_answers"]

_THINKING = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_NUMBERED = re.compile(r"^\s*(?:question\s*|q)?(\d+)\s*[:.)=]\s*(.+?)\s*$", re.MULTILINE | re.IGNORECASE)


def is_yes_no(question: Question) -> bool:
    """Whether the choices are just yes and no, which are asked for by the word."""
    return sorted(normalised(choice) for choice in question.choices) == ["no", "yes"]


def answer_words(question: Question) -> tuple[str, ...]:
    """What a model may answer, in the order of the choices: letters, or the words yes and no."""
    if is_yes_no(question):
        return tuple(normalised(choice).capitalize() for choice in question.choices)
    return tuple(letter(index) for index in range(len(question.choices)))


def question_messages(questions: Sequence[Question], *, as_json: bool) -> list[Message]:
    """The prompt for the questions of one moment: what is fixed first, the questions last."""
    prompts = dict.fromkeys(q.question_prompt.strip() for q in questions if q.question_prompt.strip())
    messages = [Message("system", "\n".join(prompts))] if prompts else []
    shared = len({question.context for question in questions}) == 1
    parts = [_conversation(questions[0].context)] if shared else []
    for number, question in enumerate(questions, 1):
        if not shared:
            parts.append(_conversation(question.context))
        parts.append(_question(question, number if len(questions) > 1 else None))
    parts.append(_how_to_answer(questions, as_json=as_json))
    messages.append(Message("user", "\n\n".join(part for part in parts if part)))
    return messages


def complaint(questions: Sequence[Question], invalid: Sequence[int], answers: Sequence[str], *, as_json: bool) -> str:
    """The words that quotes answers which are no choices and asks once more."""
    lines = []
    for position in invalid:
        which = f" to question {position + 1}" if len(questions) > 1 else ""
        words = ", ".join(answer_words(questions[position]))
        lines.append(f"Your answer{which}, {_quoted(answers[position])}, is none of the choices {words}.")
    return "\n".join([*lines, _how_to_answer(questions, as_json=as_json)])


def answer_schema(questions: Sequence[Question]) -> dict[str, Any]:
    """The ``response_format`` that leaves a model no answer but the choices."""
    properties = {
        f"q{number}": {"type": "string", "enum": list(answer_words(question))}
        for number, question in enumerate(questions, 1)
    }
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "answers", "strict": True, "schema": schema}}


def read_answers(text: str, questions: Sequence[Question]) -> list[tuple[int | None, str]]:
    """For each question the index that ``text`` gives (``None``: no choice) and the words it gave."""
    text = _THINKING.sub("", text).strip()
    given = _by_number(text, len(questions))
    return [(parse_answer(words, question.choices), words) for words, question in zip(given, questions, strict=True)]


def _by_number(text: str, count: int) -> list[str]:
    """The part of an answer that belongs to each of ``count`` questions."""
    fenced = re.fullmatch(r"```(?:json)?\s*(.*?)\s*```", text, re.DOTALL)
    try:
        value = json.loads(fenced[1] if fenced else text)
    except ValueError:
        value = None
    if isinstance(value, dict) and any(f"q{number}" in value for number in range(1, count + 1)):
        return [str(value.get(f"q{number}", "")) for number in range(1, count + 1)]
    if isinstance(value, list) and len(value) == count:
        return [str(item) for item in value]
    if count == 1:
        return [text]
    numbered = {int(number): words for number, words in _NUMBERED.findall(text)}
    return [numbered.get(number, text if not numbered else "") for number in range(1, count + 1)]


def _conversation(context: Sequence[Message]) -> str:
    if not context:
        return ""
    lines = [f"{message.role.capitalize()}: {message.content}" for message in context]
    return "\n".join(["Conversation:", *lines])


def _question(question: Question, number: int | None) -> str:
    head = f"Question {number}: {question.question}" if number else f"Question: {question.question}"
    if is_yes_no(question):
        return head
    return "\n".join([head, *(f"{letter(index)}. {choice}" for index, choice in enumerate(question.choices))])


def _how_to_answer(questions: Sequence[Question], *, as_json: bool) -> str:
    kinds = [_kind(question) for question in questions]
    if as_json:
        shape = ", ".join(f'"q{number}": "<{kind}>"' for number, kind in enumerate(kinds, 1))
        return f"Answer with JSON only, in the form {{{shape}}}."
    if len(questions) == 1:
        return f"Answer with {kinds[0]} only, without explanation."
    lines = [f"{number}: <{kind}>" for number, kind in enumerate(kinds, 1)]
    return "\n".join(["Answer with one line for each question, without explanation:", *lines])


def _kind(question: Question) -> str:
    return " or ".join(answer_words(question)) if is_yes_no(question) else "the letter of one choice"


def _quoted(text: str, longest: int = 200) -> str:
    short = text if len(text) <= longest else text[: longest - 1] + "…"
    return json.dumps(short, ensure_ascii=False)
