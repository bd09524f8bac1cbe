"""A hundred conversations at once, on one event loop and with one loaded program.

A loaded program does not change while it runs, so all conversations share it; what belongs to one
conversation is in its memory. While one waits for its model, the others go on.
"""

import asyncio
import time
from collections.abc import Sequence

import autograph
from autograph.models.base import Choice, GenerateRequest, Question, Reply

PROGRAM = [
    {"name": "start1", "action": "chat_exact", "transitions": "answer", "instruction": "Name a colour."},
    {"name": "answer", "action": "chat", "transitions": "count", "instruction": "Say something kind about it."},
    {"name": "count", "action": "python_function", "transitions": "more.*", "instruction": "n = visits('answer')"},
    {"name": "more.a", "action": "transition", "transitions": "answer", "boolean_condition": "n < 3"},
    {"name": "more.b", "action": "chat_exact", "transitions": "quit", "instruction": "Those were $n colours. Goodbye!"},
]


class SlowModel:
    """Stands in for a model on a network: each answer takes a while."""

    def __init__(self, seconds: float = 0.05) -> None:
        self.seconds = seconds
        self.waiting = self.most_waiting = 0

    async def agenerate(self, request: GenerateRequest) -> Reply:
        """Answer after some time, during which the event loop serves other conversations."""
        self.waiting += 1
        self.most_waiting = max(self.most_waiting, self.waiting)
        await asyncio.sleep(self.seconds)
        self.waiting -= 1
        return Reply(f"{request.user_text} is lovely.")

    def generate(self, request: GenerateRequest) -> Reply:
        """The same for synchronous callers."""
        time.sleep(self.seconds)
        return Reply(f"{request.user_text} is lovely.")

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """This program asks no multiple-choice questions."""
        raise NotImplementedError


async def converse(bot: autograph.Autograph, number: int) -> list[str]:
    """One whole conversation; its replies."""
    reply, memory = await bot.areply()
    replies = [reply]
    for word in ("red", "green", "blue", "that is all"):
        reply, memory = await bot.areply(f"{word} {number}", memory)
        replies.append(reply)
    assert memory.finished
    return replies


async def main(conversations: int = 100) -> None:
    """Hold all conversations at once, and say how long it took."""
    model = SlowModel()
    bot = autograph.load(PROGRAM, model=model)
    began = time.perf_counter()
    results = await asyncio.gather(*(converse(bot, number) for number in range(conversations)))
    seconds = time.perf_counter() - began
    one_by_one = conversations * 3 * model.seconds
    print(f"first: {results[0][1]}  last: {results[-1][3]}")
    print(f"{len(results)} conversations in {seconds:.2f} s; one after the other they would wait {one_by_one:.0f} s.")
    print(f"Up to {model.most_waiting} waited for the model at the same time.")


if __name__ == "__main__":
    asyncio.run(main())
