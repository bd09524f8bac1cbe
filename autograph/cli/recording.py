"""How is a chat recorded, or played back? Its models are those of the recording; ``--recording`` and ``--record``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import click

from autograph.cli.exits import GOOD
from autograph.cli.recipe import Recipe
from autograph.cli.session import Session
from autograph.errors import ModelError

__all__ = ["end_recording", "with_recording"]


def with_recording(recipe: Recipe, file: str | None, mode: Literal["none", "new", "all"] | None) -> Recipe:
    """``recipe`` with the models of a recording, which ask the recipe's own for what is to be recorded.

    Raises ``click.UsageError`` for options that do not go together and a file that is no recording.
    """
    if file is None:
        if mode in ("new", "all"):
            raise click.UsageError(f"--record {mode} needs a file to record into: add --recording FILE.")
        return recipe
    chatbot = classifier = None
    if mode in ("new", "all"):
        bot = recipe.make(recipe.read())
        chatbot, classifier = bot.model, bot.classifier
    elif recipe.model is not None or recipe.classifier is not None:
        raise click.UsageError("--recording is played back without a model: leave --model out, or add --record new.")
    from autograph.models.recorded import recording_model

    try:
        model: Any = recording_model(file, chatbot, mode or "none", classifier=classifier, notify=recipe.notify)
    except ModelError as error:
        raise click.UsageError(f"--recording: {error}") from None
    return replace(recipe, model=model, classifier=model)


def end_recording(session: Session, code: int) -> None:
    """End a recording; one that was made anew drops what was not asked again, if the chat came to a good end."""
    from autograph.models.recorded import RecordedModel

    model = session.bot.classifier  # also after /model, which changes who writes texts
    if code == GOOD and isinstance(model, RecordedModel):
        model.close()
