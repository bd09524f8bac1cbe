"""Host functions: awaited, given the context, and safe from what programs do to their results."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import autograph
from rows_support import rows


def test_context_reaches_host_functions_that_ask_for_it() -> None:
    def who(greeting: str, context: Any = None) -> str:
        return f"{greeting} {context}"

    bot = autograph.load(
        rows("start1 | python_function | say | w = who('hi')", "say | chat_exact | say | $w"),
        model="offline",
        modules={"who": who},
    )
    reply, memory = bot.reply(context="Ada")
    assert reply == "hi Ada"

    async def later(greeting: str, *, context: Any) -> str:
        return f"{greeting} {context}"

    waiting = autograph.load(
        rows("start1 | python_function | say | w = who('ho')", "say | chat_exact | say | $w"),
        model="offline",
        modules={"who": later},
    )
    assert waiting.reply(context="Bo")[0] == "ho Bo"
    assert "Ada" not in str({k: v for k, v in memory.to_dict().items() if k != "stack"})


def test_async_host_functions_are_awaited() -> None:
    async def search(word: str, n: int = 1) -> list[str]:
        await asyncio.sleep(0)
        return [word] * n

    program = rows(
        "start1 | python_function | call | found = search('tea', n=2) + search('bun')",
        "call | local_function | say | r = twice(search('x')[0])",
        "twice(t) | transition | return t + t |",
        "say | chat_exact | say | $found $r",
    )
    bot = autograph.load(program, model="offline", modules={"search": search})
    expected = "['tea', 'tea', 'bun'] xx"
    assert bot.reply()[0] == expected
    assert asyncio.run(bot.areply())[0] == expected

    async def inside_a_running_loop() -> str:
        return bot.reply()[0]

    assert asyncio.run(inside_a_running_loop()) == expected


def test_a_failing_async_host_function_names_itself() -> None:
    async def search() -> None:
        raise ValueError("no network")

    bot = autograph.load(
        rows("start1 | python_function | start1 | x = search()"), model="offline", modules={"search": search}
    )
    with pytest.raises(autograph.StatementError, match=r"search\(\) failed: ValueError: no network") as caught:
        bot.reply()
    assert caught.value.node == "start1"


def test_an_async_host_function_is_refused_where_it_cannot_be_awaited() -> None:
    async def search() -> int:
        return 1

    with pytest.raises(autograph.ProgramError, match="search"):
        autograph.load(rows("start1 | chat_exact | start1 | ${search()}"), model="offline", modules={"search": search})


def test_a_host_functions_own_data_is_safe_from_programs() -> None:
    cache = {"rows": [1]}

    async def later() -> dict[str, list[int]]:
        return cache

    program = rows(
        "start1 | python_function | b | d = now()",
        "b | python_function | c | d['rows'].append(2)",
        "c | python_function | d | e = later()",
        "d | python_function | say | e['rows'].append(3)",
        "say | chat_exact | say | $d $e",
    )
    bot = autograph.load(program, model="offline", modules={"now": lambda: cache, "later": later})
    assert bot.reply()[0] == "{'rows': [1, 2]} {'rows': [1, 3]}"
    assert cache == {"rows": [1]}


def test_a_host_function_may_return_what_it_was_given() -> None:
    program = rows(
        "start1 | python_function | b | xs = [[1]]",
        "b | python_function | c | ys = same(xs)",
        "c | python_function | d | inner = first(xs)",
        "d | python_function | e | ys.append(2)",
        "e | python_function | say | inner.append(3)",
        "say | chat_exact | say | $xs",
    )
    bot = autograph.load(program, modules={"same": lambda xs: xs, "first": lambda xs: xs[0]}, model="offline")
    assert bot.reply()[0] == "[[1, 3], 2]"
