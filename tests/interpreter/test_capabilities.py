"""What a program asks of its host: listed by name, given by name, allowed by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import autograph

PROGRAM = {
    "config": {"capabilities": ["search", "pay"]},
    "nodes": [
        {"name": "start1", "action": "python_function", "instruction": "x = search('tea')", "transitions": "say"},
        {"name": "say", "action": "chat_exact", "instruction": "$x", "transitions": "quit"},
    ],
}


def search(word: str) -> str:
    return word.upper()


def pay(coins: int) -> int:
    return coins


def test_a_host_that_gives_everything_need_say_no_more() -> None:
    bot = autograph.load(PROGRAM, modules=[search, pay])
    assert bot.reply()[0] == "TEA"
    assert bot.program.asks == ("search", "pay")


def test_it_loads_without_what_it_asks_for_and_says_so_on_use() -> None:
    bot = autograph.load(PROGRAM)
    with pytest.raises(autograph.StatementError, match=r"`search\(\)` is not given to the program"):
        bot.reply()


@pytest.mark.parametrize(
    ("allow", "missing"),
    [((), ["search", "pay"]), (["search"], ["pay"]), ("pay", ["search"]), (["all"], []), ("all", [])],
)
def test_what_is_not_allowed_is_refused(allow: Any, missing: list[str]) -> None:
    if not missing:
        assert autograph.load(PROGRAM, modules=[search, pay], allow=allow).reply()[0] == "TEA"
        return
    with pytest.raises(autograph.ProgramError) as caught:
        autograph.load(PROGRAM, modules=[search, pay], allow=allow)
    found = caught.value.problems
    assert [(p.code, p.kind) for p in found] == [("AG131", "not-allowed")] * len(missing)
    assert [p.message for p in found] == [f"the program asks for {name}, which it is not allowed" for name in missing]


def test_functions_that_are_not_allowed_do_not_exist() -> None:
    nodes = [{"name": "start1", "action": "python_function", "instruction": "x = pay(1)", "transitions": "quit"}]
    with pytest.raises(autograph.ProgramError, match=r"there is no function pay\(\)"):
        autograph.load(nodes, modules=[search, pay], allow=["search"])


def test_self_extension_is_asked_for_by_the_setting_of_the_original() -> None:
    nodes = [{"name": "start1", "action": "chat_exact", "instruction": "hi", "transitions": "quit"}]
    program = {"nodes": nodes, "config": {"self_referential": "true"}}
    with pytest.raises(autograph.ProgramError, match="asks for self-extension"):
        autograph.load(program, allow=())
    assert autograph.load(program, allow=["self-extension"]).reply()[0] == "hi"


def test_host_functions_of_a_file(tmp_path: Path) -> None:
    from autograph.interpreter.python_file import host_functions_of

    marked = tmp_path / "marked.py"
    marked.write_text(
        "import autograph\n\n@autograph.host_function(name='find')\ndef search(w): return w\n\ndef other(): ...\n",
        "utf-8",
    )
    assert list(host_functions_of(marked)) == ["find"]
    listed = tmp_path / "listed.py"
    listed.write_text("def search(w):\n    return w\n\nmodules = {'look': search}\n", "utf-8")
    assert list(host_functions_of(listed)) == ["look"]
    empty = tmp_path / "empty.py"
    empty.write_text("x = 1\n", "utf-8")
    with pytest.raises(autograph.ProgramError, match="no host functions"):
        host_functions_of(empty)
