"""Tests that are cut out of conversations: they say what was said, and they pass."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph
from autograph.errors import AutographError, StorageError
from autograph.models import ScriptedModel
from autograph.testing.case import Case, Script
from autograph.testing.cut import cut_file, cut_test
from autograph.testing.cut_file import add_to_file
from autograph.testing.discover import load_suite
from autograph.testing.run import run_suite
from autograph.testing.told import ToldTurn, turn_from_dict, turn_to_dict
from conversations import Conversation, conformance_conversations, program_conversations

CAFE = """\
name,action,instruction,transitions,transition_question,transition_choice_a,transition_choice_b,min_confidence,on_unclear
start1,chat_exact,Hello! What is your name?,keep,,,,,
keep,python_function,guest = _last_user_reply.strip(),ask,,,,,
ask,chat,Ask $guest whether they want tea.,"tea, bye",Do they want tea?,yes,no,0.6,again
again,chat_exact,"Was that a yes, $guest?","tea, bye",Do they want tea?,yes,no,,
tea,chat_exact,"Here is your tea, $guest.",bye,,,,,
bye,chat_exact,"Goodbye, $guest.",quit,,,,,
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def cafe(tmp_path: Path) -> Path:
    path = tmp_path / "cafe.csv"
    path.write_text(CAFE, "utf-8")
    return path


def hold(bot: autograph.Autograph, *said: str, memory: Any = None, **options: Any) -> tuple[list[str], Any]:
    """The replies to what is said, and the memory after it."""
    replies = []
    for text in said:
        reply, memory = bot.reply(text, memory, **options)
        replies.append(reply)
        options = {}
    return replies, memory


def kept(memory: autograph.MemoryObject, path: Path) -> Path:
    path.write_text(memory.to_json(), "utf-8")
    return path


def passing(text: str, program: Path) -> Case:
    """The one test of a text, which passes when it is written beside its program and run."""
    path = program.with_name(f"{program.name.partition('.')[0]}.chat.yaml")
    path.write_text(text, "utf-8")
    suite = load_suite(path)
    (result,) = run_suite(suite)
    assert result.passed, (result.failures, text)
    return suite.cases[0]


def expected(case: Case, turn: int, kind: str) -> Any:
    """What a turn (counted from 0) is expected to be."""
    return next((e.value for e in case.turns[turn].expect if e.kind == kind), None)


# ---------------------------------------------------------------------- any conversation


def _talked(talk: Conversation) -> tuple[autograph.MemoryObject | None, list[tuple[str, str]]]:
    """The memory at the end of a conversation, and what was said and replied; without the turns that fail."""
    bot = talk.bot(talk.model())
    memory, said = talk.start(bot), []
    for step in talk.steps:
        if step.call or (memory is not None and memory.finished):
            continue
        try:
            reply, memory = bot.reply(step.say, memory, **step.options)
        except AutographError:
            continue
        said.append((step.say, reply))
    return memory, said


def _several(talk: Conversation) -> bool:
    return sum(not step.call for step in talk.steps) > 1


CONVERSATIONS = [*program_conversations(), *filter(_several, conformance_conversations())]


@pytest.mark.parametrize("talk", CONVERSATIONS, ids=lambda talk: talk.name)
def test_a_memory_is_enough(talk: Conversation, tmp_path: Path) -> None:
    memory, said = _talked(talk)
    if not said:
        pytest.skip("no turn of it succeeds")
    assert memory is not None
    program = Path(shutil.copy(talk.program, tmp_path))
    for beside in talk.program.parent.glob("*.config.*"):
        shutil.copy(beside, tmp_path)
    cut = cut_file(kept(memory, tmp_path / "talk.json"), program)
    case = passing(cut.text(program.with_name(f"{program.stem}.chat.yaml")), program)
    assert len(case.turns) == len(said)
    assert [name for turn in range(len(said)) for name in expected(case, turn, "path") or ()] == memory.trajectory
    assert expected(case, -1, "finished") is memory.finished
    if len(cut.notes) == 1 or all("Left out" in note for note in cut.notes[1:]):
        assert [(turn.say or "", (expected(case, n, "reply") or [""])[0]) for n, turn in enumerate(case.turns)] == said


def test_most_is_recovered() -> None:
    """What this file's conversations lose are texts within calls that have returned."""
    assert len(CONVERSATIONS) > 60


# ---------------------------------------------------------------------- what a memory tells


def test_what_is_in_the_test(cafe: Path, tmp_path: Path) -> None:
    bot = autograph.load(cafe, model=ScriptedModel(["Tea?"], ["yes"]))
    _, memory = hold(bot, "", "Ada", "yes: please", "ok")
    text = cut_test(kept(memory, tmp_path / "talk.json"), cafe, beside=tmp_path / "cafe.chat.yaml")
    assert text == (
        "# Cut from talk.json by autograph test --from-conversation.\n"
        "- test: talk\n"
        "  turns:\n"
        "    - expect:\n"
        "        reply: Hello! What is your name?\n"
        "        path: [start1]\n"
        "    - say: Ada\n"
        '      replies: ["Tea?"]\n'
        "      expect:\n"
        "        reply: Tea?\n"
        "        path: [keep, ask]\n"
        '    - say: "yes: please"\n'
        "      answers: [Yes]\n"
        "      expect:\n"
        "        reply: Here is your tea, Ada.\n"
        "        path: [tea]\n"
        "    - say: ok\n"
        "      expect:\n"
        "        reply: Goodbye, Ada.\n"
        "        path: [bye]\n"
        "        vars: {guest: Ada}\n"
        "        finished: true\n"
    )
    passing(text, cafe)


@pytest.mark.parametrize(
    ("answers", "way"),
    [(["no"], ["bye"]), (["dunno"], ["again"]), ([["yes", 0.2]], ["again"]), ([["yes", 0.9]], ["tea"])],
)
def test_answers_are_found_by_where_they_led(cafe: Path, tmp_path: Path, answers: list[Any], way: list[str]) -> None:
    bot = autograph.load(cafe, model=ScriptedModel(["Tea?"], answers))
    _, memory = hold(bot, "", "Ada", "hm")
    case = passing(cut_test(kept(memory, tmp_path / "talk.json"), cafe), cafe)
    assert expected(case, 2, "path") == tuple(way)
    assert case.turns[2].script.answers == ({"bye": "No", "again": "unclear", "tea": "Yes"}[way[0]],)


def test_interjections_and_calls(tmp_path: Path) -> None:
    program = tmp_path / "shop.csv"
    program.write_text(
        "name,action,instruction,transitions,transition_question,transition_choice_a,transition_choice_b,"
        "condition_interjection\n"
        'start1,chat,Welcome the guest.,"order, bye",What now?,The user orders,The user leaves,\n'
        "order,function,total = price(2),start1,,,,\n"
        "price(n),chat_exact,How many of $n?,counted,,,,\n"
        "counted,python_function,int(_last_user_reply) * n,give,,,,\n"
        "give,transition,,return,,,,\n"
        "bye,chat_exact,Bye.,quit,,,,\n"
        "help,chat_exact,I sell things.,resume,,,,The user asks for help\n",
        "utf-8",
    )
    model = ScriptedModel(["Hi!", "Hi again!", "More?"], ["A", "B", "B", "A", "B", "B", "B"])
    _, memory = hold(autograph.load(program, model=model), "", "help!", "ok", "I order", "4", "bye")
    assert memory.variables == {"total": 8}
    cut = cut_file(kept(memory, tmp_path / "talk.json"), program)
    case = passing(cut.text(), program)
    assert [turn.script.answers for turn in case.turns] == [
        (),
        ("The user asks for help",),
        ("none",),
        ("none", "The user orders"),
        ("none",),
        ("none", "The user leaves"),
    ]
    assert cut.notes[1:] == ("Turn 4: what the user said is not kept; this leads the same way.",)
    assert [turn.say for turn in case.turns] == [None, "help!", "ok", "…", "4", "bye"]
    assert expected(case, 5, "vars") == (("total", 8),)


def test_who_speaks_first(cafe: Path, tmp_path: Path) -> None:
    _, memory = hold(autograph.load(cafe, model="offline"), "hi")
    case = passing(cut_test(kept(memory, tmp_path / "talk.json"), cafe), cafe)
    assert [turn.say for turn in case.turns] == ["hi"]


def test_variables_and_start(cafe: Path, tmp_path: Path) -> None:
    bot = autograph.load(cafe, model=ScriptedModel(["Tea?"], ["no"]))
    memory = bot.start({"guest": "Ada", "age": 36})
    _, memory = hold(bot, "", "no", memory=memory, set_state="again")
    case = passing(cut_test(kept(memory, tmp_path / "talk.json"), cafe), cafe)
    assert case.start == "again"
    assert case.variables == {"guest": "Ada", "age": 36}


def test_draws_go_as_they_went(tmp_path: Path) -> None:
    program = tmp_path / "dice.yaml"
    program.write_text(
        "config: {python_imports: [random]}\n"
        "nodes:\n"
        "  - {name: start1, action: python_function, instruction: 'n = random.randint(1, 10**6)', transitions: say}\n"
        "  - {name: say, action: chat_exact, instruction: It is $n., transitions: start1}\n",
        "utf-8",
    )
    _, memory = hold(autograph.load(program, model="offline"), "", "again")
    case = passing(cut_test(kept(memory, tmp_path / "talk.json"), program), program)
    assert case.config == {"seed": memory.seed}


def test_a_program_that_has_changed(cafe: Path, tmp_path: Path) -> None:
    bot = autograph.load(cafe, model=ScriptedModel(["Tea?"], ["yes"]))
    _, memory = hold(bot, "", "Ada", "yes", "ok")
    cafe.write_text(CAFE.replace("Hello!", "Hi!").replace('"tea, bye",Do', '"again, bye",Do'), "utf-8")
    cut = cut_file(kept(memory, tmp_path / "talk.json"), cafe)
    assert cut.notes[1:] == (
        "Turn 1: the reply is not the one in the file, and is not expected.",
        "It ends before turn 3 of 4, which could not be taken again.",
    )
    case = passing(cut.text(), cafe)
    assert len(case.turns) == 2


def test_a_node_that_was_chosen_by_hand(cafe: Path, tmp_path: Path) -> None:
    bot = autograph.load(cafe, model=ScriptedModel(["Tea?"]))
    _, memory = hold(bot, "", "Ada")
    _, memory = hold(bot, "", memory=memory, set_state="start1")
    cut = cut_file(kept(memory, tmp_path / "talk.json"), cafe)
    assert cut.notes[1:] == ("It begins with turn 3, for which the node was chosen by hand (/goto).",)
    case = passing(cut.text(), cafe)
    assert (case.start, case.variables, len(case.turns)) == ("start1", {"guest": "Ada"}, 1)


def test_nothing_in_common(cafe: Path, tmp_path: Path) -> None:
    _, memory = hold(autograph.load([{"name": "x", "action": "chat_exact", "instruction": "Hi"}]), "")
    with pytest.raises(AutographError, match=r"cannot be held again with .*cafe\.csv"):
        cut_test(kept(memory, tmp_path / "talk.json"), cafe)


# ---------------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "this is no conversation"),
        ("hello\n", "line 1: this is no conversation"),
        ('{"reply": "x", "trace": 3}\n', "line 1: the trace"),
        ('{"autograph": "conversation", "version": 9}', "newer autograph"),
        ('{"autograph": "memory", "version": 1}', "finished is missing"),
    ],
)
def test_what_is_no_conversation(cafe: Path, tmp_path: Path, content: str, why: str) -> None:
    file = tmp_path / "talk.json"
    file.write_text(content, "utf-8")
    with pytest.raises(StorageError, match=why):
        cut_test(file, cafe)


def test_which_program(cafe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, memory = hold(autograph.load(cafe, model="offline"), "")
    file = kept(memory, tmp_path / "talk.json")
    with pytest.raises(AutographError, match=r"does not say with which program it was held\. Give it with --program"):
        cut_test(file)
    with pytest.raises(AutographError, match=r"there is no program nothing\.csv"):
        cut_test(file, "nothing.csv")
    with pytest.raises(AutographError, match="is a link"):
        cut_test(file, "https://example.org/x.csv")
    data = {"autograph": "conversation", "version": 1, "program": "cafe.csv", "memory": memory.to_dict()}
    file.write_text(json.dumps(data), "utf-8")
    (tmp_path / "tests").mkdir()
    monkeypatch.chdir(tmp_path / "tests")
    assert 'program: "../cafe.csv"\n' in cut_test(file)  # found beside the conversation
    assert 'program: "../cafe.csv"\n' in cut_test(file, beside=tmp_path / "tests" / "cafe.chat.yaml")
    assert "program:" not in cut_test(file, beside=tmp_path / "cafe.chat.yaml")


def _json_lines(bot: autograph.Autograph, said: list[str], *, with_said: bool) -> str:
    lines, memory = [], None
    for number, text in enumerate(said):
        reply, memory = bot.reply(text, memory)
        data: dict[str, Any] = {"reply": reply, "node": memory.current, "finished": memory.finished}
        data["trace"] = [event.to_dict() for event in memory.last_turn.trace]
        if with_said:
            data["said"] = text if number else None
        lines.append(json.dumps(data))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("with_said", [True, False], ids=["said", "unknown"])
def test_the_lines_of_chat_json(cafe: Path, tmp_path: Path, with_said: bool) -> None:
    bot = autograph.load(cafe, model=ScriptedModel(["Tea?"], [["yes", 0.2], "no"]))
    file = tmp_path / "talk.jsonl"
    file.write_text(_json_lines(bot, ["", "Ada", "hm", "no"], with_said=with_said), "utf-8")
    cut = cut_file(file, cafe)
    case = passing(cut.text(), cafe)
    assert [turn.script for turn in case.turns[2:]] == [Script(answers=(("Yes", 0.2),)), Script(answers=("No",))]
    if with_said:
        assert [turn.say for turn in case.turns] == [None, "Ada", "hm", "no"]
        assert len(cut.notes) == 1
    else:
        assert "Turns 2, 3, 4: what the user said is not kept; this leads the same way." in cut.notes


def test_a_conversation_that_broke_off(tmp_path: Path) -> None:
    program = tmp_path / "sum.csv"
    rows = "start1,chat_exact,A number?,add\nadd,python_function,n = int(_last_user_reply),start1\n"
    program.write_text(f"name,action,instruction,transitions\n{rows}", "utf-8")
    bot = autograph.load(program, model="offline")
    lines = _json_lines(bot, ["", "4"], with_said=True)
    _, memory = hold(bot, "", "4")
    with pytest.raises(AutographError) as caught:
        bot.reply("four", memory)
    error = {"kind": type(caught.value).__name__, "message": caught.value.message, "path": ["add"]}
    (tmp_path / "talk.jsonl").write_text(lines + json.dumps({"error": error, "said": "four"}) + "\n", "utf-8")
    case = passing(cut_test(tmp_path / "talk.jsonl", program), program)
    assert case.turns[2].say == "four"
    assert expected(case, 2, "error")["class"] == "StatementError"


WORDS = st.text(max_size=9)
NUMBERS = st.none() | st.integers(0, 25)
TURNS = st.builds(
    ToldTurn,
    says=st.tuples(st.none() | WORDS),
    path=st.lists(WORDS, max_size=4).map(tuple),
    reply=st.none() | WORDS,
    entry=st.none() | WORDS,
    texts=st.dictionaries(st.integers(0, 3), WORDS, max_size=3),
    answers=st.lists(st.tuples(NUMBERS, st.none() | st.floats(0, 1)), max_size=3).map(tuple),
)


@given(TURNS)
def test_a_turn_is_kept_as_json(turn: ToldTurn) -> None:
    assert turn_from_dict(json.loads(json.dumps(turn_to_dict(turn)))) == turn


@given(st.recursive(st.none() | st.integers() | WORDS, lambda items: st.lists(items) | st.dictionaries(WORDS, items)))
def test_what_is_no_turn_is_said(data: Any) -> None:
    for wrong in (data, {"said": "x", "reply": None, "path": data}, {"said": data, "reply": "y", "path": []}):
        with contextlib.suppress(ValueError):
            turn_from_dict(wrong)


# ---------------------------------------------------------------------- into a file


Cutter = Callable[..., Any]


@pytest.fixture
def cut(cafe: Path, tmp_path: Path) -> Any:
    _, memory = hold(autograph.load(cafe, model="offline"), "", "Ada")
    return cut_file(kept(memory, tmp_path / "talk.json"), cafe)


@pytest.mark.parametrize(
    "content",
    [
        None,
        "# Ours.\n- test: first\n  turns:\n    - expect: Hello\n",
        "tests:\n- test: first\n  turns:\n    - expect: Hello\n\n\n",
        "program: cafe.csv\ntests:  # all\n    - test: talk\n      turns:\n        - expect: Hello",
    ],
    ids=["new", "list", "mapping", "indented"],
)
def test_a_test_comes_behind_the_others(cut: Any, cafe: Path, content: str | None) -> None:
    path = cafe.with_name("cafe.chat.yaml")
    if content is not None:
        path.write_text(content, "utf-8")
    for _ in range(2):
        add_to_file(cut, path)
    text = path.read_text("utf-8")
    assert text.startswith((content or "# Cut").rstrip())
    suite = load_suite(path)
    names = [case.name for case in suite.cases]
    assert len(names) == len(set(names)) == (2 if content is None else 3)
    assert all(result.passed for result in run_suite(suite))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("tests: [{test: a, turns: [{expect: Hello}]}]\n", "does not end with its list of tests"),
        ("tests:\n  - test: a\n    turns:\n      - expect: Hello\nprices: {prompt: 1}\n", "does not end with its list"),
        ("- tset: a\n", "cannot be added"),
        ("program: other.csv\ntests:\n  - test: a\n    turns:\n      - expect: Hello\n", "tests .*other.csv, not"),
    ],
)
def test_a_file_that_takes_no_test_stays_as_it_is(cut: Any, cafe: Path, content: str, why: str) -> None:
    shutil.copy(cafe, cafe.with_name("other.csv"))
    path = cafe.with_name("cafe.chat.yaml")
    path.write_text(content, "utf-8")
    with pytest.raises(AutographError, match=why):
        add_to_file(cut, path)
    assert path.read_text("utf-8") == content
