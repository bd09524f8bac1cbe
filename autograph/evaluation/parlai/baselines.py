"""Which agents know nothing? Those that repeat, say always the same, or choose by chance: what others must surpass."""

from __future__ import annotations

import random
from typing import Any, Self

from autograph.evaluation.parlai.agent import Agent, Options, labels_of, number_of
from autograph.evaluation.parlai.ir_baseline import candidates_of
from autograph.evaluation.parlai.message import Message

__all__ = ["FixedResponseAgent", "RandomCandidateAgent", "RepeatLabelAgent", "RepeatQueryAgent"]

_IGNORANT = "I don't know."
_SEED = 42
"""ParlAI begins with it wherever chance plays a part."""


class _Chancy(Agent):
    """An agent that draws by chance; its copies draw from the same numbers. ``seed``: 42 unless it is given."""

    def __init__(self, opt: Options | None = None, **options: Any) -> None:
        super().__init__({**(opt or {}), **options})
        self._random = random.Random(self.opt.get("seed", _SEED))

    def share(self) -> Self:
        copy = super().share()
        copy._random = self._random
        return copy


class RepeatLabelAgent(_Chancy):
    """Says the right answer: it shows what can be reached at most.

    ``return_one_random_answer``: one of several (default), or all with commas between them. ``cant_answer_percent``:
    the share, from 0 to 1, of questions that it answers with ``cant_answer_message`` (``I don't know.``).
    """

    name = "RepeatLabelAgent"

    def __init__(self, opt: Options | None = None, **options: Any) -> None:
        super().__init__(opt, **options)
        self._ignorance = number_of(self.opt, "cant_answer_percent", 0)

    def act(self) -> Message:
        """The right answer."""
        if self.observation is None:
            return Message(text="Nothing to repeat yet.")
        labels = labels_of(self.observation)
        text = str(self.opt.get("cant_answer_message", _IGNORANT))
        if labels and self._random.random() >= self._ignorance:
            one = self.opt.get("return_one_random_answer", True)
            text = labels[self._random.randrange(len(labels))] if one else ", ".join(labels)
        return self._reply(text=text, episode_done=False)


class RepeatQueryAgent(Agent):
    """Says the last line of what was said to it."""

    name = "RepeatQueryAgent"

    def act(self) -> Message:
        """The last line."""
        if self.observation is None:
            return Message(text="Nothing to repeat yet.", episode_done=False)
        line = str(self.observation.get("text", _IGNORANT.removesuffix("."))).split("\n")[-1]
        return self._reply(text=line or "Nothing to repeat yet.", episode_done=False)


class FixedResponseAgent(Agent):
    """Says always the same: ``fixed_response``, at first ``I don't know.``"""

    name = "FixedResponseAgent"

    def __init__(self, opt: Options | None = None, **options: Any) -> None:
        super().__init__({**(opt or {}), **options})

    def act(self) -> Message:
        """The same as ever."""
        return self._reply(text=str(self.opt.get("fixed_response", _IGNORANT)), episode_done=False)


class RandomCandidateAgent(_Chancy):
    """Ranks the candidates by chance. ``label_candidates_file``: candidates for all questions, one a line."""

    name = "RandomCandidateAgent"

    def __init__(self, opt: Options | None = None, **options: Any) -> None:
        super().__init__(opt, **options)
        file = self.opt.get("label_candidates_file")
        self._candidates = candidates_of(str(file)) if file else None

    def act(self) -> Message:
        """A candidate, and all of them in an order by chance."""
        if self.observation is None:
            return Message(text="Nothing to reply to yet.")
        candidates = list(self._candidates or self.observation.get("label_candidates") or ())
        if not candidates:
            return self._reply(text=_IGNORANT)
        self._random.shuffle(candidates)
        return self._reply(text_candidates=candidates, text=candidates[0])
