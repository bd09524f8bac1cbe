"""How does a language model play in pydialogue's world? As it is told to there, in two requests a turn.

The first, ``main``, is told what has happened since its last turn and writes what it says between ``<next_response>``
tags; the second, ``ser``, is told that between ``<input>`` tags and writes the tokens between ``<output>`` tags. The
signatures are pydialogue's. What differs: each failure is kept in ``failures``, and a saved state is all of the state,
so that going back leaves nothing of what was taken back in the model's messages.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from autograph.dialogue.sentences import from_text
from autograph.dialogue.tags import extract_from_tags
from autograph.evaluation.pydialogue.policy_files import save_messages
from autograph.evaluation.pydialogue.uttered import Failure, nothing, uttered

__all__ = ["LLMPolicyBase", "OAIPolicy"]

Message = dict[str, Any]
File = str | PathLike[str]


class LLMPolicyBase(ABC):
    """A policy that asks a language model; ``generate_output`` says how.

    ``player``: whose policy it is. ``database``: what knows the sentences. ``main_model_kwargs``, ``ser_model_kwargs``:
    what is given with each request. ``main_instr_filename``, ``ser_instr_filename``: files with the system prompts.
    ``trimmer``: shortens the messages of the first request. ``interrupt_dialogue``: a model that fails, and an answer
    of the world that is an error, end the dialogue.
    """

    def __init__(
        self,
        player: Any,
        database: Any,
        main_model_kwargs: Mapping[str, Any],
        ser_model_kwargs: Mapping[str, Any],
        main_instr_filename: File,
        ser_instr_filename: File,
        trimmer: Any,
        interrupt_dialogue: bool = True,
        dialogue: Any = None,
    ) -> None:
        self.player = player
        self.database = database
        self.main_model_kwargs = main_model_kwargs
        self.ser_model_kwargs = ser_model_kwargs
        self.messages_main: list[Message] = [_system(main_instr_filename)]
        self.messages_ser: list[Message] = [_system(ser_instr_filename)]
        self.trimmer = trimmer
        self.interrupt_dialogue = interrupt_dialogue
        self.dialogue = dialogue
        self.last_context_id = 0
        self.failures: list[Failure] = []
        self._saved = (0, 0)

    @abstractmethod
    def generate_output(self, messages: list[Any], model_kwargs: Mapping[str, Any]) -> str:
        """What the model writes for these messages."""

    # ------------------------------------------------------------------ what a dialogue calls

    def execute(self, include_goal: bool = False, **params: Any) -> Any:
        """What the player utters next; an empty sentence if it waits or something fails."""
        sentence = self.deserialize(self._tokens())
        if sentence is None:
            sentence = nothing(self.dialogue.dia_generator.world, self.player)
        said = self.dialogue.utterances
        if self.interrupt_dialogue and said and said[-1].error:
            self.dialogue.interrupt = True
        return (sentence, None) if include_goal else sentence

    def get_steps(self, **params: Any) -> Any:
        """As ``execute``."""
        return self.execute(include_goal=False, **params)

    def get_goal(self, **params: Any) -> None:
        """None: the goal is the dialogue's."""
        return None

    def replace_dialogue(self, new_dialogue: Any) -> None:
        """Take part in another dialogue."""
        self.dialogue = new_dialogue

    def save_state(self) -> tuple[Any, ...]:
        """All that changes when the policy is executed."""
        return self.last_context_id, tuple(self.messages_main), tuple(self.messages_ser), tuple(self.failures)

    def recover_state(self, state: tuple[Any, ...]) -> None:
        """Go back to what ``save_state`` gave."""
        self.last_context_id, main, ser, failures = state
        self.messages_main[:], self.messages_ser[:], self.failures[:] = main, ser, failures
        self._saved = (min(self._saved[0], len(main)), min(self._saved[1], len(ser)))

    # ------------------------------------------------------------------ the two requests

    def _tokens(self) -> list[Any] | None:
        """What the model wants to utter; None if it waits or fails."""
        stage, text = "main", ""
        try:
            text = self.generate_main_output()
            stage = "serializer"
            return self.generate_ser_output(text)
        except Exception as error:  # whatever a client or a model raises
            self._fail(stage, error, text)
            return None

    def generate_main_output(self) -> str:
        """What the model writes on what has happened since its last turn."""
        context = self.dialogue.dia_generator.context_strings
        self.messages_main.append({"role": "user", "content": "\n".join(context[self.last_context_id :])})
        self.last_context_id = len(context)
        text = self.generate_output(self._shortened(self.messages_main), self.main_model_kwargs)
        self.messages_main.append({"role": "assistant", "content": text})
        return text

    def _shortened(self, messages: list[Message]) -> list[Any]:
        return list(self.trimmer.trim_messages(messages))

    def generate_ser_output(self, main_output_str: str) -> list[Any] | None:
        """The tokens of what the model says; None if it says nothing."""
        said = extract_from_tags("next_response", main_output_str)
        if said is None:
            self._answered(main_output_str, "")
            self._note("main", "the model wrote no <next_response>", main_output_str)
            return None
        told = f"<input>{said}</input>"
        if not said.strip():
            self._answered(told, "")
            return None
        self.messages_ser.append({"role": "user", "content": told})
        text = self.generate_output([self.messages_ser[0], self.messages_ser[-1]], self.ser_model_kwargs)
        self.messages_ser.append({"role": "assistant", "content": text})
        tokens = extract_from_tags("output", text)
        if tokens is None:
            self._note("serializer", "the model wrote no <output>", text)
            return None
        if not tokens.strip():
            self._note("serializer", "the model wrote nothing in its <output>", text)
        return from_text(tokens)

    def deserialize(self, serialized_output: list[Any] | None) -> Any:
        """The sentence of tokens; None, and a failure, if they are none that can be said in the world."""
        if not isinstance(serialized_output, list) or not serialized_output:
            return None
        try:
            return uttered(serialized_output, self.dialogue.dia_generator.world, self.database, self.player)
        except Exception as error:  # the package raises bare exceptions, of any class
            self.failures.append(
                Failure.of("sentence", error, ",".join(map(str, serialized_output)), self.last_context_id)
            )
            return None

    # ------------------------------------------------------------------ what is kept

    def save_msgs_to_file(self, filename_main: File, filename_ser: File) -> None:
        """Add the messages since the last call to two files: as JSON to ``.jsonl``, else as ``(role, content)``."""
        main, ser = self._saved
        save_messages(filename_main, self.messages_main[main:])
        save_messages(filename_ser, self.messages_ser[ser:])
        self._saved = (len(self.messages_main), len(self.messages_ser))
        print(f"Messages saved to {filename_main} and {filename_ser}")

    def _answered(self, told: str, answer: str) -> None:
        self.messages_ser.append({"role": "user", "content": told})
        self.messages_ser.append({"role": "assistant", "content": answer})

    def _fail(self, stage: str, error: Exception, text: str = "") -> None:
        """A model has failed: note it, and end the dialogue if that is wanted."""
        self.failures.append(Failure.of(stage, error, text, self.last_context_id))
        if self.interrupt_dialogue:
            self.dialogue.interrupt = True

    def _note(self, stage: str, reason: str, text: str) -> None:
        self.failures.append(Failure(stage, reason, text, self.last_context_id))


class OAIPolicy(LLMPolicyBase):
    """A policy that asks a client of the OpenAI API; the model's name is among the keyword arguments."""

    def __init__(
        self,
        player: Any,
        database: Any,
        main_model_kwargs: Mapping[str, Any],
        ser_model_kwargs: Mapping[str, Any],
        main_instr_filename: File,
        ser_instr_filename: File,
        trimmer: Any,
        client: Any,
        interrupt_dialogue: bool = True,
    ) -> None:
        super().__init__(
            player,
            database,
            main_model_kwargs,
            ser_model_kwargs,
            main_instr_filename,
            ser_instr_filename,
            trimmer,
            interrupt_dialogue,
        )
        self.client = client

    def generate_output(self, messages: list[Any], model_kwargs: Mapping[str, Any]) -> str:
        """The content of the first choice. Raises ``ValueError`` if it has none, as a refusal."""
        output = self.client.chat.completions.create(messages=messages, **model_kwargs)
        text = output.choices[0].message.content
        if not isinstance(text, str):
            raise ValueError("the model answered with no text")
        return text


def _system(filename: File) -> Message:
    return {"role": "system", "content": Path(filename).read_text("utf-8")}
