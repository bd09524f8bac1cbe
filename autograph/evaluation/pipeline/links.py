"""Which service may start, and which is skipped? What follows from who waits for whom, by DeepPavlov Agent's rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["INPUT", "RESPONDER", "Links", "Status", "cycle_of"]

INPUT, RESPONDER = "input", "responder"


@dataclass(frozen=True, slots=True)
class Status:
    """What became of a service in a turn. None of the three: it was at work when the time was over."""

    done: bool = False
    skipped: bool = False
    error: bool = False

    @property
    def over(self) -> bool:
        """Whether nobody needs to wait for it any longer."""
        return self.done or self.skipped or self.error

    @property
    def gave(self) -> bool:
        """Whether it has done its work."""
        return self.done and not self.skipped and not self.error

    def to_dict(self) -> dict[str, bool]:
        """The status as JSON data."""
        return {"done": self.done, "skipped": self.skipped, "error": self.error}


@dataclass(frozen=True, slots=True)
class Links:
    """The services of a pipeline as a graph: ``before`` and ``after`` each, and who must be skipped if one fails."""

    before: Mapping[str, frozenset[str]]
    after: Mapping[str, tuple[str, ...]]
    dependents: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, previous: Mapping[str, Sequence[str]], required: Mapping[str, Sequence[str]]) -> Links:
        """The graph, with the input before those that wait for nobody, and the responder behind the last ones."""
        before = {name: {*previous[name], *required[name]} or {INPUT} for name in previous}
        waited_for = set().union(*before.values()) if before else set()
        before[RESPONDER] = {name for name in previous if name not in waited_for} or {INPUT}
        after = {name: tuple(other for other in before if name in before[other]) for name in (INPUT, *before)}
        frozen = {name: frozenset(names) for name, names in before.items()}
        return cls(frozen, after, {name: _dependents(name, required) for name in (INPUT, *before)})

    def ready(self, statuses: Mapping[str, Status]) -> list[str]:
        """The services that start now: all before them are over, and not all of those were in vain."""
        over = {name for name, status in statuses.items() if status.over}
        vain = {name for name, status in statuses.items() if status.skipped or status.error}
        return [
            name
            for name, waits_for in self.before.items()
            if name not in statuses and waits_for <= over and not waits_for <= vain
        ]


def _dependents(name: str, required: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Those that require a service, and those that require them, and so on."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        here = waiting.pop()
        new = [other for other, names in required.items() if here in names and other not in found]
        found.update(new)
        waiting += new
    return frozenset(found)


def cycle_of(links: Mapping[str, Iterable[str]]) -> list[str]:
    """Services that wait for each other in a circle, also where nothing leads there; empty if there are none."""
    finished: set[str] = set()
    for start in links:
        way: list[str] = []
        stack = [(start, iter(links[start]))] if start not in finished else []
        if stack:
            way.append(start)
        while stack:
            name, rest = stack[-1]
            following = next((other for other in rest if other in links and other not in finished), None)
            if following is None:
                finished.add(name)
                stack.pop()
                way.pop()
            elif following in way:
                return way[way.index(following) :]
            else:
                stack.append((following, iter(links[following])))
                way.append(following)
    return []
