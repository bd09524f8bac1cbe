"""How much slower than a bare ``eval`` is a guarded expression? Both in one run, by turns; others if installed.

    python benchmarks/sandbox.py

Times are microseconds per evaluation, the best of several rounds. RestrictedPython, simpleeval and asteval are
measured where they are installed; they bound neither time nor memory, or less of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from autograph.config import AutographConfig
from autograph.language.sandbox import Sandbox
from autograph.language.sandbox.budget import begin_turn

ROUNDS = 7
VARIABLES: dict[str, Any] = {
    "score": 7,
    "i": 1,
    "n": 12,
    "a": 5,
    "b": 6,
    "s": "abc",
    "t": "de",
    "d": {"k": 1},
    "name": "Ada",
    "names": ["Ada", "Bob"],
    "list1": [5, 3, 8, 1],
}
EXPRESSIONS = (
    "score + 1",
    "i <= n",
    "n % 2 == 0",
    "a + b",
    "s + t",
    "list1[i]",
    "list1[:n]",
    "d['k']",
    "len(list1)",
    "math.floor(n / 2)",
    "name.lower()",
    "name in names",
    "f'{name}-{score}'",
    "sorted(list1)",
    "[v + 1 for v in list1]",
    "max(list1, key=lambda v: -v)",
)

Run = Callable[[], Any]


def bare(source: str) -> Run:
    """Python's own evaluation of the compiled expression."""
    code, scope = compile(source, "bare", "eval"), {**VARIABLES, "math": math}
    return lambda: eval(code, scope)


def guarded(source: str) -> Run:
    """This project's, as the interpreter does it: straight where the statement is plain."""
    sandbox = Sandbox(AutographConfig())
    statement, scope = sandbox.expression(source), {**sandbox.scope(VARIABLES), "@fuel": begin_turn(sandbox.limits)}
    code = statement.code
    return (lambda: eval(code, scope)) if statement.plain else (lambda: statement.run(scope))


def restricted(source: str) -> Run:
    """RestrictedPython with its own guards."""
    from RestrictedPython import compile_restricted_eval, safe_builtins  # type: ignore[import-not-found]
    from RestrictedPython.Eval import default_guarded_getitem, default_guarded_getiter  # type: ignore[import-not-found]
    from RestrictedPython.Guards import safer_getattr  # type: ignore[import-not-found]

    guards = {"_getattr_": safer_getattr, "_getitem_": default_guarded_getitem, "_getiter_": default_guarded_getiter}
    code = compile_restricted_eval(source).code
    builtins = {**safe_builtins, "max": max, "sorted": sorted}
    scope = {"__builtins__": builtins, **guards, **VARIABLES, "math": math}
    return lambda: eval(code, scope)


def simple(source: str) -> Run:
    """simpleeval with compound types, its tree parsed beforehand."""
    from simpleeval import EvalWithCompoundTypes  # type: ignore[import-not-found]

    functions = {"len": len, "sorted": sorted, "max": max}
    engine = EvalWithCompoundTypes(names={**VARIABLES, "math": math}, functions=functions)
    tree = engine.parse(source)
    return lambda: engine.eval(source, previously_parsed=tree)


def asteval(source: str) -> Run:
    """asteval, its tree parsed beforehand."""
    from asteval import Interpreter  # type: ignore[import-not-found]

    engine = Interpreter(user_symbols={**VARIABLES, "math": math})
    tree = engine.parse(source)
    return lambda: engine.run(tree)


CONTESTANTS = {
    "bare": bare,
    "autograph": guarded,
    "RestrictedPython": restricted,
    "simpleeval": simple,
    "asteval": asteval,
}


def prepare(source: str) -> dict[str, Run]:
    """The contestants that are installed and can evaluate ``source``."""
    expected = bare(source)()
    ready: dict[str, Run] = {}
    for name, make in CONTESTANTS.items():
        try:
            run = make(source)
            if run() == expected:
                ready[name] = run
        except Exception as error:  # a contestant that lacks the feature, or is not installed, is left out
            if name == "autograph":
                raise error
    return ready


def measure(runs: dict[str, Run], count: int = 4000) -> dict[str, float]:
    """Microseconds per evaluation, the best round of each."""
    best = dict.fromkeys(runs, math.inf)
    for _ in range(ROUNDS):
        for name, run in runs.items():
            begun = time.process_time()
            for _ in range(count):
                run()
            best[name] = min(best[name], (time.process_time() - begun) / count * 1e6)
    return best


def main() -> None:
    """Print the table."""
    print(f"{'expression':32}" + "".join(f"{name:>18}" for name in CONTESTANTS) + f"{'autograph : bare':>18}")
    for source in EXPRESSIONS:
        times = measure(prepare(source))
        cells = "".join(f"{times[name]:18.3f}" if name in times else f"{'–':>18}" for name in CONTESTANTS)
        print(f"{source:32}{cells}{times['autograph'] / times['bare']:18.1f}")


if __name__ == "__main__":
    main()
