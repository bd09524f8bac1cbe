"""Conversations to replay: those of the conformance cases and of the shipped programs, and a model that can fail."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import autograph
from autograph.errors import ModelError
from autograph.models import OfflineModel
from autograph.models.base import Choice, GenerateRequest, Question, Reply
from autograph.models.scripted import ScriptedModel

HERE = Path(__file__).parent
PROGRAMS = HERE.parent / "programs"


class Injected(Exception):
    """An exception that nobody expects."""


@dataclass
class FaultyModel:
    """A model that fails at one request (counted from 0), and whose script can be rewound.

    Without a script the offline rules answer.
    """

    replies: list[str] | None
    answers: list[Any]
    fail_at: int | None = None
    asked: int = 0
    position: tuple[int, int] = (0, 0)
    instruction_role: str = field(default="user", repr=False)

    def _ask(self, how: Callable[[Any], Any]) -> Any:
        self.asked += 1
        if self.fail_at is not None and self.asked - 1 == self.fail_at:
            raise ModelError("the server is down", retryable=True)
        if self.replies is None:
            return how(OfflineModel())
        model = ScriptedModel(self.replies[self.position[0] :], self.answers[self.position[1] :])
        try:
            return how(model)
        finally:
            replies, answers = model.left
            self.position = (len(self.replies) - replies, len(self.answers) - answers)

    def generate(self, request: GenerateRequest) -> Reply:
        reply: Reply = self._ask(lambda model: model.generate(request))
        return reply

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        choices: list[Choice | None] = self._ask(lambda model: model.choose(questions))
        return choices

    async def agenerate(self, request: GenerateRequest) -> Reply:
        return self.generate(request)

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        return self.choose(questions)

    def stream(self, request: GenerateRequest) -> Iterator[str | Reply]:
        reply = self.generate(request)
        middle = len(reply.text) // 2
        yield reply.text[:middle]
        yield reply.text[middle:]
        yield reply

    async def astream(self, request: GenerateRequest) -> AsyncIterator[str | Reply]:
        for piece in self.stream(request):
            yield piece


@dataclass(frozen=True)
class Step:
    """One thing the user says, or one call: the text with options, or the function's name with arguments."""

    say: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    call: str = ""
    args: tuple[Any, ...] = ()
    function_type: str = "local"


@dataclass(frozen=True)
class Conversation:
    """A program, the script of its model (None: the offline rules), and what is done."""

    name: str
    program: Path
    config: dict[str, Any]
    replies: list[str] | None
    answers: list[Any]
    steps: tuple[Step, ...]
    variables: dict[str, Any] = field(default_factory=dict)

    def bot(self, model: Any) -> autograph.Autograph:
        config = autograph.AutographConfig(**self.config)
        return autograph.load(self.program, config=config, model=model, classifier=model)

    def model(self, fail_at: int | None = None) -> FaultyModel:
        return FaultyModel(None if self.replies is None else list(self.replies), list(self.answers), fail_at)

    def start(self, bot: autograph.Autograph) -> autograph.MemoryObject | None:
        return bot.start(self.variables) if self.variables else None


def conformance_conversations() -> list[Conversation]:
    """The turns and calls of all cases that load; what only the case's own runner can do is left out."""
    found = []
    for path in sorted(HERE.glob("conformance/*/case.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        if "load_error" in case or case.get("may_fail_at_load") or path.parent.name == "formerly":
            continue
        steps, variables = [], {}
        for step in case["steps"]:
            if "say" in step and step.get("conversation", "a") == "a":
                options = {"set_state": step["set_state"]} if "set_state" in step else {}
                steps.append(Step(step["say"], options))
            elif "apply_fn" in step:
                steps.append(Step(call=step["apply_fn"], args=tuple(step["args"]), function_type=step["function_type"]))
            elif "start" in step:
                variables = step["start"]
        if steps:
            script = (case["replies"], case["answers"])
            found.append(
                Conversation(
                    path.parent.name, path.parent / "program.csv", case["config"], *script, tuple(steps), variables
                )
            )
    return found


_TALKS = {
    "tutor.csv": "|Ada|yes|that is clear|2/5|hint|2/3|what is a denominator?|1/2|another topic|multiplying|clear|stop",
    "recruiter.csv": "|yes|I have worked as a nurse for ten years in two hospitals and led a team of six.|maybe|what is"
    " the salary?|60000|no|stop",
    "sort.csv": "|3, 1, 2|no numbers here|5 4 -1 2.5 4|1",
    "clinic.yaml": "|hello|I want to book a visit|Ada Lovelace, 10.12.1985|my knee hurts|no|no|no|can I talk to a"
    " human?|what happens with my data?|statutory|tomorrow|the first one|yes|no",
    "explorer.yaml": "|Bob says : Ann , go north .|Ann goes north from the yard . Ann looks in the hall . Ann sees Ann"
    " and the box .\nBob says : Ann , get a box .|Ann gets the box .\nBob says : Ann , drop the box in the hall .",
}


def program_conversations() -> list[Conversation]:
    """A talk with each shipped program; it is enough that it goes through many nodes."""
    return [
        Conversation(name, PROGRAMS / name, {}, None, [], tuple(Step(text) for text in talk.split("|")))
        for name, talk in _TALKS.items()
    ]


def snapshot(memory: autograph.MemoryObject | None) -> str:
    return "null" if memory is None else memory.to_json()
