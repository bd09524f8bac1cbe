"""Which stored conversations would not survive an edit of their program, and why?"""

from __future__ import annotations

from typing import Any

import autograph
from autograph.check.against import lost_in
from autograph.models import ScriptedModel

Node = dict[str, str]


def node(name: str, action: str, instruction: str, transitions: str, **more: str) -> Node:
    return {"name": name, "action": action, "instruction": instruction, "transitions": transitions, **more}


OLD = [
    node("start1", "chat_exact", "Hello", "ask"),
    node("ask", "chat_exact", "Who are you?", "keep"),
    node("keep", "python_function", "name = _last_user_reply", "hint.n"),
    node("hint.1", "chat_exact", "First, $name", "hint.n"),
    node("hint.2", "chat_exact", "Second, $name", "hint.n"),
]


def edited(nodes: list[Node], **changed: dict[str, Any] | None) -> list[Node]:
    """The nodes with some of them changed or, by None, deleted; ``x_1`` stands for ``x.1``."""
    result = []
    for one in nodes:
        key = one["name"].replace(".", "_").partition("(")[0]
        change = changed.get(key, {})
        if change is not None:
            result.append({**one, **change})
    return result


def talked(nodes: list[Node], *texts: str) -> autograph.MemoryObject:
    bot = autograph.load(nodes, model=ScriptedModel())
    _, memory = bot.reply()
    for text in texts:
        _, memory = bot.reply(text, memory)
    return autograph.MemoryObject.from_json(memory.to_json())


def lost(old: list[Node], new: list[Node], *texts: str) -> list[tuple[str, str]]:
    programs = [autograph.load(nodes, model=ScriptedModel()).program for nodes in (old, new)]
    return [(p.code, f"{p.message}. {p.hint}") for p in lost_in(talked(old, *texts), *programs, file="c.json")]


def test_nothing_is_lost_without_an_edit() -> None:
    for texts in ((), ("hi",), ("hi", "Ada"), ("hi", "Ada", "more")):
        assert lost(OLD, OLD, *texts) == []


def test_a_node_that_is_gone_and_the_node_in_its_place() -> None:
    new = edited(OLD, start1={"transitions": "question"}, ask={"name": "question"})
    assert lost(OLD, new) == []
    ((code, text),) = lost(OLD, new, "hi")
    assert code == "AG601"
    assert 'the conversation stands at "ask"' in text
    assert 'It seems to be "question" now: write formerly: ask there.' in text
    assert lost(OLD, edited(new, question={"formerly": "ask"}), "hi") == []


def test_visits_that_no_longer_count() -> None:
    new = edited(OLD, keep={"transitions": "tip.n"}, hint_1={"name": "tip.1", "transitions": "tip.n"},
                 hint_2={"name": "tip.2", "transitions": "tip.n"})  # fmt: skip
    found = lost(OLD, new, "hi", "Ada")
    assert [code for code, _ in found] == ["AG601", "AG604"]
    assert 'the conversation has visited "hint.1", which hint.n counts' in found[1][1]
    assert lost(OLD, edited(new, tip_1={"formerly": "hint.1"}), "hi", "Ada") == []


def test_visits_that_nobody_counts_are_not_missed() -> None:
    new = edited(OLD, start1={"name": "begin"})
    assert lost(OLD, new, "hi") == []


def test_a_variable_whose_node_the_conversation_is_past() -> None:
    new = [
        node("start1", "python_function", "tone = 'kind'", "start2"),
        node("start2", "chat_exact", "Hello", "ask"),
        *edited(OLD, start1=None, hint_2={"instruction": "Second, $name, in a $tone way"}),
    ]
    ((code, text),) = lost(OLD, new, "hi")
    assert code == "AG603"
    assert '"hint.2" reads tone, which this conversation does not have (ask → keep → hint.2)' in text
    assert '"start1" sets it, but the conversation is past it.' in text
    optional = edited(new, hint_2={"instruction": "Second, $name?{, in a $tone way}"})
    assert lost(OLD, optional, "hi") == []
    assert lost(OLD, new, "hi", "Ada", "more") == []  # it is past the cell as well


def test_what_was_amiss_already_is_left_out() -> None:
    old = edited(OLD, hint_2={"instruction": "Second, $nobody"})
    assert lost(old, edited(old, start1={"instruction": "Hi"}), "hi") == []


CALLS = [
    node("start1", "local_function", "x = ask('name')", "say"),
    node("say", "chat_exact", "$x", "quit"),
    node("ask(what)", "chat_exact", "What is your $what?", "answer"),
    node("answer", "python_function", "_last_user_reply", "return"),
]


def test_a_call_under_way() -> None:
    assert lost(CALLS, CALLS) == []
    ((code, text),) = lost(CALLS, [node("start1", "python_function", "x = 1", "say"), *CALLS[1:], node(
        "other", "local_function", "y = ask('town')", "say")])  # fmt: skip
    assert code == "AG602"
    assert '"start1" makes, which no longer makes it' in text
    (found,) = lost(CALLS, [CALLS[0], CALLS[1], node("ask(what, tone='kind')", "chat_exact", "$what?", "answer"),
                            CALLS[3]])  # fmt: skip
    assert found[0] == "AG603"
    assert 'has no "tone", a parameter that is new' in found[1]


def test_a_finished_conversation_needs_nothing() -> None:
    old = [node("start1", "chat_exact", "Bye", "quit")]
    assert lost(old, [node("begin", "chat_exact", "Hi", "quit")]) == []


def test_an_interrupted_node_that_is_gone() -> None:
    old = [
        node("start1", "chat_exact", "Hi", "more"),
        node("more", "chat_exact", "More?", "start1"),
        node("help", "chat_exact", "Help!", "resume", condition_interjection="The user asks for help"),
    ]
    bot = autograph.load(old, model=ScriptedModel(answers=["A"]))
    _, memory = bot.reply()
    _, memory = bot.reply("help me", memory)
    new = edited(old, start1={"name": "begin"}, more={"transitions": "begin"})
    programs = [autograph.load(nodes, model=ScriptedModel()).program for nodes in (old, new)]
    (found,) = lost_in(memory, *programs)
    assert found.message == 'the conversation would resume at "start1", which the new program does not have'
