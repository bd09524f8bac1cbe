"""How does a program play in pydialogue's world? As the policy of one of its players.

What has happened since the program last spoke, one line each, is what the user says; what it answers is what the player
does or says: plain English in the world's words (``evaluation.english``), or the tokens of a sentence joined by commas,
in either case bare or between ``<output>`` or ``<next_response>`` tags. An empty answer waits.

    from autograph.evaluation.pydialogue.nltk_shim import import_pydialogue
    easy = import_pydialogue("pydialogue.environments.easy")
    …
    policy = GraphPolicy(world.player, "programs/explorer.yaml")
"""

from __future__ import annotations

from os import PathLike
from typing import Any

from autograph.dialogue.sentences import from_text
from autograph.dialogue.tags import extract_from_tags
from autograph.evaluation.pydialogue.english import SEVERAL, english_tokens, words_together
from autograph.evaluation.pydialogue.nltk_shim import import_pydialogue
from autograph.evaluation.pydialogue.uttered import Failure, nothing, uttered
from autograph.interpreter.bot import Autograph
from autograph.interpreter.loading import load
from autograph.memory import MemoryObject

__all__ = ["GraphPolicy"]


class GraphPolicy:
    """A program as a policy.

    ``player``: whose policy it is. ``bot``: the program, loaded or to be loaded. ``database``: what knows the sentences
    (None: pydialogue's own). ``opens``: the program speaks before it is told anything, and this is not uttered; else
    what it is told first begins the conversation. ``reset``: each dialogue is a conversation of its own; else the
    program goes on, and remembers. ``interrupt_dialogue``: a failure, and an answer of the world that is an error, end
    the dialogue. ``failures`` says why the player uttered nothing where it should have.
    """

    def __init__(
        self,
        player: Any,
        bot: Autograph | str | PathLike[str],
        database: Any = None,
        *,
        opens: bool = True,
        reset: bool = False,
        interrupt_dialogue: bool = False,
        dialogue: Any = None,
    ) -> None:
        self.player = player
        self.bot = load(bot) if isinstance(bot, str | PathLike) else bot
        self.database = _own_database() if database is None else database
        self.opens = opens
        self.reset = reset
        self.interrupt_dialogue = interrupt_dialogue
        self.dialogue = dialogue
        self.memory: MemoryObject | None = None
        self.failures: list[Failure] = []
        self._lines_seen = 0

    # ------------------------------------------------------------------ what a dialogue calls

    def execute(self, include_goal: bool = False, **params: Any) -> Any:
        """What the player utters next; an empty sentence if it waits or the program fails."""
        failed = len(self.failures)
        sentence = self._utter()
        said = self.dialogue.utterances
        if self.interrupt_dialogue and (len(self.failures) > failed or (said and said[-1].error)):
            self.dialogue.interrupt = True
        return (sentence, None) if include_goal else sentence

    def get_steps(self, **params: Any) -> Any:
        """As ``execute``."""
        return self.execute(**params)

    def get_goal(self, **params: Any) -> None:
        """None: the goal is the dialogue's."""

    def replace_dialogue(self, new_dialogue: Any) -> None:
        """Take part in another dialogue."""
        if self.reset and new_dialogue is not self.dialogue:
            self.memory = None
        self.dialogue = new_dialogue

    def save_state(self) -> tuple[Any, ...]:
        """All that changes when the policy is executed."""
        return self.dialogue, self.memory, self._lines_seen, tuple(self.failures)

    def recover_state(self, state: tuple[Any, ...]) -> None:
        """Go back to what ``save_state`` gave."""
        self.dialogue, self.memory, self._lines_seen, failures = state
        self.failures[:] = failures

    # ------------------------------------------------------------------ how it speaks

    def _utter(self) -> Any:
        world = self.dialogue.dia_generator.world
        stage, reply, seen = "program", "", self._lines_seen
        try:
            reply = self._reply("\n".join(self._new_lines()))
            stage = "sentence"
            tokens = _tokens_of(reply, world)
            return uttered(tokens, world, self.database, self.player) if tokens else nothing(world, self.player)
        except Exception as error:  # a model may raise anything, and the package does; a dialogue would hide it
            self._note(stage, error, reply)
            if stage == "program":
                self._lines_seen = seen  # it has not taken them in, and is told again
            return nothing(world, self.player)

    def _new_lines(self) -> list[str]:
        context = self.dialogue.dia_generator.context_strings
        begin = min(self._lines_seen, len(context))  # it may have been taken back
        self._lines_seen = len(context)
        return list(context[begin:])

    def _reply(self, text: str) -> str:
        memory = self.memory if self.memory is not None and not self.memory.finished else None
        if memory is None and self.opens:
            _, memory = self.bot.reply("")
        reply, self.memory = self.bot.reply(text, memory)
        return reply

    def _note(self, stage: str, error: Exception, text: str) -> None:
        self.failures.append(Failure.of(stage, error, text, self._lines_seen))


def _own_database() -> Any:
    return import_pydialogue("pydialogue.generation.mappers_database").MapperDatabase()


def _tokens_of(reply: str, world: Any) -> list[Any]:
    """The tokens of an answer; none of an empty one. Raises ``ValueError`` for what is no sentence."""
    for tag in ("output", "next_response"):
        inside = extract_from_tags(tag, reply)
        reply = reply if inside is None else inside
    text = reply.strip()
    if not text:
        return []
    if text.startswith("<sent>"):
        return from_text(text)
    return list(english_tokens(text, words_together(world) if hasattr(world, "all_description_objects") else SEVERAL))
