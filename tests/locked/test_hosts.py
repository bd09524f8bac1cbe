"""Host functions of a stranger's program: called where they are, with what the program gives, and nothing beside."""

from __future__ import annotations

import asyncio
import os
import threading
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

import autograph
from autograph.language.sandbox.exposure import expose_type, host_function
from autograph.locked import Limits
from locked_support import needs_lock

pytestmark = needs_lock

SECRET = "never to be seen"


def run(code: str, modules: Any, trust: Any = "untrusted", **options: Any) -> Any:
    """The value of a function whose node runs ``code``."""
    rows = [{"name": "main()", "action": "python_function", "instruction": code, "transitions": "return"}]
    return autograph.load(rows, modules=modules, trust=trust).apply_fn("main()", **options)


def both(code: str, modules: Any, **options: Any) -> Any:
    """The outcome, which is the same with and without trust: a value, or an error's class and words."""
    outcomes = []
    for trust in ("own", "untrusted"):
        try:
            outcomes.append(run(code, modules, trust, **options))
        except autograph.RunError as error:
            outcomes.append((type(error).__name__, str(error)))
    assert outcomes[0] == outcomes[1]
    assert type(outcomes[0]) is type(outcomes[1])
    return outcomes[0]


def add(a: Any, b: Any = 10) -> Any:
    return a + b


def test_values_cross() -> None:
    assert both("add(1, b=2)", {"add": add}) == 3
    assert both("add((1, 2), (3,))", {"add": add}) == (1, 2, 3)
    assert both("add(d, d)", {"add": add, "d": Decimal("0.1")}) == Decimal("0.2")
    assert both("[same(y) for y in [None, True, 1.5, 'x', {1, 2}, {3: (4,)}]]", {"same": lambda y: y}) == [
        None, True, 1.5, "x", {1, 2}, {3: (4,)},
    ]  # fmt: skip


def test_modules_cross() -> None:
    modules = {"shop": {"price": lambda name: len(name), "vat": 0.25}, "math": ["floor"], "textwrap": ["shorten"]}
    assert both("[shop.price('tea'), shop.vat, math.floor(2.5), textwrap.shorten('a b c d e f', 5)]", modules)


def test_errors_are_told_in_the_same_words() -> None:
    def fail(kind: str) -> None:
        if kind == "value":
            raise ValueError("a bad value")
        if kind == "key":
            raise KeyError("k")
        if kind == "own":
            raise autograph.LimitError("enough of this")
        raise autograph.ModelError("no model")

    assert both("fail('value')", {"fail": fail})[1].count("`fail()` failed: ValueError: a bad value") == 1
    assert "KeyError: 'k'" in both("fail('key')", {"fail": fail})[1]
    assert both("fail('own')", {"fail": fail})[0] == "LimitError"
    assert both("add()", {"add": add})[0] == "StatementError"
    for trust in ("own", "untrusted"):
        with pytest.raises(autograph.ModelError, match="no model"):
            run("fail('')", {"fail": fail}, trust)


def test_the_context_stays_where_it_is() -> None:
    seen: list[Any] = []

    def who(x: Any, context: Any = None) -> str:
        seen.append((x, context))
        return "done"

    class Context:
        secret = SECRET

    context = Context()
    assert run("who(1)", {"who": who}, context=context) == "done"
    for forged in ("who(2, context='mine')", "who(3, 'third')"):
        with pytest.raises(autograph.StatementError, match="given by the host"):
            run(forged, {"who": who}, context=context)
    assert seen == [(1, context)]


def test_functions_run_in_the_thread_of_the_caller() -> None:
    threads: list[str] = []

    def here() -> int:
        threads.append(threading.current_thread().name)
        return len(threads)

    assert run("here() + here()", {"here": here}) == 3
    assert set(threads) == {threading.current_thread().name}


def test_asynchronous_functions() -> None:
    async def fetch(key: str, context: Any = None) -> dict[str, Any]:
        await asyncio.sleep(0)
        if key == "bad":
            raise LookupError(key)
        return {"key": key, "context": context}

    assert both("[fetch('a'), 2]", {"fetch": fetch}, context="c") == [{"key": "a", "context": "c"}, 2]
    assert "fetch() failed: LookupError: bad" in both("fetch('bad')", {"fetch": fetch})[1]
    rows = [{"name": "f()", "action": "python_function", "instruction": "fetch('b')", "transitions": "return"}]
    bot = autograph.load(rows, modules={"fetch": fetch}, trust="untrusted")
    assert asyncio.run(bot.aapply_fn("f()")) == {"key": "b", "context": None}


def test_what_is_given_is_changed_in_place() -> None:
    def push(xs: list[Any], x: Any) -> list[Any]:
        xs.append(x)
        return xs

    def nest(d: dict[str, Any]) -> list[Any]:
        d["new"] = [d["xs"], (d["xs"], 1)]
        d["s"].add(5)
        return [d["xs"], d["new"]]

    code = "xs = [1]\nys = push(xs, [xs[0]])\nys.append(3)\n[xs, ys]"
    assert both(code, {"push": push}) == [[1, [1], 3], [1, [1], 3]]
    code = "d = {'xs': [1], 's': {4}}\nr = nest(d)\nr[0].append(2)\n[d, r]"
    expected = {"xs": [1, 2], "s": {4, 5}, "new": [[1, 2], ([1, 2], 1)]}
    assert both(code, {"nest": nest}) == [expected, [[1, 2], [[1, 2], ([1, 2], 1)]]]


def test_what_the_host_keeps_is_not_changed() -> None:
    kept = [1, 2]
    assert run("xs = give()\nxs.append(3)\nxs", {"give": lambda: kept}) == [1, 2, 3]
    assert kept == [1, 2]


def test_what_cannot_cross() -> None:
    with pytest.raises(autograph.StatementError, match=r"f\(\) returned what cannot cross to a locked worker"):
        run("f()", {"f": lambda: object()})
    with pytest.raises(autograph.StatementError, match=r"f\(\) cannot be called from a locked worker"):
        run("f(lambda y: y)", {"f": lambda function: 1})
    with pytest.raises(
        autograph.AutographError, match=r"the type Order cannot be given to a program that is not trusted"
    ):
        run("1", {"Order": expose_type(Order, attrs={"total"})})
    with pytest.raises(autograph.ProgramError, match="module os cannot be given as a whole"):
        run("1", {"os": os})


class Order:
    total = 1


def test_marks_hold() -> None:
    @host_function(costs=150_000)
    def dear() -> int:
        return 1

    assert both("dear()", {"dear": dear}) == 1
    assert both("dear() + dear()", {"dear": dear})[0] == "LimitError"


def test_calls_are_limited() -> None:
    calls: list[int] = []
    with pytest.raises(autograph.LimitError, match="more than 20 times"):
        run("[f(i) for i in range(30)]", {"f": calls.append}, trust=Limits(calls=20))
    assert len(calls) == 20


def test_time_of_the_host_does_not_count() -> None:
    import time

    assert (
        run("[nap(1) for i in range(3)]", {"nap": lambda n: time.sleep(0.2)}, trust=Limits(seconds=0.5)) == [None] * 3
    )


def test_the_clock_is_the_hosts() -> None:
    moment = datetime(2020, 1, 2, 3, 4, 5)
    config = autograph.AutographConfig(python_imports=("datetime",))
    rows = [
        {
            "name": "main()",
            "action": "python_function",
            "instruction": "datetime.datetime.now()",
            "transitions": "return",
        }
    ]
    for trust in ("own", "untrusted"):
        bot = autograph.load(rows, config=config, trust=trust)
        assert bot.apply_fn("main()", clock=lambda: moment) == moment


def test_only_what_is_allowed_is_given() -> None:
    rows = [{"name": "main()", "action": "python_function", "instruction": "add(1)", "transitions": "return"}]
    modules = {"add": add, "other": add}
    assert autograph.load(rows, modules=modules, allow=["add"], trust="untrusted").apply_fn("main()") == 11
    words = []
    for trust in ("own", "untrusted"):
        with pytest.raises(autograph.ProgramError) as caught:
            autograph.load(rows, modules=modules, allow=["other"], trust=trust)
        words.append(str(caught.value))
    assert words[0] == words[1]
