"""Which variables are read although nothing, or not every path, sets them?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from autograph.check.facts import Read, all_reads
from autograph.check.flow import PROMPT, Context, Flow
from autograph.check.graph import Graph, path_names
from autograph.check.subject import Subject
from autograph.errors import Problem
from autograph.program import NodeSpec

__all__ = ["find_unset", "near_name", "unset_variables"]

_PLAIN_WORDS = {"TRUE": "True", "FALSE": "False", "true": "True", "false": "False", "NULL": "None", "null": "None"}


def unset_variables(subject: Subject) -> Iterator[Problem]:
    """Variables that a cell reads where no path, or not every path, has set them."""
    for _, found in subject.unset:
        yield found


def find_unset(subject: Subject) -> Iterator[tuple[str, Problem]]:
    """The problems with the names of their variables. What is perhaps not set is said once for each variable."""
    flow = subject.flow
    told: set[tuple[int, str, str]] = set()
    paths = _Paths(subject)
    for context in flow.contexts:
        perhaps: dict[str, int] = {}
        for place, number in enumerate(context.region.order):
            if number == subject.graph.hub or number in subject.wild:
                continue
            for read, may in _situations(flow, context, place, number):
                bit = flow.bits[read.name]
                if (number, read.field, read.name) in told:
                    continue
                if may & bit:
                    if read.name in perhaps or context.loose or read.optional:
                        continue
                    found = _perhaps(subject, paths, context, number, read)
                    perhaps[read.name] = number
                elif flow.set_anywhere & bit and (context.loose or read.optional):
                    continue
                else:
                    found = _never(subject, paths, context, number, read)
                told.add((number, read.field, read.name))
                if found is not None:
                    yield read.name, found
    yield from _in_no_context(subject, paths)


def _in_no_context(subject: Subject, paths: _Paths) -> Iterator[tuple[str, Problem]]:
    """The names that nothing sets, at nodes that cannot be reached."""
    flow = subject.flow
    followed = {number for context in flow.contexts for number in context.region.order}
    for number in range(len(subject.graph.specs)):
        if number not in followed and number not in subject.wild:
            for read in dict.fromkeys(all_reads(flow.facts[number])):
                if not flow.set_anywhere & flow.bits[read.name]:
                    yield read.name, _never(subject, paths, flow.contexts[0], number, read)


class _Paths:
    """What is shown beside a finding: paths, setters, names that are near. Long searches are made a few times only."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._trees: dict[int, dict[int, int]] = {}
        self._searches_left = max(10, min(100, 200_000 // len(subject.graph.specs)))
        self._setters: dict[str, str] = {}
        self._near: dict[str, str] = {}
        flow = subject.flow
        for number, spec in reversed(list(enumerate(subject.graph.specs))):
            for name in (*flow.facts[number].sets, *(p.name for p in spec.parameters or ())):
                self._setters[name] = spec.name

    def to(self, entry: int, number: int) -> str:
        """A shortest path from the entry of a level."""
        graph = self._subject.graph
        if entry not in self._trees:
            self._trees[entry] = graph.walk(entry)
        return path_names(graph, graph.back(self._trees[entry], number))

    def without(self, context: Context, number: int, bit: int) -> list[int] | None:
        """A path on which a variable is not set; None if it was not searched for any more."""
        self._searches_left -= 1
        if self._searches_left < 0:
            return None
        order = context.region.order
        setters = frozenset(n for n, must in zip(order, context.left_must, strict=True) if must & bit)
        return self._subject.graph.path(context.region.entry, number, setters, open_only=True)

    def near(self, name: str) -> str:
        """The variable that is probably meant; looking takes long, so only for the first hundred names."""
        if name not in self._near:
            flow = self._subject.flow
            self._near[name] = near_name(name, flow.names(flow.set_anywhere)) if len(self._near) < 100 else ""
        return self._near[name]

    def setter(self, name: str) -> str:
        """The first node that sets a variable; ``""`` if only one with an error may set it."""
        return self._setters.get(name, "")


def _situations(flow: Flow, context: Context, place: int, number: int) -> Iterator[tuple[Read, int]]:
    """The reads of a node that may fail, with what may be set by then. Most nodes have none: a look at bits tells."""
    facts = flow.facts[number]
    first = (facts.first, context.may[place], context.must[place])
    then = (facts.then, context.left_may[place], context.left_must[place])
    asked = (facts.asked, context.may[place], context.must[place])  # asked where the node is come to
    for reads, may, must in (first, then, asked):
        for read in reads:
            if not must & flow.bits[read.name]:
                yield read, may


def _never(subject: Subject, paths: _Paths, context: Context, number: int, read: Read) -> Problem:
    """What to say about a variable that is set on no path."""
    flow, spec = subject.flow, subject.graph.specs[number]
    sign = read.name if read.code else f"${read.name}"
    if read.code and read.name in _PLAIN_WORDS:
        message = f'"{read.name}" is no value in code'
        hint = f"Write {_PLAIN_WORDS[read.name]}; a spreadsheet turns it into capitals unless the cell is text."
        return subject.note("spreadsheet-boolean", spec, read.field, message, hint)
    if not read.code and _is_dollar(spec, read):
        message = f'"${read.name}" stands for a variable here, and nothing sets one of that name'
        return subject.note("accidental-dollar", spec, read.field, message, "Write \\$ for a dollar sign.")
    if flow.set_anywhere & flow.bits[read.name]:
        return _elsewhere(subject, paths, context, number, read, sign)
    near = paths.near(read.name)
    if near:
        message = f"nothing sets {sign}"
        return subject.note("misspelt-variable", spec, read.field, message, f'Did you mean "{near}"?')
    where = ", so the optional part with it never shows" if read.optional else ""
    message = f"nothing in the program sets {sign}{where}"
    hint = "Set it in a node before, or list it in the setting variables if the host sets it."
    return subject.note("unset-variable", spec, read.field, message, hint)


def _elsewhere(subject: Subject, paths: _Paths, context: Context, number: int, read: Read, sign: str) -> Problem:
    """A variable that is set somewhere, but on no path to where it is read."""
    graph = subject.graph
    spec = graph.specs[number]
    setter = paths.setter(read.name)
    path = paths.to(context.region.entry, number)
    if context.kind == "local":
        caller = graph.specs[context.caller].name
        function = graph.specs[context.region.entry].name
        message = f'{sign} is not known in "{function}", which "{caller}" calls as a local function'
        message += f" ({path})" if "→" in path else ""
        hint = "A local function knows only its parameters: pass the value as one, or call it with the action function."
        return subject.note("not-known-in-function", spec, read.field, message, hint)
    message = f'no path to "{spec.name}" sets {sign}'
    message += f", for instance {path}" if "→" in path else ""
    message += f'; "{setter}" sets it, but not before' if setter else ""
    hint = f'Set it before "{spec.name}"' + ("." if read.code else f", or write ?{{…{sign}…}} if it may be missing.")
    return subject.note("unset-variable", spec, read.field, message, hint)


def _perhaps(subject: Subject, paths: _Paths, context: Context, number: int, read: Read) -> Problem | None:
    """What to say about a variable that some paths set and others do not, with one that does not."""
    flow, graph = subject.flow, subject.graph
    path = paths.without(context, number, flow.bits[read.name])
    if path is not None:
        asked = read.field != "boolean_condition" or (len(path) > 1 and _asks_condition(graph, path[-2], number))
        if not path or not asked:
            return None
    spec = graph.specs[number]
    sign = read.name if read.code else f"${read.name}"
    message = f"{sign} is not set on {'every path' if path is None else 'the path ' + path_names(graph, path)}"
    before = graph.specs[context.region.entry].name
    hint = f'Set it in "{before}" to begin with' + ("." if read.code else f", or write ?{{…{sign}…}}.")
    return subject.note("perhaps-unset-variable", spec, read.field, message, hint)


def _asks_condition(graph: Graph, before: int, number: int) -> bool:
    """Whether the node before comes to the variant by its group, so that the condition is asked."""
    prefix = graph.specs[number].name.rpartition(".")[0]
    return any(t.kind == "group_star" and t.target == prefix for t in graph.specs[before].transitions)


def _is_dollar(spec: NodeSpec, read: Read) -> bool:
    """Whether a ``$`` looks like money: ``5$each``, ``US$amount``, ``$USD``."""
    text = spec.row.fields.get(read.field, "")
    if read.name in ("USD", "AUD", "CAD", "NZD", "SGD", "HKD", "US"):
        return True
    return re.search(rf"(?:\d|US|AU|NZ|HK)\${re.escape(read.name)}\b", text) is not None


def near_name(name: str, known: Iterable[str]) -> str:
    """The nearest of the names that is near enough for a slip of the pen, or ``""``."""
    names = {other.lower().replace("_", ""): other for other in known if other != PROMPT}
    plain = name.lower().replace("_", "")
    if plain in names:
        return names[plain]
    near = get_close_matches(plain, list(names), n=1, cutoff=0.75) if len(plain) > 3 else []
    return names[near[0]] if near else ""
