"""Is everything that is wrong with the file of a pipeline told, with its line?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autograph.errors import RunError
from autograph.evaluation.pipeline.file import PipelineError
from autograph.evaluation.pipeline.pipeline import load_pipeline
from pipeline_support import BEST, SORRY, agent, turn, with_programs, written


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with programs."""
    return with_programs(tmp_path)


def faults(folder: Path, text: str, **options: Any) -> list[str]:
    with pytest.raises(PipelineError) as caught:
        load_pipeline(written(folder, text), **options)
    return [str(fault).replace(f"{folder}/", "") for fault in caught.value.faults]


WRONG = """\
servces: {}
services:
  annotators:
    a: {python: "x:f", previous_services: [annotators.b]}
    b: {python: "x:f", required_previous_services: [annotators.a]}
  skills:
    tea: {program: tea.json, previous_services: [skill_selector]}
    lonely: {}
    text: Hello
  response_selectors:
    best: {selektor: confidence, timeout: -1, tags: [chooser]}
  responder: {text: x}
  sorry: {connector: there, state_manager_method: add_texts}
"""


def test_everything_that_is_wrong_is_told_with_its_line(folder: Path) -> None:
    needed = "must have a connector with a protocol, or one of program, python, http, text, output, selector."
    assert faults(folder, WRONG) == [
        'agent.yaml, line 1: a pipeline has no key "servces". Did you mean "services"?',
        'agent.yaml, line 9: the service "skills.text" must be a mapping.',
        'agent.yaml, line 12: no service may be called "responder": every pipeline has one itself.',
        'agent.yaml, line 7: there is no service or group "skill_selector". Did you mean "response_selectors"?',
        f'agent.yaml, line 8: the service "skills.lonely" {needed}',
        'agent.yaml, line 11: the service "response_selectors.best" has no key "selektor". Did you mean "selector"?',
        f'agent.yaml, line 11: the service "response_selectors.best" {needed}',
        'agent.yaml, line 11: there is no tag "chooser"; the tags are selector, last_chance, timeout.',
        "agent.yaml, line 11: timeout must be a number of seconds above 0, not -1.",
        'agent.yaml, line 13: there is no state manager method "add_texts". Did you mean "add_text"?',
        'agent.yaml, line 13: there is no connector "there".',
        "agent.yaml, line 4: these services wait for each other: annotators.a → annotators.b → annotators.a.",
    ]


DOUBLE = """\
services:
  a: {text: x}
  a: {text: y}
"""
LATE = """\
services:
  skills:
    x: {output: 1, previous_services: [last_chance_service]}
  a.b: {text: x}
  a:
    b: {output: 1}
  last_chance_service: {text: x}
  again: {text: x, tags: [last_chance], state_manager_method: add_bot_utterance_last_chance}
  never: {text: x, tags: [timeout]}
"""


def test_services_twice_and_those_that_would_never_start(folder: Path) -> None:
    assert faults(folder, DOUBLE) == [
        'agent.yaml, line 3, column "a": the key "a" occurs twice, in lines 2 and 3. Delete one of them.'
    ]
    assert faults(folder, LATE) == [
        'agent.yaml, line 6: there are two services "a.b".',
        'agent.yaml, line 8: "again" and "last_chance_service" both have the tag last_chance; '
        "a pipeline has one such service.",
        'agent.yaml, line 9: "never" needs a state_manager_method: without one, its text is said to nobody.',
        'agent.yaml, line 3: "skills.x" waits for "last_chance_service", which only speaks where nothing follows.',
    ]


BAD_CONNECTORS = """\
services:
  annotators:
    code: {python: "os:getcwd"}
    queue: {connector: {protocol: AMQP}}
    strange: {connector: {protocol: htp}}
    words: {program: tea.json}
    form: {output: 1, response_formatter: ner_formater_out}
  skills:
    gone: {program: gone.yaml}
    code: {program: shop.py}
    colour: {program: tea.json, changed: ask}
    address: {http: "file:///etc/passwd"}
    judge: {selector: luck}
"""


def test_connectors_that_cannot_be_made_are_told_together(folder: Path) -> None:
    allow = "is Python code, which runs with your rights. Allow it: allow_code=True, --allow-code."
    found = faults(folder, BAD_CONNECTORS)
    assert [fault for fault in found if "gone" not in fault] == [
        f'agent.yaml, line 3: "annotators.code": os:getcwd {allow}',
        'agent.yaml, line 4: "annotators.queue": services behind a message queue (AMQP) are not supported. '
        "Use http, python or program.",
        'agent.yaml, line 5: "annotators.strange": there is no protocol "htp". Did you mean "http"?',
        'agent.yaml, line 6: "annotators.words": a program can be a skill, a skill selector or a response selector. '
        "Use python or http here.",
        'agent.yaml, line 7: "annotators.form": there is no formatter "ner_formater_out". '
        'Did you mean "ner_formatter_out"?',
        f'agent.yaml, line 10: "skills.code": shop.py {allow}',
        "agent.yaml, line 11: \"skills.colour\": the policy changed is 'ask'; it is one of start, refuse, continue",
        'agent.yaml, line 12: "skills.address": the url must begin with http:// or https://, not "file:///etc/passwd"',
        'agent.yaml, line 13: "skills.judge": there is no selector \'luck\'; there is "confidence".',
    ]
    assert any(fault.startswith('agent.yaml, line 9: "skills.gone"') for fault in found)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_such_module:f", "the module no_such_module cannot be imported: ModuleNotFoundError"),
        ("agent_support:no_such", "the module agent_support has no no_such"),
        ("agent_support:DATA", "is no function"),
        ("agent_support:Meeting", "Meeting cannot be made: TypeError"),
        ("nothing", '"nothing" names no code'),
    ],
)
def test_code_that_is_not_there_is_named(name: str, message: str) -> None:
    with pytest.raises(PipelineError, match=message):
        agent(skills={"x": {"python": name}})


def test_a_module_beside_the_pipeline_is_found(folder: Path) -> None:
    (folder / "beside_agent.py").write_text("def hello(dialog):\n    return 'Hello.', 0.5\n", "utf-8")
    text = "services: {skills: {x: {python: 'beside_agent:hello'}}, response_selectors: {b: {selector: confidence}}}"
    assert turn(load_pipeline(written(folder, text), allow_code=True), "hi").reply == "Hello."


def test_files_that_hold_no_pipeline(folder: Path) -> None:
    assert faults(folder, "- a") == ["agent.yaml, line 1: a pipeline is a mapping with the key services."]
    assert (
        faults(folder, "services: [a")
        == [
            "agent.yaml, line 1: the YAML is malformed: did not find expected ',' or ']'. "
            "Look at the indentation, and put texts with special characters in quotes."
        ]
        or "malformed" in faults(folder, "services: [a")[0]
    )
    assert faults(folder, "services: {}") == [
        "agent.yaml, line 1: there are no services. Name at least one skill and a response selector."
    ]
    with pytest.raises(PipelineError, match="cannot be read"):
        load_pipeline(folder / "none.yaml")


def test_json_keeps_its_types_and_lines(folder: Path) -> None:
    services = {"annotators": {"a": {"output": ["5", 5, None, 1.5, True]}}, "skills": {"x": {"output": []}}}
    path = written(folder, json.dumps({"services": services}), "conf.json")
    with pytest.raises(RunError, match=r"nobody has spoken|no service"):
        turn(load_pipeline(path), "hi")
    services["response_selectors"] = BEST
    services["last_chance_service"] = SORRY  # type: ignore[assignment]
    path.write_text(json.dumps({"services": services}), "utf-8")
    assert turn(load_pipeline(path), "hi").dialog.utterances[0].annotations == {"a": ["5", 5, None, 1.5, True]}
    yaml = (
        "services:\n  annotators:\n    a: {output: ['5', 5, null, 1.5, true, 007, yes]}\n  skills: {x: {output: []}}\n"
    )
    found = turn(load_pipeline(written(folder, yaml + "  last_chance_service: {text: Sorry.}\n")), "hi")
    assert found.dialog.utterances[0].annotations == {"a": ["5", 5, None, 1.5, True, "007", "yes"]}
