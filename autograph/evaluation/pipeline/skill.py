"""How does a program answer within another dialogue system? ``ProgramSkill``: dialogs in, hypotheses out, nothing kept.

    skill = ProgramSkill(autograph.load("clinic.yaml"), "clinic")
    [[hypothesis]] = skill([dialog])        # text, confidence, human_attributes, bot_attributes, attributes

What the program remembers travels in ``human_attributes["clinic_state"]``; whoever keeps the dialog puts it into
``human.attributes`` if the hypothesis is selected. So any copy of the skill can take the next turn, and what a
hypothesis would have changed is forgotten if it is not selected. The state comes back from outside: it is not
believed (``dialogue.state_program``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from autograph.dialogue.state_program import MAX_BYTES, pack_memory, state_key, unpack_memory
from autograph.dialogue.state_values import is_number, shown
from autograph.errors import AutographError, ProgramChanged, RunError, StorageError
from autograph.evaluation.pipeline.skill_request import Asked, asked_dialogs
from autograph.evaluation.running import run_now
from autograph.interpreter.bot import Autograph
from autograph.memory import MemoryObject

__all__ = ["Policy", "ProgramSkill"]

Hypotheses = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Policy:
    """What a skill does with a state that it cannot go on with.

    ``changed``: the program has changed since. ``start`` begins anew and says so in a note, ``refuse`` is an error,
    ``continue`` goes on if all nodes of the state are still there (``formerly`` counts).
    ``invalid``: the state is malformed, too large, not signed, or names unknown nodes: ``start`` or ``refuse``.
    ``missing``: there is none, but the skill has spoken before in the dialog. ``start`` begins anew, ``replay`` puts
    the user's texts that it answered to the program once more, ``refuse`` is an error.
    ``finished``: the conversation with the program has ended: ``start`` begins a new one, ``silent`` proposes nothing.
    """

    changed: Literal["start", "refuse", "continue"] = "start"
    invalid: Literal["start", "refuse"] = "start"
    missing: Literal["start", "replay", "refuse"] = "start"
    finished: Literal["start", "silent"] = "start"

    def __post_init__(self) -> None:
        for name, allowed in _ALLOWED.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"the policy {name} is {getattr(self, name)!r}; it is one of {', '.join(allowed)}")


_ALLOWED: Mapping[str, tuple[str, ...]] = {
    "changed": ("start", "refuse", "continue"),
    "invalid": ("start", "refuse"),
    "missing": ("start", "replay", "refuse"),
    "finished": ("start", "silent"),
}


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where a conversation goes on: its memory (None: at the beginning), and a note about what was lost."""

    memory: MemoryObject | None
    note: str = ""


class ProgramSkill:
    """A program as a skill without a memory of its own; safe to share between threads and dialogs.

    ``name`` is the skill's, and that of its state. ``confidence`` is a number, or the name of a variable of the
    program that holds one after the turn. ``hypotheses``: how many replies are tried for each dialog, each on its own
    copy of the memory (equal ones count once); more than one makes sense with a model that varies. ``key`` signs the
    state, for states that pass through strangers' hands. ``max_bytes`` bounds what is read, ``max_replayed`` how many
    texts are put to the program again.
    """

    def __init__(
        self,
        bot: Autograph,
        name: str = "autograph",
        *,
        confidence: float | str = 1.0,
        hypotheses: int = 1,
        policy: Policy | None = None,
        key: bytes | None = None,
        max_bytes: int = MAX_BYTES,
        max_replayed: int = 50,
        timeout: float | None = None,
    ) -> None:
        _check(confidence, hypotheses, key, timeout)
        self._bot, self.name = bot, name
        self._confidence, self._hypotheses = confidence, hypotheses
        self._policy, self._key = policy or Policy(), key
        self._max_bytes, self._max_replayed = max_bytes, max_replayed
        self._options: dict[str, Any] = {} if timeout is None else {"timeout": timeout}

    def __call__(self, request: Any) -> list[Hypotheses]:
        """The hypotheses for each dialog. Raises ``AutographError``: the first one, if a dialog cannot be answered.

        ``request``: a list of dialogs, ``{"dialogs": […]}``, or the batch form of DFF skills
        (``{"dialog_batch", "<name>_state_batch", …}``).
        """
        return run_now(lambda: self.answer(request))

    async def answer(self, request: Any) -> list[Hypotheses]:
        """As calling the skill, for asynchronous programs."""
        found = await self.answers(request)
        for result in found:
            if isinstance(result, AutographError):
                raise result
        return [result for result in found if not isinstance(result, AutographError)]

    async def answers(self, request: Any) -> list[Hypotheses | AutographError]:
        """The hypotheses for each dialog, or why it has none, so that no dialog suffers from another.

        Raises ``StorageError`` for what is no request at all.
        """
        return await asyncio.gather(*map(self._one, asked_dialogs(request, self.name)))

    async def _one(self, asked: Asked | StorageError) -> Hypotheses | AutographError:
        if isinstance(asked, StorageError):
            return asked
        try:
            standing = await self._standing(asked)
            if standing is None:
                return []
            tries = [self._hypothesis(asked, standing) for _ in range(self._hypotheses)]
            found = await asyncio.gather(*tries, return_exceptions=True)  # so that none is at work when this is over
            for hypothesis in found:
                if isinstance(hypothesis, BaseException):
                    raise hypothesis
            return _different([hypothesis for hypothesis in found if not isinstance(hypothesis, BaseException)])
        except AutographError as error:
            return error
        except Exception as error:  # a model's own, or a host function's
            failed = RunError(f"{type(error).__name__}: {error}")
            failed.__cause__ = error
            return failed

    # ------------------------------------------------------------------ where it goes on

    async def _standing(self, asked: Asked) -> _Standing | None:
        """Where the conversation goes on; None if it has ended and the skill is to be silent."""
        if asked.state is None:
            return await self._without_state(asked)
        try:
            return self._ended(self._read(asked))
        except ProgramChanged as error:
            return self._anew(error, self._policy.changed)
        except StorageError as error:
            return self._anew(error, self._policy.invalid)

    def _read(self, asked: Asked) -> MemoryObject:
        try:
            return self._unpacked(asked, self._bot.program.fingerprint)
        except ProgramChanged:
            if self._policy.changed != "continue":
                raise
            return self._unpacked(asked, None)

    def _unpacked(self, asked: Asked, fingerprint: str | None) -> MemoryObject:
        program = self._bot.program
        nodes = program.nodes.keys() if fingerprint is not None else program.nodes.keys() | program.renamed.keys()
        return unpack_memory(
            asked.state, self.name, fingerprint=fingerprint, nodes=nodes, key=self._key, user=asked.user,
            max_bytes=self._max_bytes,
        )  # fmt: skip

    @staticmethod
    def _anew(error: RunError, policy: str) -> _Standing:
        if policy == "refuse":
            raise error
        return _Standing(None, f"began anew: {error.message}")

    def _ended(self, memory: MemoryObject) -> _Standing | None:
        if not memory.finished:
            return _Standing(memory)
        return None if self._policy.finished == "silent" else _Standing(None)

    async def _without_state(self, asked: Asked) -> _Standing:
        """The skill was never selected in this dialog, or its state got lost."""
        answered = asked.answered_by(self.name)
        if not answered or self._policy.missing == "start":
            return _Standing(None, "began anew: the state is missing" if answered else "")
        if self._policy.missing == "refuse":
            raise StorageError(f"the state of {self.name} is missing, though it has spoken in this dialog")
        if len(answered) > self._max_replayed:
            raise StorageError(f"{len(answered)} turns would have to be replayed; at most {self._max_replayed} are")
        memory: MemoryObject | None = None
        for text in answered:
            if memory is not None and memory.finished:
                memory = None
            _, memory = await self._bot.areply(text, memory, **self._options)
        return _Standing(None if memory is None or memory.finished else memory, "replayed: the state was missing")

    # ------------------------------------------------------------------ what it says

    async def _hypothesis(self, asked: Asked, standing: _Standing) -> dict[str, Any]:
        reply, memory = await self._bot.areply(asked.text, standing.memory, **self._options)
        last = memory.last_turn
        attributes = {"node": (last.node if last else None) or memory.current, "finished": memory.finished}
        if standing.note:
            attributes["note"] = standing.note
        state = pack_memory(memory, self.name, self._bot.program.fingerprint, key=self._key, user=asked.user)
        return {
            "text": reply,
            "confidence": self._sure(memory),
            "human_attributes": {state_key(self.name): state},
            "bot_attributes": {},
            "attributes": attributes,
        }

    def _sure(self, memory: MemoryObject) -> float:
        """The confidence after a turn. Raises ``RunError`` if the variable holds none."""
        if not isinstance(self._confidence, str):
            return self._confidence
        value: Any = memory.variables.get(self._confidence)
        if not _is_confidence(value):
            raise RunError(f"the variable {self._confidence} must hold a confidence from 0 to 1, not {shown(value)}")
        sure: float = value
        return sure


def _is_confidence(value: Any) -> bool:
    return is_number(value) and 0 <= value <= 1


def _check(confidence: Any, hypotheses: Any, key: Any, timeout: Any) -> None:
    """Raise ``ValueError`` for options that would fail in every turn, or that would not protect."""
    named = isinstance(confidence, str) and confidence.isidentifier()
    if not named and not _is_confidence(confidence):
        raise ValueError(f"confidence is a number from 0 to 1, or the name of a variable, not {shown(confidence)}")
    if not isinstance(hypotheses, int) or isinstance(hypotheses, bool) or hypotheses < 1:
        raise ValueError(f"a skill gives at least one hypothesis, not {shown(hypotheses)}")
    if key is not None and not (isinstance(key, bytes) and key):
        raise ValueError("the key must be bytes, at least one")
    if timeout is not None and not (is_number(timeout) and timeout > 0):
        raise ValueError(f"timeout is a number of seconds above 0, not {shown(timeout)}")


def _different(hypotheses: Sequence[dict[str, Any]]) -> Hypotheses:
    """The hypotheses with different texts, the first of each."""
    first: dict[str, dict[str, Any]] = {}
    for hypothesis in hypotheses:
        first.setdefault(hypothesis["text"], hypothesis)
    return list(first.values())
