"""Plain English answers in pydialogue's world, as the tokens that mean the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from autograph.dialogue.sentences import deserialize, from_text
from autograph.evaluation.pydialogue.english import SEVERAL, english_tokens, words_together
from pydialogue_world import DATA, World

VECTORS = json.loads((DATA / "pydialogue.json").read_text("utf-8"))
WORLD = World()
AGENTS = ("have-no", "tries-go", "tries-drop", "can-not-get", "say-two")
SAID = [
    *((case["english"], case["tokens"]) for case in VECTORS["serialize"] if case["name"] in AGENTS),
    *(
        (case["english"], case["tokens"])
        for case in VECTORS["deserialize"]
        if case["name"]
        in {f"rt:{kind}" for kind in ("be-attr", "be-not-attr", "be-prop", "be-prop-multi", "be-location")}
        | {
            f"rt:{kind}"
            for kind in ("be-not-revealed", "tries-go", "tries-get", "tries-drop", "tries-look", "say-can-not")
        }
    ),
]


@pytest.mark.parametrize(("english", "tokens"), SAID, ids=[english for english, _ in SAID])
def test_as_pydialogue_says_it(english: str, tokens: list[str]) -> None:
    assert deserialize(english_tokens(english, words_together(WORLD)), WORLD) == deserialize(tokens, WORLD)


def describers(text: str) -> str:
    """The tokens of a sentence in short: entities in brackets, its frame left out."""
    joined = ",".join(english_tokens(text)).removeprefix("<sent>,").removesuffix(",</sent>")
    return joined.replace("<entity>,", "[").replace(",</entity>", "]")


@pytest.mark.parametrize(
    ("english", "tokens"),
    [
        (
            "Ann can not go to the barn .",
            "<desc>,<Arg-PPT>,[Ann],</Arg-PPT>,<AM-MOD>,can,</AM-MOD>,<AM-NEG>,not,</AM-NEG>,<Rel>,go,</Rel>,"
            "<Arg-GOL>,<list>,to,[barn],</list>,</Arg-GOL>,</desc>",
        ),
        (
            "Ann can not get an uncle under the green box.",
            "<desc>,<Arg-PAG>,[Ann],</Arg-PAG>,<AM-MOD>,can,</AM-MOD>,<AM-NEG>,not,</AM-NEG>,<Rel>,get,</Rel>,"
            "<Arg-PPT>,[uncle,abstract],</Arg-PPT>,<Arg-DIR>,<list>,under,[green,box],</list>,</Arg-DIR>,</desc>",
        ),
        (
            "the hall 's north obstacle is the metal door .",
            "<desc>,<Arg-PPT>,<list>,[hall],'s,north,obstacle,</list>,</Arg-PPT>,<Rel>,is,</Rel>,"
            "<Arg-PRD>,[metal,door],</Arg-PRD>,</desc>",
        ),
        (
            "the hall's north is Doe barn",
            "<desc>,<Arg-PPT>,<list>,[hall],'s,north,</list>,</Arg-PPT>,<Rel>,is,</Rel>,<Arg-PRD>,[Doe,barn],</Arg-PRD>,</desc>",
        ),
        (
            "the box is not hollow under .",
            "<desc>,<Arg-PPT>,[box],</Arg-PPT>,<Rel>,is,</Rel>,<AM-NEG>,not,</AM-NEG>,"
            "<Arg-PRD>,<list>,hollow,under,</list>,</Arg-PRD>,</desc>",
        ),
        (
            "the box is not container , enclosed or player .",
            "<desc>,<Arg-PPT>,[box],</Arg-PPT>,<Rel>,is,</Rel>,<AM-NEG>,not,</AM-NEG>,"
            "<Arg-PRD>,<set>,container,enclosed,player,</set>,</Arg-PRD>,</desc>",
        ),
        (
            "the very big hollow under box has no surname .",
            "<desc>,<Arg-PAG>,[<list>,very,big,</list>,<list>,hollow,under,</list>,box],</Arg-PAG>,<Rel>,has,</Rel>,"
            "<AM-NEG>,no,</AM-NEG>,<Arg-PPT>,surname,</Arg-PPT>,</desc>",
        ),
        (
            "getting players is not permitted .",
            "<desc>,<AM-NEG>,not,</AM-NEG>,<Rel>,permitted,</Rel>,<Arg-PPT>,<sent>,<desc>,<Rel>,getting,</Rel>,"
            "<Arg-PPT>,players,</Arg-PPT>,</desc>,</sent>,</Arg-PPT>,</desc>",
        ),
        (
            "The path from the hall to the barn is not revealed .",
            "<desc>,<AM-NEG>,not,</AM-NEG>,<Rel>,revealed,</Rel>,"
            "<Arg-PPT>,<list>,The,path,from,[hall],to,[barn],</list>,</Arg-PPT>,</desc>",
        ),
        (
            "There is no path from the hall to the barn .",
            "<desc>,<Rel>,is,</Rel>,<Arg-PRD>,<list>,no,path,from,[hall],to,[barn],</list>,</Arg-PRD>,</desc>",
        ),
        (
            "Ann went north from the hall .",
            "<desc>,<Arg-PPT>,[Ann],</Arg-PPT>,<Rel>,went,</Rel>,<AM-DIR>,north,</AM-DIR>,"
            "<Arg-DIR>,<list>,from,[hall],</list>,</Arg-DIR>,</desc>",
        ),
        (
            "Ann drops the cup in the hollow under box .",
            "<desc>,<Arg-PAG>,[Ann],</Arg-PAG>,<Rel>,drops,</Rel>,<Arg-PPT>,[cup],</Arg-PPT>,"
            "<Arg-GOL>,<list>,in,[<list>,hollow,under,</list>,box],</list>,</Arg-GOL>,</desc>",
        ),
    ],
)
def test_statements(english: str, tokens: str) -> None:
    assert describers(english) == tokens


def test_what_is_said_holds_all_statements() -> None:
    said = english_tokens("Ann says : Bob is player . the cup is open .")
    assert said.count("<sent>") == 2
    assert said.count("<desc>") == 3
    assert english_tokens("Ann says Bob is player. the cup is open.") == said
    assert english_tokens("") == from_text("<sent>,</sent>")


@pytest.mark.parametrize(
    "english",
    [
        "hello",
        "Ann tries",
        "Ann tries flying north",
        "Ann can",
        "is open",
        "Ann is",
        "the hall 's",
        "Ann , Bob is open",
    ],
)
def test_what_is_not_understood(english: str) -> None:
    with pytest.raises(ValueError, match=r"is no statement of the kinds that the world knows"):
        english_tokens(f"Heidi is open . {english} .")


@pytest.mark.parametrize(
    "english", ["says : the cup is open .", "the says the cup is open .", "well , Ann says : the cup is open ."]
)
def test_who_speaks_is_not_understood(english: str) -> None:
    with pytest.raises(ValueError, match=r"is no name of anything"):
        english_tokens(english)


def test_words_that_belong_together() -> None:
    assert words_together(WORLD) == SEVERAL | {("main", "player")}


def test_a_world_without_such_words() -> None:
    class Bare:
        all_description_objects: tuple[Any, ...] = ()
        all_attributes = ("open",)

    assert words_together(Bare()) == frozenset()
