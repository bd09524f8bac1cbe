"""Policies that ask a model do what pydialogue's do, request for request; and they tell why they failed."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograph.dialogue.trimming import ChatTrimmerBase
from autograph.evaluation.pydialogue.policies import LLMPolicy, LLMPolicyAlt, LLMPolicyBase, OAIPolicy
from pydialogue_world import DATA, Database, World, dialogue_in, plain

CASES = json.loads((DATA / "pydialogue-policies.json").read_text("utf-8"))["cases"]


class Client:
    """Answers by a script; an item that is a dict is an error."""

    def __init__(self) -> None:
        self.script: list[Any] = []
        self.requests: list[dict[str, Any]] = []
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self.create))

    def create(self, messages: list[Any], **options: Any) -> Any:
        self.requests.append({"messages": [dict(message) for message in messages], "options": options})
        content = self.script.pop(0)
        if isinstance(content, dict):
            raise RuntimeError("no connection")
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=content))])


class Table:
    """A policy at a dialogue, with a scripted client."""

    def __init__(self, folder: Path, case: dict[str, Any]) -> None:
        self.world, self.database, self.client = World(), Database(), Client()
        (folder / "main").write_text(case["main_instructions"], encoding="utf-8")
        (folder / "ser").write_text(case["ser_instructions"], encoding="utf-8")
        self.player = self.world.things["player"]
        self.policy = OAIPolicy(
            self.player,
            self.database,
            case["main_model_kwargs"],
            case["ser_model_kwargs"],
            folder / "main",
            folder / "ser",
            ChatTrimmerBase(**case["trimmer"]),
            self.client,
            case["interrupt_dialogue"],
        )
        self.dialogue = dialogue_in(self.world)
        self.policy.replace_dialogue(self.dialogue)

    def step(self, step: dict[str, Any]) -> Any:
        self.dialogue.dia_generator.context_strings += step["lines"]
        self.client.script, self.client.requests = list(step["model"]), []
        self.dialogue.interrupt = False
        self.dialogue.utterances.append(SimpleNamespace(error=step["last_utterance_error"]))
        self.database.known = bool(step["uttered"])
        return self.policy.execute(include_goal=step["include_goal"])


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path, CASES[0])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_as_pydialogue_plays(case: dict[str, Any], tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    table = Table(tmp_path, case)
    for step in case["steps"]:
        found = table.step(step)
        if step["pair"]:
            found, goal = found
            assert goal is None
        assert {"sentence": step["uttered"]} == plain(found, table.world)
        assert (found.speaker, found.trusted_source) == (table.player, step["trusted"])
        assert table.client.requests == step["requests"]
        assert (table.dialogue.interrupt, table.policy.last_context_id) == (step["interrupt"], step["seen"])
    last = case["steps"][-1]
    assert (table.policy.messages_main, table.policy.messages_ser) == (last["messages_main"], last["messages_ser"])
    monkeypatch.chdir(tmp_path)
    table.policy.save_msgs_to_file("m.txt", "s.txt")
    assert capsys.readouterr().out == case["stdout"]
    assert [Path(name).read_text("utf-8") for name in ("m.txt", "s.txt")] == case["files"]


FAILURES = {
    "says what it writes": [],
    "waits": [],
    "writes no tag": [
        ("main", "the model wrote no <next_response>", "I go north"),
        ("main", "the model wrote no <next_response>", "<next_response>open"),
        ("serializer", "the model wrote no <output>", "no output"),
        ("serializer", "the model wrote nothing in its <output>", "<output></output>"),
    ],
    "the first model fails": [("main", "RuntimeError: no connection", "")],
    "the second model fails": [("serializer", "RuntimeError: no connection", "<next_response>x</next_response>")],
}


@pytest.mark.parametrize("case", [case for case in CASES if case["name"] in FAILURES], ids=lambda case: case["name"])
def test_failures_are_told(case: dict[str, Any], tmp_path: Path) -> None:
    table = Table(tmp_path, case)
    for step in case["steps"]:
        table.step(step)
    assert [(f.stage, f.reason, f.text) for f in table.policy.failures] == FAILURES[case["name"]]


def test_no_text_is_a_failure_and_no_message(table: Table) -> None:
    table.step({**CASES[0]["steps"][0], "model": [None]})
    assert [(f.stage, f.reason) for f in table.policy.failures] == [
        ("main", "ValueError: the model answered with no text")
    ]
    assert [message["role"] for message in table.policy.messages_main] == ["system", "user"]
    assert table.step(CASES[0]["steps"][0]).describers


def test_tokens_that_cannot_be_said_are_told(tmp_path: Path) -> None:
    case = next(case for case in CASES if case["name"] == "tokens that cannot be read")
    table = Table(tmp_path, case)
    for step in case["steps"][:4]:
        table.step(step)
    table.step(case["steps"][6])
    assert [failure.reason.splitlines()[0] for failure in table.policy.failures] == [
        "IndexError: list index out of range",
        "ValueError: the tokens end before the sentence does",
        "Exception: blue is not recognized as a property value nor as an attribute.",
        "Exception: There is no unique entity with the following properties: {'color': 'red'} and the following "
        "attributes: {} found in the world.",
        "ValueError: no sentence of the database has this meaning",
    ]
    assert [failure.line for failure in table.policy.failures] == [1, 2, 3, 4, 5]


def test_a_state_is_all_of_the_state(table: Table) -> None:
    said, waits = CASES[0]["steps"][0], CASES[1]["steps"][0]
    table.step(said)
    before = table.policy.save_state()
    main, ser = list(table.policy.messages_main), list(table.policy.messages_ser)
    table.step({**said, "model": [{"raise": ""}]})
    table.step(waits)
    assert (len(table.policy.messages_main), len(table.policy.failures)) == (6, 1)
    table.policy.recover_state(before)
    assert (table.policy.messages_main, table.policy.messages_ser) == (main, ser)
    assert (table.policy.last_context_id, table.policy.failures) == (1, [])


def test_messages_are_saved_once_and_as_json_if_wanted(table: Table, tmp_path: Path, capsys: Any) -> None:
    main, ser = tmp_path / "m.jsonl", tmp_path / "s.jsonl"
    table.step(CASES[1]["steps"][0])
    table.policy.save_msgs_to_file(main, ser)
    table.step(CASES[0]["steps"][1])
    table.policy.save_msgs_to_file(main, ser)
    assert [json.loads(line) for line in main.read_text("utf-8").splitlines()] == table.policy.messages_main
    assert [json.loads(line) for line in ser.read_text("utf-8").splitlines()] == table.policy.messages_ser
    assert capsys.readouterr().out == f"Messages saved to {main} and {ser}\n" * 2


def test_the_other_ways_to_ask_a_policy(table: Table) -> None:
    table.client.script = list(CASES[0]["steps"][0]["model"])
    table.dialogue.utterances.clear()
    assert table.policy.get_steps().describers
    assert table.policy.get_goal() is None


def test_the_base_is_abstract() -> None:
    with pytest.raises(TypeError, match="abstract"):
        LLMPolicyBase(None, None, {}, {}, "", "", None)  # type: ignore[abstract]


# ---------------------------------------------------------------------- models on this machine


class Ids(np.ndarray):  # type: ignore[type-arg]
    """Numbers of tokens, which can be sent to a device."""

    moved = 0

    def to(self, device: str) -> Ids:
        assert device == "cpu"
        Ids.moved += 1
        return self


class Tokenizer:
    """A token is a character."""

    def apply_chat_template(self, messages: list[Any], tokenize: bool, add_generation_prompt: bool) -> str:
        assert (tokenize, add_generation_prompt) == (False, True)
        return "".join(f"{message['role'][0]}:{message['content']};" for message in messages)

    def __call__(self, text: str, return_tensors: str) -> dict[str, Ids]:
        assert return_tensors == "pt"
        ids = np.array([[ord(character) for character in text]]).view(Ids)
        return {"input_ids": ids, "attention_mask": np.ones_like(ids)}

    def decode(self, ids: Any, skip_special_tokens: bool) -> str:
        assert skip_special_tokens
        return "".join(map(chr, ids))


class Local:
    """A model that writes what its script says, after what it was asked."""

    def __init__(self, script: list[str], echoes: bool = True) -> None:
        self.script, self.echoes = script, echoes
        self.asked: list[str] = []
        self.options: list[dict[str, Any]] = []
        self.device = ""

    def to(self, device: str) -> None:
        self.device = device

    def generate(self, input_ids: Ids, attention_mask: Ids, **options: Any) -> list[list[int]]:
        assert input_ids.shape == attention_mask.shape
        self.asked.append("".join(map(chr, input_ids[0])))
        self.options.append(options)
        written = [ord(character) for character in self.script.pop(0)]
        return [[*input_ids[0], *written] if self.echoes else written]


GO = CASES[0]["steps"][0]


def local(folder: Path, model: Local, **options: Any) -> Any:
    world = World()
    (folder / "main").write_text("Play.", encoding="utf-8")
    (folder / "ser").write_text("Write.", encoding="utf-8")
    files = folder / "main", folder / "ser"
    if "max_context_len" in options:
        policy: Any = LLMPolicyAlt(
            world.things["player"], Database(), model, {"top_k": 1}, {}, Tokenizer(), "cpu", *files, **options
        )
    else:
        trimmer = ChatTrimmerBase(1000)
        policy = LLMPolicy(
            world.things["player"], Database(), {"top_k": 1}, {}, *files, trimmer, model, Tokenizer(), "cpu", **options
        )
    policy.replace_dialogue(dialogue_in(world))
    policy.dialogue.dia_generator.context_strings += ["a line", "another"]
    return policy


@pytest.mark.parametrize("echoes", [True, False])
def test_a_model_on_this_machine(echoes: bool, tmp_path: Path) -> None:
    model = Local(list(GO["model"]), echoes)
    policy = local(tmp_path, model, autoregressive=echoes, gc_after=echoes)
    found = policy.execute()
    assert plain(found, policy.dialogue.dia_generator.world) == {"sentence": GO["uttered"]}
    assert model.asked == ["s:Play.;u:a line\nanother;", "s:Write.;u:<input>Heidi tries going north .</input>;"]
    assert (model.options, model.device) == ([{"top_k": 1}, {}], "cpu")
    assert policy.failures == []


def test_what_is_too_long_is_cut_by_tokens(tmp_path: Path) -> None:
    model = Local(list(GO["model"]))
    policy = local(tmp_path, model, max_context_len=14)
    found = policy.execute(include_goal=True)[0]
    assert model.asked == [
        "s:Play.;other;",
        "s:Write.;u:<input>Heidi tries going north .</input>;",
    ]
    assert plain(found, policy.dialogue.dia_generator.world) == {"sentence": GO["uttered"]}
    assert [message["role"] for message in policy.messages_main] == ["system", "user", "assistant"]


def test_what_is_not_too_long_is_not_cut(tmp_path: Path) -> None:
    model = Local(list(GO["model"]))
    local(tmp_path, model, max_context_len=26).execute()
    assert model.asked[0] == "s:Play.;u:a line\nanother;"


def test_a_local_model_that_fails(tmp_path: Path) -> None:
    for options, interrupt in (({}, True), ({"max_context_len": 100}, False)):
        policy = local(tmp_path, Local([]), **options)
        assert policy.execute().describers == []
        assert policy.dialogue.interrupt is interrupt
        assert [failure.stage for failure in policy.failures] == ["main"]
