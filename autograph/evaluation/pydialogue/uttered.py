"""What does an agent of pydialogue's world utter? Its tokens as a sentence; or why it utters nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograph.dialogue.sentences import classes_of, deserialize

__all__ = ["Failure", "nothing", "uttered"]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an agent uttered nothing: at which ``stage``, for what ``reason``, and the ``text`` that it came to.

    ``stage``: ``main`` or ``serializer`` (what was asked of the model), ``program``, or ``sentence`` (what it wrote).
    ``line``: how many lines of the context the agent had seen.
    """

    stage: str
    reason: str
    text: str = ""
    line: int = 0

    @classmethod
    def of(cls, stage: str, error: Exception, text: str, line: int) -> Failure:
        """The failure that an error is."""
        return cls(stage, f"{type(error).__name__}: {error}", text, line)


def uttered(tokens: Sequence[Any], world: Any, database: Any, player: Any) -> Any:
    """The sentence of these tokens as the world has it, spoken by ``player`` and not to be trusted.

    Raises ``ValueError`` for a sentence that is never closed or is none of the database's; else what ``deserialize``
    and the database raise.
    """
    found = deserialize(tokens, world)
    if found is None:
        raise ValueError("the tokens end before the sentence does")
    sentence = database.query_sentence(found.describers, speaker=player)
    if sentence is None:
        raise ValueError("no sentence of the database has this meaning")
    sentence.trusted_source = False
    return sentence


def nothing(world: Any, player: Any) -> Any:
    """The empty sentence: the player waits, or has failed."""
    sentence = classes_of(world)["sent"](speaker=player)
    sentence.trusted_source = False
    return sentence
