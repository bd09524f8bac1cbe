"""Programs and models for tests that hold simulated conversations, and a short way to hold them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from autograph.models.base import Choice, GenerateRequest, Message, Question, Reply, Usage
from autograph.simulation.cast import CastBot, Stage
from autograph.simulation.conversation import Case, Terms
from autograph.simulation.personas import Persona
from autograph.simulation.record import Conversation
from autograph.simulation.runner import Progress, cases_of, hold_all
from autograph.simulation.success import SuccessTest
from autograph.simulation.users import MakeUser, pick_user
from autograph.tables import read_rows

CAFE: list[dict[str, str]] = [
    {"name": "start1", "action": "python_function", "instruction": "cups = 0", "transitions": "greet"},
    {"name": "greet", "action": "chat_exact", "instruction": "Tea or coffee?", "transitions": "tea, coffee",
     "transition_question": "Which?", "transition_choice_a": "tea", "transition_choice_b": "coffee",
     "user_instruction_transition_a": "Ask for tea.", "user_instruction_transition_b": "Ask for coffee.",
     "transition_probs": "0.5, 0.5"},
    {"name": "tea", "action": "python_function", "instruction": "cups += 1", "transitions": "served"},
    {"name": "coffee", "action": "python_function", "instruction": "cups += 2", "transitions": "served"},
    {"name": "served", "action": "chat", "instruction": "Serve it; $cups cups by now.", "transitions": "greet, bye",
     "transition_question": "More?", "transition_choice_a": "yes", "transition_choice_b": "no",
     "user_instruction_transition_a": "Ask for more.", "user_instruction_transition_b": "Say no.",
     "transition_probs": "0.4, 0.6"},
    {"name": "bye", "action": "chat_exact", "instruction": "Bye!", "transitions": "quit"},
]  # fmt: skip
"""A program with choices: half of its users want tea, and six of ten have had enough."""


class Cook:
    """A model that says what it is told to, and answers questions by the last word of the user.

    It answers each request after another while (in turns of the event loop), so that conversations overtake each
    other. ``asked`` are all requests.
    """

    describe = "cook"

    def __init__(self, usage: Usage | None = None) -> None:
        self.usage = usage
        self.asked: list[GenerateRequest | Question] = []

    async def agenerate(self, request: GenerateRequest) -> Reply:
        await self._work(request)
        return Reply(f"({request.instruction})", self.usage)

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        await self._work(questions[0])
        said = questions[0].context[-1].content
        chosen = next((i for i, choice in enumerate(questions[0].choices) if choice in said), 0)
        return [Choice(1 if "no" in said else chosen, usage=self.usage) for _ in questions]

    async def _work(self, request: GenerateRequest | Question) -> None:
        self.asked.append(request)
        for _ in range(hash((request.seed, len(self.asked))) % 7):
            await asyncio.sleep(0)

    def generate(self, request: GenerateRequest) -> Reply:
        raise NotImplementedError

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        raise NotImplementedError


def cast(rows: Any, model: Any, **options: Any) -> CastBot:
    """A bot of a simulation."""
    stage = options.pop("stage", None) or Stage()
    return CastBot(stage, model=model, **options).load_rows(read_rows(rows))  # type: ignore[return-value]


def terms(bot: CastBot, make_user: MakeUser | None = None, success: str = "finished", **options: Any) -> Terms:
    """Terms of conversations with the sheet's own user; ``personas`` may bring success tests of their own."""
    make = make_user or pick_user("sheet", bot=bot, model=None, personas=False)
    return Terms(bot, make, SuccessTest(success), **options)


def held(
    terms: Terms,
    n: int = 1,
    *,
    seed: int = 0,
    repeat: int = 1,
    concurrency: int = 200,
    personas: Sequence[Persona] = (),
) -> list[Conversation]:
    """``n`` conversations, sorted by index."""
    found, _ = held_and_told(terms, cases_of(seed, n, repeat, personas), concurrency=concurrency)
    return found


def held_and_told(
    terms: Terms, cases: list[Case], *, concurrency: int = 200, keep: Callable[..., None] | None = None
) -> tuple[list[Conversation], Progress]:
    """Conversations sorted by index, and how the run went."""
    found: list[Conversation] = []

    def kept(conversation: Conversation, measured: object) -> None:
        found.append(conversation)
        if keep is not None:
            keep(conversation, measured)

    progress = asyncio.run(hold_all(cases, terms, kept, concurrency=concurrency))
    return sorted(found, key=lambda conversation: conversation.index), progress


def says(*texts: str) -> MakeUser:
    """A user who says these texts, and then has nothing more to say."""
    from autograph.simulation.users import Said

    class Scripted:
        def __init__(self) -> None:
            self.left = list(texts)

        async def say(self, reply: str, memory: object) -> Said:
            return Said(self.left.pop(0)) if self.left else Said(None, True)

    return lambda persona, seed: Scripted()


def texts_of(messages: Sequence[Message]) -> list[tuple[str, str]]:
    """Messages as pairs of role and text."""
    return [(message.role, message.content) for message in messages]
