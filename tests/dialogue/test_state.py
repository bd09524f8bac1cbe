"""Do conversations go to the dialogue states of DeepPavlov Agent and back, and is what is wrong found by its path?"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph
from agent_support import STATES, state
from autograph.dialogue.state import export_state, import_state, memory_from_state, state_messages, validate_state
from autograph.dialogue.state_dates import moment, upstream_date
from autograph.dialogue.state_problem import RULES
from autograph.dialogue.state_program import pack_memory, unpack_memory
from autograph.dialogue.state_shape import state_schema, state_schema_text
from autograph.errors import ProgramChanged, StorageError
from autograph.memory import MemoryObject

ROOT = Path(__file__).parents[2]
State = dict[str, Any]


# ---------------------------------------------------------------------- the states of the original


@pytest.mark.parametrize("path", STATES, ids=lambda path: path.stem)
def test_states_of_the_original_go_through_unchanged(path: Path) -> None:
    text = path.read_text("utf-8")
    data = json.loads(text)
    assert validate_state(data) == []
    again = export_state(import_state(data))
    assert json.dumps(again, ensure_ascii=False, indent=1) == text.rstrip("\n")
    assert data == json.loads(text)


@pytest.mark.parametrize("path", STATES, ids=lambda path: path.stem)
def test_states_of_the_original_fit_our_schema(path: Path) -> None:
    jsonschema.Draft7Validator(state_schema()).validate(json.loads(path.read_text("utf-8")))


def test_the_schema_in_the_documents_is_the_present_one() -> None:
    assert (ROOT / "docs" / "schema" / "dialogue-state.schema.json").read_text("utf-8") == state_schema_text()


def test_a_dialog_that_was_never_saved_has_no_dates() -> None:
    data = {**state(1), "utterances": [], "human_utterances": [], "bot_utterances": []}
    assert paths(data) == ["date_start", "date_finish"]
    data |= {"date_start": "None", "date_finish": "None"}
    assert validate_state(data) == []
    assert export_state(import_state(data)) == data


def test_in_the_midst_of_a_turn_the_dates_are_still_the_old_ones() -> None:
    data = state(1)
    first_turn = {**data, "utterances": data["utterances"][:1], "bot_utterances": []}
    assert validate_state(first_turn | {"date_start": "None", "date_finish": "None"}) == []
    data = state(2)
    second = {**data, "utterances": data["utterances"][:3], "bot_utterances": data["bot_utterances"][:1]}
    assert validate_state(second | {"date_finish": data["utterances"][1]["date_time"]}) == []
    assert paths(data | {"date_start": "None", "date_finish": "None"}) == ["date_start", "date_finish"]


# ---------------------------------------------------------------------- what is wrong


def paths(data: Any) -> list[str]:
    return [problem.path for problem in validate_state(data)]


def both(data: State, index: int, change: Callable[[State], object]) -> None:
    """Change an utterance, and its copy in the list of its speaker."""
    item = data["utterances"][index]
    name = f"{item['user']['user_type']}_utterances"
    place = data[name].index(item)
    change(item)
    data[name][place] = copy.deepcopy(item)


def at(index: int, **values: Any) -> Callable[[State], None]:
    return lambda data: both(data, index, lambda item: item.update(values))


def hypothesis(**values: Any) -> Callable[[State], None]:
    return lambda data: both(data, 2, lambda item: item["hypotheses"][0].update(values))


def without(index: int, key: str) -> Callable[[State], None]:
    return lambda data: both(data, index, lambda item: item.pop(key))


def top(**values: Any) -> Callable[[State], None]:
    return lambda data: data.update(values)


def inside(who: str, **values: Any) -> Callable[[State], None]:
    return lambda data: data[who].update(values)


DEEP: Any = [0]
for _ in range(300):
    DEEP = [DEEP]

WRONG: list[tuple[str, Callable[[State], object], str, str]] = [
    ("a key is missing", lambda data: data.pop("channel_type"), "channel_type", "R1"),
    ("an unknown key", top(dialog="x"), "dialog", "R1"),
    ("a key of the utterance is missing", without(0, "annotations"), "utterances/0/annotations", "R1"),
    ("hypotheses of a bot", at(1, hypotheses=[]), "utterances/1/hypotheses", "R1"),
    ("a text is a number", at(0, text=5), "utterances/0/text", "R1"),
    ("orig_text is a number", at(1, orig_text=5), "utterances/1/orig_text", "R1"),
    ("a list is an object", top(utterances={}), "utterances", "R1"),
    ("the dialog has no id", top(dialog_id=""), "dialog_id", "R1"),
    ("the user is a dog", inside("human", user_type="dog"), "human/user_type", "R2"),
    ("the bot is a human", inside("bot", user_type="human"), "bot/user_type", "R2"),
    ("a copy is missing", lambda data: data["human_utterances"].pop(), "human_utterances", "R3"),
    ("a copy differs", lambda data: data["bot_utterances"][1].update(text="x"), "bot_utterances/1/text", "R3"),
    ("a copy too many", lambda data: data["bot_utterances"].append({}), "bot_utterances/2", "R3"),
    ("the copies are in another order", lambda data: data["human_utterances"].reverse(),
     "human_utterances/0/utt_id", "R3"),
    ("an id twice", lambda data: both(data, 2, lambda item: item.update(utt_id=data["utterances"][0]["utt_id"])),
     "utterances/2/utt_id", "R4"),
    ("an id in capitals", at(0, utt_id="A" * 32), "utterances/0/utt_id", "R4"),
    ("an id that is too short", at(3, utt_id="a" * 31), "utterances/3/utt_id", "R4"),
    ("no date", at(1, date_time="yesterday"), "utterances/1/date_time", "R5"),
    ("a date without a time", at(1, date_time="2026-11-30"), "utterances/1/date_time", "R5"),
    ("a day that is none", at(1, date_time="2026-02-30 10:00:00"), "utterances/1/date_time", "R5"),
    ("a date before", at(2, date_time="2020-01-01 00:00:00"), "utterances/2/date_time", "R5"),
    ("the start is another", top(date_start="2026-11-30 18:16:46.731057"), "date_start", "R6"),
    ("the finish is no date", top(date_finish="now"), "date_finish", "R6"),
    ("another human", lambda data: both(data, 2, lambda item: item["user"].update(user_external_id="eve")),
     "utterances/2/user/user_external_id", "R7"),
    ("no confidence", hypothesis(confidence=None), "utterances/2/hypotheses/0/confidence", "R8"),
    ("the confidence is a text", hypothesis(confidence="0.9"), "utterances/2/hypotheses/0/confidence", "R8"),
    ("the confidence is true", hypothesis(confidence=True), "utterances/2/hypotheses/0/confidence", "R8"),
    ("annotations are a list", hypothesis(annotations=[]), "utterances/2/hypotheses/0/annotations", "R8"),
    ("human_attributes are a text", hypothesis(human_attributes="x"),
     "utterances/2/hypotheses/0/human_attributes", "R8"),
    ("the bot is not sure", at(1, confidence="high"), "utterances/1/confidence", "R9"),
    ("the bot's confidence is infinite", at(1, confidence=float("inf")), "utterances/1/confidence", "R9"),
    ("nobody is active", at(1, active_skill=""), "utterances/1/active_skill", "R9"),
    ("the human's id", inside("human", id="5"), "human/id", "R10"),
    ("the bot's id", inside("bot", id="g" * 24), "bot/id", "R10"),
    ("a date among the attributes", lambda data: data["human"]["attributes"].update(at=datetime(2026, 1, 1)),
     "human/attributes/at", "R11"),
    ("a number that is none", inside("bot", persona={"a": [1, float("nan")]}), "bot/persona/a/1", "R11"),
    ("a key that is no text", inside("bot", persona={1: 2}), "bot/persona", "R11"),
    ("too deep", hypothesis(extra=DEEP), "utterances/2/hypotheses/0/extra" + "/0" * 201, "R11"),
    ("a rating without a date", top(attributes={"ratings": [{"rating": 5}]}), "attributes/ratings/0/datetime", "R1"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "path", "rule"), [wrong[1:] for wrong in WRONG], ids=[wrong[0] for wrong in WRONG])
def test_what_is_wrong_is_named_by_its_path(change: Callable[[State], object], path: str, rule: str) -> None:
    data = state(2)
    change(data)
    problems = validate_state(data)
    assert (path, rule) in {(problem.path, problem.rule) for problem in problems}
    assert {problem.severity for problem in problems} == {"error"}
    with pytest.raises(StorageError, match="no dialogue state"):
        import_state(data)


def test_a_problem_is_one_sentence_with_path_and_rule() -> None:
    data = state(2)
    hypothesis(confidence="high")(data)
    [problem] = validate_state(data)
    assert str(problem) == "utterances/2/hypotheses/0/confidence: it must be a number, not a text [R8]"
    assert all(found.rule in RULES for found in validate_state({}))
    assert [str(found) for found in validate_state([])] == [
        "the state: it must be a dialog, an object, not a list [R1]"
    ]


def test_one_fault_gives_one_problem() -> None:
    for _, change, path, _ in WRONG:
        data = state(2)
        change(data)
        found = [found for found in paths(data) if not found.startswith(("date_", "human_utterances", "bot_utter"))]
        assert len(found) <= 2, path


def warned(data: State) -> list[tuple[str, str]]:
    return [(problem.path, problem.rule) for problem in validate_state(data, warnings=True)]


def test_what_is_doubtful_is_a_warning() -> None:
    assert warned(state(2)) == []
    assert warned(state(3)) == [("utterances/1/active_skill", "W2")]
    data = state(1)
    both(data, 1, lambda item: item.update(confidence=1.5))
    data["human"]["profile"] = {"name": "Ann", "shoe": 40}
    found = warned(data)
    assert ("utterances/1/confidence", "W4") in found
    assert ("human/profile/gender", "W3") in found
    assert ("human/profile/shoe", "W5") in found
    data = state(1)
    twice = copy.deepcopy(data["utterances"][1]) | {"utt_id": "0" * 32}
    data["utterances"].append(twice)
    data["bot_utterances"].append(twice)
    assert warned(data) == [("utterances/2", "W1")]
    assert validate_state(data) == []


def test_an_imported_utterance_needs_no_skill() -> None:
    data = state(1)
    both(data, 1, lambda item: item.update(active_skill="", attributes={"imported": True}))
    assert validate_state(data) == []


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += _places(item, (*path, key))
    return found


PLACES = _places(state(6))


@given(st.sampled_from(PLACES), JSON)
def test_whatever_stands_anywhere_is_judged_and_what_is_valid_goes_through(place: tuple[Any, ...], value: Any) -> None:
    data = state(6)
    inner: Any = data
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    problems = validate_state(data, warnings=True)
    assert all(str(problem) for problem in problems)
    if not any(problem.severity == "error" for problem in problems):
        assert export_state(import_state(data)) == data or "T" in str(value)


@given(JSON)
def test_anything_can_be_asked_about(data: Any) -> None:
    assert validate_state(data) != []


# ---------------------------------------------------------------------- dates


@pytest.mark.parametrize(
    ("given", "form"),
    [
        ("2026-11-30 18:16:20.037077", "2026-11-30 18:16:20.037077"),
        ("2026-11-30 18:16:20", "2026-11-30 18:16:20"),
        ("2026-11-30T18:16:20.5", "2026-11-30 18:16:20.500000"),
        ("2026-11-30T18:16:20Z", "2026-11-30 18:16:20"),
        ("2026-11-30 20:16:20+02:00", "2026-11-30 18:16:20"),
        ("2026-11-30T13:16:20.037077-0500", "2026-11-30 18:16:20.037077"),
        ("None", "None"),
    ],
)
def test_dates_get_the_form_of_the_original(given: str, form: str) -> None:
    assert upstream_date(given) == form


@given(st.datetimes())
def test_dates_of_the_original_stay_as_they_are(date: datetime) -> None:
    assert upstream_date(str(date)) == str(date)
    assert moment(str(date)) == date
    assert moment(upstream_date(date.isoformat())) == date


def test_dates_of_other_forms_are_put_right_on_import() -> None:
    data = state(1)
    for index in (0, 1):
        both(data, index, lambda item: item.update(date_time=item["date_time"].replace(" ", "T") + "+00:00"))
    data |= {"date_start": data["utterances"][0]["date_time"], "date_finish": data["utterances"][1]["date_time"]}
    assert export_state(import_state(data)) == state(1)


# ---------------------------------------------------------------------- a program's conversation

ROWS = [
    {"name": "start1", "action": "chat_exact", "instruction": "Hello! Who are you?", "transitions": "keep"},
    {"name": "keep", "action": "python_function", "instruction": "guest = _last_user_reply", "transitions": "tea"},
    {"name": "tea", "action": "chat_exact", "instruction": "Tea, $guest?", "transitions": "count"},
    {"name": "count", "action": "python_function", "instruction": "cups = {1, 2}", "transitions": "done"},
    {"name": "done", "action": "chat_exact", "instruction": "Here, $guest.", "transitions": "tea"},
]
BOT = autograph.load(ROWS, model="offline")
FINGERPRINT = BOT.program.fingerprint


def talked(*texts: str) -> MemoryObject:
    _, memory = BOT.reply()
    for text in texts:
        _, memory = BOT.reply(text, memory)
    return memory


def exported(memory: MemoryObject, **options: Any) -> State:
    return export_state(memory, "tea", fingerprint=FINGERPRINT, **options)


def test_a_conversation_becomes_a_valid_state() -> None:
    data = exported(talked("Ann", "yes"), user="ann", seed="s", persona={"name": "Tea"})
    assert validate_state(data, warnings=True) == []
    assert [item["text"] for item in data["utterances"]] == [
        "Hello! Who are you?", "Ann", "Tea, Ann?", "yes", "Here, Ann.",
    ]  # fmt: skip
    assert [item["attributes"].get("node") for item in data["bot_utterances"]] == ["start1", "tea", "done"]
    assert {item["active_skill"] for item in data["bot_utterances"]} == {"tea"}
    assert data["human"]["user_external_id"] == "ann"
    assert data["bot"]["persona"] == {"name": "Tea"}
    assert data["date_start"] == "1970-01-01 00:00:00"
    assert data["human"]["attributes"]["tea_state"]["fingerprint"] == FINGERPRINT
    assert data["human"]["attributes"]["tea_state"]["node"] == "done"


def test_ids_are_the_same_on_demand_only() -> None:
    memory = talked("Ann")
    assert exported(memory, seed="s") == exported(memory, seed="s")
    assert exported(memory, seed="s")["dialog_id"] != exported(memory, seed="t")["dialog_id"]
    assert exported(memory)["dialog_id"] != exported(memory)["dialog_id"]
    began = exported(memory, started=datetime(2026, 5, 1, 12, 0))
    assert began["date_start"] == "2026-05-01 12:00:00"


def test_replies_that_were_possible_become_hypotheses() -> None:
    candidates = {1: [{"text": "Coffee?", "confidence": 0.3, "why": "guess"}, {"text": "Tea, Ann?", "confidence": 0.8}]}
    data = exported(talked("Ann"), candidates=candidates)
    assert data["human_utterances"][0]["hypotheses"] == [
        {"skill_name": "tea", "annotations": {}, "text": "Coffee?", "confidence": 0.3, "why": "guess"},
        {"skill_name": "tea", "annotations": {}, "text": "Tea, Ann?", "confidence": 0.8},
    ]
    assert data["bot_utterances"][1]["confidence"] == 0.8
    assert validate_state(data, warnings=True) == []


TEXTS = st.lists(st.text(min_size=1, max_size=8).filter(lambda text: text.strip()), max_size=5)


@given(TEXTS, TEXTS)
def test_a_conversation_goes_on_elsewhere_as_if_nothing_had_happened(before: list[str], after: list[str]) -> None:
    memory = talked(*before)
    text = json.dumps(exported(memory))
    elsewhere = memory_from_state(import_state(json.loads(text)), "tea", fingerprint=FINGERPRINT, nodes=BOT.nodes)
    assert elsewhere == memory
    for said in after:
        one, memory = BOT.reply(said, memory)
        other, elsewhere = BOT.reply(said, elsewhere)
        assert one == other


def test_the_only_program_need_not_be_named() -> None:
    dialog = import_state(exported(talked("Ann")))
    assert memory_from_state(dialog) == talked("Ann")
    data = exported(talked("Ann"))
    data["human"]["attributes"]["other_state"] = pack_memory(talked(), "other", "f")
    with pytest.raises(StorageError, match="several programs: tea, other"):
        memory_from_state(import_state(data))


def test_words_of_another_system_go_over_to_a_node() -> None:
    dialog = import_state(state(2))
    with pytest.raises(StorageError, match="Name the node"):
        memory_from_state(dialog, "tea")
    with pytest.raises(StorageError, match=r'no node "taa"\. Did you mean "tea"'):
        memory_from_state(dialog, "tea", node="taa", nodes=BOT.nodes)
    memory = memory_from_state(dialog, "tea", node="tea", nodes=BOT.nodes)
    assert memory.current == "tea"
    assert [message["content"] for message in state_messages(dialog)] == [
        "I want a coffee", "Small or large?", "large", "One large latte, coming up!",
    ]  # fmt: skip
    assert [turn.agent for turn in memory.top.turns] == ["Small or large?", "One large latte, coming up!"]


# ---------------------------------------------------------------------- what comes back is not believed


def test_another_version_of_the_program_is_noticed() -> None:
    dialog = import_state(exported(talked("Ann")))
    with pytest.raises(ProgramChanged, match='"tea" has changed'):
        memory_from_state(dialog, "tea", fingerprint="f")


def packed(**changes: Any) -> dict[str, Any]:
    return {**pack_memory(talked("Ann"), "tea", FINGERPRINT), **changes}


def test_a_memory_may_be_data_as_well_as_text() -> None:
    data = packed(memory=talked("Ann").to_dict())
    assert unpack_memory(data, "tea", fingerprint=FINGERPRINT, nodes=BOT.nodes) == talked("Ann")


def levels(count: int, variables: int) -> str:
    first = {"function_scope": "local", "last_state": "tea", "prompt": "", "user_prompt": "", "turns": []}
    first["variables"] = {f"v{index}": 0 for index in range(variables)}
    more = {**first, "function_scope": "normal", "variables": {}}
    data = talked().to_dict() | {"stack": [first, *([more] * (count - 1))]}
    return json.dumps(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, '"autograph": "state" is missing'),
        ({"autograph": "memory"}, '"autograph": "state" is missing'),
        (packed(version=2), "version 2"),
        (packed(program="coffee"), 'belongs to the program "coffee"'),
        (packed(fingerprint=None), "no fingerprint"),
        (packed(memory=5), "no memory but int"),
        (packed(memory="{"), "no memory"),
        (packed(memory="[" * 5000), "no memory"),
        (packed(memory="[]"), "no stored conversation"),
        (packed(memory=json.dumps(talked().to_dict() | {"stack": 5})), "stack must be of type list"),
        (packed(memory=json.dumps(talked().to_dict() | {"trajectory": ["nowhere"]})), 'node "nowhere"'),
        (packed(memory=levels(2000, 1)), "2,000 levels"),
        (packed(memory=levels(900, 1000)), "more variables"),
        (packed(memory={"a": float("nan")}), "no memory"),
    ],
    ids=range(14),
)
def test_a_state_that_is_none_is_refused(data: Any, message: str) -> None:
    with pytest.raises(StorageError, match=message):
        unpack_memory(data, "tea", fingerprint=FINGERPRINT, nodes=BOT.nodes)


def test_a_state_that_is_too_large_is_refused() -> None:
    with pytest.raises(StorageError, match="at most 100 are read"):
        unpack_memory(packed(), "tea", max_bytes=100)


def test_only_who_has_the_key_can_make_a_state() -> None:
    key = b"secret"
    signed = pack_memory(talked("Ann"), "tea", FINGERPRINT, key=key, user="ann")
    assert unpack_memory(signed, "tea", key=key, user="ann") == talked("Ann")
    other = pack_memory(talked("Bob"), "tea", FINGERPRINT)
    for data in (
        other,
        signed | {"memory": other["memory"]},
        signed | {"signature": "ü"},
        signed | {"fingerprint": ""},
    ):
        with pytest.raises(StorageError, match="not signed"):
            unpack_memory(data, "tea", key=key, user="ann")
    with pytest.raises(StorageError, match="not signed"):
        unpack_memory(signed, "tea", key=key, user="eve")
    with pytest.raises(StorageError, match="not signed"):
        unpack_memory(signed, "tea", key=b"other", user="ann")


@given(JSON)
def test_whatever_a_client_sends_is_refused_with_a_sentence(data: Any) -> None:
    for value in (data, packed(memory=data), packed(memory=json.dumps(data))):
        with pytest.raises(StorageError):
            unpack_memory(value, "tea", fingerprint=FINGERPRINT, nodes=BOT.nodes)
