"""Nodes that think: ``thought``, ``thought_qa``, ``thought_exact``. The user does not see what they say."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from autograph.interpreter.effects import Effect
from autograph.interpreter.nodes.base import Node
from autograph.interpreter.nodes.chat import generate, take_user_text
from autograph.memory.turns import add_turn, default_shown

if TYPE_CHECKING:
    from autograph.interpreter.run import Run

__all__ = ["Thought", "ThoughtExact", "ThoughtQA"]


def remember(run: Run, node: Node, text: str, user: str | None, shown: tuple[tuple[str, str], ...]) -> None:
    """Add a thought to the turns of the level, where later model calls see it."""
    level = run.memory.top
    level.turn = add_turn(
        level.turn,
        node.name,
        user,
        text,
        shown,
        node.spec.state_category,
        spoke=False,
        by_category=run.program.uses_conv_scope,
    )


class Thought(Node):
    """The model answers by the instruction; the answer is the value."""

    __slots__ = ()

    def apply_instruction(self, run: Run) -> Generator[Effect, Any, None]:
        assert self.spec.text is not None
        instruction = run.render(self.spec.text, self)[0]
        user = take_user_text(run)
        text, last = yield from generate(run, self, instruction, "thought", user, streams=False)
        remember(run, self, text, user, last)
        run.value = self.worth(instruction, text)

    def worth(self, instruction: str, answer: str) -> str:
        """The node's value."""
        return answer


class ThoughtQA(Thought):
    """As ``thought``; the value holds the instruction, a blank line and the answer."""

    __slots__ = ()

    def worth(self, instruction: str, answer: str) -> str:
        return f"{instruction}\n\n{answer}"


class ThoughtExact(Node):
    """A fixed thought."""

    __slots__ = ()

    def apply_instruction(self, run: Run) -> None:
        assert self.spec.text is not None
        text = run.render(self.spec.text, self)[0]
        user = take_user_text(run)
        remember(run, self, text, user, default_shown(user))
        run.value = text
