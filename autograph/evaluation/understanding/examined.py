"""Which bots does an evaluation of one program need? One for each classifier, and one for the way to a node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from autograph.config import AutographConfig
from autograph.interpreter.bot import Autograph
from autograph.interpreter.loading import read_source
from autograph.interpreter.trust import trust_of
from autograph.language.sandbox.exposure import as_modules
from autograph.models.resolve import resolve_model
from autograph.tables import Rows

__all__ = ["Programs", "describe"]


class Programs:
    """One program, loaded once for each classifier and once for the way to a node. Raises ``ProgramError``.

    ``chatbot`` writes what stands before a saying where that is not exact (a model or a model string; default: the
    offline rules, which cost nothing and say the same for every classifier).
    """

    def __init__(
        self,
        source: Any,
        *,
        chatbot: Any = None,
        config: AutographConfig | None = None,
        modules: Mapping[str, Any] | Iterable[Any] | None = None,
        trust: Any = None,
        allow: Any = None,
    ) -> None:
        self._trust = trust_of(source, trust)
        found = read_source(source, trust=self._trust)
        self._rows, self._plain_rows = found.rows, _without_models(found.rows)
        self._options: dict[str, Any] = {"modules": {**found.modules, **as_modules(modules)}, "allow": allow}
        self._config = config
        self._chatbot = resolve_model(chatbot or "offline")
        self.staged = self._load(self._plain_rows, self._chatbot, resolve_model("offline"))

    def with_classifier(self, model: Any) -> Autograph:
        """The program whose questions ``model`` answers, whatever the sheet says; None: as the sheet says."""
        if model is None:
            return self._load(self._rows, None, None)
        return self._load(self._plain_rows, self._chatbot, resolve_model(model, role="classifier"))

    def _load(self, rows: Rows, model: Any, classifier: Any) -> Autograph:
        bot = Autograph(self._config, model=model, classifier=classifier, trust=self._trust, **self._options)
        return bot.load_rows(rows)


def _without_models(rows: Rows) -> Rows:
    """The rows without the models that single nodes name: the model that is looked at answers everything."""
    plain = [replace(row, fields={k: v for k, v in row.fields.items() if k != "model"}) for row in rows]
    return replace(rows, rows=tuple(plain))


def describe(model: Any) -> str:
    """A model in a few words: what it says of itself, else its class."""
    return str(getattr(model, "describe", None) or type(model).__name__)
