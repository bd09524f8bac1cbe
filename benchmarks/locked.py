"""What does it cost that a program is not trusted? Turns in the locked worker against turns in this process.

    python benchmarks/locked.py [--write]

Wall-clock time, since most of it passes in another process and between the two. Recorded in LOCKED.md, without a bar.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import autograph
from autograph.models.base import Choice, GenerateRequest, Reply

HERE = Path(__file__).parent
OUT = HERE / "LOCKED.md"
SORT = HERE.parent / "programs" / "sort.csv"
SAID = "I went for a walk, and then it rained."
MICROSECONDS, MILLISECONDS = 1e6, 1e3

TALK: list[dict[str, Any]] = [
    {"name": "start1", "action": "chat_exact", "instruction": "What did you do today?", "transitions": "next"},
    {"name": "next", "action": "chat_exact", "instruction": "And then?", "transitions": "start1"},
    {"name": "count", "action": "python_function", "instruction": "n = len([w for w in _last_user_reply.split()])",
     "transitions": "said"},
    {"name": "said", "action": "chat_exact", "instruction": "${n} words.", "transitions": "count"},
    {"name": "asks", "action": "chat", "instruction": "Answer.", "transitions": "asks, next",
     "transition_question": "Go on?", "transition_choice_a": "yes", "transition_choice_b": "no"},
    {"name": "calls()", "action": "python_function", "instruction": "[double(i) for i in range(100)]",
     "transitions": "return"},
]  # fmt: skip


class Quick:
    """A model that answers at once."""

    instruction_role = "user"

    def generate(self, request: GenerateRequest) -> Reply:
        return Reply("Well, that is good to hear.")

    def choose(self, questions: Any) -> list[Choice | None]:
        return [Choice(0) for _ in questions]


@dataclass(frozen=True, slots=True)
class Line:
    """A task with its times, in its unit."""

    task: str
    unit: str
    own: float | None
    locked: float


def main() -> None:
    """Measure, print, and write the report if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"also write {OUT.name}")
    parser.add_argument("--quick", action="store_true", help="few samples")
    options = parser.parse_args()
    from autograph.locked import can_lock

    begun = perf_counter()
    reason = can_lock()
    helper = perf_counter() - begun
    if reason is not None:
        sys.exit(f"No process can be locked here: {reason}.")
    lines = [*starting(helper, 3 if options.quick else 15), *running(10 if options.quick else 200)]
    text = report(lines)
    print(text)
    if options.write:
        OUT.write_text(text, encoding="utf-8")


def starting(helper: float, samples: int) -> list[Line]:
    """What is paid once: the helper process, a program, a worker after one was killed."""
    own = typical(lambda: load("own"), samples, MILLISECONDS)
    locked = typical(lambda: load("untrusted"), samples, MILLISECONDS)
    bot = load("untrusted")

    def killed() -> None:
        begins: Any = bot._turns
        worker = begins._workers[0]
        worker._nursery.kill(worker._birth)
        try:
            bot.reply()
        except autograph.RunError:
            bot.reply()

    return [
        Line("first use in a process (the helper starts)", "ms", None, helper * MILLISECONDS),
        Line("a program is loaded", "ms", own, locked),
        Line("a turn whose worker has died, said again", "ms", None, typical(killed, samples, MILLISECONDS)),
    ]


def running(samples: int) -> list[Line]:
    """What is paid for every turn."""
    bots = [load(trust) for trust in TRUSTS]
    sorts = [autograph.load(SORT, trust=trust) for trust in TRUSTS]
    numbers = list(range(64, 0, -1))
    lines = [
        pair("a turn with a fixed reply", [turn(bot, "start1", 5) for bot in bots], samples),
        pair("a turn with a statement", [turn(bot, "said", 5) for bot in bots], samples),
        pair("a turn with a question and a reply of a model", [turn(bot, "asks", 5) for bot in bots], samples),
        pair(
            "a call with 100 calls of a host function", [lambda b=bot: b.apply_fn("calls()") for bot in bots], samples
        ),
        pair(
            "merge sort of 64 numbers", [lambda b=bot: b.apply_fn("merge_sort()", [numbers]) for bot in sorts], samples
        ),
    ]
    for length in (100, 1_000):
        works = [turn(bot, "start1", length) for bot in bots]
        lines.append(pair(f"turn {length:,} of a conversation, fixed reply", works, max(samples // 4, 3)))
    return lines


TRUSTS = ("own", "untrusted")


def load(trust: str) -> autograph.Autograph:
    return autograph.load(TALK, model=Quick(), modules={"double": double}, trust=trust)


def double(number: int) -> int:
    return 2 * number


def turn(bot: autograph.Autograph, start: str, length: int) -> Callable[[], object]:
    """The turn after ``length`` turns of a conversation that begins at ``start``, the last of them taken by ``bot``."""
    quick = load("own")
    reply, memory = quick.reply("", quick.start(variables={"n": 0}), set_state=start)
    for number in range(length):
        reply, memory = (quick if number < length - 1 else bot).reply(SAID, memory)
    assert reply
    return lambda: bot.reply(SAID, memory)


def pair(task: str, works: list[Callable[[], object]], samples: int) -> Line:
    own, locked = (typical(work, samples, MICROSECONDS) for work in works)
    return Line(task, "µs", own, locked)


def typical(work: Callable[[], object], samples: int, unit: float) -> float:
    """The median time of ``work``, once it is warm."""
    work()
    times = []
    for _ in range(samples):
        begun = perf_counter()
        work()
        times.append(perf_counter() - begun)
    return median(times) * unit


def report(lines: list[Line]) -> str:
    """The report as Markdown."""
    head = [
        "# What distrust costs",
        "",
        'Written by `python benchmarks/locked.py --write`: median wall-clock times of the same task with `trust="own"`',
        '(in this process) and with `trust="untrusted"` (in a locked worker, which keeps the newest conversations and',
        "is sent others whole). There is no bar: a model takes a second to answer, of which this is a few thousandths.",
        "",
        f"- date: {date.today()}",
        f"- Python: {platform.python_implementation()} {platform.python_version()}",
        f"- system: {platform.system()} {platform.machine()}",
        "",
        "| task | own | untrusted |",
        "| --- | ---: | ---: |",
    ]
    rows = [f"| {line.task} | {shown(line.own, line.unit)} | {shown(line.locked, line.unit)} |" for line in lines]
    return "\n".join([*head, *rows, ""])


def shown(value: float | None, unit: str) -> str:
    return "–" if value is None else f"{value:,.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"


if __name__ == "__main__":
    main()
