"""How close to the ideal do simulated conversations run? A model that takes 200 ms, and as many waits as there must be.

    python benchmarks/simulation.py [--quick] [--json] [--write] [--check]

The ideal is the time in which nothing but the model works: the waits that follow each other in one conversation, times
200 ms, times the conversations that share a place. Both are of the same run: the waits are counted in its records.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sections import put

from autograph.models.base import Choice, GenerateRequest, Question, Reply, Usage
from autograph.program.program import Program
from autograph.simulation.cast import CastBot, Stage
from autograph.simulation.conversation import Terms
from autograph.simulation.fingerprint import fingerprint
from autograph.simulation.folder import RunFolder
from autograph.simulation.record import Conversation, Manifest, Measured
from autograph.simulation.runner import cases_of, hold_all
from autograph.simulation.success import SuccessTest
from autograph.simulation.users import pick_user
from autograph.tables import read_rows

HERE = Path(__file__).parent
TURNS, SECONDS, BAR = 10, 0.2, 0.9

PROGRAM = [
    {"name": "start1", "action": "python_function", "instruction": "said = []", "transitions": "greet"},
    {"name": "greet", "action": "chat", "instruction": "Greet the user.", "transitions": "note",
     "user_instruction_transition_a": "Tell what you want."},
    {"name": "note", "action": "python_function", "instruction": "said.append(len(_last_user_reply))",
     "transitions": "talk.*"},
    {"name": "talk.a", "action": "chat", "instruction": "Answer, remark $said.", "transitions": "note",
     "boolean_condition": f"len(said) < {TURNS - 1}", "user_instruction_transition_a": "Ask about it."},
    {"name": "talk.b", "action": "chat", "instruction": "Say goodbye.", "transitions": "quit"},
]  # fmt: skip
"""A chatbot whose every reply is a model's, ``TURNS`` of them, with variables and a condition."""

USER = [
    {"name": "start1", "action": "python_function", "instruction": "count = 0", "transitions": "more"},
    {"name": "more", "action": "python_function", "instruction": "count += 1", "transitions": "say"},
    {"name": "say", "action": "chat_exact", "instruction": "Question $count, please.", "transitions": "more"},
]
"""A user that asks no model."""


class Slow:
    """A model that answers after a while."""

    describe = f"a model that takes {1000 * SECONDS:g} ms"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    async def agenerate(self, request: GenerateRequest) -> Reply:
        """A text that no other request of the conversation gets."""
        await asyncio.sleep(self.seconds)
        return Reply(f"Message {len(request.messages)}: {request.instruction}", Usage(400, 20))

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """The first choice, always."""
        await asyncio.sleep(self.seconds)
        return [Choice(0) for _ in questions]

    def generate(self, request: GenerateRequest) -> Reply:
        """Not asked here."""
        raise NotImplementedError

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """Not asked here."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Result:
    """A run: how long it took and would take at best, in seconds, and the processor's share."""

    user: str
    conversations: int
    at_once: int
    turns: int
    waits: int
    ideal: float
    wall: float
    cpu: float

    @property
    def share(self) -> float:
        """The part of the ideal speed that was reached."""
        return self.ideal / self.wall

    @property
    def per_turn(self) -> float:
        """Processor time for a turn, in microseconds."""
        return 1e6 * self.cpu / self.turns

    def to_dict(self) -> dict[str, float | int | str]:
        """Plain data."""
        data = {name: getattr(self, name) for name in self.__slots__}
        return {**data, "share": round(self.share, 4), "cpu_us_per_turn": round(self.per_turn, 1)}


def main() -> int:
    """Run the simulations and print the result; 1 with ``--check`` if one is slower than the bar."""
    parser = argparse.ArgumentParser(description="Compare the speed of simulated conversations with the ideal.")
    parser.add_argument("--quick", action="store_true", help="few conversations and a quick model")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument("--write", action="store_true", help="write the results to RESULTS.md as well")
    parser.add_argument("--check", action="store_true", help=f"exit code 1 below {BAR:.0%} of the ideal speed")
    options = parser.parse_args()
    n, at_once, seconds = (40, 20, 0.05) if options.quick else (1_000, 200, SECONDS)
    results = [measured(user, n, at_once, seconds) for user in ("program", "sheet")]
    print(json.dumps([result.to_dict() for result in results], indent=2) if options.json else markdown(results))
    if options.write:
        put("simulation", markdown(results))
    return 1 if options.check and any(result.share < BAR for result in results) else 0


def measured(user: str, n: int, at_once: int, seconds: float) -> Result:
    """Hold and save ``n`` conversations with a kind of user, and look at the clocks."""
    stage, model = Stage(), Slow(seconds)
    bot = CastBot(stage, model=model).load_rows(read_rows(PROGRAM))
    other = CastBot(stage, by_user=True, model=model).load_rows(read_rows(USER))
    terms = Terms(bot, pick_user(user, bot=other if user == "program" else bot, model=model, personas=False),
                  SuccessTest("finished and turns == 10"))  # fmt: skip
    manifest = manifest_of(bot.program, user, n)
    waits: list[int] = []
    turns = 0
    with tempfile.TemporaryDirectory() as place, RunFolder(Path(place) / "run", manifest) as folder:

        def keep(conversation: Conversation, times: Measured) -> None:
            nonlocal turns
            folder.keep(conversation, times)
            if not conversation.success:
                raise RuntimeError(f"a conversation did not go as it should: {conversation.reason}")
            waits.append(conversation.usage.requests + conversation.user_usage.requests)
            turns += len(conversation.turns)

        gc.collect()
        gc.freeze()  # as `autograph simulate` does
        wall, cpu = time.perf_counter(), time.process_time()
        asyncio.run(hold_all(cases_of(0, n), terms, keep, concurrency=at_once))
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    most = max(waits)
    return Result(user, len(waits), at_once, turns, most, most * seconds * n / at_once, wall, cpu)


def manifest_of(program: Program, user: str, n: int) -> Manifest:
    """What the run is."""
    return Manifest(
        "benchmark", fingerprint(program), "", {"chatbot": Slow.describe}, user, None, 0, n, 1, 30, "finished",
        None, {}, "", "", "",
    )  # fmt: skip


def markdown(results: Sequence[Result]) -> str:
    """A section of RESULTS.md."""
    lines = [
        "## Simulated conversations",
        "",
        f"{results[0].conversations:,} conversations of {TURNS} turns, {results[0].at_once} at a time, all saved; "
        "written by `python benchmarks/simulation.py --write`.",
        "The user `program` is another program, so that only the chatbot waits for a model; for the user `sheet` a",
        "model speaks, too.",
        "",
        "| user | waits in a conversation | ideal, s | measured, s | share of the ideal speed | CPU, µs a turn |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for result in results:
        figures = (
            f"{result.waits} | {result.ideal:.1f} | {result.wall:.2f} | {result.share:.1%} | {result.per_turn:.0f}"
        )
        lines.append(f"| {result.user} | {figures} |")
    lines += ["", f"Bar: at least {BAR:.0%}; {'holds' if all(r.share >= BAR for r in results) else 'FAILS'}."]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
