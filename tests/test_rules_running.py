"""Rules of sections 2, 3 and 7 that the case format cannot show: threads, memory, the trace, host functions."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest

import autograph
from autograph import MemoryObject, StorageError
from autograph.interpreter.events import Printed
from autograph.models import ScriptedModel


def load(*rows: tuple[str, str, str, str], **options: Any) -> autograph.Autograph:
    """A program of name, action, transitions, instruction."""
    fields = ("name", "action", "transitions", "instruction")
    return autograph.load([dict(zip(fields, row, strict=True)) for row in rows], model=ScriptedModel(), **options)


def test_apply_fn_inside_apply_fn() -> None:
    held: list[autograph.Autograph] = []

    def again(n: int) -> Any:
        return held[0].apply_fn("down()", [n])

    bot = load(
        ("down(n)", "transition", "k.*", ""),
        ("k.a", "python_function", "return", "0 if n == 0 else 1 + again(n - 1)"),
        modules={"again": again},
    )
    held.append(bot)
    nodes = dict(bot.nodes)
    assert bot.apply_fn("down()", [5]) == 5
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda n: bot.apply_fn("down()", [n % 4]), range(40))) == [n % 4 for n in range(40)]
    assert dict(bot.nodes) == nodes


def test_threads_share_a_program() -> None:
    bot = load(
        ("start1", "python_function", "ask", "log = []"),
        ("ask", "chat_exact", "add", "Say"),
        ("add", "python_function", "show", "log.append(_last_user_reply)"),
        ("show", "chat_exact", "add", "${' '.join(log)}"),
    )

    def converse(who: int) -> str:
        reply, memory = bot.reply()
        for turn in range(10):
            reply, memory = bot.reply(f"{who}-{turn}", memory)
        return str(reply)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(converse, range(32)))
    assert found == [" ".join(f"{who}-{turn}" for turn in range(10)) for who in range(32)]


def test_what_a_level_holds() -> None:
    bot = load(
        ("start1", "set_prompt", "p", "Base."),
        ("p", "python_function", "hi", "x = 1"),
        ("hi", "chat_exact", "c", "hi"),
        ("c", "function", "end", "f(2)"),
        ("f(y)", "chat_exact", "return", "inside"),
        ("end", "chat_exact", "end", "end"),
    )
    _, memory = bot.reply()
    _, memory = bot.reply("hello", memory)
    base, top = memory.stack
    assert (base.variables, base.prompt, base.user_prompt, base.last_state) == (
        {"x": 1},
        "Base.",
        "You are a user.",
        "c",
    )
    assert (top.variables, top.prompt, top.last_state, top.function_scope) == ({"y": 2}, "Base.", "f()", "normal")
    assert [turn.agent for turn in base.turns] == ["hi"]
    assert [(turn.user, turn.agent) for turn in top.turns][-1] == ("hello", "inside")
    assert memory.variables == {"x": 1, "y": 2}
    assert memory.trajectory == ["start1", "p", "hi", "c", "f()"]


VALUES: dict[str, Any] = {
    "plain": {"text": "a", "list": [1, 2.5, True, None], "nested": {"k": [{}]}},
    "a_tuple": (1, (2, "x")),
    "a_set": {1, 2},
    "some_bytes": b"\x00\xff",
    "a_date": date(2026, 11, 30),
    "a_moment": datetime(2026, 11, 30, 12, 30, tzinfo=timezone(timedelta(hours=1))),
    "a_time": time(23, 59),
    "a_decimal": Decimal("1.10"),
    "infinities": [float("inf"), float("-inf")],
    "other_keys": {1: "one", (2, 3): "pair", None: 0},
}


def test_values_of_all_kinds_are_stored() -> None:
    bot = load(("start1", "chat_exact", "start1", "hi"))
    table = pd.DataFrame({"word": ["tea", "bun"], "price": [2, 3]})
    memory = bot.reply("", bot.start(variables={**VALUES, "nan": float("nan"), "table": table}))[1]
    back = MemoryObject.from_json(json.dumps(json.loads(memory.to_json()), allow_nan=False)).variables
    assert {name: back[name] for name in VALUES} == VALUES
    assert [type(back[name]) for name in VALUES] == [type(value) for value in VALUES.values()]
    assert back["nan"] != back["nan"]
    pd.testing.assert_frame_equal(back["table"], table)


def test_a_stored_conversation_is_plain_data() -> None:
    bot = load(("start1", "python_function", "hi", "v = (1, {2})"), ("hi", "chat_exact", "hi", "hi"))
    stored = bot.reply()[1].to_dict()
    assert json.loads(json.dumps(stored, allow_nan=False)) == stored
    tampered = json.dumps(stored).replace('"tuple"', '"os.system"')
    assert tampered != json.dumps(stored)
    with pytest.raises(StorageError):
        MemoryObject.from_json(tampered)


def test_print_goes_to_the_trace() -> None:
    bot = load(("start1", "python_function", "hi", "print('seen', 1 + 1)"), ("hi", "chat_exact", "hi", "hi"))
    reply, memory = bot.reply()
    assert memory.last_turn is not None
    printed = [event for event in memory.last_turn.trace if isinstance(event, Printed)]
    assert reply == "hi"
    assert [(event.node, event.text.strip()) for event in printed] == [("start1", "seen 2")]


def test_host_functions() -> None:
    rows = (
        ("start1", "python_function", "say", "found = look_up('tea') * 2"),
        ("say", "chat_exact", "say", "$found ${look_up('bun')}"),
    )
    assert load(*rows, modules={"look_up": len}).reply()[0] == "6 3"
    with pytest.raises(autograph.AutographError, match="look_up"):
        load(*rows).reply()
