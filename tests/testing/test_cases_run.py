"""Running tests: scripts, starts, variables, calls, models, configurations and errors."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from autograph.models.base import Choice, Reply, Usage
from autograph.tables import read_rows
from autograph.testing.bots import Bots, BotUnderTest
from autograph.testing.run import NEEDS_LIVE, run_case, run_suite
from chat_support import PROGRAM, failures, read_tests, run_tests

NAMED = "variables: {name: Ada}"


def test_a_whole_conversation(tmp_path: Path) -> None:
    (result,) = run_tests(
        tmp_path,
        """\
        - test: Whole
          variables: {name: Ada}
          replies: [A number?, Another?]
          answers: [A, something else]
          turns:
            - expect: {reply: "Hello, Ada!", node: hello, path: [start1, hello], silent: true, vars: {count: 0}}
            - say: hi
              expect: {reply: A number?, node: ask, calls: 1}
            - say: hint please
              expect: {contains: numerator, path: [help], calls: 1, vars: {"len(items)": 2, name: Ada}}
            - say: ok
            - say: "5"
              expect: {reply: Bye!, path: [judge, bye], vars: [count == 1, 'visits("ask") == 2'], finished: true}
          expect: {calls: 4, passes: [help, judge], finished: true, stack: 1, path: start1, not: {passes: broken}}
        """.replace("path: start1, ", ""),
    )
    assert result.failures == ()
    assert result.passed
    assert result.path == ("start1", "hello", "ask", "help", "ask", "judge", "bye")
    assert [turn.reply for turn in result.turns] == [
        "Hello, Ada!", "A number?", "Look at the numerator.\nThen think.", "Another?", "Bye!",
    ]  # fmt: skip
    turn = result.turns[2]
    assert (turn.number, turn.say, turn.path, turn.error) == (3, "hint please", ("help",), None)
    assert [event.kind for event in turn.events] == ["value", "asked", "entered", "said"]
    assert turn.before.current == "ask"
    assert turn.after.current == "help"
    assert [question.question for question in turn.requests[0]] == ["What does the user want?"]


def test_the_script_by_node_and_by_turn(tmp_path: Path) -> None:
    found = failures(
        tmp_path,
        f"""\
        - test: By node
          {NAMED}
          replies: {{ask: [One?, Two?]}}
          answers: {{ask: [a hint, B]}}
          turns: &talk
            - say: hi
            - say: hi
              expect: One?
            - say: hi
            - say: hi
              expect: Two?
            - say: hi
              expect: Bye!
        - test: By turn
          {NAMED}
          turns:
            - say: hi
            - say: hi
              replies: [One?]
              expect: One?
            - say: hi
              answers: {{ask: B}}
              expect: Bye!
        """,
    )
    assert found == []


INTERJECTED = (
    PROGRAM
    + """\
  aside:
    action: chat_exact
    instruction: That is not my subject.
    condition_interjection: The user asks about the weather.
    transitions: resume
"""
)


def test_interjections_by_node(tmp_path: Path) -> None:
    found = failures(
        tmp_path,
        f"""\
        - test: They pass on unless scripted
          {NAMED}
          replies: [One?]
          answers: {{ask: [B]}}
          turns: [{{say: hi}}, {{say: hi, expect: One?}}, {{say: hi, expect: Bye!}}]
        - test: Scripted
          {NAMED}
          answers: {{interjections: [The user asks about the weather.]}}
          turns: [{{}}, {{say: rain?, expect: {{node: aside}}}}]
        - test: None in order
          {NAMED}
          answers: [none]
          replies: [One?]
          turns: [{{say: hi}}, {{say: hi, expect: One?}}]
        """,
        program=INTERJECTED,
    )
    assert found == []


def test_an_unexpected_request_is_told(tmp_path: Path) -> None:
    (found,) = failures(tmp_path, f"- test: Silent\n  {NAMED}\n  turns: [{{say: hi}}, {{say: hi}}]")
    assert (found.turn, found.what, found.expected, found.line) == (2, "error", "no error", 3)
    assert found.got == (
        'ModelError: node "ask" asked the model for a chat text; its last message was '
        "'hi Instruction for Agent: Ask for a number.'. The test has no (further) entry in `replies`. Add one, or "
        "choose a `model`."
    )
    (found,) = failures(tmp_path, f"- test: Q\n  {NAMED}\n  start: ask\n  replies: [x]\n  answers: {{ask: []}}\n"
                        "  turns: [{say: hi}, {say: hi}]")  # fmt: skip
    assert "asked the model 'What does the user want?' with the choices A. a hint, B. something else" in found.got
    assert "no (further) entry for ask in `answers`" in found.got


def test_unused_entries_are_told(tmp_path: Path) -> None:
    text = f"- test: x\n  {NAMED}\n  replies: {{ask: a, '*': [b]}}\n  answers: [[B, 0.5]]\n  turns: [{{say: hi}}]"
    (found,) = failures(tmp_path, text)
    assert (found.turn, found.what, found.line) == (0, "script", 3)
    assert found.got == "unused: reply 'b'; answer ['B', 0.5]; reply 'a' for ask"
    assert failures(tmp_path, f"{text}\n  unused: ok") == []


def test_unclear_answers_come_through(tmp_path: Path) -> None:
    found = failures(tmp_path, """\
        - test: Unclear
          start: ask
          replies: [x]
          answers: [Z]
          turns: [{say: hi}, {say: hi, expect: {error: {class: RunError, node: ask}, node: ask}}]
        """)  # fmt: skip
    assert found == []


def test_expected_errors(tmp_path: Path) -> None:
    found = failures(
        tmp_path,
        """\
        - test: A part of the text, a class, a node
          start: broken
          turns: [{expect: {error: {class: StatementError, contains: zero, node: broken}}}]
        - test: After an error the conversation stands where it was
          turns:
            - expect: {error: has no value}
            - say: again
              expect: {error: RunError}
        - test: A call
          call: double
          expect: {error: missing}
        """.replace("has no value", "name").replace("missing", "x"),
    )
    assert found == []
    tests = "- test: x\n  start: bye\n  turns: [{expect: {error: zero}}]\n- test: y\n  start: broken\n  turns:\n" \
        "    - expect: {error: {class: LimitError, node: bye}}"  # fmt: skip
    first, second = failures(tmp_path, tests)
    assert (first.expected, first.got) == ("an error that contains 'zero'", "no error, and the text 'Bye!'")
    assert second.expected == "LimitError at bye"
    assert second.got.startswith("StatementError: ")


def test_calls(tmp_path: Path) -> None:
    found = failures(
        tmp_path,
        """\
        - test: By position
          call: double()
          args: [3]
          expect: {value: 6, silent: true, path: [double()], contains: "6"}
        - test: By name
          call: double
          args: {x: [1]}
          expect: [1, 1]
        - test: With a model
          replies: [Deep.]
          call: {function: think, args: [life]}
          expect: {value: Deep., calls: 1, passes: think()}
        - test: No function
          call: dubble
          expect: 1
        - test: A wrong value
          call: double
          args: [2]
          expect: {value: 5, not: {value: 4}}
        """,
    )
    assert [(f.what, f.expected, f.got) for f in found] == [
        ("name", "a function of the program", 'there is no function "dubble()". Did you mean "double()"?'),
        ("value", "5", "4"),
        ("not value", "not 4", "4"),
    ]


def test_names_that_are_no_nodes(tmp_path: Path) -> None:
    found = failures(
        tmp_path,
        """\
        - test: x
          start: aks
          replies: {halp: a}
          turns:
            - expect: {node: hallo}
          expect: {not: {passes: jugde}}
        """,
    )
    assert [(f.got, f.line) for f in found] == [
        ('there is no node "aks". Did you mean "ask"?', 1),
        ('there is no node "halp". Did you mean "help"?', 3),
        ('there is no node "jugde". Did you mean "judge"?', 6),
        ('there is no node "hallo". Did you mean "hello"?', 5),
    ]


def test_a_conversation_stops_at_the_first_turn_that_fails(tmp_path: Path) -> None:
    (result,) = run_tests(tmp_path, f"""\
        - test: x
          {NAMED}
          turns:
            - expect: {{contains: [a, zz], starts: Good, node: hello}}
            - say: never said
        """)  # fmt: skip
    assert [(f.turn, f.what, f.line) for f in result.failures] == [(1, "contains", 4), (1, "starts", 4)]
    assert len(result.turns) == 1


# ---------------------------------------------------------------------- programs and settings


def test_settings_of_a_test(tmp_path: Path) -> None:
    results = run_tests(
        tmp_path,
        """\
        - test: Other start
          config: {start_state: bye}
          turns: [{expect: Bye!}]
        - test: The program's own
          variables: {name: Bo}
          turns: [{expect: "Hello, Bo!"}]
        """,
    )
    assert [result.passed for result in results] == [True, True]


def test_programs_that_do_not_load(tmp_path: Path) -> None:
    program = "nodes:\n  a: {action: chat_exact, instruction: x, transitions: b}\n"
    tests = """\
        - test: By code
          expect: {load_error: AG104}
        - test: By text
          expect: there is no node
        - test: Another reason
          expect: {load_error: AG105}
        - test: A conversation
          turns: [{say: a}]
        """
    found = failures(tmp_path, tests, program=program)
    assert [(f.what, f.line) for f in found] == [("load_error", 6), ("program", 7)]
    assert "AG104" in found[1].got
    (found_too,) = failures(tmp_path, "- test: x\n  expect: {load_error: AG104}")
    assert found_too.got == "the program loads"


def test_bots_are_loaded_once(tmp_path: Path) -> None:
    suite = read_tests(tmp_path, "- test: x\n  turns: [{say: a}]")
    bots = Bots()
    first = bots.get(suite.program)
    assert bots.get(suite.program, {}) is first
    assert bots.get(suite.program, {"max_steps": 9}) is not first
    assert bots.get(suite.program, live=True) is not first


def test_a_bot_of_ones_own(tmp_path: Path) -> None:
    suite = read_tests(tmp_path, "- test: x\n  start: bye\n  turns: [{expect: {reply: Ciao!}}]")
    rows = read_rows({"nodes": [{"name": "bye", "action": "chat_exact", "instruction": "Ciao!"}]})
    bot = BotUnderTest().load_rows(rows)
    assert run_case(suite, suite.cases[0], bot=bot).passed  # type: ignore[arg-type]


def test_host_functions_of_a_python_file(tmp_path: Path) -> None:
    (tmp_path / "host.py").write_text(
        "def price(what: str) -> int:\n    return 3\n"
        "modules = {'price': price}\n"
        "nodes = [{'name': 'a', 'action': 'python_function', 'instruction': 'p = price(\"x\")', 'transitions': 'b'},\n"
        "         {'name': 'b', 'action': 'chat_exact', 'instruction': 'It costs $p.'}]\n"
    )
    (tmp_path / "host.chat.yaml").write_text(
        "- test: x\n  turns: [{expect: {reply: It costs 3., vars: {price('y') + p: 6}}}]\n"
    )
    from autograph.testing.discover import load_suite

    (result,) = run_suite(load_suite(tmp_path / "host.chat.yaml"))
    assert result.failures == ()


# ---------------------------------------------------------------------- models


def test_offline(tmp_path: Path) -> None:
    tests = f"- test: x\n  {NAMED}\n  model: offline\n  turns: [{{say: hi}}, {{say: hi, expect: {{calls: 1}}}}]"
    assert failures(tmp_path, tests) == []


@pytest.mark.parametrize("model", ["openai:gpt-5-mini", "auto"])
def test_no_network_without_live(tmp_path: Path, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    (found,) = failures(tmp_path, f'- test: x\n  model: "{model}"\n  turns: [{{say: hi}}]')
    assert found.what == "model"
    assert found.got == (
        f'the model "{model}" would be asked over the network. Write live: true and run with --live, or use a script.'
    )


def test_auto_without_a_key_is_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "AUTOGRAPH_MODEL"):
        monkeypatch.delenv(name, raising=False)
    assert failures(tmp_path, f"- test: x\n  {NAMED}\n  model: auto\n  turns: [{{say: hi}}, {{say: hi}}]") == []
    assert capsys.readouterr().err == ""


def test_a_node_with_a_model_of_its_own_gets_the_script(tmp_path: Path) -> None:
    program = "nodes:\n  a: {action: chat, instruction: Greet., model: 'openai:gpt-5-mini'}\n"
    program += "config: {chatbot: 'openai:x', classifier: 'openai:y'}\n"
    assert failures(tmp_path, "- test: x\n  replies: [Hi!]\n  turns: [{expect: {reply: Hi!}}]", program=program) == []


def test_live_tests_are_skipped(tmp_path: Path) -> None:
    tests = f"- test: x\n  live: true\n  {NAMED}\n  turns: [{{say: hi}}]"
    (result,) = run_tests(tmp_path, tests)
    assert (result.skipped, result.passed, result.turns) == (NEEDS_LIVE, False, ())
    (result,) = run_tests(tmp_path, tests, live=True)
    assert (result.skipped, result.passed) == (None, True)


def test_live_tests_ask_the_models_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text("replies: [From a file.]\n")
    program = f"nodes:\n  a: {{action: chat, instruction: x}}\nconfig: {{chatbot: 'scripted:{tmp_path}/script.yaml'}}\n"
    tests = "- test: x\n  live: true\n  turns: [{expect: {reply: From a file., calls: 1}}]"
    (result,) = run_tests(tmp_path, tests, program=program, live=True)
    assert result.failures == ()


def test_a_live_test_with_a_script_leaves_the_models_of_the_program_alone(tmp_path: Path) -> None:
    program = "nodes:\n  a: {action: chat, instruction: x}\nconfig: {chatbot: 'scripted:nowhere.yaml'}\n"
    tests = "- test: x\n  live: true\n  replies: [Hi!]\n  turns: [{expect: {reply: Hi!}}]"
    (result,) = run_tests(tmp_path, tests, program=program, live=True)
    assert result.failures == ()


def test_a_scripted_file_beside_the_tests(tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text("replies: [From a file.]\n")
    tests = "- test: x\n  model: scripted:script.yaml\n  start: ask\n  turns: [{expect: From a file.}]"
    assert failures(tmp_path, tests) == []


class Counting:
    """A model that counts tokens."""

    def generate(self, request: Any) -> Reply:
        return Reply("Hi!", Usage(prompt=1000, completion=500, cached=400))

    def choose(self, questions: Any) -> list[Choice | None]:
        return [Choice(0, usage=Usage(prompt=10, completion=1)) for _ in questions]


def test_tokens_and_costs(tmp_path: Path) -> None:
    suite = read_tests(
        tmp_path,
        """\
        prices: {prompt: 2, completion: 10, cached: 0.5}
        tests:
          - test: Right
            start: ask
            turns:
              - expect: {tokens: 1500, cost: 0.0064}
              - say: hi
                expect: {tokens: 11, cost: "< 0.00004"}
            expect: {tokens: "> 1500", cost: ["> 0.0064", "< 0.01"], calls: 2, time: "< 100"}
          - test: Wrong
            start: ask
            turns:
              - expect: {tokens: "< 100", cost: "<= 0.001", time: "> 1000"}
        """,
    )
    right, wrong = run_suite(suite, model=Counting())
    assert right.failures == ()
    assert right.usage == Usage(1010, 501, 400, 0, 2)
    assert [(f.expected, f.got) for f in wrong.failures][:2] == [
        ("tokens < 100", "1500"),
        ("a cost <= 0.001", "0.0064"),
    ]


def test_costs_that_cannot_be_known(tmp_path: Path) -> None:
    tests = "- test: x\n  start: ask\n  replies: [a]\n  turns: [{expect: {cost: '< 1', tokens: 3}}]"
    assert [f.got for f in failures(tmp_path, tests)] == [
        "no `prices` are given in the file of tests",
        "the model counts no tokens",
    ]
    tests = f"prices: {{prompt: 1}}\ntests:\n- test: x\n  {NAMED}\n  turns: [{{expect: {{cost: 0, tokens: 0}}}}]"
    assert failures(tmp_path, tests) == []


def test_cases_in_several_threads_have_their_own_scripts(tmp_path: Path) -> None:
    many = "\n".join(f"- test: n{i}\n  start: ask\n  replies: [r{i}]\n  turns: [{{expect: {{reply: r{i}}}}}]"
                     for i in range(40))  # fmt: skip
    suite, bots, wrong = read_tests(tmp_path, many), Bots(), []

    def work(part: int) -> None:
        wrong.extend(f for case in suite.cases[part::4] for f in run_case(suite, case, bots=bots).failures)

    threads = [threading.Thread(target=work, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_bot_under_test_has_no_model_outside_of_a_test(tmp_path: Path) -> None:
    suite = read_tests(tmp_path, "- test: x\n  turns: [{say: a}]")
    from autograph.errors import ModelError

    with pytest.raises(ModelError, match="outside of a test"):
        Bots().get(suite.program).reply("", set_state="ask")
