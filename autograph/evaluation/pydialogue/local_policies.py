"""How does a model on this machine play in pydialogue's world? As those of the ``transformers`` package are used.

A model, its tokenizer and a device are handed in; PyTorch is used if they have brought it, and never imported here.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from autograph.evaluation.pydialogue.policy_base import File, LLMPolicyBase, Message

__all__ = ["LLMPolicy", "LLMPolicyAlt"]


class LLMPolicy(LLMPolicyBase):
    """A policy that asks a model on this machine.

    ``model`` and ``tokenizer`` as ``transformers`` has them; ``device``: where the model goes. ``gc_after``: memory is
    freed after each turn. ``autoregressive``: the model gives back what it was asked before what it answers.
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
        model: Any,
        tokenizer: Any,
        device: Any,
        gc_after: bool = True,
        autoregressive: bool = True,
        interrupt_dialogue: bool = True,
        dialogue: Any = None,
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
            dialogue,
        )
        self.model = model
        self.model.to(device)
        self.tokenizer = tokenizer
        self.device = device
        self.gc_after = gc_after
        self.autoregressive = autoregressive

    def execute(self, include_goal: bool = False, **params: Any) -> Any:
        """What the player utters next."""
        try:
            return super().execute(include_goal, **params)
        finally:
            if self.gc_after:
                _free_memory()

    def generate_output(self, messages: list[Any], model_kwargs: Mapping[str, Any]) -> str:
        """What the model writes for these messages."""
        inputs = self._fitted(self._encoded(messages))
        inputs = {name: value.to(self.device) for name, value in inputs.items()}
        with _without_gradients():
            outputs = self.model.generate(**inputs, **model_kwargs)
        begin = inputs["input_ids"].shape[1] if self.autoregressive else 0
        text: str = self.tokenizer.decode(outputs[0][begin:], skip_special_tokens=True)
        return text

    def _encoded(self, messages: list[Any]) -> Mapping[str, Any]:
        chat = self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        encoded: Mapping[str, Any] = self.tokenizer(chat, return_tensors="pt")
        return encoded

    def _fitted(self, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        return inputs


class LLMPolicyAlt(LLMPolicy):
    """As ``LLMPolicy``, but what is too long is cut by tokens, not by messages.

    ``max_context_len``: how many tokens the model is asked at most. The tokens of the system prompt are kept, and after
    them the last ones. A model that fails does not end the dialogue.
    """

    def __init__(
        self,
        player: Any,
        database: Any,
        model: Any,
        main_model_kwargs: Mapping[str, Any],
        ser_model_kwargs: Mapping[str, Any],
        tokenizer: Any,
        device: Any,
        main_instr_filename: File,
        ser_instr_filename: File,
        max_context_len: int,
        gc_after: bool = True,
        autoregressive: bool = True,
        dialogue: Any = None,
    ) -> None:
        super().__init__(
            player,
            database,
            main_model_kwargs,
            ser_model_kwargs,
            main_instr_filename,
            ser_instr_filename,
            None,
            model,
            tokenizer,
            device,
            gc_after,
            autoregressive,
            interrupt_dialogue=False,
            dialogue=dialogue,
        )
        self.max_context_len = max_context_len
        self.num_main_instr: int = self._encoded(self.messages_main)["input_ids"].shape[1]
        self._asks_main = False

    def _shortened(self, messages: list[Message]) -> list[Any]:
        return messages

    def generate_main_output(self) -> str:
        """As in the base, with a request that is cut."""
        self._asks_main = True
        try:
            return super().generate_main_output()
        finally:
            self._asks_main = False

    def _fitted(self, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        length = inputs["input_ids"].shape[1]
        if not self._asks_main or length <= self.max_context_len:
            return inputs
        end = max(self.max_context_len - self.num_main_instr, 0)
        kept = [*range(min(self.num_main_instr, self.max_context_len)), *range(length - end, length)]
        return {name: value[:, kept] for name, value in inputs.items()}


def _without_gradients() -> AbstractContextManager[Any]:
    torch: Any = sys.modules.get("torch")
    return nullcontext() if torch is None else torch.no_grad()


def _free_memory() -> None:
    gc.collect()
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        torch.cuda.empty_cache()
