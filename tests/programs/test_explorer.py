"""Does the explorer keep a map of what it is told, and answer in the world's words whatever it is told?"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.evaluation.pydialogue.english import english_tokens
from programs_support import Talk, offline

BOT = offline("explorer.yaml")

THINGS = (
    "the a an red apple box hall yard room surface entity Ann Bob north south very big hollow under in on from to and"
)
DOINGS = "go get drop look goes looks gets drops sees has tries says getting can not no is direction obstacle location"
OTHERS = "static player locked players permitted name type , : . 's The dialogue"
WORDS = [*THINGS.split(), *DOINGS.split(), *OTHERS.split()]
LINES = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
ASKED = st.builds(
    "Bob says : {} , {} {} .".format,
    st.sampled_from(["Ann", "the big hall"]),
    st.sampled_from(["go", "go to", "get", "drop", "look in"]),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join),
)
SENTENCES = st.sampled_from(
    [
        "Ann goes north from the yard . Ann looks in the hall . Ann sees Ann , the red box and an apple .",
        "Ann can not go north . the hall has no direction north .",
        "Ann can not get the apple . the apple is static .",
        "Ann gets the red box .",
        "Ann drops the red box in the hall .",
        "the red box has the apple in the red box .",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(LINES | ASKED | SENTENCES, min_size=1, max_size=3).map("\n".join), min_size=1, max_size=5))
def test_whatever_it_is_told_it_answers(turns: list[str]) -> None:
    talk = Talk(BOT)
    for turn in turns:
        answer = talk.say(turn)
        assert (
            answer.startswith(("Nobody has asked me for anything that I can do.", "Tell me"))
            or " tries " in answer
            or " says : " in answer
        )


def test_its_answers_are_sentences_of_the_world() -> None:
    talk = Talk(BOT)
    for turn in (
        "Bob says : Ann , go north .",
        "Ann goes north from the yard . Ann looks in the hall . Ann sees Ann and the very big box .",
        "Bob says : Ann , get a box .",
        "Ann can not get the very big box . the very big box is static .",
        "Bob says : Ann , look under the very big box .",
        "Bob says : Ann , go to the mill .",
    ):
        assert english_tokens(talk.say(turn))[0] == "<sent>"


def test_a_long_walk_stays_quick() -> None:
    talk = Talk(BOT)
    talk.say("Bob says : Ann , go north .")
    for number in range(40):
        answer = talk.say(
            f"Ann goes north from the place{number} . Ann looks in the place{number + 1} . Ann sees Ann .\n"
            f"Ann goes south from the place{number + 1} . Ann looks in the place{number} . Ann sees Ann .\n"
            f"Bob says : Ann , go to the place{max(number - 9, 0)} ."
        )
    assert answer == "Ann tries going south ."
