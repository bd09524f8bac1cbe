"""Bombs of our own: work and memory stay bounded, the stack does not overflow, time runs out."""

from __future__ import annotations

import threading
import time
import tracemalloc
from fractions import Fraction
from typing import Any

import pytest

from autograph.config import AutographConfig
from autograph.errors import LimitError, StatementError
from autograph.language.statements import StatementInterpreter

SHARED = StatementInterpreter()
TOWER = "functools.reduce(lambda a, _: (a, a), range(100), 1)"
STAIRS = "functools.reduce(lambda a, _: (a,), range(90000), 0)"


PATIENT = StatementInterpreter(AutographConfig(statement_seconds=30))  # where a busy machine is not the question


def run(code: str, **variables: Any) -> Any:
    return SHARED.execute_expression(code, {"xs": [5, 3], "d": {}, **variables})


@pytest.mark.parametrize(
    "code",
    [
        "[x for x in range(200000) for y in range(200000)]",
        "[[[[[[[[[[0]]]]]]]]] for _ in range(190000)]",
        "(lambda a: [(-a, -a, -a, -a, -a, -a, -a) for i in range(190000)])(3**8000)",
        "(lambda a: [(abs(a), abs(a), abs(a), abs(a), abs(a)) for i in range(190000)])(-3**8000)",
        "(lambda s: [(s.upper(), s.upper(), s.upper()) for i in range(190000)])('\U00010000' * 255)",
        "(lambda s: [f'{s}{s}{s}{s}' for i in range(190000)])('\U00010000' * 60)",
        "[list(zip(range(200000), range(200000))) for _ in range(30)]",
        "[set(range(1000)) for _ in range(100000)]",
        "[dict(zip(range(100), range(100))) for _ in range(100000)]",
        "[('a' * 1000).split('a') for _ in range(100000)]",
        "[ast.literal_eval('[' + '1,' * 900 + ']') for _ in range(1000)]",
        "[isinstance(1, (int,) * 100000) for _ in range(190000)]",
        "[{**d, **d} for d in [{k: k for k in range(1000)}] * 100000]",
        "[xs.extend([1, 2, 3]) for _ in range(190000)]",
        "[xs.append(list(xs)) for _ in range(400)]",
        "functools.reduce(lambda a, _: a + a, range(100), 'abc')",
        "functools.reduce(lambda a, _: a + a, range(100), [1])",
        "(lambda f: f(f, 0))(lambda f, n: f(f, n + 1))",
        "'9' * 4301 and int('9' * 6000)",
        "math.factorial(1001)",
        "math.comb(10**3000, 40)",
        "math.lcm(*[2**i + 1 for i in range(200)])",
        "math.prod([10] * 5000)",
        "[pow(3, 8000) for i in range(190000)]",
        "[7**4900 // (3**4000) for i in range(190000)]",
        "'x' * 10**6 + 'y'",
        "'a'.join('b' * 600000)",
        "[print('x' * 300) for _ in range(190000)]",
        "{k * (2**61 - 1) for k in range(5000)}",
        "{complex(1000003 * k, -k) for k in range(5000)}",
        "set([(k * (2**61 - 1),) for k in range(5000)])",
        "dict([(k * (2**61 - 1), 1) for k in range(5000)])",
        f"{TOWER} == {TOWER}",
        f"str({TOWER})",
        f"'%s' % ({TOWER},)",
        f"f'{{{TOWER}}}'",
        f"{{{TOWER}: 1}}",
        f"{TOWER} in {{}}",
        f"set([{TOWER}])",
        f"d[{TOWER}]",
        f"sorted([{TOWER}, {TOWER}])",
        f"max([{TOWER}, {TOWER}])",
        f"sorted([1, 2], key=lambda _: {TOWER})",
        f"[{TOWER}].index(({TOWER}, 1))",
        f"{{{STAIRS}: 1}}",
        f"str({STAIRS})",
        "len([functools.reduce(lambda a, _: (x for x in a), range(90000), [])])",
        "len([functools.reduce(lambda a, _: filter(None, a), range(90000), [])])",
        "list(functools.reduce(lambda a, _: map(str, a), range(1900), []))",
    ],
)
def test_is_stopped(code: str) -> None:
    begun = time.process_time()
    with pytest.raises(LimitError):
        run(code)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    "callback", ["list(map(f, [f]))", "sorted([f], key=f)", "max([f], key=f)", "[f(x) for x in [f]]"]
)
def test_endless_recursion_ends(callback: str) -> None:
    with pytest.raises(LimitError):
        run(f"(lambda f: f(f))(lambda f: {callback})")


@pytest.mark.parametrize(
    "code",
    [
        "len(functools.reduce(lambda a, _: [a], range(90000), 0))",
        "len([functools.reduce(lambda a, _: (lambda: a), range(90000), 0)])",
        "len([functools.reduce(lambda a, _: [a].append, range(90000), 0)])",
        "len([functools.reduce(lambda a, _: zip([a]), range(90000), 0)])",
    ],
)
def test_deep_chains_are_freed(code: str) -> None:
    assert PATIENT.execute_expression(code, {}) == 1


@pytest.mark.parametrize(
    "code",
    [
        "(lambda a: [a - 1 for i in range(190000)])(3**8000)",
        "[{0, 1, 2, 3, 4} for i in range(190000)]",
        "(lambda a: sorted(range(190000), key=lambda i: a - 1))(3**8000)",
        "[bytes(200) for _ in range(190000)]",
        "list('\u5b57' * 200000)",
    ],
)
def test_memory_of_the_worst_that_passes(code: str) -> None:
    tracemalloc.start()
    try:
        PATIENT.execute_expression(code, {})
    except LimitError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 400 << 20


def test_ordinary_amounts_pass() -> None:
    assert run("sum(x * x for x in range(100000))") == sum(x * x for x in range(100000))
    assert run("len([i for i in range(200000)])") == 200_000
    assert run("sorted(range(100000), reverse=True)[0]") == 99_999
    assert run("len('x' * 1000000)") == 1_000_000
    assert len(run("str(2**13000)")) == 3914


def test_appending_while_running_through_ends() -> None:
    assert run("[xs.append(x) for x in xs]") == [None, None]
    with pytest.raises(LimitError):
        run("[xs.append(x) for x in iter(xs)]")


def test_the_host_is_handed_nothing_enormous() -> None:
    given = StatementInterpreter(modules={"get": {}.get})
    for code in (f"get({TOWER})", f"get(key={TOWER})", TOWER, f"[{TOWER}]"):
        with pytest.raises(LimitError):
            given.execute_expression(code, {})


def test_powers_of_fractions() -> None:
    huge = {"n": Fraction(10**9), "f": Fraction(1, 3)}
    for code in ("2 ** n", "f ** 10 ** 6", "math.floor(n * f * 10 ** 4000 * 10 ** 1000)"):
        with pytest.raises(LimitError):
            run(code, **huge)


def test_fuel_is_configurable() -> None:
    small = StatementInterpreter(AutographConfig(statement_fuel=100))
    assert small.execute_expression("[i for i in range(50)]", {}) == list(range(50))
    with pytest.raises(LimitError, match="more than 100 steps"):
        small.execute_expression("[i for i in range(101)]", {})


def test_each_statement_has_its_own_fuel() -> None:
    small = StatementInterpreter(AutographConfig(statement_fuel=150))
    variables: dict[str, Any] = {}
    small.execute_assignment("a = [i for i in range(100)]\nb = [i for i in range(100)]", variables)
    assert variables["a"] == variables["b"] == list(range(100))


def test_time_runs_out() -> None:
    slow = StatementInterpreter(AutographConfig(statement_fuel=10**12, statement_seconds=0.2))
    begun = time.monotonic()
    with pytest.raises(LimitError, match=r"longer than 0\.2 s"):
        slow.execute_expression("[0 for a in range(9999) for b in range(9999) for c in range(9999)]", {})
    assert time.monotonic() - begun < 2
    assert slow.execute_expression("[a for a in range(3)]", {}) == [0, 1, 2]


def test_time_runs_out_in_each_thread_alone() -> None:
    slow = StatementInterpreter(AutographConfig(statement_fuel=10**12, statement_seconds=0.3))
    outcomes: list[str] = []

    def work(code: str) -> None:
        try:
            outcomes.append(str(slow.execute_expression(code, {})))
        except LimitError:
            outcomes.append("limit")

    endless = "[0 for a in range(9999) for b in range(9999) for c in range(9999)]"
    threads = [threading.Thread(target=work, args=[code]) for code in (endless, "[1 for a in range(2)]")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["[1, 1]", "limit"]


def test_host_functions_have_their_own_time() -> None:
    def wait() -> int:
        time.sleep(0.4)
        return 1

    patient = StatementInterpreter(AutographConfig(statement_seconds=0.2), modules={"wait": wait})
    assert patient.execute_expression("[wait() for _ in range(2)]", {}) == [1, 1]


def test_a_statement_inside_a_host_function_shares_the_fuel() -> None:
    inner = StatementInterpreter(AutographConfig(statement_fuel=1000))

    def nested() -> Any:
        return inner.execute_expression("len([i for i in range(900)])", {})

    outer = StatementInterpreter(AutographConfig(statement_fuel=2000), modules={"nested": nested})
    assert outer.execute_expression("nested()", {}) == 900
    with pytest.raises(LimitError):
        outer.execute_expression("[nested() for _ in range(3)]", {})


@pytest.mark.parametrize(
    "code",
    [
        "x" * 8001,
        "[" * 70 + "]" * 70,
        "+".join("1" * 70),
        ",".join("1" * 1600),
        "not " * 1900 + "1",
        "-" * 7000 + "1",
        "(" * 300,
    ],
)
def test_large_code_is_refused(code: str) -> None:
    with pytest.raises(StatementError):
        run(code)
