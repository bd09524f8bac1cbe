"""The public API of a loaded bot: turns, options, calls, building in Python, custom actions."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

import autograph
from autograph.interpreter.nodes.chat import with_suffix
from autograph.models import ScriptedModel
from rows_support import rows

ECHO = [
    {"name": "start1", "action": "chat_exact", "transitions": "b", "instruction": "hi"},
    {"name": "b", "action": "chat_exact", "transitions": "b", "instruction": "You said $_last_user_reply"},
]


# ---------------------------------------------------------------------- turns


def test_last_turn_tells_what_happened() -> None:
    model = ScriptedModel(replies=["Hello!"], answers=["B"])
    bot = autograph.load(
        [
            {"name": "start1", "action": "chat", "transitions": "x, y", "instruction": "Greet.",
             "transition_question": "Which?", "transition_choice_a": "one", "transition_choice_b": "two"},
            {"name": "x", "action": "chat_exact", "instruction": "X", "transitions": "x"},
            {"name": "y", "action": "python_function", "instruction": "n = 3", "transitions": "x"},
        ],
        model=model,
    )  # fmt: skip
    _, memory = bot.reply()
    assert memory.last_turn.agent_reply == "Hello!"
    assert memory.last_turn.node == "start1"
    assert memory.last_turn.user_reply is None
    _, memory = bot.reply("two please", memory)
    kinds = [event.kind for event in memory.last_turn.trace]
    assert kinds == ["value", "asked", "entered", "value", "entered", "said"]
    asked = memory.last_turn.trace[1]
    assert (asked.choice.index, asked.target) == (1, "y")
    assert memory.last_turn.trace[3].to_dict() == {"event": "value", "node": "y", "value": 3, "variable": "n"}


def test_on_event_hears_every_event_as_it_happens() -> None:
    heard: list[Any] = []
    bot = autograph.load(ECHO, model="offline")
    _, memory = bot.reply("x", on_event=heard.append)
    assert heard == memory.last_turn.trace


def test_set_state_enters_a_node() -> None:
    bot = autograph.load(ECHO, model="offline")
    reply, memory = bot.reply("x", set_state="b")
    assert reply == "You said x"
    with pytest.raises(autograph.RunError, match='Did you mean "start1"'):
        bot.reply("", memory, set_state="start")


def test_node_reply_is_set_state() -> None:
    bot = autograph.load(ECHO, model="offline")
    reply, memory = bot.nodes["b"].reply("x")
    assert reply == "You said x"
    assert memory.trajectory == ["b"]


def test_timeout_ends_a_turn() -> None:
    bot = autograph.load(
        rows("start1 | python_function | b | slow()", "b | transition | start1 |"),
        model="offline",
        modules={"slow": lambda: time.sleep(0.002)},
        config=autograph.AutographConfig(max_steps=10**9),
    )
    started = time.monotonic()
    with pytest.raises(autograph.LimitError, match="time-out"):
        bot.reply(timeout=0.2)
    assert time.monotonic() - started < 5


def test_printing_is_an_event() -> None:
    bot = autograph.load(
        rows("start1 | python_function | say | print('n is', 3)", "say | chat_exact | say | ok"), model="offline"
    )
    _, memory = bot.reply()
    assert [event.text for event in memory.last_turn.trace if event.kind == "printed"] == ["n is 3"]


def test_simulate_user() -> None:
    program = [
        {"name": "start1", "action": "chat_exact", "instruction": "Ready?", "transitions": "a, b",
         "transition_question": "Ready?", "transition_choice_a": "yes", "transition_choice_b": "no",
         "transition_probs": "0, 1", "user_instruction_transition_a": "say yes",
         "user_instruction_transition_b": "say no"},
        {"name": "a", "action": "chat_exact", "instruction": "A", "transitions": "a"},
        {"name": "b", "action": "chat_exact", "instruction": "B", "transitions": "b",
         "user_instruction_transition_a": "<end>"},
    ]  # fmt: skip
    model = ScriptedModel(replies=["No, thanks."], answers=["No"])
    bot = autograph.load(program, model=model)
    _, memory = bot.reply()
    text, target = bot.simulate_user(memory)
    assert (text, target) == ("No, thanks.", "b")
    request = model.requests[-1]
    assert request.purpose == "user"
    assert request.messages[0].content == "You are a user."
    assert request.messages[-1].content == "Ready?\n\nInstruction for User: say no"
    _, memory = bot.reply(text, memory)
    assert bot.simulate_user(memory) == ("<end>", "b")
    assert asyncio.run(bot.asimulate_user(memory)) == ("<end>", "b")


# ---------------------------------------------------------------------- calls


def test_apply_fn_leaves_the_arguments_alone() -> None:
    bot = autograph.load(rows("f(x) | python_function | return x | x.append(1)"), model="offline")
    given = [0]
    assert bot.apply_fn("f()", [given]) == [0, 1]
    assert given == [0]


def test_apply_fn_takes_names_and_either_spelling() -> None:
    bot = autograph.load(rows("f(a, b=2) | python_function | return | a - b"), model="offline")
    assert bot.apply_fn("f", {"b": 1, "a": 5}) == 4
    assert bot.apply_fn("f()", [5]) == 3
    assert asyncio.run(bot.aapply_fn("f()", [5])) == 3


@pytest.mark.parametrize(
    ("args", "message"),
    [([1, 2, 3], "takes 2 arguments, but 3"), ([], 'misses the argument for its parameter "a"'), ({"c": 1}, '"c"')],
)
def test_apply_fn_refuses_wrong_arguments(args: Any, message: str) -> None:
    bot = autograph.load(rows("f(a, b=2) | python_function | return | a - b"), model="offline")
    with pytest.raises(autograph.StatementError, match=message):
        bot.apply_fn("f()", args)


def test_apply_fn_names_the_nearest_function() -> None:
    bot = autograph.load(rows("merge(a) | python_function | return | a"), model="offline")
    with pytest.raises(autograph.RunError, match=r'Did you mean "merge\(\)"'):
        bot.apply_fn("merg()", [1])


def test_quit_in_apply_fn_gives_the_value_of_the_node_it_leaves() -> None:
    bot = autograph.load(rows("f() | python_function | quit | 7"), model="offline")
    assert bot.apply_fn("f()") == 7


# ---------------------------------------------------------------------- building and loading


def test_built_in_python() -> None:
    bot = autograph.Autograph(model="offline")
    bot.add_node(name="start1", action="chat_exact", instruction="hi", transitions=["b"])
    bot.add_node(name="b", action="chat_exact", instruction="ho", transitions=["start1"])
    bot.update()
    reply, memory = bot.reply()
    assert (reply, bot.reply("x", memory)[0]) == ("hi", "ho")
    bot.add_node(name="c", action="chat_exact", instruction="x", transitions=["nowhere"])
    with pytest.raises(autograph.ProgramError, match="nowhere"):
        bot.update()
    assert set(bot.nodes) == {"start1", "b"}


def test_a_bot_without_a_program_says_so() -> None:
    with pytest.raises(autograph.RunError, match="add_node"):
        autograph.Autograph().reply()


def test_module_level_calls_are_cached_by_content(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("name,action,transitions,instruction\nstart1,chat_exact,start1,one\n", encoding="utf-8")
    reply, memory = autograph.reply(path, model="offline")
    assert reply == "one"
    path.write_text("name,action,transitions,instruction\nstart1,chat_exact,start1,two\n", encoding="utf-8")
    assert autograph.reply(path, "x", memory, model="offline")[0] == "two"
    (tmp_path / "p.config.yaml").write_text("agent_name: Robo\n", encoding="utf-8")
    assert autograph.reply(path, "x", memory, model="offline")[0] == "two"


def test_module_level_apply_fn(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("name,action,transitions,instruction\nf(x),python_function,return,x+1\n", encoding="utf-8")
    assert autograph.apply_fn(path, "f()", [1]) == 2


def test_explicit_configuration_wins_over_the_sheet(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(
        "config:\n  agent_name: Sheet\n  user_name: Sheet\n"
        "nodes:\n  start1: {action: chat_exact, instruction: hi, transitions: [start1]}\n",
        encoding="utf-8",
    )
    bot = autograph.load(path, config=autograph.AutographConfig(agent_name="Given"))
    assert (bot.config.agent_name, bot.config.user_name, bot.config.default_prompt) == (
        "Given", "Sheet", "You are an agent.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("agnet_name: x", 'Did you mean "agent_name"'),
        ("max_steps: many", "must be a whole number"),
        ("instruction_role: boss", "must be one of auto"),
        ("language: 2", "Update autograph"),
        ("max_depth: 0", "at least 1"),
    ],
)
def test_bad_settings_are_named(tmp_path: Path, setting: str, message: str) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(
        f"config:\n  {setting}\nnodes:\n  start1: {{action: chat_exact, instruction: hi, transitions: [start1]}}\n",
        encoding="utf-8",
    )
    with pytest.raises(autograph.ProgramError, match=message) as caught:
        autograph.load(path)
    assert caught.value.problems[0].location.line == 2


class Shout(autograph.Node):
    """A custom action: says its instruction in capitals."""

    action = autograph.Action("shout", "says it in capitals", "text", speaks=True, consumes=True)

    def apply_instruction(self, run: Any) -> None:
        from autograph.interpreter.nodes.chat import say, take_user_text

        text = run.render(self.spec.text, self)[0].upper()
        say(run, self, text, take_user_text(run), ())


def test_custom_actions() -> None:
    program = rows("start1 | shout | start1 | hi $_last_user_reply")
    with pytest.raises(autograph.ProgramError, match='no action "shout"'):
        autograph.load(program)
    bot = autograph.load(program, actions=(Shout,))
    assert bot.reply("ada")[0] == "HI ADA"


def test_custom_actions_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name, value = "shout", "x:Shout"

        @staticmethod
        def load() -> type:
            return Shout

    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: [Point] if group == "autograph.actions" else []
    )
    bot = autograph.load(rows("start1 | shout | start1 | hi"))
    assert bot.reply()[0] == "HI"


# ---------------------------------------------------------------------- memory and the original's names


def test_calls_and_returns_as_in_the_original() -> None:
    bot = autograph.load(
        rows(
            "start1 | local_function | say | r = f(1)",
            "f(x) | chat_exact | return x | in",
            "say | chat_exact | say | $r",
        ),
        model="offline",
    )
    _, memory = bot.reply()
    assert memory.is_call()
    assert not memory.is_return()
    assert memory.get_variable_dict() == {"x": 1}
    assert [level.function_scope for level in memory.stack] == ["local", "local"]
    assert [level.last_state for level in memory.stack] == ["start1", "f()"]
    _, memory = bot.reply("on", memory)
    assert not memory.is_call()


def test_process_node_id() -> None:
    bot = autograph.load(
        rows("start1 | chat_exact | k.n | hi", "k.1 | chat_exact | k.n | one", "k.2 | chat_exact | k.n | two"),
        model="offline",
    )
    _, memory = bot.reply()
    assert autograph.process_node_id("k.n", memory, bot.nodes, None) == "k.1"
    _, memory = bot.reply("x", memory)
    assert autograph.process_node_id("k.n", memory, bot.nodes, None) == "k.2"
    assert autograph.process_node_id("k.1", memory, bot.nodes, None) == "k.1"
    with pytest.raises(autograph.TransitionError):
        autograph.process_node_id("return", memory, bot.nodes, None)


def test_variables_given_out_are_copies() -> None:
    bot = autograph.load(rows("start1 | python_function | b | x = [1]", "b | chat_exact | b | $x"), model="offline")
    _, memory = bot.reply()
    memory.variables["x"].append(2)
    memory.stack[0].variables["x"].append(2)
    assert memory.variables == {"x": [1]}


@pytest.mark.parametrize("name", ["_x", "class", "a b", "__builtins__", "@fuel", ""])
def test_start_refuses_impossible_names(name: str) -> None:
    bot = autograph.load(ECHO)
    with pytest.raises(autograph.RunError, match="cannot be the name of a variable"):
        bot.start(variables={name: 1})


def test_start_refuses_what_cannot_be_stored() -> None:
    with pytest.raises(autograph.RunError, match="x is a function"):
        autograph.load(ECHO).start(variables={"x": lambda: 1})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"autograph": "x"}, "no stored conversation"),
        ({"version": 99}, "Update autograph"),
        ({"stack": [{}]}, "is missing"),
        ({"texts": "2"}, "texts must be of type int"),
        ({"trajectory": [1]}, "list of names"),
    ],
)
def test_malformed_stored_conversations(change: dict[str, Any], message: str) -> None:
    _, memory = autograph.load(ECHO).reply()
    with pytest.raises(autograph.StorageError, match=message):
        autograph.MemoryObject.from_dict({**memory.to_dict(), **change})
    with pytest.raises(autograph.StorageError, match="no stored conversation"):
        autograph.MemoryObject.from_json("{")


def test_a_conversation_on_a_vanished_node() -> None:
    _, memory = autograph.load(ECHO).reply()
    other = autograph.load(rows("begin | chat_exact | begin | x"))
    with pytest.raises(autograph.ProgramChanged, match="formerly"):
        other.reply("x", memory)


# ---------------------------------------------------------------------- chat_suffix


@pytest.mark.parametrize(
    ("words", "reply"),
    [
        ("Nice.", "Nice. What is your name?"),
        ("Nice. What is your name?", "Nice. What is your name?"),
        ("Nice. What is your", "Nice. What is your name?"),
        ("Nice. What", "Nice. What is your name?"),
        ("Nice. Wha", "Nice. What is your name?"),
        ("I know what", "I know what What is your name?"),
        ("What is your name? I am Bo.", "I am Bo. What is your name?"),
        ("What is your name?", "What is your name?"),
        ("", "What is your name?"),
        ("So I ask: What is your na", "So I ask: What is your name?"),
    ],
)
def test_chat_suffix(words: str, reply: str) -> None:
    assert with_suffix(words, "What is your name?") == reply


def test_model_errors_name_the_node() -> None:
    bot = autograph.load(rows("start1 | chat | start1 | Greet."), model=ScriptedModel())
    with pytest.raises(autograph.ModelError) as caught:
        bot.reply()
    assert any("start1" in note for note in caught.value.__notes__)


def test_a_graph_call_in_a_python_function_is_told_where_it_belongs() -> None:
    with pytest.raises(autograph.ProgramError, match="local_function") as caught:
        autograph.load(rows("a | python_function | a | x = 1 + f(1)", "f(x) | python_function | return | x"))
    assert [p.kind for p in caught.value.problems] == ["misplaced-call"]


def test_everything_wrong_is_reported_at_once(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text(
        "name,action,instruction,transitions\nstart1,chta,hi $x ${,nowhere\nb,python_function,1 +,start1\n", "utf-8"
    )
    (tmp_path / "p.config.yaml").write_text("python_imports: [os]\nmax_steps: 0\n", "utf-8")
    with pytest.raises(autograph.ProgramError) as caught:
        autograph.load(path)
    kinds = sorted(p.kind for p in caught.value.problems)
    assert kinds == ["bad-config", "bad-config", "bad-statement", "unknown-action", "unknown-target"]


def test_a_file_that_is_no_script_is_not_shown(tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text('a: 1\npassword: "hunter2', "utf-8")
    program = [{"name": "start1", "action": "chat", "instruction": "Hi.", "model": f"scripted:{secret}"}]
    with pytest.raises(autograph.ModelError, match="line 2: this is no valid YAML") as caught:
        autograph.load(program).reply()
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda bot, m: bot.reply("x", m.to_dict()), autograph.RunError, "MemoryObject.from_dict"),
        (lambda bot, m: bot.reply(m, "x"), autograph.RunError, "must be a str"),
        (lambda bot, m: bot.reply("x", m, txt="y"), TypeError, "no option 'txt'; the options are context"),
        (lambda bot, m: bot.start([1]), autograph.RunError, "must be a mapping"),
        (lambda bot, m: autograph.load(ECHO, model="gpt-4"), autograph.ModelError, "openai:MODEL"),
        (lambda bot, m: autograph.load(ECHO, model=3), autograph.ModelError, "lacks generate"),
        (lambda bot, m: autograph.load(ECHO, config={"agnet_name": "x"}), autograph.AutographError, "agent_name"),
        (lambda bot, m: autograph.AutographConfig(max_steps="5"), autograph.AutographError, "a whole number, not '5'"),
    ],
)
def test_wrong_calls_are_explained(call: Any, error: type[Exception], message: str) -> None:
    bot = autograph.load(ECHO)
    _, memory = bot.reply()
    with pytest.raises(error, match=message):
        call(bot, memory)


def test_settings_may_be_a_mapping_and_functions_a_list() -> None:
    def double(n: int) -> int:
        return 2 * n

    bot = autograph.load(
        rows("start1 | chat_exact | start1 | ${double(4)}"), config={"agent_name": "X"}, modules=[double]
    )
    assert (bot.config.agent_name, bot.reply()[0]) == ("X", "8")


def test_an_undefined_dollar_name_without_a_likeness_may_be_a_price() -> None:
    with pytest.raises(autograph.RunError, match=r"For a dollar sign write \\\$price"):
        autograph.load(rows("start1 | chat_exact | start1 | That costs $price.")).reply()


def test_random_numbers_belong_to_the_conversation() -> None:
    program = rows("start1 | python_function | say | n = random.random()", "say | chat_exact | start1 | $n")
    config = {"python_imports": ["random"]}
    bot = autograph.load(program, config=config)
    first, memory = bot.reply()
    other, _ = bot.reply()
    assert first != other
    again = autograph.MemoryObject.from_json(memory.to_json())
    assert bot.reply("x", memory)[0] == bot.reply("x", again)[0] != first
    seeded = autograph.load(program, config={**config, "seed": 7})
    assert seeded.reply()[0] == seeded.reply()[0]


def test_a_setting_without_a_value_is_the_default() -> None:
    nodes = rows("start1 | chat_exact | start1 | hi")
    bot = autograph.load({"config": {"agent_name": None, "user_name": "Bo"}, "nodes": nodes})
    assert (bot.config.agent_name, bot.config.user_name) == ("Agent", "Bo")
