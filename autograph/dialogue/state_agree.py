"""What disagrees in a dialogue state? Rules R3 to R7 and R9, for whatever of it has the right shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from autograph.dialogue.state_dates import NO_DATE, moment
from autograph.dialogue.state_problem import StateProblem

__all__ = ["disagreements", "speakers"]


def disagreements(data: Mapping[str, Any]) -> Iterator[StateProblem]:
    """The problems between the parts of a state; parts without the right shape are passed over."""
    said, utterances = speakers(data), data.get("utterances")
    complete = isinstance(utterances, list) and len(said) == len(utterances)
    if complete:  # else nobody knows what is missing in a list, or whose date is the last
        yield from _repeated(data, said)
    yield from _ids(said)
    yield from _order(said)
    if complete:
        yield from _ends(data, said)
    yield from _users(data, said)
    for place, utterance, who in said:
        imported = isinstance(utterance.get("attributes"), Mapping) and utterance["attributes"].get("imported") is True
        if who == "bot" and utterance.get("active_skill") == "" and not imported:
            yield StateProblem(f"{place}/active_skill", "it is empty", "R9")


Said = list[tuple[str, Mapping[str, Any], str]]

_DEEPEST = 250
"""How deeply values are compared: deeper than anything that is valid."""


def speakers(data: Mapping[str, Any]) -> Said:
    """The utterances that are objects and say whose they are: path, object, ``human`` or ``bot``."""
    utterances = data.get("utterances")
    found: Said = []
    for index, item in enumerate(utterances if isinstance(utterances, list) else ()):
        user = item.get("user") if isinstance(item, Mapping) else None
        who = user.get("user_type") if isinstance(user, Mapping) else None
        if who in ("human", "bot"):
            found.append((f"utterances/{index}", item, who))
    return found


def _repeated(data: Mapping[str, Any], said: Said) -> Iterator[StateProblem]:
    """R3: the lists by speaker repeat ``utterances``."""
    for who in ("human", "bot"):
        name = f"{who}_utterances"
        repeated, meant = data.get(name), [(place, item) for place, item, speaker in said if speaker == who]
        if not isinstance(repeated, list):
            continue
        for index, (copy, (place, item)) in enumerate(zip(repeated, meant, strict=False)):
            where = _difference(copy, item)
            if where is not None:
                yield StateProblem(f"{name}/{index}{where}", f"it is not the same as {place}{where}", "R3")
        if len(repeated) > len(meant):
            yield StateProblem(f"{name}/{len(meant)}", f"it is no utterance of the {who} in utterances", "R3")
        for place, _ in meant[len(repeated) :]:
            yield StateProblem(name, f"{place} is missing in it", "R3")


def _difference(one: Any, other: Any, depth: int = 0) -> str | None:
    """The path at which two values differ first (``""``: they as a whole); None if they are equal."""
    if depth > _DEEPEST:  # that it is too deep is said by R11
        return None
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        only_one = next((key for key in (*other, *one) if (key in one) is not (key in other)), None)
        if only_one is not None:
            return f"/{only_one}"
        pairs = [(f"/{key}", one[key], other[key]) for key in other]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(f"/{index}", *pair) for index, pair in enumerate(zip(one, other, strict=True))]
    else:
        same = one == other or (one != one and other != other)  # not a number, twice
        return None if isinstance(one, bool) is isinstance(other, bool) and same else ""
    for name, first, second in pairs:
        below = _difference(first, second, depth + 1)
        if below is not None:
            return name + below
    return None


def _ids(said: Said) -> Iterator[StateProblem]:
    """R4: no two utterances have one id."""
    first: dict[str, str] = {}
    for place, item, _ in said:
        utt_id = item.get("utt_id")
        if isinstance(utt_id, str) and first.setdefault(utt_id, place) != place:
            yield StateProblem(f"{place}/utt_id", f"{first[utt_id]} has the same", "R4")


def _order(said: Said) -> Iterator[StateProblem]:
    """R5: nothing was said before what stands before it."""
    before, at = None, ""
    for place, item, _ in said:
        date = item.get("date_time")
        found = moment(date) if isinstance(date, str) else None
        if found is not None and before is not None and found < before:
            yield StateProblem(f"{place}/date_time", f"it is earlier than {at}/date_time", "R5")
        if found is not None:
            before, at = found, place


def _ends(data: Mapping[str, Any], said: Said) -> Iterator[StateProblem]:
    """R6. In a turn at work, where the human spoke last, the dates are still those of the turn before."""
    dates = [item.get("date_time") for _, item, _ in said]
    at_work = bool(said) and said[-1][2] == "human"
    unsaved = data.get("date_start") == NO_DATE and data.get("date_finish") == NO_DATE
    if unsaved and at_work:
        return
    allowed: dict[str, list[Any]] = {"date_start": dates[:1], "date_finish": dates[-2:] if at_work else dates[-1:]}
    for name, meant in allowed.items():
        value = data.get(name)
        if not isinstance(value, str) or (value != NO_DATE and moment(value) is None):
            continue
        if not meant and value != NO_DATE:
            yield StateProblem(name, f'there are no utterances, so it must be "{NO_DATE}"', "R6")
        elif not all(isinstance(date, str) and moment(date) for date in meant):
            continue  # what is wrong is that date
        elif meant and not any(_same(value, date) for date in meant):
            which = "first" if name == "date_start" else "last"
            yield StateProblem(name, f'it must be the date of the {which} utterance, "{meant[-1]}"', "R6")


def _same(one: str, other: str) -> bool:
    return one == other or (moment(one) is not None and moment(one) == moment(other))


def _users(data: Mapping[str, Any], said: Said) -> Iterator[StateProblem]:
    """R7: it is always the same human."""
    human = data.get("human")
    name = human.get("user_external_id") if isinstance(human, Mapping) else None
    if not isinstance(name, str):
        return
    for place, item, who in said:
        other = item["user"].get("user_external_id")
        if who == "human" and isinstance(other, str) and other != name:
            yield StateProblem(f"{place}/user/user_external_id", f'it is "{other}"; the human is "{name}"', "R7")
