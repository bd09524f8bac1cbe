"""What is allowed in a dialogue state, but doubtful? The warnings W1 to W5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from autograph.dialogue.state_agree import speakers
from autograph.dialogue.state_model import PROFILE
from autograph.dialogue.state_problem import StateProblem
from autograph.dialogue.state_values import is_number

__all__ = ["doubts"]


def doubts(data: Mapping[str, Any]) -> Iterator[StateProblem]:
    """The warnings for a state; parts without the right shape are passed over."""
    before, proposed = "", None
    for place, item, who in speakers(data):
        if who == before:
            yield StateProblem(place, f"the {who} spoke before it, too", "W1")
        before = who
        if who == "human":
            proposed = _skills(item)
            yield from _hypotheses(place, item)
            continue
        skill = item.get("active_skill")
        if proposed is not None and isinstance(skill, str) and skill not in proposed:
            yield StateProblem(f"{place}/active_skill", f'"{skill}" has proposed no reply', "W2")
        yield from _confidence(f"{place}/confidence", item.get("confidence"))
    yield from _profile(data.get("human"))


def _list(item: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = item.get("hypotheses")
    return [entry for entry in found if isinstance(entry, Mapping)] if isinstance(found, list) else []


def _skills(item: Mapping[str, Any]) -> set[Any]:
    names = (hypothesis.get("skill_name") for hypothesis in _list(item))
    return {name for name in names if isinstance(name, str)}


def _hypotheses(place: str, item: Mapping[str, Any]) -> Iterator[StateProblem]:
    for index, hypothesis in enumerate(_list(item)):
        yield from _confidence(f"{place}/hypotheses/{index}/confidence", hypothesis.get("confidence"))


def _confidence(path: str, value: Any) -> Iterator[StateProblem]:
    if is_number(value) and not 0 <= value <= 1:
        yield StateProblem(path, f"{value} is not between 0 and 1", "W4")


def _profile(human: Any) -> Iterator[StateProblem]:
    profile = human.get("profile") if isinstance(human, Mapping) else None
    if not isinstance(profile, Mapping):
        return
    for key in PROFILE:
        if key not in profile:
            yield StateProblem(f"human/profile/{key}", "this usual key is missing", "W3")
    for key in profile:
        if key not in PROFILE:
            yield StateProblem(f"human/profile/{key}", "this key is unusual", "W5")
