"""What stands in a locked worker for the models? Their names; whoever is asked, is asked by the parent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from autograph.config import AutographConfig
from autograph.interpreter.bot import Autograph
from autograph.models.base import Model

__all__ = ["AskRole", "RemoteBot", "RemoteModel"]

AskRole = Callable[[str], str]
"""Asks the parent for the role in which a model takes instructions."""


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A model of the parent: ``chatbot`` or ``classifier``, or ``node:`` and the model string of a node."""

    name: str
    ask: AskRole

    @property
    def instruction_role(self) -> str:
        """The role in which the model takes instructions. Raises what the parent's model raises."""
        return self.ask(self.name)

    def generate(self, request: Any) -> Any:
        """Never called: the request crosses as an effect."""
        raise NotImplementedError("models are asked outside the locked worker")

    choose = generate


class RemoteBot(Autograph):
    """The bot in the worker: the same program and loop, with models that stand for the parent's."""

    def __init__(self, config: AutographConfig, modules: Mapping[str, Any], ask: AskRole) -> None:
        super().__init__(config, modules=modules)
        self._ask = ask

    @property
    def model(self) -> Model:
        return RemoteModel("chatbot", self._ask)

    @property
    def classifier(self) -> Model:
        return RemoteModel("classifier", self._ask)

    def model_of(self, spec: str, *, from_program: bool = True) -> Model:
        return RemoteModel(f"node:{spec}", self._ask)
