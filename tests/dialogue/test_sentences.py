"""Sentences as tokens, as pydialogue writes and reads them: with a world, without one, and as one text."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.dialogue.sentence_parts import Description, present_form
from autograph.dialogue.sentences import (
    Arg,
    Describer,
    Entity,
    RelArg,
    Sentence,
    attach_to_element,
    deserialize,
    from_text,
    serialize,
    to_text,
)
from pydialogue_world import DATA, World, plain

VECTORS = json.loads((DATA / "pydialogue.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def world() -> World:
    return World()


# ---------------------------------------------------------------------- as the original does it


@pytest.mark.parametrize("case", VECTORS["deserialize"], ids=lambda case: case["name"])
def test_as_pydialogue_reads(case: dict[str, Any], world: World) -> None:
    if "error" in case:
        with pytest.raises(Exception) as caught:  # noqa: PT011 (the very class is compared)
            deserialize(case["tokens"], world)
        assert {"type": type(caught.value).__name__, "message": str(caught.value)} == case["error"]
        return
    found = deserialize(case["tokens"], world)
    assert plain(found, world) == case["value"]


@pytest.mark.parametrize("case", VECTORS["deserialize"], ids=lambda case: case["name"])
def test_what_was_read_is_written_again(case: dict[str, Any], world: World) -> None:
    if "value" not in case or case["name"] in ("repeated arg: last wins", "the-in-description"):
        return
    sentence = deserialize(case["tokens"])
    assert (serialize(sentence) == case["tokens"]) == case["reserialized_equal"]


ATTACHED: dict[str, tuple[Any, ...]] = {
    "list": (lambda: ["a"], "b"),
    "set": (lambda: {"a"}, "b"),
    "rel:goes": (RelArg, "goes"),
    "rel:Went": (RelArg, "Went"),
    "rel:has": (RelArg, "has"),
    "entity attr": (Entity, "open"),
    "entity tuple attr": (Entity, ["hollow", "under"]),
    "entity abstract": (Entity, "abstract"),
    "name that is also nickname?": (Entity, "Andy"),
    "dict parent: silent no-op": (dict, "x"),
}


@pytest.mark.parametrize("case", VECTORS["attach_to_element"], ids=lambda case: case["name"])
def test_as_pydialogue_attaches(case: dict[str, Any], world: World) -> None:
    make, child = ATTACHED[case["name"]]
    parent = make()
    attach_to_element(parent, child, world)
    assert plain(parent.value if isinstance(parent, Arg) else parent, world) == case["after"]
    if "infinitive" in case:
        assert parent.infinitive == case["infinitive"]


def test_words_that_the_world_does_not_know(world: World) -> None:
    with pytest.raises(Exception, match=r"^blue is not recognized as a property value nor as an attribute.$"):
        attach_to_element(Entity(), "blue", world)
    attach_to_element(Entity(), "entity", world)


def test_things_that_are_not_one(world: World) -> None:
    tokens = ["<sent>", "<desc>", "<Arg-PPT>", "<entity>", "red", "box", "static", "</entity>"]
    with pytest.raises(Exception, match=r"^There is no unique entity with the following properties: ") as caught:
        deserialize(tokens, world)
    assert str(caught.value).endswith(
        "{'color': 'red', 'type': 'box'} and the following attributes: {'static': None} found in the world."
    )


def test_what_is_open_already(world: World) -> None:
    stack: list[Any] = [Sentence(), Describer()]
    assert deserialize(["<Rel>", "go", "</Rel>"], world, stack) is None
    assert stack == [Sentence(), Describer({"Rel": RelArg("go")})]
    assert deserialize(["</desc>", "</sent>", "rest"], world, stack) == Sentence([Describer({"Rel": RelArg("go")})])
    assert stack == []


# ---------------------------------------------------------------------- without a world


def test_a_sentence_without_a_world() -> None:
    apple = Entity.of("red", ("very", "small"), "apple", "abstract")
    sentence = Sentence([Describer({"Rel": RelArg("gets"), "Arg-PPT": Arg([apple, {"x"}]), "AM-NEG": Arg(None)})])
    tokens = serialize(sentence)
    assert tokens == [
        *["<sent>", "<desc>", "<Rel>", "gets", "</Rel>", "<Arg-PPT>", "<list>", "<entity>", "red"],
        *["<list>", "very", "small", "</list>", "apple", "abstract", "</entity>", "<set>", "x", "</set>", "</list>"],
        *["</Arg-PPT>", "<AM-NEG>", None, "</AM-NEG>", "</desc>", "</sent>"],
    ]
    assert deserialize(tokens) == sentence
    assert hash(deserialize(tokens)) == hash(sentence)


def test_numbers_come_back_without_a_world() -> None:
    sentence = Sentence([Describer({"Arg-PPT": Arg([3, True, 1.5])})])
    assert deserialize(serialize(sentence)) == sentence


def test_an_entity_is_written_by_its_description() -> None:
    cup = Entity({"color": "red", "size": ["very", "big"], "type": "cup"}, {"open": None, "abstract": None})
    assert serialize(cup)[1:-1] == ["red", "<list>", "very", "big", "</list>", "cup", "open", "abstract"]
    cup.description = Description(["the", "type", "open"])
    assert serialize(cup)[1:-1] == ["cup", "open", "abstract"]


def test_a_verb_is_the_same_in_its_present_forms() -> None:
    assert RelArg("goes") == RelArg("go") != RelArg("going")
    assert hash(RelArg("goes")) == hash(RelArg("go"))
    assert RelArg().infinitive is None
    assert Arg("go") != RelArg("go")


def test_a_verb_is_a_text() -> None:
    with pytest.raises(TypeError, match="a verb is a text, not int"):
        deserialize(["<sent>", "<desc>", "<Rel>", 3])


@pytest.mark.parametrize(
    ("verb", "infinitive"),
    [
        ("tries", "try"),
        ("is", "be"),
        ("catches", "catch"),
        ("says", "say"),
        ("Sees", "See"),
        ("miss", "miss"),
        ("", ""),
    ],
)
def test_the_present(verb: str, infinitive: str) -> None:
    assert present_form(verb) == infinitive


def test_arguments_are_got_by_their_key() -> None:
    describer = Describer({"Rel": RelArg("go")})
    assert (describer.get_arg("Rel"), describer.get_arg("AM-DIR")) == ("go", None)


WORDS = st.text(max_size=8).filter(lambda word: not word.startswith("<") and word != "entity")
ENTITIES = st.lists(WORDS | st.tuples(WORDS, WORDS), max_size=4).map(lambda words: Entity.of(*words))
SCALARS = WORDS | st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False)
KEYS = st.sampled_from(["Arg-PAG", "Arg-PPT", "Arg-PRD", "Arg-DIR", "AM-NEG", "AM-DIR", "AM-LOC"])


def _sentences(values: Any) -> Any:
    describers = st.dictionaries(KEYS, values.map(Arg), max_size=3).map(Describer)
    return st.lists(describers, max_size=3).map(Sentence)


VALUES = st.recursive(
    SCALARS | ENTITIES,
    lambda inner: st.lists(inner, max_size=3) | st.sets(WORDS, max_size=3) | _sentences(inner),
    max_leaves=12,
)


@given(_sentences(VALUES), st.sampled_from(["goes", "Went", "says", "x"]))
def test_every_sentence_comes_back(sentence: Sentence, verb: str) -> None:
    sentence.describers.append(Describer({"Rel": RelArg(verb)}))
    assert deserialize(serialize(sentence)) == sentence
    assert deserialize(from_text(to_text(serialize(sentence)))) == sentence


# ---------------------------------------------------------------------- as one text


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["<sent>", "</sent>"], "<sent>,</sent>"),
        (["a, b", "c d"], "a\\,\\sb,c\\sd"),
        (["a\\b", "tab\tnew\nline\r", "\u00a0"], "a\\\\b,tab\\tnew\\nline\\r,\\x00a0"),
        ([None, 3, 1.5, True, "3"], "\\=null,\\=3,\\=1.5,\\=true,3"),
        ([[1, "a b"]], '\\=[1\\,\\s"a\\sb"]'),
        (["", ""], ","),
        ([""], "\\e"),
        ([], ""),
    ],
)
def test_text(tokens: list[Any], text: str) -> None:
    assert to_text(tokens) == text
    assert from_text(text) == tokens


def test_what_a_model_writes() -> None:
    text = " <sent>, <desc>,\n <Rel>,go</Rel>\n,, C:\\dir "
    assert from_text(text) == ["<sent>", "<desc>", "<Rel>", "go</Rel>", "", "C:\\dir"]
    assert from_text(" \n ") == []
    assert from_text("a\\") == ["a\\"]


def test_json_without_end_is_an_error_as_any_other() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        from_text("\\=" + "[" * 100_000)


@given(st.lists(st.text() | st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False)))
def test_every_list_of_tokens_comes_back(tokens: list[Any]) -> None:
    assert from_text(to_text(tokens)) == tokens


@given(
    st.lists(st.text(st.characters(exclude_characters="\\,", exclude_categories=["Z", "C"]), min_size=1), min_size=1)
)
def test_plain_words_are_joined_by_commas(tokens: list[str]) -> None:
    assert to_text(tokens) == ",".join(tokens)
    assert from_text(", ".join(tokens)) == tokens


def test_what_is_no_data_is_refused() -> None:
    with pytest.raises(TypeError):
        to_text([object()])


def test_pydialogue_is_not_needed() -> None:
    code = (
        "import sys, autograph.dialogue.sentences; print([m for m in sys.modules if 'pydialogue' in m or 'nltk' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
