"""How does the real ParlAI use a program? As ``-m autograph.evaluation.parlai_adapter:AutographAgent``.

    parlai eval_model -t fromfile:parlaiformat --fromfile-datapath talks.txt \\
        -m autograph.evaluation.parlai_adapter:AutographAgent --program programs/tutor.csv --chatbot offline

The class keeps to what ParlAI asks of an agent and imports nothing of ParlAI.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.program_agent import ProgramAgent

__all__ = ["AutographAgent"]

_LOADING = {"chatbot": "model", "classifier": "classifier"}
"""ParlAI has a use of its own for ``--model``."""


class AutographAgent:
    """A program as an agent of ParlAI. ``opt``: ``program`` (a file, a link), ``chatbot``, ``classifier``, ``opening``.

    ``shared`` is what ``share`` of another copy gave: the copies of a batch have one program and a conversation each.
    """

    @classmethod
    def add_cmdline_args(cls, parser: Any, partial_opt: Any = None) -> Any:
        """Tell ParlAI's command line of the options."""
        group = parser.add_argument_group("Autograph Arguments")
        group.add_argument("--program", type=str, default=None, help="the program: .csv .xlsx .yaml .json or a link")
        group.add_argument("--chatbot", type=str, default=None, help="the language model that writes its texts")
        group.add_argument("--classifier", type=str, default=None, help="the language model that answers its questions")
        group.add_argument(
            "--opening",
            type=str,
            default="answer",
            choices=["answer", "skip"],
            help="are its first words the answer to the first text, or does it open unheard?",
        )
        return parser

    def __init__(self, opt: Mapping[str, Any], shared: Mapping[str, Any] | None = None) -> None:
        self.opt = opt
        self._inner = shared["agent"].share() if shared else _made(opt)
        self.id = self._inner.id

    @property
    def observation(self) -> Any:
        """What was observed last."""
        return self._inner.observation

    def getID(self) -> str:  # noqa: N802 - ParlAI's name
        """The name under which it speaks."""
        return str(self.id)

    def observe(self, observation: Any) -> Any:
        """Take in what another agent did; it is returned."""
        self._inner.observe(Message(observation))
        return observation

    def self_observe(self, act: Any) -> None:
        """Is told of its own act; what it did not choose itself the program does not know."""
        self._inner.self_observe(act)

    def act(self) -> dict[str, Any]:
        """The program's reply."""
        return {**self._inner.act(), "id": self.getID()}

    def respond(self, text_or_message: Any, **fields: Any) -> str:
        """Its answer to a text alone."""
        return self._inner.respond(text_or_message, **fields)

    def share(self) -> dict[str, Any]:
        """What ParlAI makes a copy of."""
        return {"class": type(self), "opt": self.opt, "agent": self._inner}

    def clone(self) -> AutographAgent:
        """A copy with a conversation of its own."""
        copy = type(self)(self.opt, self.share())
        copy.id = self.id
        return copy

    def reset(self) -> None:
        """Begin a conversation anew."""
        self._inner.reset()

    def reset_metrics(self) -> None:
        """There is nothing that it measures itself."""

    def epoch_done(self) -> bool:
        """It always goes on."""
        return False

    def save(self, path: str | None = None) -> None:
        """A program learns nothing, so there is nothing to keep."""

    def shutdown(self) -> None:
        """Let go of what is open."""
        self._inner.shutdown()


def _made(opt: Mapping[str, Any]) -> ProgramAgent:
    program = opt.get("program")
    if not program:
        raise ValueError("which program? Name its file: --program programs/tutor.csv")
    load = {argument: opt[name] for name, argument in _LOADING.items() if opt.get(name)}
    return ProgramAgent(program, opening=opt.get("opening") or "answer", **load)
