"""How is every request of a bot seen? Whatever model it would ask, it asks as a ``WatchedModel``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.interpreter.bot import Autograph
from autograph.models.base import Model

__all__ = ["WatchedBot", "WatchedModel"]


class WatchedModel:
    """Another model (``inner``), which kinds of this one ask in its stead."""

    def __init__(self, inner: Model) -> None:
        self.inner = inner

    @property
    def describe(self) -> str:
        """The model in a few words."""
        return str(getattr(self.inner, "describe", type(self.inner).__name__))

    @property
    def instruction_role(self) -> str:
        """That of the model."""
        return str(getattr(self.inner, "instruction_role", "user"))


class WatchedBot(Autograph):
    """A bot whose models are what ``watch`` makes of them: one object for each, and those that are watched stay."""

    def __init__(self, watch: Callable[[Model], Model], **options: Any) -> None:
        self._watch = watch
        self._watched: dict[int, Model] = {}
        super().__init__(**options)

    @property
    def model(self) -> Model:
        """The model that writes texts."""
        return self.watched(super().model)

    @property
    def classifier(self) -> Model:
        """The model that answers questions."""
        return self.watched(super().classifier)

    def model_of(self, spec: str, *, from_program: bool = True) -> Model:
        """The model behind a model string."""
        return self.watched(super().model_of(spec, from_program=from_program))

    def watched(self, model: Model) -> Model:
        """The model as the bot asks it."""
        if isinstance(model, WatchedModel):
            return model
        found = self._watched.get(id(model))
        if found is None:  # it holds the model, so that no other object can get its id
            found = self._watched.setdefault(id(model), self._watch(model))
        return found
