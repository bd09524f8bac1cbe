"""One conversation: how it begins, goes on and ends, and what its record says."""

from __future__ import annotations

from typing import Any

import pytest

from autograph.errors import ModelError, RunError
from autograph.models import ScriptedModel
from autograph.models.base import Choice, GenerateRequest, Question, Reply, Usage
from autograph.simulation.conversation import goes_round
from autograph.simulation.personas import Persona
from autograph.simulation.record import NOTHING, Conversation, Failure, Taken
from autograph.simulation.success import SuccessError, SuccessTest
from autograph.simulation.summary import summarise
from rows_support import rows
from simulation_records import manifest
from simulation_support import CAFE, Cook, cast, held, says, terms

TEA = 6
"""A seed with which the user of the cafe wants one cup of tea."""

ECHO = rows(
    "start1 | python_function | hello | log = []",
    "hello | chat_exact | note | Hello.",
    "note | python_function | again.* | log.append(_last_user_reply)",
    "again.a | chat_exact | quit | Enough.",
    "again.b | chat_exact | note | Again?",
)
ECHO[3]["boolean_condition"] = "len(log) >= 9"


def test_the_sheets_own_user_talks_until_the_program_ends() -> None:
    (talk,) = held(terms(cast(CAFE, Cook(Usage(10, 2)))), seed=TEA)
    assert [(turn.user, turn.reply, turn.node, turn.target) for turn in talk.turns] == [
        ("", "Tea or coffee?", "greet", ""),
        ("(Ask for tea.)", "(Serve it; 1 cups by now.)", "served", "tea"),
        ("(Say no.)", "Bye!", "bye", "bye"),
    ]
    assert [turn.path for turn in talk.turns] == [("start1", "greet"), ("tea", "served"), ("bye",)]
    assert talk.path == ("start1", "greet", "tea", "served", "bye")
    assert (talk.outcome, talk.ended_by, talk.success, talk.reason) == (
        "finished",
        "program",
        True,
        "the program ended",
    )
    assert (talk.last_node, talk.variables, talk.error) == ("bye", {"cups": 1}, None)


def test_what_each_side_used_is_kept_apart() -> None:
    (talk,) = held(terms(cast(CAFE, Cook(Usage(10, 2, 4, 1))), prices={"prompt": 1.0, "completion": 10.0}), seed=TEA)
    assert [turn.usage.requests for turn in talk.turns] == [0, 2, 1]  # a question and a reply, a question
    assert [turn.user_usage.requests for turn in talk.turns] == [0, 1, 1]
    assert talk.usage == Usage(30, 6, 12, 3, 3)
    assert talk.user_usage == Usage(20, 4, 8, 2, 2)
    assert talk.cost == pytest.approx((50 * 1 + 10 * 10) / 1e6)


def test_requests_count_where_a_model_counts_no_tokens() -> None:
    (talk,) = held(terms(cast(CAFE, Cook())), seed=TEA)
    assert (talk.usage, talk.user_usage, talk.cost) == (Usage(requests=3), Usage(requests=2), None)


def test_traffic_counts_the_ways() -> None:
    (talk,) = held(terms(cast(CAFE, Cook())), seed=TEA)
    assert talk.traffic["nodes"] == {"bye": 1, "greet": 1, "served": 1, "start1": 1, "tea": 1}
    assert talk.traffic["edges"] == [
        ["greet", "tea", 1], ["served", "bye", 1], ["start1", "greet", 1], ["tea", "served", 1],
    ]  # fmt: skip
    assert talk.traffic["answers"] == [["greet", 0, 1], ["served", 1, 1]]


def test_every_request_has_the_conversations_seed() -> None:
    cook = Cook()
    talks = held(terms(cast(CAFE, cook)), 3, concurrency=1)
    assert {request.seed for request in cook.asked} == {talk.seed for talk in talks}
    assert len({talk.seed for talk in talks}) == 3


def test_the_same_exchange_three_times_is_stuck() -> None:
    (talk,) = held(terms(cast(ECHO, "offline"), says("a", "b", "b", "b", "b")))
    assert (talk.outcome, talk.ended_by, talk.success) == ("stuck", "", False)
    assert talk.reason == 'the same exchange came 3 times in a row, last at node "again.b"'
    assert [turn.user for turn in talk.turns] == ["", "a", "b", "b", "b"]


def test_a_round_of_two_exchanges_is_stuck() -> None:
    (talk,) = held(terms(cast(ECHO, "offline"), says(*"xabababab")))
    assert (talk.outcome, talk.reason) == (
        "stuck",
        'the same 2 exchanges came 3 times in a row, last at node "again.b"',
    )
    assert [turn.user for turn in talk.turns] == ["", *"xababab"]


def test_how_often_is_for_the_tester_to_say() -> None:
    (talk,) = held(terms(cast(ECHO, "offline"), says(*"bbbbbbbbbb"), stuck_after=20))
    assert (talk.outcome, talk.turns[-1].reply) == ("finished", "Enough.")


def taken(letters: str) -> list[Taken]:
    return [Taken(letter, letter, letter, ()) for letter in letters]


@pytest.mark.parametrize(
    ("letters", "length"),
    [("", 0), ("aa", 0), ("baaa", 1), ("aaab", 0), ("xabab", 0), ("ababab", 2), ("babababa", 2), ("abcabcabc", 3),
     ("abcdabcdabcd", 4), ("abcdeabcdeabcde", 0)],
)  # fmt: skip
def test_rounds_are_found_at_the_end_only(letters: str, length: int) -> None:
    assert goes_round(taken(letters), 3) == length


def test_too_many_turns_are_over_the_limit() -> None:
    (talk,) = held(terms(cast(ECHO, "offline"), says(*"abcdefgh"), max_turns=4))
    assert (talk.outcome, talk.reason, len(talk.turns), talk.success) == ("limit", "no end within 4 turns", 4, False)


def test_the_user_may_leave() -> None:
    (talk,) = held(terms(cast(ECHO, "offline"), says("a")))
    assert (talk.outcome, talk.ended_by, talk.reason, talk.last_node) == (
        "finished",
        "user",
        "the user ended",
        "again.b",
    )


def test_the_sheet_may_say_that_the_user_leaves() -> None:
    sheet = rows("start1 | chat_exact | start1 | Well?")
    sheet[0]["user_instruction_transition_a"] = "<end>"
    (talk,) = held(terms(cast(sheet, ScriptedModel())))
    assert (len(talk.turns), talk.outcome, talk.ended_by, talk.user_usage) == (1, "finished", "user", NOTHING)


def test_last_words_are_answered_once_more() -> None:
    sheet = rows("start1 | chat_exact | note | Well?", "note | chat_exact | start1 | I see.")
    (talk,) = held(terms(cast(sheet, ScriptedModel(["Thanks, goodbye! <end>"]))))
    assert [(turn.user, turn.reply) for turn in talk.turns] == [("", "Well?"), ("Thanks, goodbye!", "I see.")]
    assert (talk.outcome, talk.ended_by) == ("finished", "user")


def test_an_error_of_the_program_is_a_failure_with_its_node() -> None:
    sheet = rows("start1 | chat_exact | sum | How many?", "sum | python_function | start1 | n = int(_last_user_reply)")
    (talk,) = held(terms(cast(sheet, "offline"), says("many")))
    assert (talk.outcome, talk.success, talk.last_node) == ("failed", False, "start1")
    assert talk.error is not None
    assert (talk.error.kind, talk.error.node) == ("StatementError", "sum")
    assert "int()" in talk.error.message
    assert talk.reason == f"StatementError: {talk.error.message}"
    assert [turn.reply for turn in talk.turns] == ["How many?"]  # the failed turn left nothing behind


class Shaky(ScriptedModel):
    """Fails before it answers, as often as it is told."""

    def __init__(self, failures: int, *, retryable: bool) -> None:
        super().__init__(["Hello!"])
        self.failures, self.retryable = failures, retryable

    def generate(self, request: GenerateRequest) -> Reply:
        if self.failures:
            self.failures -= 1
            raise ModelError("the server is busy", retryable=self.retryable)
        return super().generate(request)


GREET = rows("start1 | chat | quit | Greet.")


def hold_shaky(failures: int, *, retryable: bool) -> tuple[Conversation, list[float]]:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    (talk,) = held(terms(cast(GREET, Shaky(failures, retryable=retryable)), sleep=sleep))
    return talk, pauses


def test_a_busy_model_is_asked_again() -> None:
    talk, pauses = hold_shaky(2, retryable=True)
    assert (talk.outcome, talk.turns[0].reply, pauses) == ("finished", "Hello!", [1.0, 4.0])


@pytest.mark.parametrize(("failures", "retryable", "tries"), [(3, True, [1.0, 4.0]), (1, False, [])])
def test_a_model_that_goes_on_failing_is_a_failure(failures: int, retryable: bool, tries: list[float]) -> None:
    talk, pauses = hold_shaky(failures, retryable=retryable)
    assert (talk.outcome, talk.reason, pauses) == ("failed", "ModelError: the server is busy", tries)
    assert talk.error == Failure("ModelError", "the server is busy", None)
    assert (talk.turns, talk.last_node) == ((), None)


def test_variables_to_begin_with() -> None:
    sheet = rows("start1 | chat_exact | quit | Hello, $name.")
    (talk,) = held(terms(cast(sheet, "offline"), variables={"name": "Ada", "seen": (1, 2)}))
    assert talk.turns[0].reply == "Hello, Ada."
    assert talk.variables == {"name": "Ada", "seen": {"$": "tuple", "items": [1, 2]}}


def test_random_numbers_come_from_the_conversations_seed() -> None:
    sheet = rows("start1 | python_function | say | n = random.randint(1, 10**9)", "say | chat_exact | quit | $n")
    config = {"python_imports": ("random",)}
    first = [talk.turns[0].reply for talk in held(terms(cast(sheet, "offline", config=config)), 5)]
    again = [talk.turns[0].reply for talk in held(terms(cast(sheet, "offline", config=config)), 5, concurrency=2)]
    other = [talk.turns[0].reply for talk in held(terms(cast(sheet, "offline", config=config)), 5, seed=1)]
    assert first == again
    assert len({*first, *other}) == 10


# ---------------------------------------------------------------------- success


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("finished", True),
        ("cups == 1", True),
        ("cups > 1", False),
        ("finished and turns < 3", False),
        ("last_node == 'bye' and 'tea' in path", True),
        ("outcome == 'finished' and 'Bye' in replies[-1]", True),
    ],
)
def test_success_is_an_expression(expression: str, expected: bool) -> None:
    (talk,) = held(terms(cast(CAFE, Cook()), success=expression), seed=TEA)
    assert talk.success is expected


def test_what_cannot_be_told_is_no_success_and_says_why() -> None:
    (talk,) = held(terms(cast(CAFE, Cook()), success="plates > 1"), seed=TEA)
    assert talk.success is None
    assert talk.reason.startswith("the program ended; whether it is a success cannot be told: ")
    assert "plates" in talk.reason


def test_a_text_that_is_no_expression_is_refused_before_anything_is_held() -> None:
    with pytest.raises(SuccessError, match=r'--success: "cups =" is no expression: .* Write for example finished and'):
        SuccessTest("cups =")


def test_a_persona_has_its_own_success_patience_and_opening() -> None:
    ada = Persona("Ada", "tea", success="'Again?' in replies", max_turns=2, opening="Hi, I am Ada.")
    own = {"Ada": SuccessTest("'Again?' in replies", "Ada")}
    (talk,) = held(terms(cast(ECHO, "offline"), says("a", "b"), persona_success=own), personas=[ada])
    assert [(turn.user, turn.reply) for turn in talk.turns] == [("Hi, I am Ada.", "Hello."), ("a", "Again?")]
    assert (talk.persona, talk.outcome, talk.success) == ("Ada", "limit", True)


def test_the_words_that_led_to_an_error_are_kept() -> None:
    sheet = rows("start1 | chat_exact | odd | A number?", "odd | python_function | quit | x = 1 / 0")
    (talk,) = held(terms(cast(sheet, "offline"), says("seven")))
    assert talk.error is not None
    assert (talk.error.node, talk.error.said) == ("odd", "seven")
    assert [turn.user for turn in talk.turns] == [""]
    assert Conversation.from_dict(talk.to_dict()) == talk
    found = summarise([talk], manifest(n=1), nodes=["start1", "odd", "never"])
    assert found.unvisited == ("never",)  # it failed at odd, so it was there


def test_an_error_of_the_user_is_a_failure() -> None:
    class Broken:
        async def say(self, reply: str, memory: object) -> Any:
            raise RunError("no voice")

    (talk,) = held(terms(cast(ECHO, "offline"), lambda persona, seed: Broken()))
    assert (talk.outcome, talk.error) == ("failed", Failure("RunError", "no voice", "hello"))


def test_a_question_and_its_answer_are_the_programs() -> None:
    class Asking(ScriptedModel):
        def choose(self, questions: Any) -> list[Choice | None]:
            assert all(isinstance(question, Question) for question in questions)
            return [Choice(1, usage=Usage(7, 1)), *([None] * (len(questions) - 1))]

    (talk,) = held(terms(cast(CAFE, Asking(["served."])), says("x", "no")))
    assert (talk.usage, talk.outcome) == (Usage(14, 2, requests=3), "finished")
