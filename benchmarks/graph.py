"""How long does a drawing take? Programs of 300 and 3,000 nodes in functions of 5 to 80 nodes, drawn to a page.

python benchmarks/graph.py            prints the times of each step
python benchmarks/graph.py --check    exits 1 if 300 nodes take more than 3 s, or 3,000 more than 30 s
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from time import perf_counter

from autograph.graph import Drawing, view_of
from autograph.program import build
from autograph.tables import read_rows

LIMITS = {300: 3.0, 3_000: 30.0}
"""Number of nodes to the seconds that a page may take."""

Node = dict[str, object]


def program(nodes: int, seed: int = 1) -> list[Node]:
    """A program of this many nodes: a main part and functions, with questions, loops and calls between them."""
    chance = random.Random(seed)
    sizes = []
    while sum(sizes) < nodes:
        sizes.append(min(chance.randint(5, 80), nodes - sum(sizes)))
    found: list[Node] = []
    for index, size in enumerate(sizes):
        found += part(index, size, len(sizes), chance)
    return found


def part(index: int, size: int, parts: int, chance: random.Random) -> Iterator[Node]:
    """The main part (0) or a function: a chain with answers that lead forward and back, and calls."""
    names = [f"s{index}_{place}" for place in range(size)]
    if index:
        names[0] = f"f{index}()"
    for place, name in enumerate(names):
        last = place == size - 1
        row: Node = {"name": name, "action": "chat", "instruction": f"Ask the user about the point {place} of {index}."}
        onward = ["return" if index else "quit"] if last else [names[place + 1]]
        if not last and place and chance.random() < 0.3:
            others = [n for n in names[1:] if n not in onward]
            onward += chance.sample(others, k=min(len(others), chance.randint(1, 3)))
            row["transition_question"] = "What does the user want?"
            row.update(
                {f"transition_choice_{'abcd'[k]}": f"the user wants {target}" for k, target in enumerate(onward)}
            )
        elif place and index + 1 < parts and chance.random() < 0.15:
            row.update(action="local_function", instruction=f"x = f{chance.randint(index + 1, parts - 1)}()")
        row["transitions"] = onward
        yield row


def measure(nodes: int) -> dict[str, float]:
    """Seconds of each step, and of all."""
    rows = read_rows(program(nodes))
    begun = perf_counter()
    compiled = build(rows)
    built = perf_counter()
    drawing = Drawing(view_of(compiled, f"{nodes} nodes"), engine="auto", seconds=120)
    _ = drawing.layout
    laid_out = perf_counter()
    page = drawing.html()
    done = perf_counter()
    if drawing.layout.rough:
        raise RuntimeError("; ".join(drawing.layout.rough))
    return {
        "load": built - begun,
        "layout": laid_out - built,
        "page": done - laid_out,
        "all": done - begun,
        "MB": len(page) / 1e6,
    }


def main(arguments: list[str]) -> int:
    """Print the times; with ``--check`` hold them to the limits."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="exit 1 if a limit is passed")
    parser.add_argument("--nodes", type=int, action="append", help="another number of nodes")
    chosen = parser.parse_args(arguments)
    late = []
    for nodes in chosen.nodes or LIMITS:
        found = measure(nodes)
        print(f"{nodes:>5} nodes  " + "  ".join(f"{name} {value:.2f}" for name, value in found.items()))
        if found["all"] > LIMITS.get(nodes, float("inf")):
            late.append(nodes)
    return 1 if chosen.check and late else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
