"""Turns that wait: what can be seen and changed before a node runs, and that looking changes nothing."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest

import autograph
from autograph.errors import LimitError, ModelError, RunError, StatementError
from autograph.interpreter.debugging import Abandoned, Paused
from autograph.models import ScriptedModel
from conversations import Conversation, conformance_conversations, program_conversations, snapshot
from debugging_support import CALLS, GUESTS, Debug, at, load

CONVERSATIONS = [*conformance_conversations(), *program_conversations()]


# ---------------------------------------------------------------------- nothing changes


def outcomes(conversation: Conversation, debug: Debug | None) -> list[Any]:
    """The result and the memory after each step; of a step that fails the error."""
    bot = conversation.bot(conversation.model())
    memory: Any = conversation.start(bot)
    options = {} if debug is None else {"debug": debug}
    found: list[Any] = []
    for step in conversation.steps:
        try:
            if step.call:
                call = {"memory": memory, "function_type": step.function_type, **options}
                found.append(repr(bot.apply_fn(step.call, step.args, **call)))
            else:
                reply, memory = bot.reply(step.say, memory, **step.options, **options)
                found.append((reply, str(memory.last_turn.trace)))
        except RunError as error:
            found.append((type(error), str(error)))
        found.append(snapshot(memory))
    return found


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda c: c.name)
def test_whoever_only_looks_changes_nothing(conversation: Conversation) -> None:
    def look_at_all(paused: Paused) -> None:
        looked.append(paused.node.name)
        if len(looked) > 300:
            return  # a long loop
        assert paused.node.name in paused.path or paused.why != "enter"
        assert len(paused.stack) == paused.depth
        for name, value in paused.variables.items():
            assert repr(paused.evaluate(name)) == repr(value) or name in paused.node.bot.program.sandbox.names
        with contextlib.suppress(RunError):
            paused.instruction()
        paused.outlook()
        assert paused.evaluate("1 + 1") == 2

    looked: list[str] = []
    expected = outcomes(conversation, None)
    assert outcomes(conversation, lambda paused: None) == expected
    assert outcomes(conversation, look_at_all) == expected
    assert looked


def test_the_nodes_are_those_of_the_trajectory() -> None:
    bot, seen = load(*CALLS), []
    _, memory = bot.reply(debug=lambda paused: seen.append((paused.node.name, paused.depth, paused.returned)))
    assert [name for name, _, _ in seen] == memory.trajectory
    assert seen == [
        ("start1", 1, False), ("order()", 2, False), ("deeper", 2, False), ("one()", 3, False),
        ("deeper", 2, True), ("start1", 1, True), ("done", 1, False),
    ]  # fmt: skip


# ---------------------------------------------------------------------- looking


def test_what_is_seen_before_a_node_runs() -> None:
    seen: dict[str, Any] = {}

    def look(paused: Paused) -> None:
        seen.update(
            path=paused.path, variables=paused.variables, instruction=paused.instruction(), value=paused.value,
            messages=[message.to_dict() for message in paused.outlook().request.messages],  # type: ignore[union-attr]
            stack=[(level.function_scope, level.last_state, level.variables) for level in paused.stack],
        )  # fmt: skip

    bot = load(*GUESTS, model=ScriptedModel(["Hi!"]))
    _, memory = bot.reply()
    _, memory = bot.reply("Ada", memory, debug=at("greet", look))
    request = next(event.request for event in memory.last_turn.trace if event.kind == "generated")
    assert seen == {
        "path": ["keep", "greet"],
        "variables": {"names": ["Bo", "Ada"]},
        "instruction": "Greet Bo, Ada.",
        "value": None,
        "messages": [message.to_dict() for message in request.messages],
        "stack": [("local", "greet", {"names": ["Bo", "Ada"]})],
    }


def test_the_prompt_is_the_one_that_is_sent_in_every_program() -> None:
    for conversation in CONVERSATIONS:
        foreseen: dict[tuple[str, int], Any] = {}

        def look(paused: Paused, foreseen: Any = foreseen) -> None:
            request = paused.outlook().request
            if request is not None:
                foreseen[paused.node.name, len(paused.path)] = request.messages

        def hear(event: Any, foreseen: Any = foreseen) -> None:
            if event.kind == "generated" and foreseen:
                *_, last = foreseen.values()
                assert last == event.request.messages

        bot = conversation.bot(conversation.model())
        memory: Any = conversation.start(bot)
        for step in conversation.steps:
            if not step.call:
                with contextlib.suppress(RunError):
                    _, memory = bot.reply(step.say, memory, **step.options, debug=look, on_event=hear)


def test_questions_and_the_next_node_are_foreseen() -> None:
    bot, seen = load(*GUESTS, model=ScriptedModel(["Hi!"], ["no"])), {}
    _, memory = bot.reply()
    _, memory = bot.reply("Ada", memory)
    _, memory = bot.reply("ok", memory, debug=lambda paused: seen.setdefault(paused.node.name, paused.outlook()))
    assert seen["more"].follows == "ask"
    assert [(event.kind, event.value) for event in seen["more"].events] == [("value", 2)]
    assert [(q.question, q.choices) for q in seen["ask"].questions] == [("More?", ("Yes", "No"))]
    assert seen["end"].events[0].text == "Bye, 2."
    assert (seen["end"].request, seen["end"].follows, seen["end"].error) == (None, "", None)


def test_a_call_and_its_return_are_foreseen() -> None:
    bot, seen = load(*CALLS), []
    bot.reply(debug=lambda paused: seen.append((paused.node.name, paused.outlook().follows, paused.value)))
    assert seen == [
        ("start1", "order()", None), ("order()", "deeper", None), ("deeper", "one()", None), ("one()", "deeper", None),
        ("deeper", "start1", 1), ("start1", "done", 7), ("done", "", None),
    ]  # fmt: skip


def test_looking_calls_nothing_of_the_host() -> None:
    calls: list[str] = []

    def search(word: str) -> str:
        calls.append(word)
        return word.upper()

    seen: list[Any] = []

    def look(paused: Paused) -> None:
        with pytest.raises(StatementError, match=r"search\(\) belongs to the host"):
            paused.instruction()
        seen.append(str(paused.outlook().error))
        assert calls == []
        seen.append(paused.evaluate("search('b')"))  # unless it is asked for

    bot = load(("start1", "chat_exact", "quit", "Found ${search('a')}."), modules={"search": search})
    assert bot.reply(debug=look)[0] == "Found A."
    assert "not called just to see" in seen[0]
    assert (seen[1], calls) == ("B", ["b", "a"])


def test_looking_draws_nothing() -> None:
    bot = load(
        ("start1", "python_function", "say", "a = random.randint(1, 10**9)"),
        ("say", "chat_exact", "quit", "$a ${random.randint(1, 10**9)}"),
        config=autograph.AutographConfig(seed=7, python_imports=("random",)),
    )
    seen: list[str] = []
    looked = bot.reply(debug=at("say", lambda paused: seen.append(paused.instruction())))[0]
    assert looked == bot.reply()[0] == seen[0]


# ---------------------------------------------------------------------- changing


def test_a_variable_that_is_set_alters_the_outcome() -> None:
    bot = load(*CALLS)
    assert bot.reply(debug=at("deeper", lambda paused: paused.set("count", 40)))[0] == "That makes 81."
    assert (
        bot.reply(debug=at("order()", lambda paused: paused.execute("count += 5\ncount *= 2")))[0] == "That makes 31."
    )
    assert bot.reply()[0] == "That makes 7."


def test_only_the_turn_is_changed() -> None:
    bot = load(*GUESTS, model=ScriptedModel(["Hi!", "Hi, hi!"], ["yes"]))
    _, memory = bot.reply()
    _, second = bot.reply("Ada", memory)
    before = second.to_json()
    _, third = bot.reply("more", second, debug=at("more", lambda paused: paused.execute("names.append('Cy')")))
    assert second.to_json() == before
    assert third.variables == {"names": ["Bo", "Ada", "Cy"], "n": 3}


def test_what_is_handed_out_and_in_is_copied() -> None:
    given = [1]

    def change(paused: Paused) -> None:
        paused.variables["names"].append("x")
        paused.evaluate("names.append('y')")
        paused.evaluate("names").append("z")
        paused.stack[0].scope["names"].append("w")
        paused.set("given", given)

    bot = load(*GUESTS, model=ScriptedModel(["Hi!"]))
    _, memory = bot.reply()
    _, memory = bot.reply("Ada", memory, debug=at("greet", change))
    given.append(2)
    assert memory.variables == {"names": ["Bo", "Ada"], "given": [1]}


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("x = open('a')", "files cannot be read"),
        ("x = (i for i in [1])", "cannot be stored|cannot be kept|generator"),
        ("_last_state = 1", "can only be read"),
        ("x = 1 / 0", "divided by zero"),
        ("x = ", "malformed|syntax|expected|invalid"),
    ],
)
def test_what_a_program_may_not_do_the_debugger_may_not(code: str, message: str) -> None:
    seen: list[str] = []

    def change(paused: Paused) -> None:
        with pytest.raises(StatementError, match=message):
            paused.execute(code)
        seen.append(code)

    bot = load(*CALLS)
    assert bot.reply(debug=at("done", change))[0] == "That makes 7."
    assert seen == [code]


def test_names_and_values_that_cannot_be_set() -> None:
    def change(paused: Paused) -> None:
        for name, value in (
            ("a b", 1),
            ("_x", 1),
            ("_last_state", 1),
            ("for", 1),
            ("x", object()),
            ("x", {1: [print]}),
        ):
            with pytest.raises(StatementError):
                paused.set(name, value)

    bot = load(*CALLS)
    _, memory = bot.reply(debug=at("done", change))
    assert memory.variables == {"total": 7}


def test_a_pause_that_is_over_changes_nothing() -> None:
    kept: list[Paused] = []
    bot = load(*CALLS)
    bot.reply(debug=kept.append)
    with pytest.raises(RunError, match="the turn has gone on"):
        kept[0].set("count", 1)
    with pytest.raises(RunError, match="the turn has gone on"):
        kept[0].execute("count = 1")


def test_statements_of_the_debugger_use_up_nothing_of_the_turn() -> None:
    heavy = "sum([i * i for i in range(5000)])"
    config = autograph.AutographConfig(turn_fuel=60_000, statement_fuel=60_000)
    bot = load(("start1", "python_function", "say", f"a = {heavy}"), ("say", "chat_exact", "quit", "$a"), config=config)

    def look(paused: Paused) -> None:
        for _ in range(10):
            assert paused.evaluate(heavy) == paused.execute(f"b = {heavy}")

    assert bot.reply(debug=look)[0] == bot.reply()[0]


# ---------------------------------------------------------------------- giving up, failing


@pytest.mark.parametrize("name", ["start1", "order()", "one()", "done"])
def test_a_turn_that_is_given_up_leaves_the_memory_as_it_was(name: str) -> None:
    bot = load(*CALLS, ("again", "chat_exact", "start1", "Once more?"))
    _, memory = bot.reply(set_state="again")
    before = memory.to_json()

    def give_up(paused: Paused) -> None:
        paused.execute("total = 5")
        paused.abandon()

    with pytest.raises(Abandoned):
        bot.reply("yes", memory, debug=at(name, give_up))
    with pytest.raises(Abandoned):
        list(bot.stream("yes", memory, debug=at(name, give_up)))
    assert memory.to_json() == before
    assert bot.reply("yes", memory)[0] == "That makes 7."


def test_a_turn_pauses_where_it_fails() -> None:
    bot = load(("start1", "python_function", "say", "a = 0"), ("say", "chat_exact", "quit", "${1 / a}"))
    seen: list[Any] = []

    def look(paused: Paused) -> None:
        if paused.why == "error":
            seen.extend([paused.node.name, str(paused.error), paused.variables, str(paused.outlook().error)])
            with pytest.raises(RunError, match="the turn has failed"):
                paused.set("a", 1)

    with pytest.raises(StatementError, match="divided by zero") as caught:
        bot.reply(debug=look)
    assert seen[:3] == ["say", str(caught.value), {"a": 0}]
    assert "divided by zero" in seen[3]


def test_a_turn_pauses_where_the_model_fails() -> None:
    bot = load(*GUESTS)
    _, memory = bot.reply()
    seen: list[Any] = []

    def look(paused: Paused) -> None:
        if paused.why == "error":
            request = paused.outlook().request
            seen.append((paused.node.name, type(paused.error), request and request.messages[-1].content))

    for turn in (bot.reply, lambda *args, **options: list(bot.stream(*args, **options))):
        with pytest.raises(ModelError):
            turn("Ada", memory, debug=look)  # type: ignore[operator]
    assert seen == [("greet", ModelError, "Ada\n\nInstruction for Agent: Greet Bo, Ada.")] * 2


def test_an_exception_of_the_debugger_ends_the_turn() -> None:
    bot = load(*CALLS)
    with pytest.raises(ZeroDivisionError):
        bot.reply(debug=lambda paused: 1 / 0)


def test_the_time_of_a_pause_does_not_count() -> None:
    from time import sleep

    bot = load(*CALLS)
    assert bot.reply(timeout=0.3, debug=at("one()", lambda paused: sleep(0.4)))[0] == "That makes 7."
    with pytest.raises(LimitError):
        bot.reply(timeout=0.3, on_event=lambda event: sleep(0.1))


def test_asynchronous_turns_pause_too() -> None:
    bot = load(*CALLS)

    async def talk() -> list[str]:
        reply, _ = await bot.areply(debug=at("deeper", lambda paused: paused.set("count", 1)))
        stream = bot.astream(debug=at("deeper", lambda paused: paused.set("count", 2)))
        value = await bot.aapply_fn("order()", [5], debug=at("deeper", lambda paused: paused.set("count", 3)))
        return [reply, "".join([piece async for piece in stream]), str(value)]

    assert asyncio.run(talk()) == ["That makes 3.", "That makes 5.", "7"]
