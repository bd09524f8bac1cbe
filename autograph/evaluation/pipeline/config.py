"""What is a pipeline? Its services as frozen data, and what follows from the group that a service is in.

Two forms of it are read, also side by side. That of DeepPavlov Agent (``pipeline_conf.json``), with ``connector``,
``previous_services``, ``state_manager_method`` and ``tags``; and a short one, where a service says what it is with one
key, and the rest follows from its group:

    services:
      skills:
        clinic: {program: clinic.yaml}
        small_talk: {http: http://127.0.0.1:8000/respond, timeout: 2}
      response_selectors:
        best: {selector: confidence}
      last_chance_service: {text: Sorry, I did not get that.}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from autograph.errors import Location
from autograph.evaluation.pipeline.file import PipelineSource

__all__ = ["GROUPS", "METHODS", "PROGRAM_OPTIONS", "Group", "PipelineConfig", "ServiceConfig"]

METHODS = (
    "add_annotation", "add_annotation_prev_bot_utt", "add_hypothesis", "add_hypothesis_annotation",
    "add_hypothesis_annotation_batch", "add_text", "add_bot_utterance", "add_bot_utterance_last_chance",
    "add_bot_utterance_last_chance_overwrite", "add_failure_bot_utterance",
)  # fmt: skip
"""What may be done with what a service gives."""

PROGRAM_OPTIONS = (
    "model", "classifier", "confidence", "hypotheses", "changed", "invalid", "missing", "finished", "trust",
)  # fmt: skip
"""What may be said of a program beside its file."""


@dataclass(frozen=True, slots=True)
class Group:
    """What follows from the group of a service in the short form: its method and tags, and the groups before it."""

    method: str | None
    before: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


GROUPS: Mapping[str, Group] = MappingProxyType(
    {
        "annotators": Group("add_annotation"),
        "response_annotators": Group("add_annotation_prev_bot_utt"),
        "skill_selectors": Group(None, ("annotators", "input"), ("selector",)),
        "skills": Group("add_hypothesis", ("skill_selectors", "annotators", "input")),
        "candidate_annotators": Group("add_hypothesis_annotation_batch", ("skills",)),
        "response_selectors": Group("add_bot_utterance", ("candidate_annotators", "skills")),
        "postprocessors": Group("add_text", ("response_selectors",)),
        "last_chance_service": Group("add_bot_utterance_last_chance", (), ("last_chance",)),
        "timeout_service": Group("add_bot_utterance_last_chance", (), ("timeout",)),
    }
)
"""The usual groups. Groups before one that the pipeline lacks do not count.

A service does not start if everything before it was in vain: so that skills start without their annotations, too, they
also stand behind the input, and a response selector behind the skills.
"""


@dataclass(frozen=True, slots=True)
class ServiceConfig:
    """A service: ``name`` is ``group.label``, or the label alone; ``connector`` has a ``protocol`` and its arguments.

    It starts when all ``previous`` are over, whatever became of them; it is skipped if one of ``required`` fails.
    ``timeout`` is in seconds.
    """

    name: str
    label: str
    group: str
    connector: Mapping[str, Any]
    place: Location
    previous: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    method: str | None = None
    tags: tuple[str, ...] = ()
    timeout: float | None = None
    dialog_formatter: str | None = None
    response_formatter: str | None = None


@dataclass(frozen=True, slots=True)
class PipelineConfig:
    """All services in the order of the file. ``timeout``: seconds for a whole turn (None: as long as it takes)."""

    services: tuple[ServiceConfig, ...]
    source: PipelineSource
    last_chance: ServiceConfig | None = None
    on_timeout: ServiceConfig | None = None
    timeout: float | None = None
    deep_merge: bool = False
    connectors_module: str | None = None
    formatters_module: str | None = None
