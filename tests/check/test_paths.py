"""What is said about variables names the path of nodes, and follows calls, groups and interjections."""

from __future__ import annotations

import pytest

from autograph.check import check
from autograph.errors import Problem

Row = tuple[str, ...]


def found(rows: list[Row], *columns: str, **config: object) -> list[Problem]:
    names = ("name", "action", "instruction", "transitions", *columns)
    nodes = [{name: text for name, text in zip(names, row, strict=False) if text} for row in rows]
    return list(check({"nodes": nodes, "config": config}).problems)


def one(rows: list[Row], *columns: str, **config: object) -> Problem:
    problems = found(rows, *columns, **config)
    assert len(problems) == 1, problems
    return problems[0]


QUESTION = ("transition_question", "transition_choice_a", "transition_choice_b")


def test_a_path_that_does_not_set_the_variable_is_shown() -> None:
    problem = one(
        [
            ("start1", "chat_exact", "Hi", "ask, other", "May we?", "yes", "no"),
            ("ask", "chat_exact", "Name?", "keep"),
            ("keep", "python_function", "name = _last_user_reply", "bye"),
            ("other", "transition", "", "bye"),
            ("bye", "chat_exact", "Bye $name", "quit"),
        ],
        *QUESTION,
    )
    assert problem.message == "$name is not set on the path start1 → other → bye"


def test_a_path_to_a_variable_that_is_set_too_late_is_shown() -> None:
    problem = one(
        [
            ("start1", "chat_exact", "Hi", "say"),
            ("say", "chat_exact", "Hello $name", "keep"),
            ("keep", "python_function", "name = _last_user_reply", "bye"),
            ("bye", "chat_exact", "Bye $name", "quit"),
        ]
    )
    assert 'no path to "say" sets $name, for instance start1 → say; "keep" sets it' in problem.message


def test_long_paths_are_shortened() -> None:
    chain = [(f"n{i}", "chat_exact", "Hi", f"n{i + 1}") for i in range(20)]
    rows = [("start1", "chat_exact", "Hi", "n0"), *chain, ("n20", "chat_exact", "$x", "y"),
            ("y", "python_function", "x = 1", "n20")]  # fmt: skip
    message = one(rows).message
    assert message == "$x is not set on the path start1 → n0 → n1 → n2 → … → n17 → n18 → n19 → n20"


def test_a_local_function_names_its_caller() -> None:
    problem = one(
        [
            ("start1", "python_function", "rate = 3", "call"),
            ("call", "local_function", "x = price(2)", "say"),
            ("say", "chat_exact", "$x", "quit"),
            ("price(n)", "python_function", "m = n", "end"),
            ("end", "transition", "", "return m * rate"),
        ]
    )
    assert problem.code == "AG405"
    assert problem.message == ('rate is not known in "price()", which "call" calls as a local function (price() → end)')


def test_a_function_called_in_two_ways_is_looked_at_for_both() -> None:
    rows: list[Row] = [
        ("start1", "python_function", "rate = 3", "a"),
        ("a", "function", "x = price(2)", "b"),
        ("b", "local_function", "y = price(3)", "say"),
        ("say", "chat_exact", "$x $y", "quit"),
        ("price(n)", "python_function", "n * rate", "return"),
    ]
    assert one(rows).code == "AG405"
    assert found([row if row[0] != "b" else ("b", "function", *row[2:]) for row in rows]) == []


def test_what_a_caller_sets_on_one_path_only_is_perhaps_unset_in_its_function() -> None:
    problem = one(
        [
            ("start1", "chat_exact", "Hi", "set, call", "Which?", "yes", "no"),
            ("set", "python_function", "rate = 3", "call"),
            ("call", "function", "x = price(2)", "say"),
            ("say", "chat_exact", "$x", "quit"),
            ("price(n)", "python_function", "n * rate", "return"),
        ],
        *QUESTION,
    )
    assert (problem.code, problem.location.column) == ("AG403", "instruction")


def test_recursion_and_global_calls_are_followed() -> None:
    rows: list[Row] = [
        ("start1", "global_function", "fill(3)", "say"),
        ("say", "chat_exact", "$total", "quit"),
        ("fill(n)", "transition", "", "f.*"),
        ("f.a", "python_function", "total = 0", "return", "n == 0"),
        ("f.b", "global_function", "fill(n - 1)", "add", ""),
        ("add", "python_function", "total = total + n", "return"),
    ]
    assert found(rows, "boolean_condition") == []


@pytest.mark.parametrize("setting", ["name", "name, other", ["name"]])
def test_variables_of_the_host_are_known(setting: object) -> None:
    rows: list[Row] = [("start1", "chat_exact", "Hello $name", "quit")]
    assert one(rows).code == "AG401"
    assert found(rows, variables=setting) == []


def test_the_same_variable_is_doubtful_once() -> None:
    rows: list[Row] = [
        ("start1", "chat_exact", "Hi", "set, a", "Which?", "yes", "no"),
        ("set", "python_function", "x = 3", "a"),
        ("a", "chat_exact", "$x", "b"),
        ("b", "chat_exact", "$x", "c"),
        ("c", "chat_exact", "$x", "quit"),
    ]
    assert one(rows, *QUESTION).location.line is None


def test_an_error_does_not_hide_what_else_is_wrong() -> None:
    problems = found(
        [
            ("start1", "chat_exact", "Hi $nmae", "keep, nowhere", "Which?", "yes", "yes"),
            ("keep", "python_function", "name = __import__('os')", "bye"),
            ("bye", "chat_exact", "Bye $nam", "quit"),
        ],
        *QUESTION,
    )
    assert sorted(p.code for p in problems) == ["AG104", "AG203", "AG310", "AG401", "AG401"]
    assert not any(p.code == "AG301" for p in problems)


def test_only_a_wrong_statement_may_set_the_variable() -> None:
    problems = found(
        [("start1", "chat_exact", "Hi ${name}", "keep"), ("keep", "python_function", "$name = 'x'", "quit")]
    )
    assert [p.code for p in problems] == ["AG401", "AG203"]
    assert problems[0].message == 'no path to "start1" sets name'


def test_warnings_can_be_left_out_and_errors_cannot() -> None:
    rows = [{"name": "start1", "action": "chat_exact", "instruction": "Hi $name", "transitions": "nowhere"}]
    assert [p.code for p in check(rows).problems] == ["AG104", "AG401"]
    for word in ("AG401", "ag401", "unset-variable"):
        assert [p.code for p in check(rows, disable=[word, "AG104"]).problems] == ["AG104"]
