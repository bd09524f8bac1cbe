"""Who is quicker? The tasks that autograph, the bare loop and the peers do side by side."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType

from contestants import autograph_side, bare, burr_side, langgraph_side, transitions_side
from measure import Timing, Work, compare
from report import Bar, Table

__all__ = ["counter", "functions", "turns"]

DATA = autograph_side.DATA
SORT = Path(__file__).parent.parent / "programs" / "sort.csv"

PEERS: tuple[ModuleType, ...] = (transitions_side, burr_side, langgraph_side)

STEP = "µs a node step"
OVER_BARE = 10
TURNS_A_SECOND = 40_000
ITERATIONS = 4_000
PEER_ITERATIONS = 100
DEPTH = 18
CONVERSATION = 20


def counter(rounds: int, seconds: float) -> tuple[Table, list[Bar]]:
    """The counter of two nodes: against the bare loop and against the peers."""
    sheet = DATA / "counter.csv"
    works = [side.function(sheet, "count", [ITERATIONS], ITERATIONS) for side in (bare, autograph_side)]
    check_steps(*works)
    peers, missing = invite("counter", PEER_ITERATIONS)
    timings = compare([*works, *peers], rounds, seconds)
    bars = [over_bare("counter of two nodes", timings), *ahead("node step", timings)]
    return Table(
        "Counter of two nodes with a condition", STEP, timings, (bare.NAME, autograph_side.NAME), missing
    ), bars


def functions(rounds: int, seconds: float) -> Iterator[tuple[Table, Bar]]:
    """Programs that only the bare loop and autograph can run: recursion with levels of variables."""
    numbers = Random(1).sample(range(1_000), 64)
    sort = f"merge sort of {len(numbers)} numbers"
    tasks = [
        (f"{sort} ({sheet.parent.name}/{sheet.name})", sheet, "merge_sort", [numbers], sorted(numbers))
        for sheet in sort_sheets(numbers)
    ]
    tasks += [
        (f"recursion {DEPTH} deep, local calls", DATA / "down_local.csv", "down", [DEPTH], DEPTH),
        (f"recursion {DEPTH} deep, normal calls", DATA / "down_normal.csv", "down", [DEPTH], DEPTH),
    ]
    for title, path, entry, values, expected in tasks:
        works = [side.function(path, entry, values, expected) for side in (bare, autograph_side)]
        check_steps(*works)
        timings = compare(works, rounds, seconds)
        yield Table(title[0].upper() + title[1:], STEP, timings, (bare.NAME,)), over_bare(title, timings)


def turns(rounds: int, seconds: float) -> tuple[Table, list[Bar]]:
    """A turn: take the user's text, give a fixed reply, keep the conversation."""
    peers, missing = invite("turns", CONVERSATION)
    timings = compare([autograph_side.turns(CONVERSATION), *peers], rounds, seconds)
    rate = 1 / timings[autograph_side.NAME].best
    many = Bar("chat_exact turns a second", rate, TURNS_A_SECOND, "turns/s", ratio=False, at_least=True)
    title = f"A turn with a fixed reply (conversations of {CONVERSATION} turns)"
    return Table(title, "µs a turn", timings, (autograph_side.NAME,), missing), [*ahead("turn", timings), many]


def invite(task: str, size: int) -> tuple[list[Work], tuple[str, ...]]:
    """The peers' works for a task, and the names of those that are not installed."""
    works, missing = [], []
    for peer in PEERS:
        try:
            works.append(getattr(peer, task)(size))
        except ModuleNotFoundError as error:
            if error.name != peer.MODULE:
                raise
            missing.append(peer.NAME)
    return works, tuple(missing)


def sort_sheets(numbers: list[int]) -> list[Path]:
    """The benchmark's own sorting program, after the shipped one if the bare loop can run that."""
    own = DATA / "merge_sort.csv"
    try:
        result = bare.BareLoop(SORT, "merge_sort").run([numbers])
    except (OSError, LookupError, NameError, NotImplementedError, SyntaxError, TypeError, ValueError) as error:
        print(f"{SORT} is left out: the bare loop cannot run it ({error!r}).", file=sys.stderr)
        return [own]
    return [SORT, own] if result == sorted(numbers) else [own]


def check_steps(one: Work, other: Work) -> None:
    """Both enter the same number of nodes, so a unit is the same. Raises ``RuntimeError`` otherwise."""
    if one.units != other.units:
        raise RuntimeError(f"{one.contestant} enters {one.units} nodes and {other.contestant} {other.units}.")


def over_bare(what: str, timings: dict[str, Timing]) -> Bar:
    """The bar against the bare loop."""
    ratio = timings[autograph_side.NAME].best / timings[bare.NAME].best
    return Bar(f"{what}: autograph over the bare loop", ratio, OVER_BARE, "×")


def ahead(unit: str, timings: dict[str, Timing]) -> list[Bar]:
    """The bars against the peers that took part: how often autograph's time goes into theirs."""
    own = timings[autograph_side.NAME].best
    return [
        Bar(f"{unit}: {peer.NAME} over autograph", timings[peer.NAME].best / own, 1, "×", at_least=True)
        for peer in PEERS
        if peer.NAME in timings
    ]
