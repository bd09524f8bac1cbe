"""Which small changes can be made to a node as a whole: its transitions, choices, condition and what is optional?"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations

from autograph.language.grammar import TextError
from autograph.language.lists import split_list
from autograph.language.names import NameProblem, parse_name, parse_target
from autograph.tables import Row
from autograph.vocabulary import letter

__all__ = ["RowChange", "row_changes", "targets_of"]

_OPTIONAL = (
    "min_confidence", "prerequisite_states", "blocking_states", "up_weight_states", "down_weight_states",
    "required_revisit", "conv_scope", "allowed_targets", "question_prompt", "transition_context",
    "example_interjection", "instruction_template", "reply_start",
)  # fmt: skip
_ALTERNATIVES = 2  # how many other targets each transition is led to


@dataclass(frozen=True, slots=True)
class RowChange:
    """New contents of a node's cells: texts, and items of those that hold a list; "" empties a cell.

    ``field`` is the one to be shown, ``before`` and ``after`` say what changes.
    """

    kind: str
    field: str
    before: str
    after: str
    texts: Mapping[str, str] = dataclasses.field(default_factory=dict)
    lists: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)


def targets_of(rows: Sequence[Row]) -> list[str]:
    """Where a transition may be led in a program: its nodes that are no functions, and quit; sorted."""
    names: list[str] = ["quit"]
    for row in rows:
        try:
            name = parse_name(row.get("name"))
        except (NameProblem, TextError):
            continue  # the loader has said so
        if name.parameters is None:
            names.append(name.name)
    return sorted(names)


def row_changes(row: Row, targets: Sequence[str]) -> Iterator[RowChange]:
    """All changes of a node. ``targets``: where its transitions may be led instead."""
    items = _items(row, "transitions")
    choices = [_choice(i) for i in range(len(items)) if row.get(_choice(i))]
    if len(items) > 1:
        for one, two in combinations(range(len(items)), 2):
            yield _listed(row, "swap-transitions", _exchanged(items, one, two))
        for first, second in combinations(choices, 2):
            yield from _swapped_cells(row, first, second)
        yield _without_last(row, items)
    elif items:
        yield RowChange("drop-transition", "transitions", items[0], "", {"transitions": ""})
    yield from _redirected(row, items, targets)
    yield from _unclear(row, len(choices))
    condition = row.get("boolean_condition")
    if condition:
        negated = f"not ({condition})"
        yield RowChange("negate-condition", "boolean_condition", condition, negated, {"boolean_condition": negated})
        yield RowChange("drop-condition", "boolean_condition", condition, "", {"boolean_condition": ""})
    if row.get("condition_interjection"):
        gone = ("condition_interjection", "example_interjection", "user_interjection", "probability_interjection")
        yield RowChange(
            "drop-interjection", gone[0], row.get(gone[0]), "", {name: "" for name in gone if row.get(name)}
        )
    for name in _OPTIONAL:
        if row.get(name):
            yield RowChange("drop-setting", name, row.get(name), "", {name: ""})


def _items(row: Row, name: str) -> tuple[str, ...]:
    given = row.items(name)
    if given is not None:
        return given
    try:
        return split_list(row.get(name))
    except TextError:
        return ()  # the loader has said so


def _choice(index: int, name: str = "transition_choice") -> str:
    return f"{name}_{letter(index).lower()}"


def _exchanged(items: tuple[str, ...], one: int, two: int) -> tuple[str, ...]:
    changed = list(items)
    changed[one], changed[two] = changed[two], changed[one]
    return tuple(changed)


def _listed(row: Row, kind: str, items: tuple[str, ...]) -> RowChange:
    """Other transitions, in the form in which the row has them."""
    text = ", ".join(items)
    lists = {"transitions": items} if row.items("transitions") is not None else {}
    return RowChange(kind, "transitions", row.get("transitions"), text, {"transitions": text}, lists)


def _swapped_cells(row: Row, first: str, second: str) -> Iterator[RowChange]:
    one, two = row.get(first), row.get(second)
    if one != two:
        yield RowChange("swap-choices", first, f"{one} | {two}", f"{two} | {one}", {first: two, second: one})


def _without_last(row: Row, items: tuple[str, ...]) -> RowChange:
    """One transition less, and all that belongs to it; with one left there is no question any more."""
    change = _listed(row, "drop-transition", items[:-1])
    last = len(items) - 1
    gone = {_choice(last), _choice(last, "user_instruction_transition"), "transition_probs"}
    if last == 1:
        gone |= {"transition_question", _choice(0), "min_confidence", "on_unclear"}
    elif row.get("on_unclear").upper() == letter(last):
        gone |= {"on_unclear", "min_confidence"}
    texts = {**change.texts, **{name: "" for name in sorted(gone) if row.get(name)}}
    return RowChange(change.kind, change.field, change.before, change.after, texts, change.lists)


def _redirected(row: Row, items: tuple[str, ...], targets: Sequence[str]) -> Iterator[RowChange]:
    """Each transition led elsewhere. Which other nodes it gets depends on the names alone."""
    for index, item in enumerate(items):
        for other in _others(f"{row.get('name')} {index} {item}", parse_target(item).name or item, targets):
            yield _listed(row, "redirect-target", (*items[:index], other, *items[index + 1 :]))


def _unclear(row: Row, choices: int) -> Iterator[RowChange]:
    """``on_unclear`` taken away; and where it is a letter, the next one."""
    given = row.get("on_unclear")
    if not given:
        return
    texts = {"on_unclear": "", **({"min_confidence": ""} if row.get("min_confidence") else {})}
    yield RowChange("drop-on-unclear", "on_unclear", given, "", texts)
    letters = [letter(index) for index in range(choices)]
    names = _items(row, "transitions")
    others = [name for name in (letters if given.upper() in letters else names) if name != given]
    if others:
        yield RowChange("redirect-target", "on_unclear", given, others[0], {"on_unclear": others[0]})


def _others(seed: str, present: str, targets: Sequence[str]) -> list[str]:
    """Other targets, chosen by a digest of the names, so that a node more in the program changes few choices."""
    free = [name for name in targets if name != present and not name.startswith(f"{present}.")]
    return sorted(free, key=lambda name: sha256(f"{seed}\0{name}".encode("utf-8", "surrogatepass")).digest())[
        :_ALTERNATIVES
    ]
