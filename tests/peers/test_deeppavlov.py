"""Do programs run within a real DeepPavlov Agent, and do its state and ours agree?

The agent's own pipeline, workflow and state manager run; only the two methods that need its database are replaced.
"""

from __future__ import annotations

import asyncio
import copy
import json
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("deeppavlov_agent", reason="run_deeppavlov.sh makes an environment that has it")

from deeppavlov_agent.core.agent import Agent
from deeppavlov_agent.core.connectors import EventSetOutputConnector
from deeppavlov_agent.core.log import LocalResponseLogger
from deeppavlov_agent.core.pipeline import Pipeline as TheirPipeline
from deeppavlov_agent.core.service import Service
from deeppavlov_agent.core.state_manager import StateManager
from deeppavlov_agent.core.state_schema import Bot as TheirBot
from deeppavlov_agent.core.state_schema import Dialog as TheirDialog
from deeppavlov_agent.core.state_schema import Human as TheirHuman
from deeppavlov_agent.core.workflow_manager import WorkflowManager
from deeppavlov_agent.parse_config import PipelineConfigParser

import agent_support
from autograph.dialogue.state import export_state, import_state, validate_state
from autograph.dialogue.state_merge import merge_bot, merge_human
from autograph.dialogue.state_model import Bot, Human
from autograph.errors import RunError
from autograph.evaluation.pipeline.pipeline import load_pipeline

ROOT = Path(__file__).parents[2]


class InMemory(StateManager):
    """Their state manager with dialogs in memory."""

    def __init__(self) -> None:
        super().__init__(None)
        self.dialogs: dict[str, Any] = {}

    async def get_or_create_dialog(self, user_external_id: str, channel_type: str, **_: Any) -> Any:
        if user_external_id not in self.dialogs:
            dialog = TheirDialog(human=TheirHuman(user_external_id), channel_type=channel_type)
            dialog.bot = TheirBot()
            self.dialogs[user_external_id] = dialog
        return self.dialogs[user_external_id]

    async def save_dialog(self, dialog: Any, payload: Any, label: str, **_: Any) -> None:
        dialog.date_start, dialog.date_finish = dialog.utterances[0].date_time, dialog.utterances[-1].date_time


class TheirAgent:
    """A real agent of a pipeline."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.manager = InMemory()
        parsed = PipelineConfigParser(self.manager, copy.deepcopy(config))
        begin = Service("input", None, self.manager.add_human_utterance, 1, ["input"])
        out = EventSetOutputConnector("responder").send
        end = Service("responder", out, self.manager.save_dialog, 1, ["responder"])
        pipeline = TheirPipeline(parsed.services, begin, end, parsed.last_chance_service, parsed.timeout_service)
        self._agent = Agent(pipeline, self.manager, WorkflowManager(), LocalResponseLogger(False))

    async def say(self, user: str, text: str, seconds: float | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """The state after a turn, and what became of each service."""
        deadline = None if seconds is None else time.time() + seconds
        record = await self._agent.register_msg(
            utterance=text, user_external_id=user, channel_type="test", message_attrs={}, require_response=True,
            deadline_timestamp=deadline,
        )  # fmt: skip
        statuses = {
            name: {key: bool(found.get(key)) for key in ("done", "skipped", "error")}
            for name, found in record["services"].items()
        }
        return json.loads(json.dumps(record["dialog"].to_dict())), statuses


def said(state: dict[str, Any]) -> list[dict[str, Any]]:
    """The utterances without ids and dates, and without what differs on purpose: theirs keep no snapshots of users,

    and start services in the order of a set.
    """
    left_out = ("utt_id", "date_time", "user")
    found = [{key: value for key, value in item.items() if key not in left_out} for item in state["utterances"]]
    for item in found:
        item.get("hypotheses", []).sort(key=lambda hypothesis: hypothesis["skill_name"])
    return found


def people(state: dict[str, Any]) -> tuple[Any, Any]:
    return tuple({k: v for k, v in state[who].items() if k != "id"} for who in ("human", "bot"))  # type: ignore[return-value]


def program_pipeline() -> dict[str, Any]:
    def skill(program: str, name: str, confidence: float) -> dict[str, Any]:
        connector = {
            "protocol": "python", "class_name": "autograph.evaluation.pipeline.connector:ProgramConnector",
            "program": str(ROOT / "programs" / program), "name": name, "model": "offline", "confidence": confidence,
        }  # fmt: skip
        return {"connector": connector, "state_manager_method": "add_hypothesis"}

    best = {"protocol": "python", "class_name": "ConfidenceResponseSelectorConnector"}
    sorry = {"protocol": "python", "class_name": "PredefinedTextConnector", "response_text": "Sorry."}
    selector = {"connector": best, "previous_services": ["skills"], "state_manager_method": "add_bot_utterance"}
    return {
        "services": {
            "skills": {"clinic": skill("clinic.yaml", "clinic", 0.9), "tutor": skill("tutor.csv", "tutor", 0.4)},
            "response_selectors": {"best": selector},
            "last_chance_service": {
                "connector": sorry, "state_manager_method": "add_bot_utterance_last_chance", "tags": ["last_chance"]
            },
        }
    }  # fmt: skip


TALK = ("hello", "my knee hurts when I climb stairs", "no", "no", "no", "what do you do with my data?")


def test_a_program_runs_within_the_real_agent_as_within_ours() -> None:
    config = program_pipeline()

    async def theirs() -> list[dict[str, Any]]:
        agent = TheirAgent(config)
        return [(await agent.say("ann", text))[0] for text in TALK]

    pipeline = load_pipeline(config, allow_code=True)
    dialog = pipeline.new_dialog("ann", channel="test")
    for text, state in zip(TALK, asyncio.run(theirs()), strict=True):
        answer = pipeline.respond(text, dialog)
        dialog = answer.dialog
        assert validate_state(state) == []
        assert export_state(import_state(state)) == state
        assert state["utterances"][-1]["text"] == answer.reply
        assert said(state) == said(dialog.to_dict())
        assert people(state) == people(dialog.to_dict())
    assert json.loads(dialog.human.attributes["clinic_state"]["memory"])["texts"] == len(TALK)


def test_a_program_may_stand_under_connectors_in_both() -> None:
    config = program_pipeline()
    clinic = config["services"]["skills"]["clinic"]
    config["connectors"] = {"clinic": {**clinic["connector"], "key": "secret"}}
    clinic["connector"] = "connectors.clinic"

    async def theirs() -> dict[str, Any]:
        return (await TheirAgent(config).say("ann", TALK[0]))[0]

    pipeline = load_pipeline(config, allow_code=True)
    dialog = pipeline.respond(TALK[0], pipeline.new_dialog("ann", channel="test")).dialog
    assert people(asyncio.run(theirs())) == people(dialog.to_dict())
    assert "signature" in dialog.human.attributes["clinic_state"]


def test_a_dialog_of_the_real_agent_goes_on_in_ours() -> None:
    config = program_pipeline()

    async def theirs() -> list[dict[str, Any]]:
        agent = TheirAgent(config)
        return [(await agent.say("ann", text))[0] for text in TALK]

    states = asyncio.run(theirs())
    pipeline = load_pipeline(config, allow_code=True)
    answer = pipeline.respond(TALK[3], import_state(states[2]))
    assert answer.reply == states[3]["utterances"][-1]["text"]


def test_the_recorded_agent_behaves_here_as_it_did_there() -> None:
    config = agent_support.here(agent_support.trace()["pipeline_config"])
    talk = [("ann", "I want a coffee"), ("ann", "large"), ("bob", "please crash"), ("eve", "be slow please")]

    async def theirs() -> list[Any]:
        agent = TheirAgent(config)
        return [await agent.say(user, text, 1.0) for user, text in talk]

    pipeline = load_pipeline(config, allow_code=True, timeout=1.0)
    dialogs: dict[str, Any] = {}
    for (user, text), (state, statuses) in zip(talk, asyncio.run(theirs()), strict=True):
        answer = pipeline.respond(text, dialogs.get(user) or pipeline.new_dialog(user, channel="test"))
        dialogs[user] = answer.dialog
        assert {name: status.to_dict() for name, status in answer.services.items()} == statuses
        theirs_said, ours_said = said(state), said(answer.dialog.to_dict())
        if len(theirs_said) > 2:  # their hypothesis and utterance share one mapping, so that both are annotated later
            theirs_said[0]["hypotheses"][1]["annotations"].pop("prev")
        assert theirs_said == ours_said
        assert people(state) == people(answer.dialog.to_dict())


HUMAN_ATTRIBUTES: list[dict[str, Any]] = [
    {},
    {"k": {"a": 9}},
    {"name": "Ann", "location": None, "nickname": "A"},
    {"persona": ["x"], "name": "Ann"},
    {"profile": {"name": "Bo"}, "name": "Cy", "gender": "f"},
    {"gender": "f", "profile": {"shoe": 40}, "shoe": 41},
    {"attributes": {"only": 1}, "k": 2},
    {"k": 2, "attributes": {"only": 1}},
    {"user_type": "dog"},
    {"id_": 1, "text": "t", "skill_name": "s"},
]


@pytest.mark.parametrize("attributes", HUMAN_ATTRIBUTES)
def test_humans_are_merged_as_theirs_are(attributes: dict[str, Any]) -> None:
    their = TheirHuman("ann", attributes={"k": {"a": 1, "b": 2}})
    if "user_type" not in attributes:
        asyncio.run(InMemory().update_human(their, {"human_attributes": copy.deepcopy(attributes)}))
    ours = merge_human(Human("0" * 24, "ann", attributes={"k": {"a": 1, "b": 2}}), attributes)
    assert {**ours.to_dict(), "id": ""} == {**their.to_dict(), "id": ""}


@pytest.mark.parametrize("attributes", [{}, {"mood": "happy"}, {"persona": {"a": 1}, "attributes": {"x": 1}, "y": 2}])
def test_bots_are_merged_as_theirs_are(attributes: dict[str, Any]) -> None:
    their = TheirBot(attributes={"mood": "sad"})
    asyncio.run(InMemory().update_bot(their, {"bot_attributes": copy.deepcopy(attributes)}))
    ours = merge_bot(Bot("0" * 24, attributes={"mood": "sad"}), attributes)
    assert {**ours.to_dict(), "id": ""} == {**their.to_dict(), "id": ""}


def test_a_new_id_fails_there_too() -> None:
    with pytest.raises(AttributeError):
        asyncio.run(InMemory().update_human(TheirHuman("ann"), {"human_attributes": {"id": "x"}}))
    with pytest.raises(RunError, match="id"):
        merge_human(Human("0" * 24, "ann"), {"id": "x"})
