"""The JSON Schema: our programs are valid by it, typical mistakes are not, and editors find what they need."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import autograph
from autograph.config import AutographConfig
from autograph.program.schema import program_schema, schema_text
from autograph.program.write import read_for_writing, rendered
from autograph.vocabulary import ACTIONS, FIELDS
from convert_support import CASES, ROOT, SHIPPED

SCHEMA = program_schema()
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)


def complaints(data: Any) -> list[str]:
    return [f"{'/'.join(map(str, error.path))}: {error.message}" for error in VALIDATOR.iter_errors(data)]


def test_it_is_a_schema_of_draft_07() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert json.loads(schema_text()) == SCHEMA


def test_the_copy_in_the_documents_is_current() -> None:
    assert (ROOT / "docs" / "schema" / "program.schema.json").read_text("utf-8") == schema_text()


def test_everything_is_described() -> None:
    node = SCHEMA["definitions"]["node"]
    keys = {field.plural or field.name for field in FIELDS.values()}
    assert set(node["properties"]) == keys
    assert set(node["patternProperties"]) == {"^#", *(f"^{f.name}_[a-z]$" for f in FIELDS.values() if f.lettered)}
    assert all(value.get("description") for value in node["properties"].values())
    action = node["properties"]["action"]
    assert action["enum"] == [*ACTIONS, "python"]
    assert len(action["enumDescriptions"]) == len(action["enum"])
    settings = SCHEMA["definitions"]["config"]["properties"]
    assert set(settings) == {*AutographConfig.__dataclass_fields__} - {"python_modules"}
    assert all(value.get("description") for value in settings.values())
    assert settings["max_steps"]["default"] == 10_000


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_programs(path: Path) -> None:
    if path.suffix == ".yaml":
        assert complaints(yaml.safe_load(path.read_text("utf-8"))) == []
    rows = read_for_writing(str(path))
    assert complaints(yaml.safe_load(rendered(rows, "yaml", "p.yaml")["p.yaml"])) == []
    assert complaints(json.loads(rendered(rows, "json", "p.json")["p.json"])) == []


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parent.name)
def test_all_programs_that_load_are_valid(path: Path) -> None:
    try:
        autograph.load(path, model="offline")
    except autograph.ProgramError:
        pytest.skip("is refused")
    rows = read_for_writing(str(path))
    assert complaints(yaml.safe_load(rendered(rows, "yaml", "p.yaml")["p.yaml"])) == []


VALID = """
$schema: program.schema.json
"#": a remark
config:
  max_steps: 100
  statement_seconds: "0.5"
  chatbot: offline
  python_imports: math, ast
  python_built_ins: [len]
  self_referential: no
  "#why": because
columns: [name, action]
nodes:
  start1: {action: chat, transitions: [a, b], transition_choices: [yes, no], transition_question: 7, "#x": 1}
  a: {action: python, instruction: x = 1, transitions: "b, a", transition_choice_a: x, notes: , min_confidence: "0.5"}
  "# 1": {"#x": "--- end ---"}
"""


def test_forms_that_are_valid() -> None:
    assert complaints(yaml.safe_load(VALID)) == []
    assert complaints([{"name": "a", "action": "chat"}, {"#part": "the end"}]) == []
    assert complaints({"nodes": [{"name": "a", "action": "chat"}]}) == []


@pytest.mark.parametrize(
    "program",
    [
        "nodes: {a: {action: speak}}",
        "nodes: {a: {instruction: no action}}",
        "nodes: {a: {action: chat, instructoin: x}}",
        "nodes: {a: {action: chat, transition_choice_1: x}}",
        "nodes: {a: {action: chat, instruction: [x]}}",
        "nodes: {a: {action: chat, transition_choices: x}}",
        "nodes: {a: {action: chat, transitions: {b: c}}}",
        "nodes: {a: {action: chat, min_confidence: high}}",
        "nodes: {a: chat}",
        "nodes: {}",
        "nodes: []",
        "nodes: [{action: chat}]",
        "nodes: [{name: a}]",
        "[{action: chat}]",
        "node: {a: {action: chat}}",
        "config: {agent_name: x}",
        "{nodes: {a: {action: chat}}, config: {max_step: 3}}",
        "{nodes: {a: {action: chat}}, config: {max_steps: many}}",
        "{nodes: {a: {action: chat}}, config: {max_steps: 1.5}}",
        "{nodes: {a: {action: chat}}, config: {instruction_role: boss}}",
        "{nodes: {a: {action: chat}}, config: {self_referential: maybe}}",
        "{nodes: {a: {action: chat}}, config: {agent_name: [x]}}",
        "{nodes: {a: {action: chat}}, config: {python_modules: x}}",
        "just a text",
    ],
)
def test_mistakes_are_not(program: str) -> None:
    assert complaints(yaml.safe_load(program)) != []
