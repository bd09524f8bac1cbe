"""How does a class of somebody else take part? ``BorrowedAgent``: around whatever has ``observe`` and ``act``.

What it does wrong is told with its name, and with the line of its code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import Any, Self

from autograph.errors import AutographError
from autograph.evaluation.metric import Metric
from autograph.evaluation.parlai.agent import Agent
from autograph.evaluation.parlai.message import Message, checked_act

__all__ = ["AgentError", "BorrowedAgent"]


class AgentError(AutographError):
    """An agent of somebody else's code failed, or did what is no act."""


class BorrowedAgent(Agent):
    """An agent of a class that may have no more than ``observe(message)`` and ``act()``.

    ``spec`` is what it is called in errors; ``make`` makes another one of it, for a conversation of its own, where it
    has no ``share()`` that gives one. Everything that it raises is an ``AgentError``, save for our own errors.
    """

    def __init__(self, spec: str, make: Callable[[], Any], inner: Any = None) -> None:
        super().__init__()
        self._spec, self._make = spec, make
        with self._blamed("when it was made"):
            self._inner = make() if inner is None else inner
        self.id = str(getattr(self._inner, "id", None) or spec.partition(":")[2] or spec)

    @property
    def is_agent(self) -> bool:
        """Whether it has what it needs to take part."""
        return _is_agent(self._inner)

    def observe(self, observation: Mapping[str, Any]) -> Message:
        """Let it observe."""
        message = super().observe(observation)
        with self._blamed("in observe()"):
            self._inner.observe(message)
        return message

    def act(self) -> Message:
        """Let it act. Raises ``AgentError`` for what is no act."""
        with self._blamed("in act()"):
            act = self._inner.act()
        return self._checked(act)

    async def aact(self) -> Message:
        """As ``act``; its own ``aact``, if it has one."""
        if not hasattr(self._inner, "aact"):
            return self.act()
        with self._blamed("in aact()"):
            act = await self._inner.aact()
        return self._checked(act)

    def _checked(self, act: Any) -> Message:
        try:
            message = checked_act(act)
        except ValueError as error:
            raise AgentError(f'the agent "{self._spec}" did what is no act: {error}.') from error
        return message if "id" in message else Message({"id": self.id, **message})

    @contextmanager
    def _blamed(self, where: str) -> Iterator[None]:
        try:
            yield
        except AutographError:
            raise
        except Exception as error:
            place = extract_tb(error.__traceback__)[-1]
            told = f"{type(error).__name__}: {error}".removesuffix(": ")
            raise AgentError(
                f'the agent "{self._spec}" failed {where}: {told} ({Path(place.filename).name}, line {place.lineno}).'
            ) from error

    # ------------------------------------------------------------------ what it may have

    def self_observe(self, act: Mapping[str, Any]) -> None:
        """Tell it of its own act, if it wants to know."""
        self._if_it_can("self_observe", act)

    def reset(self) -> None:
        """Let it forget the conversation, if it can."""
        super().reset()
        self._if_it_can("reset")

    def reset_metrics(self) -> None:
        """Let it forget what it measured, if it can."""
        self._if_it_can("reset_metrics")

    def report(self) -> Mapping[str, Metric]:
        """What it measured itself."""
        return self._if_it_can("report") or {}

    def epoch_done(self) -> bool:
        """Whether it will not go on."""
        return bool(self._if_it_can("epoch_done"))

    def shutdown(self) -> None:
        """Let it let go of what it holds open."""
        self._if_it_can("shutdown")

    def _if_it_can(self, method: str, *given: Any) -> Any:
        with self._blamed(f"in {method}()"):
            return getattr(self._inner, method)(*given) if hasattr(self._inner, method) else None

    def share(self) -> Self:
        """Another one for a conversation of its own: what its ``share`` gives if that is an agent, else a new one."""
        shared = self._if_it_can("share")
        copy = type(self)(self._spec, self._make, shared if _is_agent(shared) else None)
        copy.id = self.id
        return copy


def _is_agent(value: Any) -> bool:
    return hasattr(value, "observe") and hasattr(value, "act")
