"""Are dialogs written as unitxt writes them, and rightly where it does not?"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.dialogue.fields import MISSING, changed, found
from autograph.dialogue.formats import apply_capital_new_line_notation
from autograph.dialogue.openai_dialogs import (
    Policies,
    merge_dialog_entries,
    pairs,
    to_dialog,
    transform_dialog_to_standard_format,
    validate_openai_dialog_format,
)
from autograph.dialogue.serializers import SerializeDialog, SerializeOpenAiFormatDialog, SystemFormat

VECTORS = json.loads((Path(__file__).parent.parent / "data" / "unitxt.json").read_text("utf-8"))["vectors"]
USER_AGENT = SystemFormat(demo_format="User: {source}\nAgent: {target_prefix}{target}\n")
SHOP = [{"user": "Is it open?", "system": "Until six."}, {"user": "And Sunday?", "system": "Closed."}]
TALK = [
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Hello"},
    {"role": "user", "content": "Price?"},
    {"role": "assistant", "content": "Ten."},
]
WHOLE = "Is it open?\nAgent: Until six.\nUser: And Sunday?\nAgent: Closed."
FUNCTIONS = {
    "validate_openai_dialog_format": validate_openai_dialog_format,
    "merge_dialog_entries": merge_dialog_entries,
    "transform_dialog_to_standard_format": transform_dialog_to_standard_format,
    "apply_capital_new_line_notation": apply_capital_new_line_notation,
}


def run(vector: dict[str, Any]) -> tuple[Any, Any]:
    """The outcome in compatible mode, and the input after it."""
    kind, given_ = vector["kind"], copy.deepcopy(vector["input"])
    if kind in FUNCTIONS:
        given_ = tuple(given_) if vector.get("note") == "tuple is not a list" else given_
        return FUNCTIONS[kind](given_, compatible=True), given_
    params, instance = dict(given_["params"]), given_["instance"]
    if given_["demo_format"] is not None:
        params["format"] = SystemFormat(demo_format=given_["demo_format"])
    if given_["recipe_demo_format"] is not None:
        instance["recipe_metadata"] = {"format": SystemFormat(demo_format=given_["recipe_demo_format"])}
    operator = {"SerializeDialog": SerializeDialog}.get(kind, SerializeOpenAiFormatDialog)
    out = operator(**params, compatible=True).process(instance)
    assert out is instance  # as the original
    out.pop("recipe_metadata", None)
    return out, out


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['id']}-{vector['kind']}")
def test_as_the_original(vector: dict[str, Any]) -> None:
    if "error" not in vector:
        out, after = run(vector)
        assert out == vector["output"]
        if "input_after_call" in vector:
            assert after == vector["input_after_call"]
        return
    with pytest.raises(Exception) as caught:  # noqa: PT011 - the type is compared
        run(vector)
    assert type(caught.value).__name__ == vector["error"]["type"]
    assert vector["error"]["message"] in (str(caught.value), caught.value.args[0])


def test_the_given_instance_is_left_as_it_was() -> None:
    dialog = [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}, {"role": "assistant", "content": "c"}]
    instance = {"x": {"dialog": dialog}}
    before = copy.deepcopy(instance)
    operator = SerializeOpenAiFormatDialog(
        field="x/dialog", to_field="x/text", format=USER_AGENT, last_response_to_field="x/answer"
    )
    assert operator.process(instance) == {"x": {"dialog": dialog, "text": "a b", "answer": "c"}}
    assert instance == before
    assert operator.process(instance) == operator.process(instance)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, WHOLE),
        ({"slice_first_and_last_turns_format": False}, f"User: {WHOLE}\n"),
        ({"is_last_turn_user_only": True}, "Is it open?\nAgent: Until six.\nUser: And Sunday?\nAgent: "),
        ({"is_last_turn_user_only": False}, WHOLE),
        ({"last_response_to_field": "answer"}, "Is it open?\nAgent: Until six.\nUser: And Sunday?"),
        ({"last_user_turn_to_field": "asked", "last_system_turn_to_field": "said"}, WHOLE),
        (
            {"format": "formats.user_assistant"},
            "Is it open?\n<|assistant|>\n Until six.\n\n<|user|>\nAnd Sunday?\n<|assistant|>\n Closed.",
        ),
        ({"format": SystemFormat()}, "Is it open?\nUntil six.\n\nAnd Sunday?\nClosed."),
        ({"format": SystemFormat("\\N{source}\\N> {target}\\N")}, "Is it open?\n> Until six.\nAnd Sunday?\n> Closed."),
    ],
)
def test_what_is_written(options: dict[str, Any], text: str) -> None:
    out = SerializeDialog(**{"field": "dialog", "to_field": "text", "format": USER_AGENT, **options}).process(
        {"dialog": SHOP}
    )
    assert out.pop("text") == text
    assert out.pop("answer", "Closed.") == "Closed."
    assert (out.pop("asked", "And Sunday?"), out.pop("said", "Closed.")) == ("And Sunday?", "Closed.")
    assert out == {"dialog": SHOP}


def test_backslashes_that_people_say_stay() -> None:
    out = SerializeDialog(field="d", format=SystemFormat()).process({"d": [{"user": "C:\\New", "system": "\\N"}]})
    assert out == {"d": "C:\\New\n\\N"}


@pytest.mark.parametrize(
    ("dialog", "message"),
    [
        ([], "d: the dialog is empty"),
        ("hi", "d: a dialog must be a list of turns, not str"),
        ([{"user": "a"}, {"user": "b", "system": "c"}], 'd: turn 0: there is no "system"; a text is needed'),
        ([{"user": "a", "system": "b"}, 3], "d: turn 1 is no mapping but int: 3"),
        ([{"user": None, "system": "b"}], "d: turn 0: the user text is None; a text is needed"),
    ],
)
def test_bad_turns_are_refused_with_their_index(dialog: Any, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        SerializeDialog(field="d", format=USER_AGENT).process({"d": dialog})
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("dialog", "message"),
    [
        ([], "the dialog is empty: it needs at least one entry of the user"),
        ((), "a dialog must be a list of entries, not tuple"),
        ([TALK[1]], "entry 0: the assistant speaks first; a dialog begins with the user"),
        ([TALK[0], {"role": "User", "content": "x"}], 'entry 1: the role is "User"; write "user"'),
        ([TALK[0], {"role": "bot", "content": "x"}], 'entry 1: the role is "bot"; it must be "user" or "assistant"'),
        ([TALK[0], {"role": "tool", "content": "x"}], 'entry 1: the role is "tool". Say with a policy'),
        ([{"role": "system", "content": "x"}], 'entry 0: the role is "system". Say with a policy'),
        ([TALK[0], {"content": "x"}], "entry 1 has no \"role\": {'content': 'x'}"),
        ([{"role": "user"}], "entry 0 has no \"content\": {'role': 'user'}"),
        ([{"role": 3, "content": "x"}], "entry 0: the role is 3, not a text"),
        ([{"role": "user", "content": None}], "entry 0: the content is None, not a text"),
        ([{"role": "user", "content": [{"type": "image_url"}]}], "entry 0, part 0 of the content is no text"),
        (["hi"], "entry 0 is no mapping but str: 'hi'"),
    ],
)
def test_bad_entries_are_refused_with_their_index(dialog: Any, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        validate_openai_dialog_format(dialog)
    assert str(caught.value).startswith(message)
    with pytest.raises(ValueError, match=r"the dialog is empty|entr|must be a list"):
        SerializeOpenAiFormatDialog(field="d", format=USER_AGENT).process({"d": dialog})


def test_policies_for_system_and_tool_entries() -> None:
    dialog = [
        {"role": "system", "content": "Be kind."},
        *TALK[:2],
        {"role": "tool", "content": "[10]"},
        {"role": "system", "content": "Hurry."},
        *TALK[2:],
    ]
    assert pairs(dialog, Policies("skip", "skip")) == (
        "", [{"user": "Hi", "system": "Hello"}, {"user": "Price?", "system": "Ten."}],
    )  # fmt: skip
    assert pairs(dialog, Policies("context", "render")) == (
        "Be kind.", [{"user": "Hi", "system": "Hello [10]"}, {"user": "Hurry. Price?", "system": "Ten."}],
    )  # fmt: skip
    assert pairs(dialog, Policies("render", "skip", "\n")) == (
        "", [{"user": "Be kind.\nHi", "system": "Hello"}, {"user": "Hurry.\nPrice?", "system": "Ten."}],
    )  # fmt: skip
    out = SerializeOpenAiFormatDialog(
        field="d", format=USER_AGENT, context_field="c", context_separator="\n", policies=Policies("context", "skip")
    ).process({"d": dialog, "c": "A shop."})
    assert out["d"] == "A shop.\nBe kind.\nHi\nAgent: Hello\nUser: Hurry. Price?\nAgent: Ten."


def test_parts_of_text_are_read_together() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert transform_dialog_to_standard_format([{"role": "user", "content": parts}]) == [{"user": "ab", "system": ""}]


def test_merging_leaves_its_input() -> None:
    dialog = [{"role": "user", "content": "a", "id": 1}, {"role": "user", "content": "b"}]
    assert merge_dialog_entries(dialog, separator="\n") == [{"role": "user", "content": "a\nb", "id": 1}]
    assert dialog == [{"role": "user", "content": "a", "id": 1}, {"role": "user", "content": "b"}]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "Must uniquely define the field"),
        ({"field": "a", "field_to_field": {"a": "b"}}, "Must uniquely define the field"),
        ({"field_to_field": {"a": "b", "b": "c"}}, "field a is mapped to field b, while the latter is mapped to c"),
        ({"field": "a", "format": "formats.user_agnet"}, 'Did you mean "formats.user_agent"'),
        ({"field": "a", "format": SystemFormat("{source} only")}, "must hold {source}, then {target}"),
        ({"field": "a", "format": SystemFormat("{source} {target} {")}, "cannot be read"),
    ],
)
def test_bad_options_are_refused_when_it_is_made(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        SerializeDialog(**options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "right", "original"),
    [
        ("\\N", "", ""),
        ("a\\N\\Nb", "a\nb", "a\nb"),
        ("(a)\\Nb", "(a)\nb", "(a\nb"),
        ("N\\Nb", "N\nb", "\nb"),
        ("a\n\\N\nb", "a\n\nb", "a\n\nb"),
    ],
)
def test_capital_newlines(text: str, right: str, original: str) -> None:
    assert apply_capital_new_line_notation(text) == right
    assert apply_capital_new_line_notation(text, compatible=True) == original


NAMES = st.sampled_from(["a", "b", "0", "1"])
TREES = st.recursive(st.integers(), lambda s: st.lists(s, max_size=3) | st.dictionaries(NAMES, s, max_size=3))


PATHS = st.tuples(st.sampled_from("ab"), st.lists(NAMES, max_size=3)).map(lambda both: "/".join([both[0], *both[1]]))


@given(st.dictionaries(NAMES, TREES, max_size=3), PATHS, st.integers())
def test_what_is_put_at_a_path_is_found_there(tree: dict[str, Any], path: str, value: int) -> None:
    before = copy.deepcopy(tree)
    new = changed(tree, path, value)
    assert found(new, path) == value
    assert tree == before
    assert found({}, path) is MISSING


@pytest.mark.parametrize(
    ("data", "path", "value"),
    [
        ({"x": {"1": 7}}, "x/1", MISSING),  # a number is an index
        ({"x": [5, 7]}, "x/-1", 7),
        ({"x": [5]}, "x/2", MISSING),
        ({"x": []}, "x/*", []),
        ({"x": []}, "x/*/a", MISSING),
        ({"1": 7}, "1", 7),
        ({"a": {"b": 7}}, " /a//b ", 7),
    ],
)
def test_what_is_found_at_a_path(data: dict[str, Any], path: str, value: Any) -> None:
    assert found(data, path) == value


def test_a_star_sets_every_entry_of_a_mapping_too() -> None:
    assert changed({"x": {"a": 1, "b": 2}}, "x/*", 3) == {"x": {"a": 3, "b": 3}}
    assert changed({"x": {"a": {}, "b": 2}}, "x/*/c", 3) == {"x": {"a": {"c": 3}, "b": {"c": 3}}}
    assert changed({"a": 1, "b": 2}, "*", 3) == {"a": 3, "b": 3}
    for path in ("0/a", "x/-2"):
        with pytest.raises(ValueError, match=f'the path "{path}"'):
            changed({"x": [1]}, path, 3)


def test_as_the_original_nothing_is_written_where_a_path_begins_with_an_index() -> None:
    data = {"d": SHOP}
    assert SerializeDialog(field="d", to_field="0", format=USER_AGENT, compatible=True).process(data) == {"d": SHOP}


@pytest.mark.parametrize(
    ("dialog", "error"),
    [({"a": 1}, KeyError), (iter([]), TypeError), ([(), {"content": "x"}], KeyError)],
)
def test_merging_fails_as_the_original_does(dialog: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        merge_dialog_entries(dialog, compatible=True)


def test_pairs_as_messages() -> None:
    assert to_dialog([("Hi", "Hello"), ("Price?", "Ten.")]) == TALK
