"""Does an agent stand services, servers and files that are not as they should be?"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autograph.dialogue.state import validate_state
from autograph.evaluation.pipeline import connectors
from autograph.evaluation.pipeline.file import PipelineError
from autograph.evaluation.pipeline.pipeline import Answer, load_pipeline


def asked(skill: dict[str, Any], **groups: Any) -> Answer:
    """The answer of an agent with this skill and one that always has something to say."""
    services = {
        "skills": {"odd": skill, "calm": {"output": {"text": "Calm.", "confidence": 0.1}}},
        "response_selectors": {"best": {"selector": "confidence"}},
        "last_chance_service": {"text": "Sorry."},
        **groups,
    }
    pipeline = load_pipeline({"services": services}, allow_code=True, timeout=20)
    answer = pipeline.respond("hi", pipeline.new_dialog("ann"))
    assert validate_state(answer.dialog.to_dict()) == []
    return answer


def code(name: str) -> dict[str, Any]:
    return {"python": f"hostile_services:{name}"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("exits", "the service wanted to end the program (SystemExit: 3)"),
        ("exits_on_the_loop", "the service wanted to end the program (SystemExit: 3)"),
        ("cancels_itself", "the service has cancelled itself"),
        ("cancels_in_a_thread", "the service has cancelled itself"),
        ("spoofs", "odd/0/skill_name must be a text, not 5"),
        ("boasts", "odd/0/confidence must be a number, not a number beyond all bounds"),
        ("chatters", "odd/0/extra has too many digits"),
    ],
)
def test_a_service_that_misbehaves_fails_alone(name: str, message: str) -> None:
    answer = asked(code(name))
    assert answer.reply == "Calm."
    assert dict(answer.errors) == {"skills.odd": message}


@pytest.mark.parametrize(("name", "reply"), [("Later", "Later."), ("FromThread", "From a thread."), ("Twice", "Once.")])
def test_a_connector_may_call_back_when_it_likes(name: str, reply: str) -> None:
    answer = asked(code(name))
    assert (answer.reply, dict(answer.errors)) == (reply, {})


def test_a_failure_is_told_where_nobody_was_asked_to() -> None:
    told = {**code("failure"), "state_manager_method": "add_failure_bot_utterance", "previous_services": ["skills"]}
    answer = asked(code("speech"), response_selectors={"ill": told})
    assert (answer.reply, answer.active_skill, answer.utterance.confidence) == ("I am ill.", "ill", 0)


def test_the_formatter_for_odqa_and_chitchat_selects_a_skill() -> None:
    which = {**code("speech"), "response_formatter": "chitchat_odqa_formatter_out"}
    skills = {name: {"output": {"text": name, "confidence": 1}} for name in ("odqa", "chitchat")}
    assert asked({}, skills=skills, skill_selectors={"which": which}).reply == "chitchat"
    named = {"output": ["Hi.", 0.7, "x"], "response_formatter": "chitchat_example_formatter_out"}
    assert [hypothesis.get("name") for hypothesis in asked(named).hypotheses] == ["x", None]


# ---------------------------------------------------------------------- files

BEST = {"best": {"selector": "confidence"}}


def refused(skill: dict[str, Any], **top: Any) -> str:
    config = {"services": {"skills": {"odd": skill}, "response_selectors": BEST}, **top}
    with pytest.raises(PipelineError) as caught:
        load_pipeline(config, allow_code=True, model="offline")
    return str(caught.value)


@pytest.mark.parametrize("ending", ["", "/", "/.", "//"])
def test_a_program_in_python_needs_permission_however_it_is_written(tmp_path: Path, ending: str) -> None:
    (tmp_path / "shop.py").write_text("from pathlib import Path\nPath(__file__).with_name('run').touch()\n", "utf-8")
    config = {"services": {"skills": {"shop": {"program": f"shop.py{ending}"}}, "response_selectors": BEST}}
    (tmp_path / "agent.json").write_text(json.dumps(config), "utf-8")
    with pytest.raises(PipelineError, match="is Python code, which runs with your rights"):
        load_pipeline(tmp_path / "agent.json", model="offline")
    assert not (tmp_path / "run").exists()


PROGRAM = str(Path(__file__).parents[2] / "programs" / "clinic.yaml")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"confidence": 1.5}, "confidence is a number from 0 to 1, or the name of a variable, not 1.5"),
        ({"confidence": float("nan")}, "confidence is a number from 0 to 1, or the name of a variable, not nan"),
        ({"confidence": [1]}, "confidence is a number from 0 to 1, or the name of a variable, not a list"),
        ({"confidence": "a b"}, 'confidence is a number from 0 to 1, or the name of a variable, not "a b"'),
        ({"hypotheses": 1.5}, "a skill gives at least one hypothesis, not 1.5"),
        ({"hypotheses": True}, "a skill gives at least one hypothesis, not True"),
        ({"dialog_formatter": 5}, "a formatter is named by a text, not 5"),
        ({"response_formatter": []}, "a formatter is named by a text, not a list"),
    ],
)
def test_options_that_would_fail_in_every_turn_are_told_at_once(option: dict[str, Any], message: str) -> None:
    assert refused({"program": PROGRAM, **option}) == f'"skills.odd": {message}'


def test_other_wrong_values_are_told_too() -> None:
    connector = {"connector": "x", "state_manager_method": "add_hypothesis"}
    assert refused(connector, connectors={5: {"protocol": "http"}}) == 'there is no connector "x".'
    assert refused({"output": 1}, deep_merge="yes") == 'deep_merge is true or false, not "yes".'


@pytest.mark.parametrize("name", ["agent.json", "agent.yaml"])
def test_a_number_without_end_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(f'{{"services": {{"skills": {{"x": {{"output": {"9" * 5000}}}}}}}}}', "utf-8")
    with pytest.raises(PipelineError, match=f"{name}: a number has too many digits"):
        load_pipeline(tmp_path / name)


def test_connectors_are_named_as_in_the_original_too() -> None:
    config = {
        "connectors": {"one": {"protocol": "python", "class_name": "PredefinedOutputConnector", "output": ["x", 1]}},
        "services": {
            "skills": {"x": {"connector": "connectors.one", "state_manager_method": "add_hypothesis"}},
            "response_selectors": BEST,
        },
    }
    pipeline = load_pipeline(config)
    assert pipeline.respond("hi", pipeline.new_dialog()).reply == "x"


def test_a_namesake_from_another_folder_is_not_taken_for_the_own_module(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "namesake_services.py").write_text(f"def hi(dialog):\n    return {name!r}, 1\n", "utf-8")
        skill = {"python": "namesake_services:hi"}
        config = {"services": {"skills": {"x": skill}, "response_selectors": BEST}}
        (tmp_path / name / "agent.json").write_text(json.dumps(config), "utf-8")
    pipeline = load_pipeline(tmp_path / "one" / "agent.json", allow_code=True)
    assert pipeline.respond("hi", pipeline.new_dialog()).reply == "one"
    with pytest.raises(PipelineError, match="another module namesake_services is loaded already"):
        load_pipeline(tmp_path / "other" / "agent.json", allow_code=True)


# ---------------------------------------------------------------------- servers


@pytest.fixture
def answering() -> Iterator[Callable[[bytes], str]]:
    """Starts a server that answers one request with these bytes, and then leaves the line open."""
    opened: list[socket.socket] = []

    def start(answer: bytes) -> str:
        server = socket.create_server(("127.0.0.1", 0))
        opened.append(server)

        def serve() -> None:
            line, _ = server.accept()
            opened.append(line)
            line.recv(100_000)
            line.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        return f"http://127.0.0.1:{server.getsockname()[1]}/"

    yield start
    for found in opened:
        found.close()


@pytest.mark.parametrize(
    "answer",
    [b"garbage\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: " + b"a" * 70_000 + b"\r\n\r\n",
     b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
    ids=["no status", "long header", "no chunk"],
)  # fmt: skip
def test_a_server_that_does_not_speak_http_is_named(answering: Callable[[bytes], str], answer: bytes) -> None:
    url = answering(answer)
    found = asked({"http": url})
    assert found.reply == "Calm."
    assert found.errors["skills.odd"].startswith(f"{url} does not answer as HTTP wants it (")


def test_a_server_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def never(url: str, payload: Any, timeout: float) -> Any:
        given.append(timeout)
        threading.Event().wait()

    monkeypatch.setattr(connectors, "post_json", never)
    monkeypatch.setattr(connectors, "_HTTP_SECONDS", 0.05)
    found = asked({"http": "http://127.0.0.1:9/x"})
    assert found.errors["skills.odd"] == "http://127.0.0.1:9/x took longer than 0.05 seconds"
    assert given == [0.05]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://", "names no host"),
        ("http://[::1", "is none: Invalid IPv6 URL"),
        ("http://localhost:abc/", "is none: Port could not be cast"),
        ("http://localhost:0/", "names no port"),
        ("http://localhost/a b", "holds characters that must be written with %"),
        ("http://localhost/é", "holds characters that must be written with %"),
        (f"http://{'a' * 70}.example/", "is none: "),
    ],
)
def test_a_url_that_cannot_be_asked_is_told_at_once(url: str, message: str) -> None:
    assert message in refused({"http": url})
