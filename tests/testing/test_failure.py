"""The text of a failed test: where it stands, what was said, expected and got, and the way that led there."""

from __future__ import annotations

from pathlib import Path

from autograph.testing.failure import failure_text
from chat_support import run_tests


def told(folder: Path, tests: str, width: int = 80, **options: str) -> str:
    (result,) = run_tests(folder, tests, **options)
    return failure_text(result, width).replace(f"{folder}/", "")


def test_a_failed_turn(tmp_path: Path) -> None:
    text = told(
        tmp_path,
        """\
        - test: Says goodbye
          variables: {name: Ada}
          replies: [Which number?]
          answers: [B]
          turns:
            - expect: Ada
            - say: hi
            - say: five
              expect:
                contains: See you
                vars: {count: 2}
        """,
    )
    assert (
        text
        == """\
demo.chat.yaml:1: Says goodbye

turn 3, the user says: five
  contains (line 10)
    expected  a text that contains 'See you'
    got       'Bye!'
  vars (line 11)
    expected  count is 2
    got       1

the way there
   1  the program begins
      start1 → hello
   2  the user says: hi
      ask
   3  the user says: five
      judge → bye"""
    )


LINES = 'nodes:\n  a: {action: chat_exact, instruction: "One\\nTwo\\nThree"}\n'


def test_texts_of_several_lines(tmp_path: Path) -> None:
    tests = '- test: x\n  turns: [{expect: {reply: "One\\ntwo\\nThree", contains: four}}]'
    assert told(tmp_path, tests, program=LINES).split("\n")[2:-4] == [
        "turn 1, the program begins",
        "  reply (line 2)",
        "    - expected",
        "    + got",
        "      One",
        "    - two",
        "    + Two",
        "      Three",
        "  contains (line 2)",
        "    expected  a text that contains 'four'",
        "    got",
        "      | One",
        "      | Two",
        "      | Three",
    ]


def test_long_texts_are_marked_by_words(tmp_path: Path) -> None:
    long = "We meet on Monday at nine in the large room, and you need to bring nothing but your pen and paper."
    program = f'nodes:\n  a: {{action: chat_exact, instruction: "{long}"}}\n'
    tests = f'- test: x\n  turns: [{{expect: {{reply: "{long.replace("Monday", "Tuesday").replace(" large", "")}"}}}}]'
    assert told(tmp_path, tests, 60, program=program).split("\n")[3:9] == [
        "  reply (line 2)",
        "    expected [-this-], got {+that+}",
        "      We meet on [-Tuesday-]{+Monday+} at nine in the{+",
        "      large+} room, and you need to bring nothing but your",
        "      pen and paper.",
        "",
    ]


def test_a_call_a_script_and_an_error(tmp_path: Path) -> None:
    text = told(tmp_path, "- test: x\n  call: double\n  args: [2]\n  expect: 5")
    assert "the call of double\n  value (line 4)\n    expected  5\n    got       4\n" in text
    assert text.endswith("the way there\n   1  the call of double\n      double()")
    text = told(tmp_path, "- test: x\n  start: bye\n  replies: [Hi!]\n  turns: [{}]")
    assert "the test as a whole\n  script (line 3)\n    expected  every entry of the script is asked for\n" in text
    text = told(tmp_path, "- test: x\n  start: broken\n  turns: [{}]")
    assert "  error (line 3)\n    expected  no error\n    got       StatementError:" in text
    assert text.endswith("   1  the program begins\n      broken")


def test_a_program_that_is_refused(tmp_path: Path) -> None:
    text = told(tmp_path, "- test: x\n  turns: [{}]", program="nodes:\n  a: {action: chat, transitions: b}\n")
    assert text.startswith("demo.chat.yaml:1: x\n\nthe test as a whole\n  program (line 1)\n")
    assert "the way there" not in text


def test_long_ways_and_control_characters(tmp_path: Path) -> None:
    program = """\
    nodes:
      a: {action: chat_exact, instruction: "x", transitions: b}
      b: {action: chat_exact, instruction: "\\u0007 $_last_user_reply", transitions: b}
    """
    import textwrap

    turns = ", ".join(["{say: x}"] * 14)
    tests = f"- test: x\n  turns: [{turns}, {{say: '{'long ' * 30}', expect: {{reply: y}}}}]"
    text = told(tmp_path, tests, program=textwrap.dedent(program).replace("\\u0007", ">"))
    assert "   … 3 more before\n   4  the user says: x\n      b\n" in text
    assert f"turn 15, the user says: {'long ' * 11}\n    long…\n".replace(" \n", "\n") in text
    assert max(map(len, text.split("\n"))) <= 80
    from autograph.testing.failure import _plain

    assert _plain("a\x1b[31m\nb") == "a\\x1b[31m\nb"
