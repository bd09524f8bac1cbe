"""How long does checking a large program take? CPU seconds of all checks on 10,000 nodes of several shapes.

python benchmarks/check.py            prints the times of loading and of checking
python benchmarks/check.py --check    exits 1 if checking one of them takes more than 2 s of CPU
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from time import process_time

from autograph.check.run import check_program
from autograph.program.build import build_draft
from autograph.tables import read_rows

NODES = 10_000
LIMIT = 2.0
"""CPU seconds; about one is wanted, and the machines of continuous integration are slow."""

Node = dict[str, object]


def handbook() -> Iterator[Node]:
    """Chats with a variable, statements, and questions that lead forward and back."""
    yield {"name": "n0", "action": "python_function", "instruction": "name, points = 'Ada', 0", "transitions": "n1"}
    for i in range(1, NODES):
        after = f"n{i + 1}" if i + 1 < NODES else "n1"
        if i % 3 == 2:
            yield {"name": f"n{i}", "action": "chat", "instruction": f"Tell $name about {i}.", "transitions": after}
        elif i % 3 == 0:
            yield {"name": f"n{i}", "action": "python_function", "instruction": f"points += {i}", "transitions": after}
        else:
            yield {"name": f"n{i}", "action": "chat", "instruction": f"Ask about page {i}.",
                   "transitions": f"{after}, n{i - 1}", "transition_question": f"Was page {i} read?",
                   "transition_choice_a": f"yes, {i}", "transition_choice_b": f"no, {i}"}  # fmt: skip


def functions() -> Iterator[Node]:
    """A quarter as many functions as nodes, each calling the next one."""
    count = NODES // 4
    yield {"name": "start1", "action": "function", "instruction": "x = f0(1)", "transitions": "say"}
    yield {"name": "say", "action": "chat_exact", "instruction": "$x", "transitions": "quit"}
    for i in range(count):
        call = f"c{i} = f{i + 1}(b{i})" if i + 1 < count else f"c{i} = last(b{i})"
        yield {"name": f"f{i}(a)", "action": "python_function", "instruction": f"b{i} = a + 1", "transitions": f"g{i}"}
        yield {"name": f"g{i}", "action": "function", "instruction": call, "transitions": f"h{i}"}
        yield {"name": f"h{i}", "action": "chat_exact", "instruction": f"$c{i} $b{i}", "transitions": f"r{i}"}
        yield {"name": f"r{i}", "action": "transition", "transitions": f"return c{i}"}
    yield {"name": "last(z)", "action": "python_function", "instruction": "z", "transitions": "return"}


def tangle() -> Iterator[Node]:
    """A variable for each node, and transitions to anywhere: nearly every cell gives a finding."""
    chance = random.Random(1)
    for i in range(NODES):
        earlier = f"v{max(0, i - chance.randint(1, 50))}"
        instruction = f"v{i}=Say ${earlier}." if i % 2 else f"v{i} = {earlier} + 1"
        yield {"name": f"n{i}", "action": "chat" if i % 2 else "python_function", "instruction": instruction,
               "transitions": f"n{(i + 1) % NODES}, n{chance.randrange(NODES)}", "transition_question": "Which?",
               "transition_choice_a": f"a{i}", "transition_choice_b": f"b{i}"}  # fmt: skip


def loops() -> Iterator[Node]:
    """A chain of counting loops, each of three nodes with conditions."""
    yield {"name": "start1", "action": "python_function", "instruction": "x = 0", "transitions": "k0"}
    for i in range(NODES // 3):
        after = f"k{i + 1}" if i + 1 < NODES // 3 else "quit"
        yield {"name": f"k{i}", "action": "transition", "transitions": f"l{i}.*"}
        yield {"name": f"l{i}.a", "action": "python_function", "instruction": "x = x + 1", "transitions": f"k{i}",
               "boolean_condition": f"x < {i}"}  # fmt: skip
        yield {"name": f"l{i}.b", "action": "transition", "transitions": after}


SHAPES: tuple[Callable[[], Iterator[Node]], ...] = (handbook, functions, tangle, loops)


def measure(shape: Callable[[], Iterator[Node]]) -> tuple[float, float, int]:
    """CPU seconds of loading and of checking, and how many problems there were."""
    nodes = list(shape())
    start = process_time()
    rows = read_rows(nodes)
    program, problems = build_draft(rows)
    loaded = process_time()
    found = check_program(program, rows, problems)
    return loaded - start, process_time() - loaded, len(found)


def main(arguments: list[str]) -> int:
    """Print the times; 1 with ``--check`` if one is too long."""
    parser = argparse.ArgumentParser(description="Measure autograph check on large programs.")
    parser.add_argument("--check", action="store_true", help="exit code 1 if a program takes too long")
    options = parser.parse_args(arguments)
    slow = False
    print("shape       load s   check s   findings")
    for shape in SHAPES:
        load, check, found = measure(shape)
        slow = slow or check > LIMIT
        print(f"{shape.__name__:10} {load:7.2f} {check:9.2f} {found:10,}")
    return 1 if options.check and slow else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
