"""Does an agent of several services behave as DeepPavlov Agent does, and does each failure stay where it is?"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from agent_support import here, trace
from autograph.dialogue.state import export_state, import_state, validate_state
from autograph.dialogue.state_dates import Ids
from autograph.errors import RunError
from autograph.evaluation.pipeline.links import Links, Status, cycle_of
from autograph.evaluation.pipeline.pipeline import Answer, load_pipeline
from autograph.evaluation.pipeline.shapes import best_of, hypotheses_of, labels_of, selection_of
from pipeline_support import BEST, agent, code, turn, with_programs, written


def failed(answer: Answer) -> dict[str, str]:
    return dict(answer.errors)


# ---------------------------------------------------------------------- the recorded agent


def test_the_recorded_agent_is_reproduced() -> None:
    recorded = trace()
    pipeline = load_pipeline(here(recorded["pipeline_config"]), allow_code=True, timeout=0.3)
    dialogs: dict[str, Any] = {}
    for number, meant in enumerate(recorded["turns"]):
        dialog = dialogs.get(meant["user"]) or pipeline.new_dialog(meant["user"], channel="http_client")
        answer = pipeline.respond(meant["say"], dialog)
        dialogs[meant["user"]] = answer.dialog
        assert {name: status.to_dict() for name, status in answer.services.items()} == meant["services"]
        debug, expected = answer.debug_response(), meant["debug_response"]
        if number == 0:  # recorded after the next turn: there, hypothesis and utterance shared their annotations
            del expected["debug_output"][0]["annotations"]["prev"]
        different = {"dialog_id", "utt_id"}
        assert {k: v for k, v in debug.items() if k not in different} == {
            k: v for k, v in expected.items() if k not in different
        }
        assert answer.http_response()["response"] == meant["http_response"]["response"]
    for dialog in dialogs.values():
        data = dialog.to_dict()
        assert validate_state(data) == []
        assert export_state(import_state(data)) == data
    assert dialogs["ann"].to_dict()["bot_utterances"][0]["annotations"]["prev"] == {"seen": "Small or large?"}


# ---------------------------------------------------------------------- programs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with programs."""
    return with_programs(tmp_path)


TWO_PROGRAMS = """\
timeout: 20
services:
  skills:
    tea: {program: tea.json, confidence: 0.6, model: offline}
    coffee: {program: coffee.json, confidence: 0.6}
  response_selectors:
    best: {selector: confidence}
  last_chance_service: {text: Sorry.}
"""


def test_programs_are_skills_of_a_yaml_file(folder: Path) -> None:
    pipeline = load_pipeline(written(folder, TWO_PROGRAMS), model="offline")
    answer = turn(pipeline, "hello", "Ann")
    assert (answer.reply, answer.active_skill) == ("Tea, Ann?", "tea")
    assert [hypothesis["text"] for hypothesis in answer.hypotheses] == ["Tea, Ann?", "Coffee!"]
    assert set(answer.dialog.human.attributes) == {"tea_state"}
    again = import_state(json.loads(json.dumps(answer.dialog.to_dict())))
    assert load_pipeline(folder / "agent.yaml", model="offline").respond("Bob", again).reply == "Tea, Bob?"


SELECTED = """\
services:
  annotators:
    words: {output: {n: 1}}
  skill_selectors:
    chooser: {program: chooser.json}
  skills:
    tea: {program: tea.json}
    coffee: {program: coffee.json}
  response_selectors:
    judge: {program: judge.json}
"""
CHOOSER = """\
wanted = [s for s in skills if s in _last_user_reply]
selected = wanted if annotations["words"]["n"] == 1 else []
"""


def test_programs_select_skills_and_replies(folder: Path) -> None:
    for name, nodes in {
        "chooser": [{"name": "start1", "action": "python_function", "instruction": CHOOSER, "transitions": "quit"}],
        "judge": [
            {"name": "start1", "action": "python_function", "transitions": "say",
             "instruction": "selected = hypotheses[-1]['skill_name']\ntext = hypotheses[-1]['text']"},
            {"name": "say", "action": "chat_exact", "instruction": "<$text>", "transitions": "quit"},
        ],
    }.items():  # fmt: skip
        (folder / f"{name}.json").write_text(json.dumps(nodes), "utf-8")
    pipeline = load_pipeline(written(folder, SELECTED), model="offline")
    one = turn(pipeline, "coffee please")
    assert (one.reply, one.active_skill) == ("<Coffee!>", "coffee")
    assert one.services["skills.tea"] == Status(skipped=True)
    both = turn(pipeline, "coffee or tea")
    assert {hypothesis["skill_name"] for hypothesis in both.hypotheses} == {"tea", "coffee"}
    with pytest.raises(RunError, match="no service has answered"):
        turn(pipeline, "nothing")


# ---------------------------------------------------------------------- services


def test_functions_and_classes_are_services() -> None:
    pipeline = agent(
        annotators={"words": code("words")},
        skills={"echo": code("echo"), "several": code("several"), "shout": code("shout")},
        candidate_annotators={"length": {"connector": {"protocol": "python", "class_name": "agent_support:HypTok"},
                                         "state_manager_method": "add_hypothesis_annotation_batch",
                                         "previous_services": ["skills"]}},
        response_selectors={"best": {"selector": "confidence", "previous_services": ["candidate_annotators"]}},
    )  # fmt: skip
    answer = turn(pipeline, "be nice")
    assert (answer.reply, answer.active_skill) == ("two", "several")
    assert answer.dialog.human_utterances[0].annotations == {"words": ["be", "nice"]}
    found = {hypothesis["text"]: hypothesis for hypothesis in answer.hypotheses}
    assert set(found) == {"You said be nice.", "one", "two", "BE NICE"}
    assert found["two"]["attributes"] == {"n": 2}
    assert found["BE NICE"]["annotations"] == {"length": {"n_tokens": 2}}
    assert failed(answer) == {}


def test_of_equal_replies_that_of_the_first_skill_in_the_file_is_taken() -> None:
    assert turn(agent(skills={"shout": code("shout"), "echo": code("echo")}), "hi").active_skill == "shout"
    assert turn(agent(skills={"echo": code("echo"), "shout": code("shout")}), "hi").active_skill == "echo"


def test_what_a_failure_does_not_concern_goes_on() -> None:
    pipeline = agent(
        annotators={"bad": code("failing")},
        skills={"bad": code("failing"), "odd": code("nothing"), "silent": code("Silent"), "echo": code("echo")},
    )
    answer = turn(pipeline, "hi")
    assert answer.reply == "You said hi."
    assert answer.services["skills.bad"] == Status(done=True, error=True)
    assert failed(answer) == {
        "annotators.bad": "KeyError: 'oops'",
        "skills.bad": "KeyError: 'oops'",
        "skills.odd": "a skill gives hypotheses with text and confidence, not None",
        "skills.silent": "the connector has not called back",
    }


def test_whoever_requires_what_has_failed_is_skipped() -> None:
    needs = {**code("echo"), "required_previous_services": ["annotators.bad"]}
    answer = turn(agent(annotators={"bad": code("failing")}, skills={"needs": needs, "shout": code("shout")}), "hi")
    assert answer.services["skills.needs"] == Status(skipped=True)
    assert answer.reply == "HI"
    only = turn(agent(annotators={"bad": code("failing")}, skills={"needs": needs}), "hi")
    assert (only.reply, only.active_skill, only.utterance.confidence) == ("Sorry.", "last_chance_service", 0)


def test_without_a_last_chance_it_is_told_what_failed() -> None:
    pipeline = load_pipeline(
        {"services": {"skills": {"bad": code("failing")}, "response_selectors": BEST}}, allow_code=True
    )
    with pytest.raises(RunError, match=r"no service has answered \(skills.bad: KeyError: 'oops'\)"):
        turn(pipeline, "hi")


def test_another_id_is_an_error_and_no_endless_wait() -> None:
    answer = turn(agent(skills={"thief": code("wrong_id")}), "hi")
    assert answer.reply == "Sorry."
    assert failed(answer) == {
        "response_selectors.best": "human_attributes/id: the id of a human cannot be changed",
    }


def test_the_attributes_of_the_selected_hypothesis_come_back() -> None:
    answer = turn(agent(skills={"remembers": code("remembers"), "several": code("several")}), "a", "b", "c")
    assert answer.reply == "Turn 3."
    assert answer.dialog.human.attributes == {"count": {"n": 3}}
    assert answer.dialog.human.profile["name"] == "Ann"
    assert [said.user.attributes for said in answer.dialog.human_utterances] == [
        {}, {"count": {"n": 1}}, {"count": {"n": 2}},
    ]  # fmt: skip


def test_a_human_is_the_same_in_the_next_dialog_and_the_bot_is_not() -> None:
    pipeline = agent(skills={"remembers": code("remembers")})
    first = turn(pipeline, "a").dialog
    second = pipeline.new_dialog(first.human)
    assert second.human == first.human
    assert second.bot.id != first.bot.id
    assert pipeline.respond("b", second).reply == "Turn 2."


def test_a_postprocessor_rewrites_the_reply() -> None:
    answer = turn(agent(skills={"echo": code("echo")}, postprocessors={"polite": code("polite")}), "hi")
    assert (answer.reply, answer.utterance.orig_text) == ("You said hi. Please.", "You said hi.")


def test_a_reply_stays_if_its_rewriting_or_its_annotator_fails() -> None:
    bad, echo = {"bad": code("failing")}, {"echo": code("echo")}
    for services in ({"postprocessors": bad}, {"candidate_annotators": bad}, {"skill_selectors": bad}):
        answer = turn(agent(skills=echo, **services), "hi")
        assert (answer.reply, len(answer.errors)) == ("You said hi.", 1)
    config = {"services": {"skills": echo, "response_selectors": BEST, "postprocessors": bad}}
    assert turn(load_pipeline(config, allow_code=True), "hi").reply == "You said hi."


def test_a_selector_may_give_the_number_of_a_hypothesis() -> None:
    selector = {"last": code("last_hypothesis")}
    answer = turn(agent(skills={"several": code("several")}, response_selectors=selector), "hi")
    assert answer.reply == "two"


def test_formatters_make_payloads_and_read_answers() -> None:
    one_by_one = {
        **code("length"), "state_manager_method": "add_hypothesis_annotation",
        "dialog_formatter": "base_hypotheses_formatter_in",
    }  # fmt: skip
    parrot = {
        **code("said_again"), "dialog_formatter": "agent_support:two_texts",
        "response_formatter": "add_confidence_formatter_out",
    }  # fmt: skip
    pipeline = agent(skills={"several": code("several"), "parrot": parrot}, candidate_annotators={"length": one_by_one})
    answer = turn(pipeline, "hello")
    assert {h["text"]: h["annotations"] for h in answer.hypotheses} == {
        "one": {"length": 3}, "two": {"length": 3}, "hello": {"length": 5},
    }  # fmt: skip


def test_services_that_can_run_at_once_do() -> None:
    def meets(name: str) -> dict[str, Any]:
        return {"connector": {"protocol": "python", "class_name": "agent_support:Meeting", "name": name},
                "state_manager_method": "add_hypothesis"}  # fmt: skip

    best = {"best": {"selector": "confidence", "previous_services": ["skills"]}}
    pipeline = agent(skills={"a": meets("a"), "b": meets("b")}, response_selectors=best, timeout=10)
    assert turn(pipeline, "hi").reply == "a"


# ---------------------------------------------------------------------- time


def test_a_service_has_its_own_time() -> None:
    answer = turn(agent(skills={"slow": {**code("waiting"), "timeout": 0.05}, "echo": code("echo")}), "hi")
    assert answer.reply == "You said hi."
    assert failed(answer) == {"skills.slow": "it took longer than 0.05 seconds"}


def test_when_the_time_is_over_somebody_stands_in() -> None:
    late = {"timeout_service": {"text": "I need to think."}}
    answer = turn(agent(skills={"slow": code("waiting"), "echo": code("echo")}, timeout=0.1, **late), "hi")
    assert (answer.reply, answer.active_skill) == ("I need to think.", "timeout_service")
    assert answer.services["skills.slow"] == Status()
    assert answer.services["skills.echo"] == Status(done=True)
    assert turn(agent(skills={"slow": code("waiting")}, timeout=0.1), "hi").reply == "Sorry."


def test_what_was_said_in_time_stays_said() -> None:
    slow = {"slow": {**code("waiting")}}
    skills = {"echo": {**code("echo"), "previous_services": []}}
    pipeline = agent(annotators=slow, skills=skills, timeout=0.2, timeout_service={"text": "Too late."})
    answer = turn(pipeline, "hi")
    assert answer.reply == "You said hi."
    without = agent(annotators=slow, skills=skills, timeout=0.2)
    assert turn(without, "hi").reply == "You said hi."


def test_a_dialog_is_in_one_turn_at_a_time() -> None:
    pipeline = agent(skills={"slow": {**code("waiting"), "timeout": 0.1}})
    dialog, other = pipeline.new_dialog("ann"), pipeline.new_dialog("bob")

    async def both() -> list[Any]:
        turns = (pipeline.arespond("hi", dialog), pipeline.arespond("hi", dialog), pipeline.arespond("hi", other))
        return await asyncio.gather(*turns, return_exceptions=True)

    first, second, third = asyncio.run(both())
    assert (first.reply, third.reply) == ("Sorry.", "Sorry.")
    assert "is in a turn already" in str(second)
    assert pipeline.respond("hi", dialog).reply == "Sorry."


def test_ids_and_dates_can_be_given() -> None:
    def made() -> dict[str, Any]:
        config = {"services": {"skills": {"x": {"output": {"text": "y", "confidence": 1}}}, "response_selectors": BEST}}
        pipeline = load_pipeline(config, ids=Ids("s"), clock=lambda: datetime(2026, 5, 1, 12))
        return turn(pipeline, "a", "b").dialog.to_dict()

    assert made() == made()
    assert {item["date_time"] for item in made()["utterances"]} == {"2026-05-01 12:00:00"}


# ---------------------------------------------------------------------- HTTP


class _Server(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answers = {
            "/skill": [[{"text": f"{len(data.get('utterances', []))} heard", "confidence": 0.9}]],
            "/object": {"text": "x"},
        }
        self.send_response({"/broken": 500, "/elsewhere": 302}.get(self.path, 200))
        self.send_header("Location", "/skill")
        self.end_headers()
        self.wfile.write(b"<html>" if self.path == "/html" else json.dumps(answers.get(self.path, [])).encode())

    def log_message(self, *_: Any) -> None:
        return None


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server with services."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Server) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{found.server_address[1]}"
        found.shutdown()


def test_services_are_asked_by_http(server: str) -> None:
    connectors = {"remote": {"protocol": "http", "url": f"{server}/skill", "timeout": 5}}
    there = {"connector": "remote", "state_manager_method": "add_hypothesis"}
    best = {"best": {"selector": "confidence", "previous_services": ["skills"]}}
    services = {"skills": {"there": there, "short": {"http": f"{server}/skill"}}, "response_selectors": best}
    answer = turn(load_pipeline({"connectors": connectors, "services": services}), "hi")
    assert (answer.reply, answer.active_skill) == ("1 heard", "there")
    assert len(answer.hypotheses) == 2


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/broken", "answered with the status 500"),
        ("/elsewhere", "answered with the status 302"),
        ("/html", "answered with no JSON"),
        ("/object", "must answer with a list"),
        ("/none", "must answer with a list"),
    ],
)
def test_a_server_that_fails_is_named(server: str, path: str, message: str) -> None:
    answer = turn(agent(skills={"there": {"http": server + path}}), "hi")
    assert answer.reply == "Sorry."
    assert message in failed(answer)["skills.there"]


def test_a_server_that_is_not_there_is_named() -> None:
    answer = turn(agent(skills={"there": {"http": "http://127.0.0.1:9/x"}}), "hi")
    assert "http://127.0.0.1:9/x cannot be reached" in failed(answer)["skills.there"]


# ---------------------------------------------------------------------- links and shapes


def test_services_that_wait_for_each_other_are_found() -> None:
    assert cycle_of({"a": ["b"], "b": ["c"], "c": ["b"]}) == ["b", "c"]
    assert cycle_of({"a": ["a"]}) == ["a"]
    assert cycle_of({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}) == []
    long = {str(number): [str(number + 1)] for number in range(5000)}
    assert cycle_of(long) == []


def test_a_service_starts_unless_everything_before_it_was_in_vain() -> None:
    links = Links.of({"a": [], "b": [], "c": ["a", "b"]}, {"a": [], "b": [], "c": []})
    done, vain = Status(done=True), Status(skipped=True)
    assert links.ready({"input": done}) == ["a", "b"]
    assert links.ready({"input": done, "a": done, "b": Status()}) == []
    assert links.ready({"input": done, "a": vain, "b": done}) == ["c"]
    assert links.ready({"input": done, "a": vain, "b": Status(done=True, error=True)}) == []
    assert links.ready({"input": done, "a": done, "b": done, "c": done}) == ["responder"]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ([], []),
        ({"text": "a", "confidence": 1}, [{"text": "a", "confidence": 1}]),
        (("a", 0.5), [{"text": "a", "confidence": 0.5}]),
        (["a", 0.5, {"x": 1}], [{"text": "a", "confidence": 0.5, "attributes": {"x": 1}}]),
        (("a", 0.5, {"h": 1}, {"b": 1}),
         [{"text": "a", "confidence": 0.5, "human_attributes": {"h": 1}, "bot_attributes": {"b": 1}}]),
        ([["a", "b"], [0.5, 0.6], [{}, {}], [{}, {}], [{"x": 1}, {"x": 2}]],
         [{"text": "a", "confidence": 0.5, "human_attributes": {}, "bot_attributes": {}, "attributes": {"x": 1}},
          {"text": "b", "confidence": 0.6, "human_attributes": {}, "bot_attributes": {}, "attributes": {"x": 2}}]),
        ([("a", 0.5), ("", 0.5), ("c", 0.0)], [{"text": "a", "confidence": 0.5}]),
        (("", 0.0), []),
    ],
)  # fmt: skip
def test_skills_may_answer_in_several_forms(given: Any, meant: Any) -> None:
    assert hypotheses_of(given) == meant


@pytest.mark.parametrize("given", [None, "a", 5, ["a"], ["a", "b"], [1, 2], [["a"]], ("a", 1, {}, {}, {}, {}), [{}, 1]])
def test_what_is_no_hypothesis_is_refused(given: Any) -> None:
    with pytest.raises(RunError):
        hypotheses_of(given)


def test_selectors_may_answer_in_several_forms() -> None:
    proposed = [
        {"skill_name": "a", "text": "x", "confidence": 0.5},
        {"skill_name": "b", "text": "y", "confidence": 0.5},
    ]
    assert selection_of(1, proposed) == proposed[1]
    assert selection_of(("a", "z", 0.1), proposed) == {"skill_name": "a", "text": "z", "confidence": 0.1}
    assert selection_of(("a", "z", 0.1, {"h": 1}, {}, {"x": 1}), proposed)["attributes"] == {"x": 1}
    for wrong in (2, -1, True, "a", ("a", "z"), None):
        with pytest.raises(RunError):
            selection_of(wrong, proposed)
    assert best_of(proposed, ["b", "a"])["text"] == "y"
    assert best_of(proposed, [])["text"] == "x"
    with pytest.raises(RunError, match="no skill has proposed anything"):
        best_of([], [])
    assert labels_of("a") == labels_of(["a"]) == {"a"}
    with pytest.raises(RunError, match="a list of labels"):
        labels_of([1])
