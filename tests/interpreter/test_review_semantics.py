"""Rules of the language where two of them meet: each test is a program that once came out wrong."""

from __future__ import annotations

import asyncio
import gc
import json
import weakref
from typing import Any

import pytest

import autograph
from autograph import AutographConfig, LimitError, MemoryObject, ProgramChanged, ProgramError, RunError, StorageError
from autograph.models import ScriptedModel
from autograph.models.base import Choice

FIELDS = ("name", "action", "transitions", "instruction")


def load(
    *rows: tuple[Any, ...],
    replies: tuple[str, ...] = (),
    answers: tuple[Any, ...] = (),
    modules: dict[str, Any] | None = None,
    **config: Any,
) -> tuple[autograph.Autograph, Any]:
    """A bot from rows of name, action, transitions, instruction and perhaps a mapping of further fields."""
    model = ScriptedModel(replies=list(replies), answers=list(answers))
    nodes = [{**dict(zip(FIELDS, row, strict=False)), **(row[4] if len(row) > 4 else {})} for row in rows]
    return autograph.load(nodes, config=AutographConfig(**config), model=model, modules=modules), model


def through_json(memory: MemoryObject) -> MemoryObject:
    return MemoryObject.from_json(memory.to_json())


# ---------------------------------------------------------------------- the memory given stays as it was

BEGIN = (("start1", "python_function", "c", "xs=[1]"), ("c", "chat_exact", "m", "hi"))


async def add_awaited(xs: list[int]) -> int:
    xs.append(9)
    return 1


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(
            (("m", "local_function", "e", "n = list.append(f(xs), 9)"), ("f(a)", "transition", "return a", "")),
            id="a call's value",
        ),
        pytest.param(
            (("m", "function", "e", "n = f().append(9)"), ("f()", "transition", "return xs", "")),
            id="a variable that a call returned",
        ),
        pytest.param(
            (
                ("m", "local_function", "e", "n = g(f(xs).append(9))"),
                ("f(a)", "transition", "return a", ""),
                ("g(a)", "python_function", "return", "0"),
            ),
            id="an argument",
        ),
        pytest.param(
            (("m", "python_function", "n", "xs"), ("n", "python_function", "e", "_last_variable_output.append(9)")),
            id="the last output",
        ),
        pytest.param((("m", "python_function", "e", "add(xs)"),), id="an awaited host function"),
    ],
)
def test_what_a_statement_changes_is_copied_first(rows: tuple[tuple[str, ...], ...]) -> None:
    bot, _ = load(*BEGIN, *rows, ("e", "chat_exact", "e", "$xs"), modules={"add": add_awaited})
    _, before = bot.reply()
    stored = before.to_json()
    reply, after = bot.reply("go", before)
    assert before.to_json() == stored
    assert reply == "[1, 9]"
    assert after.variables["xs"] == [1, 9]


def test_the_result_of_apply_fn_is_the_callers_own() -> None:
    bot, _ = load(*BEGIN, ("m", "chat_exact", "m", "$xs"), ("f()", "transition", "return xs", ""))
    _, memory = bot.reply()
    bot.apply_fn("f()", memory=memory, function_type="normal").append(2)
    assert memory.variables == {"xs": [1]}


def test_a_memory_holds_no_context() -> None:
    class Context:
        pass

    def who(context: Any) -> int:
        return 1

    bot, _ = load(
        ("start1", "python_function", "c", 'x=[who(), visits("start1")]'),
        ("c", "chat_exact", "c", "$x"),
        modules={"who": who},
    )
    context = Context()
    alive = weakref.ref(context)
    _, memory = bot.reply(context=context)
    del context
    gc.collect()
    assert alive() is None
    assert memory.variables == {"x": [1, 1]}


# ---------------------------------------------------------------------- names

DYNAMIC = ("start1", "python_function", "$w", 'w="p.A"')


def test_a_variants_letter_counts_in_either_case_wherever_it_is_named() -> None:
    bot, _ = load(DYNAMIC, ("p.a", "chat_exact", "q", "A"), ("q", "chat_exact", "q", '${visits("p.A")}'))
    reply, memory = bot.reply()
    assert reply == "A"
    assert bot.reply("on", memory)[0] == "1"
    assert bot.reply("on", memory, set_state="p.A")[0] == "A"
    allowed, _ = load((*DYNAMIC, {"allowed_targets": "p.a"}), ("p.a", "chat_exact", "p.a", "A"))
    assert allowed.reply()[0] == "A"


@pytest.mark.parametrize("name", ["f", "f()", "f(a)"])
def test_a_list_of_states_may_name_a_function_in_any_way(name: str) -> None:
    bot, _ = load(
        ("start1", "local_function", "c.*", "r=f(1)"),
        ("f(a)", "python_function", "return", "a"),
        ("c.a", "chat_exact", "c.a", "A", {"blocking_states": name}),
        ("c.b", "local_function", "d", "r=f(2)", {"required_revisit": name}),
        ("d", "chat_exact", "d", '$r ${visits("f")}'),
    )
    assert bot.reply()[0] == "2 2"


def test_earlier_names_count_for_functions_targets_and_turns() -> None:
    old, _ = load(
        ("start1", "python_function", "k", 'w="ask"'),
        ("k", "local_function", "d", "r=$w(1)"),
        ("ask(a)", "chat_exact", "q", "Q"),
        ("q", "python_function", "return", 'visits("ask")'),
        ("d", "chat_exact", "d", "$r"),
    )
    new, _ = load(
        ("start1", "python_function", "k", 'w="query"'),
        ("k", "local_function", "d", "r=$w(1)"),
        ("query(a)", "chat_exact", "q", "Q", {"formerly": "ask"}),
        ("q", "python_function", "return", 'visits("query")'),
        ("d", "chat_exact", "e", "$r"),
        ("e", "local_function", "$go", "r=$w(1)"),
        ("there", "chat_exact", "there", "THERE", {"formerly": "here"}),
    )
    _, memory = old.reply()
    reply, renamed = new.reply("x", through_json(memory))
    assert reply == "1"
    assert renamed.trajectory[:4] == ["start1", "k", "query()", "q"]
    reply, paused = new.reply("x", renamed)
    assert reply == "Q"
    assert [turn.node for turn in paused.stack[1].turns] == ["query()"]
    go = new.start({"w": "ask", "go": "here"})
    reply, go = new.reply("", go, set_state="e")
    assert new.reply("x", go)[0] == "THERE"


def test_turns_take_the_present_name() -> None:
    old, _ = load(("start1", "chat_exact", "k", "hi"), ("k", "function", "k", "f()"), ("f()", "chat_exact", "q", "Q"),
                  ("q", "chat_exact", "return", "R"))  # fmt: skip
    new, _ = load(("first", "chat_exact", "k", "hi", {"formerly": "start1"}), ("k", "function", "k", "f()"),
                  ("f()", "chat_exact", "q", "Q"), ("q", "chat_exact", "return", "R"))  # fmt: skip
    _, memory = old.reply()
    _, memory = old.reply("x", memory)
    _, after = new.reply("y", memory)
    assert [[turn.node for turn in level.turns] for level in after.stack] == [["first"], ["f()", "q"]]
    assert through_json(after) == after


def test_a_caller_that_no_longer_calls_is_a_changed_program() -> None:
    old, _ = load(
        ("start1", "function", "d", "f()"), ("f()", "chat_exact", "return", "Q"), ("d", "chat_exact", "d", "")
    )
    new, _ = load(("start1", "transition", "d", ""), ("f()", "chat_exact", "return", "Q"), ("d", "chat_exact", "d", ""))
    _, memory = old.reply()
    with pytest.raises(ProgramChanged, match="start1"):
        new.reply("x", memory)


# ---------------------------------------------------------------------- calls


@pytest.mark.parametrize(
    ("action", "instruction"),
    [
        ("local_function", "r = f(1) + (1 if w else $w(2))"),
        ("local_function", "r = f(1) and $w(2)"),
        ("python_function", "r = $w(2)"),
        ("chat_exact", "${$w(2)}"),
    ],
)
def test_a_dynamic_call_out_of_place_is_refused_at_load(action: str, instruction: str) -> None:
    with pytest.raises(ProgramError) as caught:
        load(("start1", action, "start1", instruction), ("f(a)", "python_function", "return", "a"))
    assert [problem.kind for problem in caught.value.problems] == ["misplaced-call"]


def test_a_limit_in_a_return_expression_has_its_cell() -> None:
    bot, _ = load(("f()", "python_function", "return sum(range(10**9))", "1"))
    with pytest.raises(LimitError) as caught:
        bot.apply_fn("f()")
    assert caught.value.location is not None
    assert caught.value.location.column == "transitions"


def test_arguments_that_are_no_list_are_an_error_of_their_own() -> None:
    bot, _ = load(("f(a)", "python_function", "return", "a"))
    with pytest.raises(RunError, match="must be a list"):
        bot.apply_fn("f()", 5)


def test_a_chat_nodes_value_is_what_it_said_also_after_a_global_thought() -> None:
    bot, _ = load(
        ("start1", "chat_exact", "d", "r=hello"),
        ("d", "chat_exact", "d", "$r"),
        ("g()", "thought", "return", "Think."),
        replies=("deep",),
    )
    _, memory = bot.reply()
    value, memory = bot.apply_fn("g()", memory=memory, function_type="global", return_memory=True)
    assert value == "deep"
    assert bot.reply("x", memory)[0] == "hello"


def test_a_value_that_cannot_be_stored_is_named_by_its_path() -> None:
    bot, _ = load(("start1", "python_function", "c", "x=[1, int]"), ("c", "chat_exact", "c", ""))
    with pytest.raises(autograph.StatementError, match=r"x\[1\] is a type"):
        bot.reply()


# ---------------------------------------------------------------------- user texts


def test_an_empty_text_is_no_text_to_answer() -> None:
    bot, model = load(
        ("start1", "chat", "c", "One."), ("c", "chat", "d,d", "Two.", {
            "transition_question": "Which?", "transition_choice_a": "x", "transition_choice_b": "y"}),
        ("d", "chat", "d", "Three."), replies=("a", "b", "c"), answers=("A",),
    )  # fmt: skip
    _, memory = bot.reply()
    _, memory = bot.reply("", memory)
    _, memory = bot.reply("", memory)
    roles = [message.role for message in model.requests[-1].messages]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    asked = next(request for request in model.requests if request.kind == "choose")
    assert all(message.content for message in asked.context)


@pytest.mark.parametrize("text", [None, 5, b"x"])
def test_a_users_text_is_text(text: Any) -> None:
    bot, _ = load(("start1", "chat_exact", "start1", "hi"))
    with pytest.raises(RunError, match="must be a str"):
        bot.reply(text)


def test_half_a_character_can_be_stored() -> None:
    bot, _ = load(("start1", "chat_exact", "start1", "é $_last_user_reply"))
    _, memory = bot.reply("x\ud83dy")
    text = memory.to_json().encode()
    assert MemoryObject.from_json(text) == memory


def test_a_key_that_is_no_text_is_refused() -> None:
    bot, _ = load(("start1", "chat_exact", "start1", "hi"))
    data: dict[str, Any] = bot.reply()[1].to_dict()
    data["stack"][0]["variables"] = {1: 2}
    with pytest.raises(StorageError, match=r"variables"):
        MemoryObject.from_dict(data)


# ---------------------------------------------------------------------- what models give


@pytest.mark.parametrize(
    ("words", "suffix", "reply"),
    [
        ("History is fun.", "Hi", "History is fun. Hi"),
        ("Nothing. No", "No", "Nothing. No"),
        ("请问你叫什么名字？", "你叫什么名字？", "请问 你叫什么名字？"),
    ],
)
def test_a_suffix_that_is_a_word_is_not_taken_out_of_other_words(words: str, suffix: str, reply: str) -> None:
    bot, _ = load(("start1", "chat_suffix", "start1", suffix), replies=(words,))
    assert bot.reply()[0] == reply


class Careless:
    """A model that does not give what a model gives."""

    def generate(self, request: Any) -> Any:
        return "text"

    def choose(self, questions: Any) -> Any:
        return [Choice(7)]


def test_what_a_model_must_not_give_is_a_model_error() -> None:
    asks = {"transition_question": "Which?", "transition_choice_a": "x", "transition_choice_b": "y"}
    rows = [{"name": "a", "action": "chat", "transitions": "a", "instruction": "Talk."},
            {"name": "b", "action": "transition", "transitions": "a, a", **asks}]  # fmt: skip
    bot = autograph.load(rows, model=Careless())
    for node, words in (("a", "a str"), ("b", "number 7 of 2")):
        with pytest.raises(autograph.ModelError, match=words):
            bot.reply(set_state=node)


# ---------------------------------------------------------------------- limits


async def slow() -> int:
    await asyncio.sleep(5)
    return 1


def test_a_time_out_ends_a_host_function_that_is_awaited() -> None:
    bot, _ = load(("start1", "python_function", "c", "slow()"), ("c", "chat_exact", "c", "hi"), modules={"slow": slow})
    with pytest.raises(LimitError, match=r"slow\(\)") as caught:
        bot.reply(timeout=0.05)
    assert caught.value.node == "start1"
    with pytest.raises(LimitError):
        asyncio.run(bot.areply(timeout=0.05))


def test_the_cut_of_a_long_history_moves_seldom() -> None:
    turns = 120
    bot, model = load(
        ("start1", "chat", "start1", "Talk."), replies=("word " * 20,) * (turns + 1), max_prompt_tokens=2_000
    )
    _, memory = bot.reply()
    first, moves = "", 0
    for number in range(turns):
        _, memory = bot.reply(f"{number} " + "x" * (number * 37 % 200), memory)
        oldest = model.requests[-1].messages[1].content
        moves += oldest != first
        first = oldest
    size = sum((len(message.content) + 3) // 4 + 4 for message in model.requests[-1].messages)
    assert size <= 2_000
    assert moves < 15
    assert json.loads(memory.to_json())["texts"] == turns
