"""How well does an agent do over many dialogues that are made up one after the other? ``generate_and_eval``."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import IO, Any

from autograph.errors import AutographError
from autograph.evaluation.pydialogue.accuracy_tables import joined_counts, percentages, type_of, update_acc_table
from autograph.evaluation.pydialogue.dialogue_eval import eval_dialogue, generate_dialogue, saved_policy
from autograph.evaluation.rewritten_line import RewrittenLine

__all__ = ["GenerationError", "Results", "generate_and_eval"]

Results = tuple[
    list[Any],
    dict[str, float],
    float,
    int,
    list[tuple[str, int, int]],
    dict[str, tuple[int, int]],
    dict[int, float],
    dict[int, tuple[int, int]],
]
"""What ``generate_and_eval`` gives."""

_MOST_IN_VAIN = 10_000
"""So many times in a row a generator may have no dialogue; then it is taken to have none at all."""


class GenerationError(AutographError):
    """No dialogues can be made as they are wanted."""


def generate_and_eval(
    dia_generator: Any,
    min_num_dialogues: int | None,
    min_agent_dialogues: int | None,
    agent_policy: Any,
    flush_after: int | None = None,
    agent_prob: float | None = None,
    forgetful: bool = False,
    return_dias: bool = False,
    notebook_run: bool = False,
    generate_dialogue_func: Callable[..., Any] = generate_dialogue,
    warm_up: int = 0,
) -> Results:
    """Make dialogues and evaluate ``agent_policy`` in those it takes part in; the others run as they are.

    ``min_num_dialogues``, ``min_agent_dialogues``: how many there must be in all, and with the agent (None: 0).
    ``agent_prob``: how likely the agent is to be asked. ``flush_after``: when the context has so many sentences, the
    generator is told to ``flush``. ``warm_up``: so many dialogues run before, and count for nothing but the context.
    ``generate_dialogue_func(dia_generator, agent, users, agent_prob)`` makes a dialogue, or None. ``notebook_run``:
    show the progress although stderr is no terminal.

    ``forgetful``: every dialogue begins in the state after the warm-up, and is undone when it has ended, the policy's
    own state with it; in the end the warm-up is undone, too. There is nothing to flush then. (pydialogue undoes all
    dialogues in the end, so that they see each other.)

    Gives eight things: the dialogues (empty without ``return_dias``), the accuracy of each type in percent, that of
    all (``nan`` if the agent took part in none), the number of dialogues with the agent, for each of them its type, 1
    or 0 and the words of the context, and (successes, number) of each type, the accuracy of each number of steps, and
    (successes, number) of these. Raises ``GenerationError``.
    """
    if agent_prob is not None and not 0 <= agent_prob <= 1:
        raise GenerationError(f"agent_prob is a probability between 0 and 1; {agent_prob} is none.")
    agent = agent_policy.player
    others = [player for player in dia_generator.world.players if player != agent]
    course = _Course(dia_generator, agent_policy, forgetful, return_dias)
    counts = _Counts(min_num_dialogues or 0, min_agent_dialogues or 0, sys.stderr, always=notebook_run)
    with ExitStack() as afterwards:
        afterwards.callback(counts.close)
        if forgetful:
            afterwards.callback(saved_policy(agent_policy))
        for _ in range(warm_up):
            course.warm(dia_generator.generate_dialogue(), afterwards)
        in_vain = 0
        while counts.more():
            dialogue = generate_dialogue_func(dia_generator, agent, others, agent_prob)
            if dialogue is None:
                in_vain = _once_more(in_vain)
                continue
            in_vain = 0
            counts.add(course.evaluate(dialogue))
            if flush_after is not None and not forgetful and len(dia_generator.context) >= flush_after:
                dia_generator.flush()
    return course.results()


def _once_more(in_vain: int) -> int:
    if in_vain + 1 >= _MOST_IN_VAIN:
        raise GenerationError(
            f"the generator gave no dialogue {_MOST_IN_VAIN:,} times in a row. Look at its templates, and at "
            "generate_dialogue_func."
        )
    return in_vain + 1


@dataclass(slots=True)
class _Course:
    """How far an evaluation has come: its tables, and how much of the context is counted."""

    generator: Any
    policy: Any
    forgetful: bool
    keep: bool
    dialogues: list[Any] = field(default_factory=list)
    success: dict[str, int] = field(default_factory=dict)
    total: dict[str, int] = field(default_factory=dict)
    success_per_step: dict[int, int] = field(default_factory=dict)
    total_per_step: dict[int, int] = field(default_factory=dict)
    points: list[tuple[str, int, int]] = field(default_factory=list)
    words: int = 0
    counted: int = 0

    def warm(self, dialogue: Any, afterwards: ExitStack) -> None:
        """Run a dialogue of the warm-up; ``afterwards`` learns how it is undone."""
        if dialogue is None:
            return
        if self.forgetful:
            afterwards.callback(dialogue.recover_state, dialogue.save_state())
        dialogue.run()
        if self.keep:
            self.dialogues.append(dialogue)

    def evaluate(self, dialogue: Any) -> bool:
        """Evaluate the policy in a dialogue; whether it took part."""
        words, counted = self.words, self.counted
        if self.keep:
            self.dialogues.append(dialogue)
        if not self.forgetful:
            return self._evaluate(dialogue)
        state, restore_policy = dialogue.save_state(), saved_policy(self.policy)
        try:
            return self._evaluate(dialogue)
        finally:
            dialogue.recover_state(state)
            restore_policy()
            self.words, self.counted = words, counted

    def _evaluate(self, dialogue: Any) -> bool:
        result = eval_dialogue(self.policy, dialogue)
        kind = type_of(dialogue)
        if result is None:
            dialogue.run()
            return False
        steps = dialogue.max_episode_length
        update_acc_table(
            self.success, self.total, kind, result, steps, self.success_per_step, self.total_per_step
        )  # fmt: skip
        lines = self.generator.context_strings
        self.words += sum(len(line.split()) for line in lines[self.counted :])
        self.counted = len(lines)
        self.points.append((kind, max(result, 0), self.words))
        return True

    def results(self) -> Results:
        """The eight parts of the result."""
        of_types = joined_counts(self.success, self.total)
        of_steps = joined_counts(self.success_per_step, self.total_per_step)
        n = sum(self.total.values())
        accuracy = 100 * sum(self.success.values()) / n if n else math.nan
        return (
            self.dialogues, percentages(of_types), accuracy, n, self.points, of_types, percentages(of_steps), of_steps
        )  # fmt: skip


class _Counts:
    """How many dialogues there were and must be, shown on a terminal (``always``: also where there is none)."""

    def __init__(self, wanted: int, wanted_agent: int, stream: IO[str], *, always: bool) -> None:
        self._wanted, self._wanted_agent = wanted, wanted_agent
        self._line = RewrittenLine(stream, shown=always or stream.isatty())
        self._all = self._agent = 0

    def more(self) -> bool:
        """Whether more dialogues are needed."""
        return self._all < self._wanted or self._agent < self._wanted_agent

    def add(self, with_agent: bool) -> None:
        """One more has ended."""
        self._all += 1
        self._agent += with_agent
        held, asked = _part(self._all, self._wanted), _part(self._agent, self._wanted_agent)
        self._line.write(f"{held} dialogues, {asked} with the agent")

    def close(self) -> None:
        """Wipe the line away."""
        self._line.close()


def _part(done: int, wanted: int) -> str:
    return f"{done:,}/{wanted:,}" if wanted else f"{done:,}"
