"""Does a turn get dearer as the conversation grows? Turn 1,000 against an early one, by turns in one run.

A memory is a value: the conversation is walked once, its memory kept before the early and before the late window, and
each sample goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from contestants import SAID
from contestants.autograph_side import DATA, load
from measure import Timing, Work, compare
from report import Bar, Table

__all__ = ["exact_turns", "model_turns"]

LATE = 1_000
EARLY = 10
LIMIT = 1.2
BUDGET = 500
REPLIES = 400_000


def exact_turns(rounds: int, seconds: float) -> Iterator[tuple[Table, Bar]]:
    """Ten ``chat_exact`` turns around turn 10 and around turn 1,000: between two nodes, and on to a new node each."""
    chain = [
        {"name": f"page{i}", "action": "chat_exact", "instruction": f"Page {i}.", "transitions": f"page{i + 1}"}
        for i in range(LATE + EARLY)
    ]
    chain[-1]["transitions"] = "page0"
    for what, source in (("two nodes", DATA / "turns.csv"), ("a new node each", chain)):
        bot = load(source)
        memory, memories = None, {}
        for turn in range(1, LATE):
            memories[turn] = memory
            memory = bot.reply(SAID, memory)[1]
        starts = (EARLY - 5, LATE - 5)
        works = [window(f"turns {start:,} to {start + 9:,}", bot, memories[start], 10) for start in starts]
        yield judged(f"chat_exact turns, {what}", compare(works, rounds, seconds))


def model_turns(rounds: int, seconds: float) -> tuple[Table, Bar]:
    """Turns with a model, from the first at which the prompt budget is reached, and from the first after turn 1,000.

    History is cut in blocks, so the prompt's length goes up and down like a saw: both windows begin at a cut and hold
    several teeth.
    """
    from autograph.models import ScriptedModel

    model = ScriptedModel(replies=["That is good to hear; and how did it go on then?"] * REPLIES)
    bot = load(DATA / "model_turns.csv", model, max_prompt_tokens=BUDGET)
    memories, sizes = walk(bot, model, LATE + LATE // 2)
    cuts = [turn for turn in range(2, len(sizes)) if sizes[turn] <= sizes[turn - 1]]
    late = next((turn for turn in cuts if turn >= LATE), None)
    if late is None:
        raise RuntimeError(f"No history was cut from turn {LATE} on, so the prompt budget of {BUDGET} does not hold.")
    tooth = cuts[1] - cuts[0]
    length = tooth * -(-30 // tooth)
    works = [
        window(f"turns {start:,} to {start + length - 1:,}", bot, memories[start], length, model.requests)
        for start in (cuts[0], late)
    ]
    return judged(f"model turns, prompt budget {BUDGET} tokens", compare(works, rounds, seconds))


def walk(bot: Any, model: Any, turns: int) -> tuple[list[Any], list[int]]:
    """The memory before each turn, and the number of messages the model got in it; turns count from 1."""
    memory: Any = None
    memories, sizes = [memory], [0]
    for _ in range(turns):
        memories.append(memory)
        memory = bot.reply(SAID, memory)[1]
        sizes.append(len(model.requests[-1].messages))
        model.requests.clear()
    return memories, sizes


def window(name: str, bot: Any, memory: Any, length: int, requests: list[Any] | None = None) -> Work:
    """The task of going on from ``memory`` for ``length`` turns; what the scripted model records is thrown away."""

    def run() -> int:
        now = memory
        for _ in range(length):
            now = bot.reply(SAID, now)[1]
        if requests is not None:
            requests.clear()
        return length

    return Work(name, length, run, length)


def judged(what: str, timings: dict[str, Timing]) -> tuple[Table, Bar]:
    """The table and the bar: late over early."""
    (early, first), (late, second) = timings.items()
    ratio = second.best / first.best
    bar = Bar(f"{what}: {late} against {early}", ratio, LIMIT, "×")
    return Table(f"Long conversations: {what}", "µs a turn", timings, (early,)), bar
