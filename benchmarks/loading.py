"""How long does a large program take to load? CPU time of ``autograph.load`` on 10,000 rows of CSV.

As a script it loads the file it is given and prints the CPU seconds: every sample has a fresh process, since a
second load in one process would find what the first one has cached.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from report import Bar

__all__ = ["bars"]

NODES = 10_000
SECONDS = 1.0

HEADER = (
    "name",
    "action",
    "instruction",
    "transitions",
    "transition_question",
    "transition_choice_a",
    "transition_choice_b",
)


def rows(count: int) -> Iterator[tuple[str, ...]]:
    """So many nodes, a third each: a chat with a variable, a statement, a chat with a question and two choices.

    No two cells are equal where a real sheet's would differ, so that a cache of parsed cells does not help.
    """
    yield "n0", "python_function", "name='Ada'", "n1", "", "", ""
    yield "n1", "python_function", "points=0", "n2", "", "", ""
    for i in range(2, count):
        after = f"n{i + 1}" if i + 1 < count else "n2"
        if i % 3 == 2:
            yield f"n{i}", "chat", f"Tell $name what page {i} of the handbook is about.", after, "", "", ""
        elif i % 3 == 0:
            yield f"n{i}", "python_function", f"points=points+{i}*2", after, "", "", ""
        else:
            question, yes, no = f"Did the user read page {i}?", f"yes, page {i} was read", f"no, not page {i}"
            yield f"n{i}", "chat", f"Ask about page {i}.", f"{after}, n{i - 2}", question, yes, no


def bars(rounds: int) -> list[Bar]:
    """The bar of loading; the best of ``rounds`` counts."""
    from startup import run

    with TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([HEADER, *rows(NODES)])
        taken = [float(run([sys.executable, __file__, str(path)])) for _ in range(rounds)]
    return [Bar(f"load {NODES:,} nodes from CSV, all checks, CPU", min(taken), SECONDS, "s", ratio=False)]


def load_once(path: str) -> float:
    """CPU seconds of loading ``path``, what loads on first use included, ``import autograph`` not."""
    import autograph
    from autograph.models import ScriptedModel

    model = ScriptedModel()
    start = process_time()
    bot = autograph.load(path, model=model, classifier=model)
    taken = process_time() - start
    if len(bot.nodes) != NODES:
        raise RuntimeError(f"{len(bot.nodes)} nodes were loaded instead of {NODES}.")
    return taken


if __name__ == "__main__":
    print(load_once(sys.argv[1]))
