"""Nodes that speak to the user: ``chat``, ``chat_exact``, ``chat_suffix``."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from autograph.errors import ModelError
from autograph.interpreter.effects import Effect, Generate
from autograph.interpreter.events import GENERATED, SAID, TRIMMED
from autograph.interpreter.nodes.base import Node
from autograph.interpreter.prompts import generation_messages, instruction_role, last_messages
from autograph.interpreter.trimmers import trimmed
from autograph.memory.turns import add_turn, default_shown
from autograph.models.base import GenerateRequest, Reply

if TYPE_CHECKING:
    from autograph.interpreter.run import Run

__all__ = ["Chat", "ChatExact", "ChatSuffix", "generate", "say", "with_suffix"]

_SUFFIX_INSTRUCTION = (
    "Answer the user in a sentence or two. The following text will be put at the end of your answer, "
    "so lead up to it and do not write it yourself: {suffix}"
)

_SENTENCE_ENDS = ".!?…:;。！？\n"


def generate(
    run: Run, node: Node, instruction: str, purpose: Any, user: str | None, *, streams: bool, suffix: str = ""
) -> Generator[Effect, Any, tuple[str, tuple[tuple[str, str], ...]]]:
    """Ask the chatbot; its text, and the messages that stood before it (user text and instruction)."""
    model = node.model(run, "chatbot")
    last = last_messages(node, instruction, user, instruction_role(run.config, model), run.config)
    reply_start = ""
    if run.config.reply_start_type == "suffix" and node.spec.reply_start is not None:
        reply_start = run.render(node.spec.reply_start, node, "reply_start")[0]
    messages, kept = generation_messages(run, node, last, reply_start)
    if kept is not None:
        run.append((TRIMMED, node.name, kept))
    request = GenerateRequest(
        node.name,
        messages,
        purpose,
        instruction,
        user,
        suffix,
        run.config.max_response_tokens,
        run.time_left,
        run.config.seed,
    )
    if run.bot.trimmer is not None:
        request = trimmed(request, run.bot.trimmer, run.append)
    reply: Reply = yield Generate(request, model, streams)
    if not isinstance(reply, Reply):
        raise ModelError(f"the model gave a {type(reply).__name__} where a Reply is expected")
    run.add_usage(reply.usage)
    run.append((GENERATED, node.name, request, reply))
    return reply.text, last


def say(run: Run, node: Node, text: str, user: str | None, shown: tuple[tuple[str, str], ...]) -> None:
    """Let a node speak: its turn is added, and the reply is set."""
    level = run.memory.stack[-1]
    level.turn = add_turn(
        level.turn,
        node.name,
        user,
        text,
        shown,
        node.spec.state_category,
        by_category=run.program.uses_conv_scope,
    )
    run.reply = text
    run.speaker = node.name
    run.append((SAID, node.name, text))


def take_user_text(run: Run) -> str | None:
    """The pending user text, which is used up by this."""
    user = run.memory.pending
    run.memory.pending = None
    return user


class _Speaker(Node):
    """The value of a node that speaks is what it said."""

    __slots__ = ()

    def get_variable_output(self, run: Run) -> str | None:
        turn = run.memory.stack[-1].turn
        while turn is not None and not turn.spoke:  # a thought that a global ``apply_fn`` left behind
            turn = turn.previous
        return turn.agent if turn else None


class Chat(_Speaker):
    """The model answers by the instruction."""

    __slots__ = ()

    def apply_instruction(self, run: Run) -> Generator[Effect, Any, None]:
        assert self.spec.text is not None
        instruction, filled = run.render(self.spec.text, self)
        user = take_user_text(run)
        text, last = yield from generate(run, self, instruction, "chat", user, streams=True)
        keep = filled or not user
        say(run, self, text, user, last if keep else default_shown(user))


class ChatExact(_Speaker):
    """The instruction is the reply."""

    __slots__ = ()

    def apply_instruction(self, run: Run) -> None:
        assert self.spec.text is not None
        text = run.render(self.spec.text, self)[0]
        user = take_user_text(run)
        say(run, self, text, user, default_shown(user))


class ChatSuffix(_Speaker):
    """The model answers, and the reply ends in the instruction's text."""

    __slots__ = ()

    def apply_instruction(self, run: Run) -> Generator[Effect, Any, None]:
        assert self.spec.text is not None
        suffix, filled = run.render(self.spec.text, self)
        user = take_user_text(run)
        instruction = _SUFFIX_INSTRUCTION.format(suffix=suffix)
        text, last = yield from generate(run, self, instruction, "chat", user, streams=False, suffix=suffix)
        keep = filled or not user
        say(run, self, with_suffix(text, suffix), user, last if keep else default_shown(user))


def with_suffix(text: str, suffix: str) -> str:
    """The model's words, a blank, then ``suffix`` once.

    A suffix that the model wrote itself is not written twice, and one that broke off at the end of
    its text is completed.
    """
    end = suffix.strip()
    if not end:
        return text
    once = re.escape(end)
    if end.isalnum():  # a single word, which may also be a part of others: the No of Nothing stays
        once = rf"(?<!\w){once}(?!\w)"
    words, found = re.subn(once, " ", text)
    words = words.strip() if found else _without_beginning(text.rstrip(), end)
    return f"{words.rstrip()} {suffix}".lstrip() if words.strip() else suffix


def _without_beginning(text: str, suffix: str) -> str:
    """``text`` without a beginning of ``suffix`` that breaks off at its end.

    A single short word is taken for such a beginning only where a sentence could begin.
    """
    for length in range(min(len(text), len(suffix) - 1), 0, -1):
        if not text.endswith(suffix[:length]):
            continue
        before = text[:-length]
        starts_a_word = not before or before[-1].isspace()
        starts_a_sentence = not before.strip() or before.rstrip()[-1] in _SENTENCE_ENDS or before.endswith("\n")
        if starts_a_word and (starts_a_sentence or length >= 12):
            return before
    return text
