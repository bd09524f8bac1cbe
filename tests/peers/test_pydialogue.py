"""The real pydialogue: its sentences through our tokens, texts and English, and a program in its world.

See ``run_pydialogue.sh``.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("pyinflect", reason="pydialogue is not installed")

from autograph.dialogue.sentences import attach_to_element, deserialize, from_text, serialize, to_text
from autograph.dialogue.trimming import ChatTrimmerBase
from autograph.evaluation.dialogues import generate_and_eval
from autograph.evaluation.pydialogue.english import english_tokens, words_together
from autograph.evaluation.pydialogue.nltk_shim import import_pydialogue
from autograph.evaluation.pydialogue.policies import GraphPolicy, OAIPolicy
from autograph.evaluation.pydialogue.uttered import uttered

easy: Any = import_pydialogue("pydialogue.environments.easy")
lc: Any = import_pydialogue("pydialogue.language.components")
em: Any = import_pydialogue("pydialogue.environment.entities")
tdesc: Any = import_pydialogue("pydialogue.environment.descriptions")
ts: Any = import_pydialogue("pydialogue.language.sentences")
tq: Any = import_pydialogue("pydialogue.language.queries")
theirs: Any = import_pydialogue("pydialogue.baseline.serializers")
llm: Any = import_pydialogue("pydialogue.baseline.llm_base_policies")
MapperDatabase: Any = import_pydialogue("pydialogue.generation.mappers_database").MapperDatabase
DialogueGenerator: Any = import_pydialogue().DialogueGenerator

TESTS = Path(__file__).parents[1]
EXPLORER = TESTS.parent / "programs" / "explorer.yaml"
VECTORS = json.loads((TESTS / "data" / "pydialogue.json").read_text("utf-8"))
POLICIES = json.loads((TESTS / "data" / "pydialogue-policies.json").read_text("utf-8"))["cases"]
CALLED = {
    "player": ["name"],
    "small_apple": ["color", "material", "type"],
    "toys_container": ["color", "type"],
    "big_apple": ["size", "color", "type"],
    "kitchen": ["name"],
    "chicken": ["type"],
}
"""By what the things of the recorded sentences are called."""


@pytest.fixture(scope="module")
def world() -> Any:
    return easy.build_world(random_gen=1)


@pytest.mark.parametrize("case", VECTORS["serialize"], ids=lambda case: case["name"])
def test_as_recorded(case: dict[str, Any]) -> None:
    world = easy.build_world(random_gen=1)
    for name, elements in CALLED.items():
        entity = getattr(world, name)
        entity.set_description(tdesc.BaseDescription(entity, [True] * len(elements), elements))
        entity.description.elements = elements
    abstract = em.BaseEntity(properties={"color": "red", "type": "apple"}, attributes={"abstract": None})
    names = {"w": world, "P": world.player, "ts": ts, "tq": tq, "lc": lc, "em": em, "abstract": abstract}
    element = eval(case["expr"], names)
    drawn = world.random_gen.getstate()
    tokens = serialize(element, world)
    world.random_gen.setstate(drawn)
    assert tokens == theirs.serialize(element, world)
    if case["name"] != "place-without-description":  # which draws one
        assert tokens == case["tokens"]


@pytest.mark.parametrize("case", VECTORS["deserialize"], ids=lambda case: case["name"])
def test_read_as_the_original_reads(case: dict[str, Any], world: Any) -> None:
    assert outcome(deserialize, case["tokens"], world) == outcome(theirs.deserialize, case["tokens"], world)


def outcome(function: Any, *arguments: Any) -> Any:
    """The value of a call in a form that can be compared, or its error."""
    try:
        return shape(function(*arguments))
    except Exception as error:
        return type(error).__name__, str(error).split(" object at ")[0]


def shape(value: Any) -> Any:
    if isinstance(value, lc.Sentence):
        return [shape(describer) for describer in value.describers]
    if isinstance(value, lc.Describer):
        return {key: shape(argument) for key, argument in value.args.items()}
    if isinstance(value, lc.Arg):
        return type(value).__name__, shape(value.value), getattr(value, "infinitive", None)
    if isinstance(value, em.Entity):
        return "entity", value.properties["var_name"]
    if isinstance(value, em.BaseEntity):
        return "any", value.properties, value.attributes
    if isinstance(value, set):
        return sorted(repr(shape(item)) for item in value)
    return [shape(item) for item in value] if isinstance(value, list) else value


_TAGS = ("sent", "desc", "Rel", "Arg-PPT", "AM-DIR", "list", "set", "entity")
_WORDS = "red apple Heidi open abstract entity the north goes went zzzq very small hollow under Andy <list>x <Arg-X"
_TOKENS = [*(f"<{tag}>" for tag in _TAGS), *(f"</{tag}>" for tag in _TAGS), *_WORDS.split()]


def test_whatever_is_read() -> None:
    world, rng = easy.build_world(random_gen=1), random.Random(5)
    good = [
        case["tokens"] for case in (*VECTORS["deserialize"], *VECTORS["serialize"]) if case["tokens"][0] == "<sent>"
    ]
    for _ in range(5_000):
        tokens: list[Any] = list(rng.choice(good)) if rng.random() < 0.6 else ["<sent>", "<desc>"]
        for _ in range(rng.randrange(6)):
            tokens.insert(rng.randrange(len(tokens) + 1), rng.choice([*_TOKENS, None, 3]))
            if rng.random() < 0.3:
                del tokens[rng.randrange(len(tokens))]
        assert outcome(deserialize, tokens, world) == outcome(theirs.deserialize, tokens, world), tokens


def test_whatever_is_attached(world: Any) -> None:
    parents = (
        list,
        set,
        lc.Arg,
        lc.RelArg,
        em.BaseEntity,
        lc.Sentence,
        lc.Describer,
        dict,
        tuple,
        lambda: lc.Word("a"),
    )
    children = (
        "a",
        "goes",
        "open",
        "abstract",
        "entity",
        "the",
        "Heidi",
        ["very", "small"],
        ["hollow", "under"],
        None,
        3,
    )
    for parent in parents:
        for child in children:
            ours, original = parent(), parent()
            found = outcome(attach_to_element, ours, child, world), shape(ours) if not hasattr(ours, "to_string") else 0
            expected = outcome(theirs.attach_to_element, original, child, world)
            assert found[0] == expected
            if not isinstance(ours, lc.Word | lc.Describer):
                assert shape(ours) == shape(original)


@pytest.mark.parametrize("case", VECTORS["trim"], ids=lambda case: case["name"])
def test_trimmed_as_the_original_trims(case: dict[str, Any]) -> None:
    if case["class"] == "ChatTrimmerBase":
        limits = case["max_input_tokens"], case["chars_per_token"], case["per_message_overhead"]
        ours, original = ChatTrimmerBase(*limits), llm.ChatTrimmerBase(*limits)
        for budget in range(0, 80, 3):
            ours.max_input_tokens = original.max_input_tokens = budget
            messages, keep = case["messages"], case["preserve_system"]
            assert ours.trim_messages(messages, keep) == original.trim_messages(messages, keep)


# ---------------------------------------------------------------------- in its world


def generator_of(seed: int, folder: Path) -> Any:
    world = easy.build_world(random_gen=seed)
    return DialogueGenerator(world, str(folder / "err.log"), str(folder / "ctx.log"))


class ThroughText:
    """The package's own agent, whose sentences go through tokens and a text; their English must say the same."""

    def __init__(self, generator: Any) -> None:
        self.player = generator.world.player
        self.generator = generator
        self.oracle = generator.agent_auto_policy_database[self.player]
        self.database = MapperDatabase()
        self.together = words_together(generator.world)
        self.dialogue: Any = None

    def execute(self, include_goal: bool = False, **params: Any) -> Any:
        steps = self.oracle.execute()
        if not steps:
            return None
        sentence = self.generator.random_gen.choice(steps) if isinstance(steps, list) else steps
        world = self.generator.world
        read = uttered(from_text(to_text(serialize(sentence, world))), world, self.database, self.player)
        assert deserialize(english_tokens(sentence.to_string(), self.together), world) == read
        return read

    def get_goal(self) -> None:
        return None

    def replace_dialogue(self, dialogue: Any) -> None:
        self.dialogue = dialogue
        self.oracle.replace_dialogue(dialogue)

    def save_state(self) -> Any:
        return self.oracle.save_state()

    def recover_state(self, state: Any) -> None:
        self.oracle.recover_state(state)


@pytest.mark.parametrize(("seed", "dialogues"), [(7, 52), (8, 48)])
def test_a_round_trip_through_text_loses_nothing(seed: int, dialogues: int, tmp_path: Path) -> None:
    generator = generator_of(seed, tmp_path)
    found = generate_and_eval(generator, 60, None, ThroughText(generator), agent_prob=1.0)
    assert (found[2], found[3]) == (100.0, dialogues)


@pytest.mark.parametrize("seed", [7, 8])
def test_a_program_plays(seed: int, tmp_path: Path) -> None:
    generator = generator_of(seed, tmp_path)
    policy = GraphPolicy(generator.world.player, EXPLORER)
    found = generate_and_eval(generator, 60, None, policy, agent_prob=1.0)
    assert found[2] > 80
    assert policy.failures == []


def test_a_program_plays_in_the_original_evaluation(tmp_path: Path) -> None:
    evaluation: Any = import_pydialogue("pydialogue.baseline.evaluation")
    totals = []
    for evaluate in (evaluation.generate_and_eval, generate_and_eval):
        generator = generator_of(7, tmp_path)
        policy = GraphPolicy(generator.world.player, EXPLORER)
        totals.append(evaluate(generator, 30, None, policy, agent_prob=0.6)[1:])
    assert totals[0] == totals[1]


def test_a_policy_goes_back(tmp_path: Path) -> None:
    generator = generator_of(7, tmp_path)
    policy = GraphPolicy(generator.world.player, EXPLORER)
    generate_and_eval(generator, 5, None, policy, agent_prob=1.0)
    state, memory = policy.save_state(), policy.memory
    generate_and_eval(generator, 5, None, policy, agent_prob=1.0)
    assert policy.memory is not memory
    policy.recover_state(state)
    assert policy.memory is memory


# ---------------------------------------------------------------------- policies, and the import


@pytest.mark.parametrize("case", POLICIES, ids=lambda case: case["name"])
def test_a_model_plays_as_in_the_original(case: dict[str, Any], tmp_path: Path) -> None:
    assert played(OAIPolicy, case, tmp_path) == played(llm.OAIPolicy, case, tmp_path)


def played(policy_class: Any, case: dict[str, Any], folder: Path) -> list[Any]:
    """What a policy asks and utters, step by step."""
    world, script, seen = easy.build_world(random_gen=1), list[Any](), list[Any]()

    def create(messages: list[Any], **options: Any) -> Any:
        seen.append(([dict(message) for message in messages], options))
        content = script.pop(0)
        if isinstance(content, dict):
            raise RuntimeError("no connection")
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=content))])

    for name in ("main", "ser"):
        (folder / name).write_text(case[f"{name}_instructions"], "utf-8")
    client = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create)))
    policy = policy_class(
        world.player, MapperDatabase(), case["main_model_kwargs"], case["ser_model_kwargs"],
        folder / "main", folder / "ser", ChatTrimmerBase(**case["trimmer"]), client, case["interrupt_dialogue"],
    )  # fmt: skip
    generator = SimpleNamespace(context_strings=[], world=world)
    dialogue = SimpleNamespace(dia_generator=generator, utterances=[], interrupt=False)
    policy.replace_dialogue(dialogue)
    for step in case["steps"]:
        generator.context_strings += step["lines"]
        script[:], dialogue.interrupt = step["model"], False
        dialogue.utterances.append(SimpleNamespace(error=step["last_utterance_error"]))
        seen.append((shape(policy.execute()), dialogue.interrupt, policy.last_context_id))
    return [*seen, policy.messages_main, policy.messages_ser]


def test_the_import_asks_nobody_and_keeps_certificate_checks() -> None:
    code = (
        "import socket, ssl, sys\n"
        "def refuse(*a, **k): raise OSError('no network')\n"
        "socket.socket.connect = refuse\n"
        "before = ssl._create_default_https_context\n"
        "from autograph.evaluation.pydialogue.nltk_shim import import_pydialogue\n"
        "import_pydialogue('pydialogue.environments.easy').build_world(random_gen=7)\n"
        "print(ssl._create_default_https_context is before, 'nltk' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
