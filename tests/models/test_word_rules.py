"""Words by which the offline rules know what a user does: acts, experience, delay, questions, yes and no."""

from __future__ import annotations

import pytest

from autograph.models.signals import is_question, polarity, shows
from autograph.models.yes_no import yes_or_no


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ("human", "could I please speak with a member of staff, a real person"),
        ("human", "I'd prefer to talk to someone"),
        ("human", "please call me back"),
        ("privacy", "Who else will see that?"),
        ("privacy", "how long do you keep my file"),
        ("danger", "she has passed out"),
        ("danger", "I can’t breathe"),
        ("identity", "am I chatting with a machine?"),
        ("identity", "is there a human behind this"),
        ("stop", "never mind, forget it"),
        ("stop", "let us end here"),
        ("topic", "switch to geometry"),
        ("topic", "I'd rather practise verbs"),
        ("repeat", "one more time, please"),
        ("repeat", "Sorry, what?"),
    ],
)
def test_acts_that_show(act: str, said: str) -> None:
    assert shows(act, said)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ("human", "call me Ishmael"),
        ("human", "are you a human or a robot?"),
        ("human", "my brother talks to himself"),
        ("privacy", "I keep a diary"),
        ("danger", "the bell is not broken"),
        ("identity", "can I talk to a person"),
        ("stop", "I never go there"),
        ("repeat", "sorry about that"),
    ],
)
def test_acts_that_do_not_show(act: str, said: str) -> None:
    assert not shows(act, said)


@pytest.mark.parametrize(
    ("said", "holds"),
    [("last summer, a little", True), ("I already know it", True), ("yes", True), ("never", False),
     ("it is new to me", False), ("no, but my sister has", False), ("blue", False)],
)  # fmt: skip
def test_experience(said: str, holds: bool) -> None:
    assert yes_or_no("Has the user been to Rome before?", said, "")[0] is holds


@pytest.mark.parametrize("said", ["hang on", "just a sec", "the doorbell, need to go and look", "almost"])
def test_delays(said: str) -> None:
    assert yes_or_no("Is the user ready?", said, "") == (False, 0.7)


@pytest.mark.parametrize(
    ("said", "asks"),
    [("whats that", True), ("yes, where is it", True), ("I was wondering about the rent", True),
     ("I have a question: may I go", True), ("I have a question", False), ("why not", False), ("sure, why not", False)],
)  # fmt: skip
def test_questions(said: str, asks: bool) -> None:
    assert is_question(said) is asks


@pytest.mark.parametrize(
    ("said", "lean"),
    [("looks good", 1), ("that would suit me", 1), ("I can live with it", 1), ("it's a deal", 1),
     ("a good deal less", 0), ("far too low", -1), ("that does not suit me", -1)],
)  # fmt: skip
def test_yes_and_no(said: str, lean: int) -> None:
    found = polarity(said)
    assert (found > 0) - (found < 0) == lean
