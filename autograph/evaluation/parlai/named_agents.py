"""Whom does ``-m`` name? ``repeat_label``, ``programs/tutor.csv``, ``remote:tcp://HOST:PORT``, ``pkg.mod:Class``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from autograph.errors import Location, did_you_mean
from autograph.evaluation.fault import DataError, Fault
from autograph.evaluation.parlai.agent import Agent, Options, number_of
from autograph.evaluation.parlai.baselines import (
    FixedResponseAgent,
    RandomCandidateAgent,
    RepeatLabelAgent,
    RepeatQueryAgent,
)
from autograph.evaluation.parlai.borrowed_agent import BorrowedAgent
from autograph.evaluation.parlai.ir_baseline import IrBaselineAgent
from autograph.evaluation.parlai.person import PersonAgent
from autograph.evaluation.parlai.program_agent import ProgramAgent
from autograph.evaluation.parlai.remote import TIMEOUT, RemoteAgent
from autograph.evaluation.spelt_out import ModuleError, spelt_out

__all__ = ["BUILT_IN", "agent_of", "is_program", "model_file_options"]

BUILT_IN: Mapping[str, Callable[[Options], Agent]] = MappingProxyType(
    {
        "repeat_label": RepeatLabelAgent,
        "repeat_query": RepeatQueryAgent,
        "fixed_response": FixedResponseAgent,
        "random_candidate": RandomCandidateAgent,
        "ir_baseline": IrBaselineAgent,
        "local_human": PersonAgent,
    }
)
"""The agents that ship, by ParlAI's names."""

NOT_OFFERED = ("seq2seq", "memnn", "drqa", "transformer", "unigram", "tfidf_retriever", "starspace", "bart", "alice")
"""Agents of ParlAI that need training or more than we have."""

_CLASS = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*:[A-Za-z_]\w*")
_ENDINGS = (".csv", ".tsv", ".txt", ".xlsx", ".yaml", ".yml", ".json", ".py")


def is_program(spec: str) -> bool:
    """Whether a model's name is that of a program: a file (``#sheet`` may follow), or a link."""
    name = spec.partition("#")[0]
    if spec.startswith("remote:"):
        return False
    return "://" in spec or name.lower().endswith(_ENDINGS) or Path(name).is_file()


def agent_of(spec: str, options: Options | None = None, **program: Any) -> Agent:
    """The agent of this name, made with the options; ``program``: how a program is loaded (``autograph.load``).

    Of the options a program takes ``opening`` and ``errors``, and a remote agent ``timeout``. A class is called with
    the options. Raises ``DataError`` for a name of nothing, ``AgentError`` where a class fails, and what making
    the other agents raises.
    """
    options = dict(options or {})
    if spec in BUILT_IN:
        return BUILT_IN[spec](options)
    if spec.startswith("remote:"):
        try:
            return RemoteAgent(spec.removeprefix("remote:"), timeout=number_of(options, "timeout", TIMEOUT))
        except ValueError as error:
            raise _refusal(spec, str(error)) from error
    if is_program(spec):
        return ProgramAgent(spec, **_some(options, "opening", "errors"), **program)
    if _CLASS.fullmatch(spec):
        found = _class_of(spec)
        borrowed = BorrowedAgent(spec, lambda: found(options))
        if not borrowed.is_agent:
            raise _refusal(spec, "it has no observe() and act().", "An agent has both.")
        return borrowed
    raise _unknown(spec)


def _some(options: Options, *names: str) -> dict[str, Any]:
    return {name: options[name] for name in names if name in options}


def _class_of(spec: str) -> Any:
    """The class of ``pkg.mod:Class``; modules of the working folder are found, too."""
    module, _, name = spec.partition(":")
    try:
        loaded = spelt_out(module)
    except ModuleError as error:
        raise _refusal(spec, f"{error}.", "Is it in this folder, or installed?") from error
    found = getattr(loaded, name, None)
    if not callable(found):
        raise _refusal(spec, f"the module {module} has no class {name}.", did_you_mean(name, dir(loaded)))
    return found


def _unknown(spec: str) -> DataError:
    if spec.partition("/")[0] in NOT_OFFERED:
        hint = "Models that are trained are not offered; let ParlAI run it, and reach it with remote:tcp://HOST:PORT."
        return _refusal(spec, "there is no such agent here.", hint)
    known = (*BUILT_IN, "remote:tcp://HOST:PORT", "PROGRAM.csv", "module:Class")
    hint = did_you_mean(spec, BUILT_IN) or f"There are {', '.join(known)}."
    return _refusal(spec, "there is no agent and no file of this name.", hint)


def _refusal(spec: str, message: str, hint: str = "") -> DataError:
    return DataError([Fault(Location(), f'the model "{spec}": {message}', hint)])


# ---------------------------------------------------------------------- files of models


def model_file_options(path: str) -> dict[str, Any]:
    """What ``-mf`` tells of an agent: the options in ``FILE.opt``, and ``dict_file`` where there is a ``FILE.dict``.

    Raises ``DataError`` if there is neither.
    """
    import json

    base = path.removesuffix(".dict").removesuffix(".opt")
    beside, words = Path(f"{base}.opt"), Path(f"{base}.dict")
    if not beside.is_file() and not words.is_file():
        hint = f"Write them with autograph eval train -m ir_baseline -t TASK -mf {base}."
        raise DataError([Fault(Location(base), "there is neither a file .opt nor a file .dict of this name.", hint)])
    options: dict[str, Any] = {}
    if beside.is_file():
        try:
            options = dict(json.loads(beside.read_text("utf-8")))
        except (ValueError, TypeError) as error:
            raise DataError([Fault(Location(str(beside)), f"this is no JSON object ({error}).")]) from error
    if words.is_file():
        options["dict_file"] = str(words)
    return options
