"""Which model answers in a case? The script, what ``model`` or ``recording`` names, or with --live a real one."""

from __future__ import annotations

from pathlib import Path

from autograph.errors import ModelError
from autograph.models.base import Model
from autograph.models.recordings import Recordings
from autograph.testing.case import Case, Suite
from autograph.testing.script import ScriptModel

__all__ = ["asks_program", "model_for"]

_OF_FILES = ("recorded", "scripted", "local")


def model_for(suite: Suite, case: Case, *, live: bool, recordings: Recordings | None = None) -> Model | None:
    """The model of a case, made anew for it; None: those that the program names (only with ``live``).

    ``recordings``: those of the run; they say whether the program's own models are asked for what is not recorded.
    Raises ``ModelError`` for a model on the network without ``live``.
    """
    if case.recording is not None:
        return (recordings or Recordings()).model(suite.path.parent / case.recording, lambda: _own(suite, case))
    if case.model is None:
        return None if live and asks_program(case) else ScriptModel(case.script)
    from autograph.models.offline import OfflineModel
    from autograph.models.resolve import resolve_model

    kind, _, rest = case.model.strip().partition(":")
    if kind.lower() == "openai" and not live:
        raise ModelError(_needs_live(case.model))
    if kind.lower() in _OF_FILES and rest.strip():
        return resolve_model(f"{kind}:{_beside(suite, rest.strip())}")
    model = resolve_model(case.model, notify=_quiet)
    if kind.lower() == "auto" and not live and not isinstance(model, OfflineModel):
        raise ModelError(_needs_live(case.model))
    return model


def asks_program(case: Case) -> bool:
    """Whether a case is answered by the models that the program names: it is live and says of none itself."""
    scripted = bool(case.script) or any(turn.script for turn in case.turns)
    return case.live and not scripted and case.model is None and case.recording is None


def _own(suite: Suite, case: Case) -> tuple[Model, Model]:
    """The models that the program asks when it is not tested: chatbot and classifier."""
    from autograph.config import AutographConfig
    from autograph.interpreter.loading import load

    bot = load(str(suite.program), config=AutographConfig(**case.config))
    return bot.model, bot.classifier


def _beside(suite: Suite, name: str) -> Path:
    """A file that a test names is looked for beside the file of tests, then from where we are."""
    beside = suite.path.parent / name
    return beside if beside.exists() or not Path(name).exists() else Path(name)


def _needs_live(model: str) -> str:
    return (
        f'the model "{model}" would be asked over the network. Write live: true and run with --live, or use a script.'
    )


def _quiet(line: str) -> None:
    """Offline rules are what a test without network expects, so nobody is told."""
