"""Does ``debug_checkpoint()`` stop where somebody debugs, and do nothing elsewhere?"""

from __future__ import annotations

import pytest

import autograph
from autograph.errors import RunError, StatementError
from autograph.interpreter.debugging import Abandoned, Paused
from debugging_support import load
from locked_support import needs_lock

CHECKED = (
    ("start1", "python_function", "say", "items = [1, 2]\nseen = [items, debug_checkpoint(), len(items)]"),
    ("say", "chat_exact", "more", "${debug_checkpoint()} ${sum([n for n in items if debug_checkpoint() is None])}"),
    ("more", "python_function", "end", "seen[0].append(9)"),
    ("end", "chat_exact", "quit", "$items"),
)


def test_a_checkpoint_does_nothing_where_nobody_debugs() -> None:
    bot = load(*CHECKED)
    assert bot.problems == ()
    reply, memory = bot.reply()
    assert reply == "None 3"
    assert memory.variables["seen"] == [[1, 2], None, 2]
    assert bot.program.sandbox.expression("debug_checkpoint()").needs == {"checkpoint"}
    assert autograph.StatementInterpreter().execute_expression("debug_checkpoint()", {}) is None


def test_a_checkpoint_pauses_in_the_midst_of_a_statement() -> None:
    bot, seen = load(*CHECKED), []

    def debug(paused: Paused) -> None:
        if paused.why == "checkpoint":
            seen.append((paused.node.name, paused.variables.get("items")))
            if paused.node.name == "start1":
                paused.execute("items.append(visits('start1') + 2)")

    reply, memory = bot.reply(debug=debug)
    assert seen == [("start1", [1, 2]), *[("say", [1, 2, 3])] * 4]
    assert (reply, memory.variables["seen"]) == ("None 6", [[1, 2, 3], None, 3])
    before = memory.to_json()
    assert bot.reply("x", memory, debug=debug)[0] == "[1, 2, 3, 9]"
    assert memory.to_json() == before


def test_a_value_that_is_held_while_the_turn_waits_is_the_turns_own() -> None:
    """What a statement has read before its checkpoint is no part of an older memory, however it is changed then."""
    bot = load(
        ("start1", "chat_exact", "hold", "Hello"),
        ("hold", "python_function", "change", "both = [items, debug_checkpoint()]"),
        ("change", "python_function", "end", "both[0].append(3)"),
        ("end", "chat_exact", "quit", "$items $both"),
    )
    _, memory = bot.reply("", bot.start({"items": [1]}))
    before = memory.to_json()
    reply, _ = bot.reply(
        "x", memory, debug=lambda paused: paused.why == "checkpoint" and paused.execute("items.append(2)")
    )
    assert reply == "[1, 2, 3] [[1, 2, 3], None]"
    assert memory.to_json() == before


def test_a_checkpoint_leaves_what_the_statement_was_lent() -> None:
    bot = load(
        ("start1", "python_function", "say", "a = [print('x'), debug_checkpoint(), print('y'), visits('start1')]"),
        ("say", "chat_exact", "quit", "$a"),
    )

    def debug(paused: Paused) -> None:
        if paused.why == "checkpoint":
            paused.execute("b = [print('z'), _last_user_reply, visits('start1')]")

    reply, memory = bot.reply("hi", debug=debug)
    assert reply == "[None, None, None, 1]"
    assert [event.text for event in memory.last_turn.trace if event.kind == "printed"] == ["x", "z", "y"]


def test_the_time_at_a_checkpoint_is_not_the_statements() -> None:
    from time import sleep

    config = autograph.AutographConfig(statement_seconds=0.2)
    bot = load(
        ("start1", "python_function", "say", "a = [n for n in [1, 2] if debug_checkpoint() is None]"),
        ("say", "chat_exact", "quit", "$a"),
        config=config,
    )
    assert bot.reply(debug=lambda paused: paused.why == "checkpoint" and sleep(0.3))[0] == "[1, 2]"


def test_giving_up_at_a_checkpoint_is_no_error_of_the_statement() -> None:
    bot = load(*CHECKED)
    with pytest.raises(Abandoned):
        bot.reply(debug=lambda paused: paused.why == "checkpoint" and paused.abandon())


@pytest.mark.parametrize("built_ins", [("len",), ("len", "debug_checkpoint")])
def test_every_configuration_has_the_checkpoint(built_ins: tuple[str, ...]) -> None:
    config = autograph.AutographConfig(python_built_ins=built_ins)
    bot = load(
        ("start1", "python_function", "say", "debug_checkpoint()"), ("say", "chat_exact", "quit", "x"), config=config
    )
    assert bot.reply()[0] == "x"


@needs_lock
def test_a_checkpoint_does_nothing_in_a_program_that_is_not_trusted() -> None:
    bot = load(*CHECKED, trust="untrusted")
    reply, memory = bot.reply()
    assert reply == "None 3"
    assert bot.reply("x", memory)[0] == "[1, 2, 9]"
    with pytest.raises(RunError, match="it runs in a locked process, which cannot be debugged"):
        bot.reply("x", memory, debug=lambda paused: None)
    with pytest.raises(RunError, match="which cannot be debugged"):
        bot.simulate_user(memory, debug=lambda paused: None)


def test_a_function_of_the_host_may_have_the_name() -> None:
    row = ("start1", "chat_exact", "quit", "${debug_checkpoint()}")
    assert load(row, modules={"debug_checkpoint": lambda: "mine"}).reply()[0] == "mine"


def test_the_checkpoint_takes_no_arguments() -> None:
    with pytest.raises(StatementError, match=r"debug_checkpoint\(\) was not given the arguments it takes"):
        load(("start1", "chat_exact", "quit", "${debug_checkpoint(1)}")).reply()


def test_the_check_finds_nothing_wrong_with_checkpoints() -> None:
    from autograph.check.run import check

    rows = [dict(zip(("name", "action", "transitions", "instruction"), row, strict=True)) for row in CHECKED]
    assert [str(problem) for problem in check(rows).problems if "debug_checkpoint" in str(problem)] == []
    assert [
        p.kind
        for p in check(
            [
                {"name": "a", "action": "python_function", "instruction": "debug_checkpoint()", "transitions": "b"},
                {"name": "b", "action": "chat_exact", "instruction": "x"},
            ]
        ).problems
    ] == []
