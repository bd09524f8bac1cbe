"""Counts of ways: by hand for every kind of transition, and in agreement with each other for every program there is."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph
from autograph import MemoryObject
from autograph.errors import AutographError, StorageError
from autograph.interpreter.traffic import Traffic, merged
from autograph.models import ScriptedModel
from conversations import Conversation, Injected, conformance_conversations, program_conversations

Row = dict[str, str]


def node(name: str, action: str, instruction: str = "", transitions: str = "", **more: str) -> Row:
    return {"name": name, "action": action, "instruction": instruction, "transitions": transitions, **more}


def question(text: str, *choices: str) -> Row:
    return {"transition_question": text, **{f"transition_choice_{'abcdef'[i]}": c for i, c in enumerate(choices)}}


def talk(
    rows: list[Row], *says: str, answers: list[Any] | None = None, variables: dict[str, Any] | None = None,
    trust: str | None = None, start: str | None = None,
) -> Traffic:  # fmt: skip
    """The traffic of a whole conversation; ``start``: the node at which it is begun with ``set_state``."""
    bot = autograph.load(rows, model=ScriptedModel(replies=[], answers=answers or []), trust=trust)
    memory = bot.start(variables) if variables else None
    parts = []
    for place, say in enumerate(says):
        before = memory
        _, memory = bot.reply(say, memory, set_state=start if place == 0 else None)
        parts.append(Traffic.of_turn(bot.program, before, memory))
    return merged(parts)


# ---------------------------------------------------------------------- by hand


def test_ways_between_plain_nodes() -> None:
    rows = [node("hello", "chat_exact", "Hi", "set"), node("set", "python_function", "x = 1", "bye"),
            node("bye", "chat_exact", "Bye", "quit")]  # fmt: skip
    found = talk(rows, "", "go")
    assert found.nodes == {"hello": 1, "set": 1, "bye": 1}
    assert found.starts == {"hello": 1}
    assert found.edges == {("hello", "set"): 1, ("set", "bye"): 1}
    assert found.transitions == {("hello", 0, "set"): 1, ("set", 0, "bye"): 1, ("bye", 0, "quit"): 1}
    assert not found.answers
    assert not found.conditions


QUESTION = [
    node("ask", "chat_exact", "Tea?", "tea, tea, none", on_unclear="ask", min_confidence="0.5",
         **question("What?", "black", "green", "none")),
    node("tea", "chat_exact", "Here", "ask"),
    node("none", "chat_exact", "Well", "ask"),
]  # fmt: skip


def test_two_answers_with_one_target_are_told_apart() -> None:
    found = talk(QUESTION, "", "green", "ok", "black", "ok", "green", answers=[1, 0, 1])
    assert found.transitions[("ask", 1, "tea")] == 2
    assert found.transitions[("ask", 0, "tea")] == 1
    assert found.answers == {("ask", 0): 1, ("ask", 1): 2}
    assert found.edges == {("ask", "tea"): 3, ("tea", "ask"): 2}


def test_unclear_and_doubtful_answers_take_no_listed_transition() -> None:
    found = talk(QUESTION, "", "hm", "hm", answers=["?", ["A", 0.4]])
    assert found.answers == {("ask", None): 2}
    assert found.edges == {("ask", "ask"): 2}
    assert not found.transitions


def test_an_unclear_answer_that_means_a_choice_takes_its_transition() -> None:
    rows = [{**QUESTION[0], "on_unclear": "c"}, *QUESTION[1:]]
    found = talk(rows, "", "hm", answers=["?"])
    assert found.answers == {("ask", None): 1}
    assert found.transitions == {("ask", 2, "none"): 1}


@pytest.mark.parametrize(("choices", "index"), [(("yes", "no"), 0), (("No", "Yes"), 1), (("$a", "$b"), 1)])
def test_yes_and_no_in_either_order(choices: tuple[str, str], index: int) -> None:
    rows = [node("ask", "chat_exact", "Tea?", "one, two", **question("Tea?", *choices)),
            node("one", "chat_exact", "1", "quit"), node("two", "chat_exact", "2", "quit")]  # fmt: skip
    found = talk(rows, "", "yes", answers=["yes"], variables={"a": "no", "b": "yes"})
    assert found.answers == {("ask", index): 1}
    assert found.transitions[("ask", index, ("one", "two")[index])] == 1


def test_an_interjection_and_the_way_back() -> None:
    rows = [node("ask", "chat_exact", "Name?", "done"), node("done", "chat_exact", "Thanks", "quit"),
            node("why", "chat_exact", "Because", "resume", condition_interjection="The user asks why")]  # fmt: skip
    found = talk(rows, "", "why?", "I see", "Ada", answers=[0, 1, 1])
    assert found.interjections == {("ask", "why"): 1}
    assert found.edges == {("ask", "why"): 1, ("why", "ask"): 1, ("ask", "done"): 1}
    assert found.transitions == {("why", 0, "ask"): 1, ("ask", 0, "done"): 1, ("done", 0, "quit"): 1}
    assert not found.answers


GROUP = [
    node("begin", "python_function", "n = 2", "size.*"),
    node("size.a", "transition", "", "say", boolean_condition="n > 5"),
    node("size.b", "transition", "", "say", boolean_condition="n > 1"),
    node("size.c", "transition", "", "say", boolean_condition="n > 0"),
    node("size.d", "transition", "", "say"),
    node("say", "chat_exact", "Done", "back.n"),
    node("back.1", "python_function", "n = n + 4", "size.*"),
    node("back.2", "python_function", "n = -1", "size.*"),
]


def test_variants_and_their_conditions() -> None:
    found = talk(GROUP, "", "again", "again")
    assert found.conditions == {
        ("size.a", False): 2, ("size.a", True): 1, ("size.b", True): 1, ("size.b", False): 1, ("size.c", False): 1,
    }  # fmt: skip
    assert found.transitions[("begin", 0, "size.b")] == 1
    assert found.transitions[("back.1", 0, "size.a")] == 1
    assert found.transitions[("say", 0, "back.1")] == 1
    assert found.transitions[("say", 0, "back.2")] == 1


def test_variants_chosen_by_score_have_no_conditions() -> None:
    rows = [node("begin", "transition", "", "v.*"), node("v.a", "chat_exact", "A", "v.*", down_weight_states="v.a"),
            node("v.b", "chat_exact", "B", "v.*")]  # fmt: skip
    found = talk(rows, "", "go")
    assert found.nodes == {"begin": 1, "v.a": 1, "v.b": 1}
    assert not found.conditions


def dynamic(value: str) -> Traffic:
    rows = [node("begin", "python_function", f"where = {value!r}", "$where"), node("end", "transition", "", "quit"),
            node("v.a", "chat_exact", "A", "end", boolean_condition="False"),
            node("v.b", "chat_exact", "B", "end", boolean_condition="True")]  # fmt: skip
    return talk(rows, "")


def test_a_variable_that_names_a_node_and_one_that_names_its_group() -> None:
    assert dynamic("v.b").transitions == {("begin", 0, "v.b"): 1}
    assert not dynamic("v.b").conditions
    assert dynamic("v.*").transitions == {("begin", 0, "v.b"): 1}
    assert dynamic("v.*").conditions == {("v.a", False): 1, ("v.b", True): 1}
    assert dynamic("quit").transitions == {("begin", 0, "quit"): 1}


def test_a_variable_set_in_an_earlier_turn_or_as_one_of_several() -> None:
    rows = [node("begin", "chat_exact", "Hi", "$where"),
            node("pair", "python_function", "where, n = ('v.a', 1)", "$where"),
            node("v.a", "chat_exact", "A", "pair", boolean_condition="True")]  # fmt: skip
    found = talk(rows, "", "go", "on", variables={"where": "v.*"})
    assert found.conditions == {("v.a", True): 1}
    assert found.transitions[("pair", 0, "v.a")] == 1


CALLS = [
    node("main", "local_function", "x = outer(1)", "say"),
    node("say", "chat_exact", "$x", "main"),
    node("outer(n)", "function", "y = inner(n) + inner(n + 1)", "return y"),
    node("inner(n)", "chat_exact", "Number $n?", "check"),
    node("check", "transition", "", "return 1, done", **question("Good?", "yes", "no")),
    node("done", "python_function", "2", ""),
]


def test_calls_and_returns() -> None:
    found = talk(CALLS, "", "one", "two", answers=["yes", "no"])
    assert found.nodes == {"main": 2, "outer()": 3, "inner()": 2, "check": 2, "done": 1, "say": 1}
    assert found.starts == {"main": 1}
    assert found.edges == {
        ("main", "outer()"): 1, ("outer()", "inner()"): 2, ("inner()", "check"): 2, ("check", "outer()"): 1,
        ("check", "done"): 1, ("done", "outer()"): 1, ("outer()", "main"): 1, ("main", "say"): 1,
    }  # fmt: skip
    assert found.transitions == {
        ("inner()", 0, "check"): 2, ("check", 0, "return"): 1, ("check", 1, "done"): 1, ("outer()", 0, "return"): 1,
        ("main", 0, "say"): 1,
    }  # fmt: skip
    assert found.answers == {("check", 0): 1, ("check", 1): 1}


def test_a_call_from_outside_starts_at_its_function() -> None:
    bot = autograph.load(
        [node("main", "chat_exact", "Hi", "main"), node("double(n)", "python_function", "n * 2", "return")]
    )
    _, memory = bot.reply()
    value, after = bot.apply_fn("double()", [4], memory=memory, function_type="normal", return_memory=True)
    assert value == 8
    found = Traffic.of_turn(bot.program, memory, after)
    assert found == Traffic(nodes={"double()": 1}, starts={"double()": 1}, transitions={("double()", 0, "return"): 1})


def test_a_node_set_from_outside_is_a_start() -> None:
    found = talk(QUESTION, "", "green", answers=[1], start="tea")
    assert found.starts == {"tea": 1}
    bot = autograph.load(QUESTION, model=ScriptedModel(replies=[], answers=[]))
    _, before = bot.reply()
    _, after = bot.reply("go", before, set_state="tea")
    assert Traffic.of_turn(bot.program, before, after) == Traffic(nodes={"tea": 1}, starts={"tea": 1})


def test_a_stored_conversation_goes_on() -> None:
    bot = autograph.load(QUESTION, model=ScriptedModel(replies=[], answers=[2]))
    _, before = bot.reply()
    read = MemoryObject.from_json(before.to_json())
    assert not Traffic.of_turn(bot.program, None, read)
    _, after = bot.reply("nothing", read)
    assert Traffic.of_turn(bot.program, read, after).edges == {("ask", "none"): 1}


def test_the_events_of_a_turn_that_failed() -> None:
    rows = [node("hello", "chat_exact", "Hi", "set"), node("set", "python_function", "x = 1 / zero", "hello")]
    bot = autograph.load(rows, model=ScriptedModel(replies=[], answers=[]))
    _, before = bot.reply("", bot.start({"zero": 0}))
    events: list[Any] = []
    with pytest.raises(autograph.RunError):
        bot.reply("go", before, on_event=events.append)
    found = Traffic.of_events(bot.program, before, events)
    assert found == Traffic(nodes={"set": 1}, edges={("hello", "set"): 1}, transitions={("hello", 0, "set"): 1})


# ---------------------------------------------------------------------- in agreement, for every program

CONVERSATIONS = [*conformance_conversations(), *program_conversations()]


def parts_of(conversation: Conversation) -> tuple[autograph.Autograph, list[tuple[Traffic, MemoryObject]]]:
    """The traffic of each turn and call, with the memory after it."""
    model = conversation.model()
    bot = conversation.bot(model)
    memory = conversation.start(bot)
    found = []
    for step in conversation.steps:
        try:
            if step.call:
                _, after = bot.apply_fn(
                    step.call, step.args, memory=memory, function_type=step.function_type, return_memory=True
                )
                before = memory if step.function_type != "local" else None
            else:
                before = memory
                _, after = bot.reply(step.say, memory, **step.options)
                memory = after
        except (AutographError, Injected):
            continue
        found.append((Traffic.of_turn(bot.program, before, after), after))
    return bot, found


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda c: c.name)
def test_counts_agree_with_each_other(conversation: Conversation) -> None:
    bot, found = parts_of(conversation)
    program = bot.program
    for traffic, after in found:
        assert traffic.nodes == Counter(
            event.node for event in (after.last_turn.trace if after.last_turn else []) if event.kind == "entered"
        )
        entries = Counter(traffic.starts)
        for (_, target), count in traffic.edges.items():
            entries[target] += count
        assert entries == traffic.nodes
        assert sum(traffic.starts.values()) <= 1
        for (name, index, target), count in traffic.transitions.items():
            transition = program.nodes[name].transitions[index]
            if transition.kind == "node":
                assert transition.target == target
            if target not in ("quit", "return"):
                assert traffic.edges[(name, target)] >= count
            elif transition.kind != "dynamic":
                assert transition.kind == target
        taken = Counter[str]()
        for (name, _, _), count in traffic.transitions.items():
            taken[name] += count
        asked = Counter[str]()
        for (name, _), count in traffic.answers.items():
            asked[name] += count
        assert all(taken[name] <= asked[name] for name in asked)
        assert Traffic.from_dict(traffic.to_dict()) == traffic


def test_an_untrusted_program_has_the_same_traffic() -> None:
    assert talk(GROUP, "", "again", "again", trust="untrusted") == talk(GROUP, "", "again", "again")
    answers = ["yes", "no"]
    assert talk(CALLS, "", "one", "two", answers=[*answers], trust="untrusted") == talk(
        CALLS, "", "one", "two", answers=[*answers]
    )


# ---------------------------------------------------------------------- sums, and JSON

NAMES = st.sampled_from(["a", "b", "c.1", "f()"])
COUNTS = st.integers(1, 5)
TRAFFIC = st.builds(
    Traffic,
    nodes=st.dictionaries(NAMES, COUNTS),
    starts=st.dictionaries(NAMES, COUNTS),
    edges=st.dictionaries(st.tuples(NAMES, NAMES), COUNTS),
    transitions=st.dictionaries(st.tuples(NAMES, st.integers(0, 3), NAMES), COUNTS),
    answers=st.dictionaries(st.tuples(NAMES, st.none() | st.integers(0, 3)), COUNTS),
    interjections=st.dictionaries(st.tuples(NAMES, NAMES), COUNTS),
    conditions=st.dictionaries(st.tuples(NAMES, st.booleans()), COUNTS),
)


@given(TRAFFIC, TRAFFIC, TRAFFIC)
def test_sums(a: Traffic, b: Traffic, c: Traffic) -> None:
    assert a + b == b + a
    assert (a + b) + c == a + (b + c) == merged([a, b, c])
    assert a + Traffic() == a
    assert (a + b).answers == Counter(a.answers) + Counter(b.answers)


@given(TRAFFIC)
def test_json(a: Traffic) -> None:
    assert Traffic.from_dict(a.to_dict()) == a
    assert [[*key, count] for key, count in sorted(a.edges.items())] == a.to_dict()["edges"]


@pytest.mark.parametrize(
    "data",
    [[], {"nodes": {"a": -1}}, {"nodes": {"a": True}}, {"edges": [["a", 1]]}, {"answers": [["a", "x", 1]]},
     {"conditions": [["a", 1, 1]]}, {"nodes": 3}, {"edges": [3]}],
)  # fmt: skip
def test_what_is_no_traffic_is_refused(data: Any) -> None:
    with pytest.raises(StorageError, match="no counts of ways"):
        Traffic.from_dict(data)
