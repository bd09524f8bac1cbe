"""Graph programs that would fill the memory or burn minutes within one turn, and heavy ones that are right.

    python tests/turn_support.py [NAME …]

Each runs in a process of its own, with little memory to spare; what came of it is printed as a line of JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import autograph

MEGABYTE = 1_000_000
SPARE = 1_500 * MEGABYTE
"""Address space that a program may take beside what is loaded."""
SECONDS = 12
"""CPU time after which a program is ended. (Each bomb takes less than 4 seconds on a machine of 2023.)"""

Rows = list[dict[str, str]]


def loop(*steps: str, start: tuple[str, ...] = ("n = 0",), end: str = "False") -> Rows:
    """A program that does ``start`` once and then ``steps`` again and again, until ``end`` holds; n counts."""
    body = [*steps, "n = n + 1"]
    rows = [row(f"start{i}", "python_function", f"start{i + 1}", text) for i, text in enumerate(start, 1)]
    rows.append(row(f"start{len(start) + 1}", "transition", "go.*"))
    rows.append(row("go.a", "transition", "done", condition=end))
    rows.append(row("go.b", "transition", "step0"))
    for i, text in enumerate(body):
        rows.append(row(f"step{i}", "python_function", f"step{i + 1}" if i + 1 < len(body) else "go.*", text))
    rows.append(row("done", "chat_exact", "", "done"))
    return rows


def row(name: str, action: str, to: str, instruction: str = "", condition: str = "") -> dict[str, str]:
    """One row of a program."""
    return {
        "name": name,
        "action": action,
        "transitions": to,
        "instruction": instruction,
        "boolean_condition": condition,
    }


def many_names(number: int) -> str:
    """A statement that sets 600 variables."""
    return f"{','.join(f'v{number}_{k}' for k in range(600))} = range(600)"


def calls(action: str) -> Rows:
    """A recursion in which every level has data of its own."""
    return [
        row("start1", action, "done", "x = down([0], 0)"),
        row("down(xs, n)", "python_function", "deeper", "ys = [xs, list(range(20000))]"),
        row("deeper", action, "return y", "y = down(ys, n + 1)"),
        row("done", "chat_exact", "", "done"),
    ]


def frame() -> Any:
    """A table of 100,000 cells."""
    import pandas

    return pandas.DataFrame({"a": range(50_000), "b": [i * 0.5 for i in range(50_000)]})


HOSTS: dict[str, Any] = {"text_of": lambda n: "x" * n, "list_of": lambda n: [[i] for i in range(n)], "table": frame}
MODULES = ("math", "operator", "functools", "ast", "json", "re", "statistics")
BIG = "s = 'a' * 900000"

BOMBS: dict[str, Rows] = {
    "texts in a dict": loop("d[n] = s + str(n)", start=(BIG, "d = {}", "n = 0")),
    "lists in a dict": loop("d[n] = [0] * 190000", start=("d = {}", "n = 0")),
    "statements at full fuel": loop("x = sum([i * i % 7 for i in range(60000)])"),
    "a list through comprehensions": loop("x = [i for i in range(60000)]", "y = sorted(x, key=lambda v: -v)"),
    "a text that doubles": loop("d[n] = s", "s = s[:400000] + s[:400000]", start=("s = 'ab'", "d = {}", "n = 0")),
    "lists of lists": loop("x = [x, [0] * 150000]", "d[n] = x[1]", start=("x = []", "d = {}", "n = 0")),
    "a list that holds itself twice": loop("x = [x, x]", "y = str(x)", start=("x = []", "n = 0")),
    "a nested list as a target": [
        *loop("x = [x, x]", start=("x = []", "n = 0"), end="n > 60")[:-1],
        row("done", "transition", "$x"),
    ],
    "f-strings": loop("d[n] = f'{s}{n}'", start=(BIG, "d = {}", "n = 0")),
    "percent formats": loop("d[n] = '%s-%d' % (s, n)", start=(BIG, "d = {}", "n = 0")),
    "join": loop("d[n] = '-'.join([s, str(n)])", start=(BIG, "d = {}", "n = 0")),
    "replace": loop("d[n] = s.replace('a', 'b', n + 1)", start=(BIG, "d = {}", "n = 0")),
    "upper": loop("d[n] = s.upper()", start=(BIG, "d = {}", "n = 0")),
    "split": loop("d[n] = s.split(' ')", start=("s = 'ab ' * 30000", "d = {}", "n = 0")),
    "wide texts": loop("d[n] = s + str(n)", start=("s = '\U0001f600' * 900000", "d = {}", "n = 0")),
    "json.dumps": loop("d[n] = json.dumps(x)", start=("x = ['y' * 9] * 50000", "d = {}", "n = 0")),
    "texts of lists": loop("d[n] = str(x)", start=("x = ['y' * 9] * 50000", "d = {}", "n = 0")),
    "texts of rows": loop("d[n] = str(x)", start=("x = [['y' * 9]] * 20000", "d = {}", "n = 0")),
    "json.loads": loop("d[n] = json.loads(s)", start=("s = '[' + '[],' * 30000 + '0]'", "d = {}", "n = 0")),
    "literals": loop("d[n] = ast.literal_eval(s)", start=("s = '[' + '[],' * 9000 + '0]'", "d = {}", "n = 0")),
    "literals in variables": loop("d[n] = $s", start=("s = '[' + '[],' * 9000 + '0]'", "d = {}", "n = 0")),
    "re.sub": loop("d[n] = re.sub('b', str(n), s)", start=(BIG + " + 'b'", "d = {}", "n = 0")),
    "re.findall": loop("d[n] = re.findall('a', s)", start=("s = 'a' * 20000", "d = {}", "n = 0")),
    "sorted": loop("d[n] = sorted(x)", start=("x = list(range(60000))", "d = {}", "n = 0")),
    "slices": loop("d[n] = x[1:]", start=("x = list(range(190000))", "d = {}", "n = 0")),
    "append of slices": loop("d.append(x[n % 9:])", start=("x = [0] * 100000", "d = []", "n = 0")),
    "extend": loop("d[n] = []", "d[n].extend(x)", start=("x = [0] * 100000", "d = {}", "n = 0")),
    "in-place": loop("d[n] = []", "d[n] += x", start=("x = [0] * 100000", "d = {}", "n = 0")),
    "sets": loop("d[n] = set(x)", start=("x = list(range(30000))", "d = {}", "n = 0")),
    "unions": loop("d[n] = x | {n}", start=("x = set(range(30000))", "d = {}", "n = 0")),
    "dicts": loop("d[n] = {k: n for k in x}", start=("x = list(range(20000))", "d = {}", "n = 0")),
    "copies of dicts": loop("d[n] = x.copy()", start=("x = {k: k for k in range(30000)}", "d = {}", "n = 0")),
    "small sets": loop("d[n] = [" + "{0}," * 700 + "]", start=("d = {}", "n = 0")),
    "small lists in a loop": loop("d[n] = [[[0], [0], [0]] for k in range(4000)]", start=("d = {}", "n = 0")),
    "many small texts": loop("d[n] = [str(k) + 'abcdefgh' for k in range(9000)]", start=("d = {}", "n = 0")),
    "bytes": loop("d[n] = s.encode('utf-32')", start=(BIG, "d = {}", "n = 0")),
    "big ints": loop("d[n] = [7 ** 4900 + k for k in range(150)]", start=("d = {}", "n = 0")),
    "keys that collide": loop(
        "d.update({(n * 400 + k) * (2**61 - 1): k for k in range(400)})", start=("d = {}", "n = 0")
    ),
    "print": loop("print(s)", start=(BIG, "n = 0")),
    "a list that is looked through": loop("x", start=("x = list(range(190000))", "n = 0")),
    "rows that are looked through": loop("x", start=("x = [[k] for k in range(30000)]", "n = 0")),
    "rows that are put in": loop("d[0] = x", start=("x = [[k] for k in range(20000)]", "d = {}", "n = 0")),
    "rows by sum": loop("x = x + [{'id': n}]", start=("x = []", "n = 0")),
    "comparison": loop("x == y", start=("x = [[k] for k in range(20000)]", "y = x[:]", "n = 0")),
    "membership": loop("-1 in x", start=("x = list(range(190000))", "n = 0")),
    "thoughts that double": [
        row("start1", "python_function", "think", "s = 'ab'"),
        row("think", "thought_exact", "think", "s=$s$s"),
    ],
    "texts of instructions": [
        row("start1", "python_function", "think", BIG),
        row("think", "thought_exact", "think", "x=$s!"),
    ],
    "prompts that grow": [
        row("start1", "python_function", "more", "s = 'a' * 5000"),
        row("more", "append_prompt", "more", "$s"),
    ],
    "instructions of many names": [
        row("start1", "python_function", "think", "s = 'a'"),
        row("think", "thought_exact", "think", "$s " * 20_000),
    ],
    "many expressions": [
        row("start1", "python_function", "think", "s = 'a'"),
        row("think", "thought_exact", "think", "${s} " * 8_000),
    ],
    "many statements": [
        row("start1", "python_function", "more", "a = 1\nb = 2"),
        row("more", "python_function", "more", "a=a+b\n" * 1_300),
    ],
    "local calls": calls("local_function"),
    "normal calls": calls("function"),
    "global calls": calls("global_function"),
    "names of levels": [
        *[row(f"start{i + 1}", "python_function", f"start{i + 2}", many_names(i)) for i in range(60)],
        row("start61", "function", "done", "x = down(0)"),
        row("down(n)", "function", "return 1", "y = down(n + 1)"),
        row("done", "chat_exact", "", "done"),
    ],
    "texts of the host": loop("d[n] = text_of(900000)", start=("d = {}", "n = 0")),
    "lists of the host": loop("d[n] = list_of(20000)", start=("d = {}", "n = 0")),
    "tables": loop("d[n] = t + n", start=("t = table()", "d = {}", "n = 0")),
    "columns of tables": loop("d[n] = t['b'].tolist()", start=("t = table()", "d = {}", "n = 0")),
    "rows of tables": loop("d[n] = t.to_dict('records')", start=("t = table().head(5000)", "d = {}", "n = 0")),
    "sorted tables": loop("d[n] = t.sort_values('b', ascending=False)", start=("t = table()", "d = {}", "n = 0")),
    "tables without guards": loop("u = t + 1", start=("t = table()", "d = {}", "n = 0")),
}

SORT: Rows = [
    row("merge_sort(items)", "transition", "size.*"),
    row("size.a", "transition", "return items", condition="len(items) < 2"),
    row("size.b", "python_function", "front", "half = len(items) // 2"),
    row("front", "local_function", "back", "front = merge_sort(items[:half])"),
    row("back", "local_function", "join", "back = merge_sort(items[half:])"),
    row("join", "local_function", "return whole", "whole = merge(front, back)"),
    row("merge(xs, ys)", "python_function", "next.*", "out = []"),
    row("next.a", "transition", "return out + ys", condition="xs == []"),
    row("next.b", "transition", "return out + xs", condition="ys == []"),
    row("next.c", "python_function", "next.*", "out, xs = out + [xs[0]], xs[1:]", "xs[0] <= ys[0]"),
    row("next.d", "python_function", "next.*", "out, ys = out + [ys[0]], ys[1:]"),
]
ROW = "{'id': n, 'name': f'customer {n}', 'tags': ['a', 'b']}"
RIGHT: dict[str, tuple[Rows, str]] = {
    "merge sort": (
        [
            row("start1", "local_function", "done", "x = merge_sort([k * 7919 % 1009 for k in range(1000)])"),
            row("done", "chat_exact", "", "${x == sorted(x)} ${len(x)}"),
            *SORT,
        ],
        "True 1000",
    ),
    "counter": ([*loop("m = n * 2", end="n >= 9990"), row("x", "transition", "x")], "done"),
    "rows by append": (loop(f"rows.append({ROW})", start=("rows = []", "n = 0"), end="len(rows) == 5000"), "done"),
    "rows by key": (loop(f"rows[n] = {ROW}", start=("rows = {}", "n = 0"), end="len(rows) == 5000"), "done"),
    "numbers by sum": (loop("rows = rows + [n]", start=("rows = []", "n = 0"), end="len(rows) == 5000"), "done"),
    "a text by sum": (loop("s = s + 'x' * 100", start=("s = ''", "n = 0"), end="len(s) >= 200000"), "done"),
    "totals": (
        loop("total = sum([r['price'] for r in rows])", start=("rows = [{'price': k} for k in range(5000)]", "n = 0"),
             end="n >= 200"),
        "done",
    ),
}  # fmt: skip


def bot_of(rows: Rows, **config: Any) -> autograph.Autograph:
    """A program of these rows."""
    hosts = {name: value for name, value in HOSTS.items() if any(f"{name}(" in r["instruction"] for r in rows)}
    settings = autograph.AutographConfig(**{"python_imports": MODULES, **config})
    return autograph.load(rows, config=settings, modules=hosts, model="offline")


def outcome(run: Callable[[], str]) -> dict[str, Any]:
    """What came of a program, how long it took and how much memory, in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        data = json.dumps(_measured(run)).encode()
        os.write(writer, data)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        data = pipe.read()
    status = os.waitpid(child, 0)[1]
    result: dict[str, Any] = json.loads(data) if data else {"error": f"status {status}"}
    return result


def _measured(run: Callable[[], str]) -> dict[str, Any]:
    import resource

    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + SPARE, size + SPARE))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.process_time()
    result: dict[str, Any] = {}
    try:
        result["reply"] = run()
    except Exception as error:
        result["error"], result["text"] = type(error).__name__, str(error)[:400]
    result["seconds"] = time.process_time() - begun
    result["megabytes"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000
    return result


def main(names: list[str]) -> None:
    """Run the programs with these names, or all."""
    if not names or any("table" in name for name in names):
        import pandas

        pandas.DataFrame({"a": [1]}).sort_values("a")
    programs = {**BOMBS, **{name: rows for name, (rows, _) in RIGHT.items()}}
    for name in names or programs:
        steps = {"max_steps": 100_000} if name in RIGHT else {}
        print(json.dumps({"name": name, **outcome(partial(_reply, programs[name], steps))}), flush=True)


def _reply(rows: Rows, config: dict[str, Any]) -> str:
    return bot_of(rows, **config).reply()[0]


if __name__ == "__main__":
    main(sys.argv[1:])
