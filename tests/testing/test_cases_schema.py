"""The JSON Schema of NAME.chat.yaml: it knows what the reader knows, and refuses what the reader refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from autograph.cli.main import cli, run
from autograph.testing.fault import SuiteError
from autograph.testing.fields import ERROR_KEYS
from autograph.testing.keys import CALL_KEYS, CASE_KEYS, PRICE_KEYS, SAY_KEYS, SUITE_KEYS, TURN_KEYS
from autograph.testing.kinds import KINDS, NEGATED
from autograph.testing.read_yaml import parse_cases
from autograph.testing.schema import tests_schema as make_schema
from autograph.testing.schema import tests_schema_text as make_text
from chat_support import PROGRAM

ROOT = Path(__file__).parents[2]
SCHEMA = make_schema()
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)


def test_it_is_a_schema_and_the_one_in_the_documents() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    assert (ROOT / "docs" / "schema" / "chat-tests.schema.json").read_text("utf-8") == make_text()


def test_it_knows_the_keys_of_the_reader() -> None:
    parts = SCHEMA["definitions"]
    assert SCHEMA["properties"].keys() == SUITE_KEYS.keys()
    assert parts["test"]["properties"].keys() == CASE_KEYS.keys()
    assert parts["turn"]["properties"].keys() == TURN_KEYS.keys()
    assert parts["call"]["anyOf"][1]["properties"].keys() == CALL_KEYS.keys()
    assert SCHEMA["properties"]["prices"]["properties"].keys() == PRICE_KEYS.keys()
    assert parts["turn"]["properties"]["say"]["anyOf"][1]["properties"].keys() == SAY_KEYS.keys()


@pytest.mark.parametrize("place", ["turn", "call", "load", "whole"])
def test_it_knows_the_expectations_of_each_place(place: str) -> None:
    form = SCHEMA["definitions"][f"of_{place}"]
    mapping = form["anyOf"][0] if "anyOf" in form else form
    own = {kind.name for kind in KINDS.values() if getattr(kind, place)}
    negated = {name for name, kind in NEGATED.items() if kind in own}
    denied = {name for name in own if KINDS[name].negatable}
    assert mapping["properties"].keys() == own | negated | ({"not"} if denied else set())
    if denied:
        assert mapping["properties"]["not"]["properties"].keys() == denied
    if "error" in own:
        assert mapping["properties"]["error"]["anyOf"][2]["properties"].keys() == set(ERROR_KEYS)


GOOD = [
    "- {test: a, turns: [{say: x}]}",
    "- {test: a, turns: [{expect: some text}, {say: x, expect: [a, b]}, {say: {repeat: a, times: 9}}]}",
    "- {test: a, turns: [{say: 5}, {say: no}, {say: true}]}",
    "- {test: a, turns: [{}, {say: ''}, {say: x, expect: }]}",
    "- {test: 5, start: ask, variables: {a: 1, b: [x]}, config: {max_steps: 9}, unused: ok, turns: [{say: x}]}",
    "- {test: a, replies: [a, 5], answers: [B, yes, 0, [B, 0.4]], turns: [{say: x}]}",
    "- {test: a, replies: a, answers: B, turns: [{say: x, replies: [b], answers: {ask: [[B, 0.4], C]}}]}",
    "- {test: a, replies: {ask: a, '*': [b, c]}, answers: {ask: [], interjections: none}, turns: [{say: x}]}",
    "- {test: a, model: offline, turns: [{say: x}]}",
    "- {test: a, model: 'recorded:x', live: true, turns: [{say: x}]}",
    "- {test: a, recording: x.jsonl, turns: [{say: x}]}",
    "- {test: a, call: f(), args: [[1, 2]], expect: {value: [1, 2]}}",
    "- {test: a, call: f, args: {x: 1}, expect: 5}",
    "- {test: a, call: {function: f(), args: [1], type: global}, expect: [1]}",
    "- {test: a, call: f, expect: {value: {a: 1}, error: x, silent: true, not: {value: 2, contains: a}}}",
    "- {test: a, expect: {load_error: AG104}}",
    "- {test: a, expect: AG104}",
    "- {test: a, turns: [{say: x}], expect: {calls: '<= 5', path: [a, b], not: {passes: c}}}",
    "- {test: a, turns: [{say: x, expect: {reply: a, contains: [a, b], matches: x+, starts: a, ends: [b, c]}}]}",
    "- {test: a, turns: [{say: x, expect: {not_contains: a, not_matches: [b], not: {reply: a, vars: {c: 1}}}}]}",
    "- {test: a, turns: [{say: x, expect: {node: a, path: a -> b, passes: [a], vars: {'len(x)': 2}, unset: y}}]}",
    "- {test: a, turns: [{say: x, expect: {path: [], vars: [a > 1, {b: null}], finished: false, silent: yes}}]}",
    "- {test: a, turns: [{say: x, expect: {calls: 2, tokens: '<= 99', cost: ['> 0', '< 1'], time: < 2, stack: '=1'}}]}",
    "- {test: a, turns: [{say: x, expect: {error: true}}, {say: x, expect: {error: {class: RunError, node: a}}}]}",
    "{program: demo.yaml, config: {}, variables: {a: 1}, model: offline, prices: {prompt: 1, cached: 0.5},"
    " '#': x, tests: [{test: a, turns: [{say: x}], '# b': y}]}",
    "{recording: x.jsonl, prices: {completion: 2}, tests: [{test: a, turns: [{say: x}]}]}",
]
BAD = [
    "",
    "x",
    "[]",
    "- x",
    "- {turns: [{say: x}]}",
    "- {test: '', turns: [{say: x}]}",
    "- {test: a}",
    "- {test: a, turns: []}",
    "- {test: a, turns: {say: x}}",
    "- {test: a, turns: [x]}",
    "- {test: a, turns: [{say: [x]}]}",
    "- {test: a, turns: [{say: {repeat: a}}]}",
    "- {test: a, turns: [{say: {repeat: a, times: 0}}]}",
    "- {test: a, turns: [{sya: x}]}",
    "- {test: a, trns: [{say: x}]}",
    "- {test: a, turns: [{say: x}], call: f}",
    "- {test: a, call: f(1)}",
    "- {test: a, call: {args: [1]}}",
    "- {test: a, call: {function: f, type: wide}}",
    "- {test: a, call: f, args: 3}",
    "- {test: a, args: [3], turns: [{say: x}]}",
    "- {test: a, start: b, call: f}",
    "- {test: a, expect: {contains: a}}",
    "- {test: a, expect: {}}",
    "- {test: a, variables: [a], turns: [{say: x}]}",
    "- {test: a, variables: {_a: 1}, turns: [{say: x}]}",
    "- {test: a, config: {max_step: 1}, turns: [{say: x}]}",
    "- {test: a, replies: [[a]], turns: [{say: x}]}",
    "- {test: a, answers: [{a: b}], turns: [{say: x}]}",
    "- {test: a, answers: [[B, 2.5]], turns: [{say: x}]}",
    "- {test: a, replies: [a], model: offline, turns: [{say: x}]}",
    "- {test: a, answers: [a], recording: x, turns: [{say: x}]}",
    "- {test: a, live: perhaps, turns: [{say: x}]}",
    "- {test: a, unused: fine, turns: [{say: x}]}",
    "- {test: a, turns: [{say: x}], expect: {reply: a}}",
    "- {test: a, turns: [{say: x, expect: {contians: a}}]}",
    "- {test: a, turns: [{say: x, expect: {contains: ''}}]}",
    "- {test: a, turns: [{say: x, expect: {contains: []}}]}",
    "- {test: a, turns: [{say: x, expect: {contains: {a: b}}}]}",
    "- {test: a, turns: [{say: x, expect: {value: 1}}]}",
    "- {test: a, turns: [{say: x, expect: {vars: {}}}]}",
    "- {test: a, turns: [{say: x, expect: {vars: []}}]}",
    "- {test: a, turns: [{say: x, expect: {finished: maybe}}]}",
    "- {test: a, turns: [{say: x, expect: {calls: few}}]}",
    "- {test: a, turns: [{say: x, expect: {time: 1}}]}",
    "- {test: a, turns: [{say: x, expect: {error: false}}]}",
    "- {test: a, turns: [{say: x, expect: {error: {clas: a}}}]}",
    "- {test: a, turns: [{say: x, expect: {not: {finished: true}}}]}",
    "- {test: a, turns: [{say: x, expect: {not: {not_contains: a}}}]}",
    "- {test: a, call: f, expect: {node: a}}",
    "{tests: []}",
    "{model: offline}",
    "{model: a, recording: b, tests: [{test: a, turns: [{say: x}]}]}",
    "{prices: {prompt: -1}, tests: [{test: a, turns: [{say: x}]}]}",
    "{prices: {promt: 1}, tests: [{test: a, turns: [{say: x}]}]}",
    "{prgram: demo.yaml, tests: [{test: a, turns: [{say: x}]}]}",
]


def as_an_editor(text: str) -> Any:
    """The file as an editor's YAML 1.2 reads it: ``yes`` and ``no`` are texts."""

    class Loader(yaml.SafeLoader):
        pass

    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if first not in "yYnNoO" or tag.endswith("null")]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    return yaml.load(text, Loader)


def is_read(text: str, folder: Path) -> bool:
    (folder / "demo.yaml").write_text(PROGRAM)
    try:
        parse_cases(text, folder / "demo.chat.yaml")
    except SuiteError:
        return False
    return True


@pytest.mark.parametrize("text", GOOD)
def test_both_accept(text: str, tmp_path: Path) -> None:
    assert is_read(text, tmp_path)
    assert [error.message for error in VALIDATOR.iter_errors(as_an_editor(text))] == []


@pytest.mark.parametrize("text", BAD)
def test_both_refuse(text: str, tmp_path: Path) -> None:
    assert not is_read(text, tmp_path)
    assert not VALIDATOR.is_valid(as_an_editor(text))


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(cli, "autograph", ["schema", "--tests"]) == 0
    assert json.loads(capsys.readouterr().out) == SCHEMA
    assert run(cli, "autograph", ["schema", "--tests", "-o", str(tmp_path / "s.json")]) == 0
    assert (tmp_path / "s.json").read_text("utf-8") == make_text()
