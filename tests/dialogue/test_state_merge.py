"""Does a dialogue state grow as it does in DeepPavlov Agent, and does nothing change what was there before?"""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.dialogue import state_update as update
from autograph.dialogue.state import validate_state
from autograph.dialogue.state_json import json_copy
from autograph.dialogue.state_merge import merge_bot, merge_human, merge_selected
from autograph.dialogue.state_model import Bot, Dialog, Human, HumanUtterance
from autograph.errors import RunError

ANN = Human("a" * 24, "ann", attributes={"k": {"a": 1, "b": 2}})
BOT = Bot("b" * 24, attributes={"mood": {"now": "sad", "then": "glad"}})
DIALOG = Dialog("d", ANN, BOT)
FIRST, SECOND, THIRD = ({"utt_id": digit * 32, "date_time": f"2026-05-01 12:00:0{digit}"} for digit in "123")


def asked(text: str = "hello", **attributes: Any) -> Dialog:
    return update.add_human_utterance(DIALOG, text, **FIRST, attributes=attributes)


def proposed(*hypotheses: dict[str, Any]) -> Dialog:
    return update.add_hypothesis(asked(), "skill", list(hypotheses) or [{"text": "hi", "confidence": 0.9}])


def answered(**more: Any) -> Dialog:
    chosen = {"skill_name": "skill", "text": "hi", "confidence": 0.9, "annotations": {"n": 1}, **more}
    return update.save_dialog(update.add_bot_utterance(proposed(), chosen, **SECOND))


# ---------------------------------------------------------------------- merging


def test_a_key_goes_to_the_attributes_and_replaces_what_was_there() -> None:
    assert merge_human(ANN, {"k": {"a": 9}, "new": 1}).attributes == {"k": {"a": 9}, "new": 1}
    assert merge_bot(BOT, {"mood": {"now": "glad"}}).attributes == {"mood": {"now": "glad"}}


def test_deep_merging_must_be_asked_for() -> None:
    assert merge_human(ANN, {"k": {"a": 9}}, deep=True).attributes == {"k": {"a": 9, "b": 2}}
    deeper = merge_bot(BOT, {"attributes": {"mood": {"now": "glad"}}}, deep=True)
    assert deeper.attributes == {"mood": {"now": "glad", "then": "glad"}}
    assert merge_human(ANN, {"k": [1]}, deep=True).attributes == {"k": [1]}


def test_keys_of_the_profile_go_there() -> None:
    merged = merge_human(ANN, {"name": "Ann", "location": None, "nickname": "A"})
    assert merged.profile["name"] == "Ann"
    assert merged.attributes["nickname"] == "A"
    assert "name" not in merged.attributes
    assert merge_bot(BOT, {"name": "Tea"}).attributes["name"] == "Tea"


def test_persona_profile_and_attributes_are_replaced_whole_in_order() -> None:
    merged = merge_human(ANN, {"profile": {"shoe": 40}, "shoe": 41, "gender": "f", "persona": ["kind"]})
    assert merged.profile == {"shoe": 41}
    assert merged.attributes == {"k": {"a": 1, "b": 2}, "gender": "f"}
    assert merged.persona == ["kind"]
    assert merge_human(ANN, {"x": 1, "attributes": {"y": 2}}).attributes == {"y": 2}


def test_who_somebody_is_cannot_change() -> None:
    assert merge_human(ANN, {"user_type": "dog", "user_external_id": "eve"}) == ANN
    assert merge_bot(BOT, {"user_type": "dog"}) == BOT
    for merge, who in ((merge_human, ANN), (merge_bot, BOT)):
        with pytest.raises(RunError, match=r"_attributes/id: the id of a (human|bot) cannot be changed"):
            merge(who, {"id": "x"})  # type: ignore[operator]


def test_what_a_skill_gives_in_a_wrong_form_is_refused() -> None:
    with pytest.raises(RunError, match="human_attributes must be an object, not list"):
        merge_human(ANN, [])
    with pytest.raises(RunError, match="human_attributes/profile must be an object, not str"):
        merge_human(ANN, {"profile": "x"})
    with pytest.raises(RunError, match="human_attributes/a/0 is of type set, which JSON cannot hold"):
        merge_human(ANN, {"a": [{1}]})
    with pytest.raises(RunError, match="bot_attributes/a is nan"):
        merge_bot(BOT, {"a": float("nan")})


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
GIVEN = st.dictionaries(st.sampled_from(["k", "name", "persona", "x"]) | st.text(max_size=3), VALUES, max_size=4)


@given(GIVEN, st.booleans())
def test_merging_changes_neither_side_and_shares_nothing(given: dict[str, Any], deep: bool) -> None:
    given.pop("id", None)
    before, attributes = copy.deepcopy(ANN.to_dict()), copy.deepcopy(given)
    merged = merge_human(ANN, given, deep=deep).to_dict()
    for value in given.values():
        if isinstance(value, dict):
            value["changed later"] = True
    assert ANN.to_dict() == before
    assert "changed later" not in str(merged)
    again = merge_human(merge_human(ANN, attributes, deep=deep), attributes, deep=deep)
    assert again.to_dict() == merged


# ---------------------------------------------------------------------- a turn


def test_a_turn_gives_a_valid_state() -> None:
    data = answered(human_attributes={"name": "Ann"}, bot_attributes={"mood": "glad"}).to_dict()
    assert validate_state(data, warnings=True) == []
    human, bot = data["utterances"]
    assert human["hypotheses"] == [{"skill_name": "skill", "annotations": {}, "text": "hi", "confidence": 0.9}]
    assert (bot["text"], bot["orig_text"], bot["active_skill"], bot["confidence"]) == ("hi", None, "skill", 0.9)
    assert (bot["annotations"], bot["attributes"]) == ({"n": 1}, {})
    assert (data["date_start"], data["date_finish"]) == (FIRST["date_time"], SECOND["date_time"])


def test_utterances_keep_people_as_they_were_when_they_were_said() -> None:
    data = answered(human_attributes={"name": "Ann"}, bot_attributes={"mood": "glad"}).to_dict()
    assert data["human"]["profile"]["name"] == "Ann"
    assert data["utterances"][0]["user"]["profile"]["name"] is None
    assert data["utterances"][1]["user"]["attributes"] == {"mood": "glad"}
    later = merge_selected(answered(), {"human_attributes": {"name": "Bo"}, "bot_attributes": {"mood": "sad"}})
    assert later.to_dict()["utterances"] == answered().to_dict()["utterances"]


def test_what_was_given_can_be_changed_later() -> None:
    hypotheses, attributes = [{"text": "hi", "confidence": 1, "annotations": {}}], {"a": [1]}
    dialog = update.add_hypothesis(asked(**attributes), "skill", hypotheses)
    before = dialog.to_dict()
    hypotheses[0]["annotations"]["x"] = 1  # type: ignore[index]
    attributes["a"].append(2)
    dialog.to_dict()["utterances"][0]["hypotheses"].clear()
    assert dialog.to_dict() == before


def test_a_skill_may_give_itself_another_name() -> None:
    dialog = proposed({"text": "hi", "confidence": 0.5, "skill_name": "other", "annotations": {"x": 1}, "extra": 2})
    [hypothesis] = dialog.human_utterances[0].hypotheses
    assert hypothesis == {
        "skill_name": "other", "annotations": {"x": 1}, "text": "hi", "confidence": 0.5, "extra": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ("hi", "skill must give a list of hypotheses, not str"),
        (["hi"], "skill/0 must be an object, not str"),
        ([{"text": "hi"}], "skill/0/confidence must be a number, not None"),
        ([{"text": None, "confidence": 1}], "skill/0/text must be a text"),
        ([{"text": "", "confidence": True}], "skill/0/confidence must be a number, not True"),
        ([{"text": "", "confidence": 1, "human_attributes": 5}], "skill/0/human_attributes must be an object, not int"),
    ],
)
def test_hypotheses_in_a_wrong_form_are_refused(payload: Any, message: str) -> None:
    with pytest.raises(RunError, match=message):
        update.add_hypothesis(asked(), "skill", payload)


def test_who_comes_too_late_is_told() -> None:
    with pytest.raises(RunError, match="comes too late"):
        update.add_hypothesis(answered(), "skill", [])


def test_annotations_go_to_the_newest_and_the_previous_utterance() -> None:
    dialog = update.add_annotation(asked(), "tokens", ["hello"])
    assert dialog.utterances[-1].annotations == {"tokens": ["hello"]}
    assert update.add_annotation_prev_bot_utt(dialog, "seen", 1) == dialog
    dialog = update.add_human_utterance(answered(), "more", **THIRD)
    dialog = update.add_annotation_prev_bot_utt(dialog, "seen", 1)
    assert dialog.utterances[1].annotations == {"n": 1, "seen": 1}
    late = update.add_bot_utterance(dialog, {"skill_name": "s", "text": "", "confidence": 1}, **THIRD)
    late = update.add_annotation_prev_bot_utt(late, "late", 2)
    assert [said.annotations for said in late.utterances] == [{}, {"n": 1, "seen": 1, "late": 2}, {}, {}]


TWO = ({"text": "a", "confidence": 1}, {"text": "b", "confidence": 1})


def annotations(dialog: Dialog) -> list[Any]:
    return [hypothesis["annotations"] for hypothesis in dialog.human_utterances[-1].hypotheses]


def test_hypotheses_are_annotated_one_by_one_or_all_at_once() -> None:
    dialog = update.add_hypothesis_annotation(proposed(*TWO), "x", {"v": 1}, 1)
    assert annotations(dialog) == [{}, {"x": {"v": 1}}]
    dialog = update.add_hypothesis_annotation_batch(dialog, "y", {"batch": [1, 2]})
    assert annotations(dialog) == [{"y": 1}, {"x": {"v": 1}, "y": 2}]
    with pytest.raises(RunError, match="annotates hypothesis 2; there are 2"):
        update.add_hypothesis_annotation(dialog, "x", 1, 2)


def test_a_batch_of_another_length_leaves_empty_annotations() -> None:
    dialog = update.add_hypothesis_annotation_batch(proposed(*TWO), "y", {"batch": [1, 2, 3]})
    assert annotations(dialog) == [{"y": {}}, {"y": {}}]
    assert update.add_hypothesis_annotation_batch(answered(), "y", {"batch": [1]}) == answered()
    with pytest.raises(RunError, match=r'must give \{"batch"'):
        update.add_hypothesis_annotation_batch(proposed(), "y", [1])


def test_a_postprocessor_rewrites_and_the_first_wording_stays() -> None:
    dialog = update.add_text(update.add_text(answered(), "Hi, Ann!"), "HI, ANN!")
    assert (dialog.bot_utterances[0].text, dialog.bot_utterances[0].orig_text) == ("HI, ANN!", "hi")
    assert update.add_text(asked(), "HELLO").utterances[0].text == "HELLO"
    with pytest.raises(RunError, match="must give a text, not int"):
        update.add_text(answered(), 5)


def test_a_last_chance_speaks_only_if_nobody_has() -> None:
    sorry = {"text": "Sorry.", "annotations": {}}
    dialog = update.add_bot_utterance_last_chance(asked(), "last_chance", sorry, **SECOND)
    said = dialog.bot_utterances[0]
    assert (said.text, said.active_skill, said.confidence) == ("Sorry.", "last_chance", 0)
    assert update.add_bot_utterance_last_chance(answered(), "last_chance", sorry, **THIRD) == answered()
    instead = update.add_bot_utterance_last_chance(answered(), "last_chance", sorry, **THIRD, overwrite=True)
    assert len(instead.utterances) == 2
    assert (instead.bot_utterances[0].text, instead.bot_utterances[0].utt_id) == ("Sorry.", SECOND["utt_id"])
    with pytest.raises(RunError, match="gives no text"):
        update.add_bot_utterance_last_chance(asked(), "last_chance", {}, **SECOND)


def test_a_selected_hypothesis_without_a_skill_is_refused() -> None:
    with pytest.raises(RunError, match="no skill_name"):
        update.add_bot_utterance(asked(), {"text": "a", "confidence": 1}, **SECOND)
    with pytest.raises(RunError, match="cannot be changed"):
        answered(human_attributes={"id": "x"})


# ---------------------------------------------------------------------- ratings


def test_dialogs_and_utterances_are_rated() -> None:
    dialog = update.rate_dialog(answered(), 4, by="ann", date_time=THIRD["date_time"])
    dialog = update.rate_dialog(dialog, {"fun": 5}, by=None, date_time=THIRD["date_time"])
    dialog = update.rate_utterance(dialog, SECOND["utt_id"], 5, by="ann", date_time=THIRD["date_time"])
    data = dialog.to_dict()
    assert [item["rating"] for item in data["attributes"]["ratings"]] == [4, {"fun": 5}]
    assert data["bot_utterances"][0]["attributes"]["ratings"] == [
        {"rating": 5, "user_external_id": "ann", "datetime": THIRD["date_time"]}
    ]
    assert validate_state(data) == []
    for nobody in (FIRST["utt_id"], "x"):
        with pytest.raises(RunError, match="has said nothing with the id"):
            update.rate_utterance(dialog, nobody, 5, by="ann", date_time=THIRD["date_time"])


def test_json_data_is_copied_and_tuples_become_lists() -> None:
    assert json_copy({"a": (1, (2,))}, "x") == {"a": [1, [2]]}
    with pytest.raises(RunError, match="the key 1 is no text"):
        json_copy({"a": {1: 2}}, "x")
    deep: Any = [0]
    for _ in range(300):
        deep = [deep]
    with pytest.raises(RunError, match="more than 200 deep"):
        json_copy(deep, "x")


def test_human_utterances_know_what_came_with_them() -> None:
    [said] = asked(my_id=111).utterances
    assert isinstance(said, HumanUtterance)
    assert said.attributes == {"my_id": 111}
    with pytest.raises(RunError, match="nothing was said yet"):
        update.add_annotation(DIALOG, "x", 1)
