"""Which mutants has a program: copies with one small fault each, that its tests should notice?"""

from __future__ import annotations

import dataclasses
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from types import MappingProxyType

from autograph.errors import Location
from autograph.language.lists import split_list
from autograph.language.names import parse_target
from autograph.tables import Row, Rows
from autograph.tables.typography import repair_code
from autograph.testing.code_edits import code_edits
from autograph.testing.edits import Edit, applied, excerpt
from autograph.testing.row_changes import RowChange, row_changes, targets_of
from autograph.testing.text_edits import instruction_edits, text_edits
from autograph.vocabulary import ACTIONS, FIELDS, choice_index, normalise_action

__all__ = ["KINDS", "Mutant", "mutants_of", "mutated"]

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "swap-transitions": "two transitions exchanged",
        "swap-choices": "two choices exchanged",
        "redirect-target": "a transition that leads elsewhere",
        "drop-transition": "the last transition left out",
        "negate-condition": "a condition turned round",
        "drop-condition": "a condition left out",
        "shift-comparison": "< for <=, == for !=, in for not in",
        "shift-number": "a number that is one larger or smaller",
        "swap-and-or": "and for or",
        "drop-not": "not left out",
        "swap-branches": "the two values of x if c else y exchanged",
        "swap-arguments": "two arguments of a call exchanged",
        "swap-operator": "+ for -, * for //",
        "change-constant": "True for False",
        "change-text": "a word altered",
        "drop-optional": "an optional part of a text left out",
        "drop-assignment": "an assignment left out",
        "drop-statement": "another statement left out",
        "drop-interjection": "an interjection that is never offered",
        "drop-on-unclear": "on_unclear left out",
        "drop-setting": "another cell of a node emptied",
    }
)
"""The kinds of mutants, with what each is; reports keep this order."""

_CODE_ACTIONS = ("statement", "call")
_SIMULATED = ("user_instruction_transition", "user_interjection")
_TEXTS = tuple(
    name for name, found in FIELDS.items()
    if found.kind == "template" and not found.lettered and name not in ("instruction", *_SIMULATED)
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault in one node.

    ``id`` is made of kind, node, field and change, so that it stays when rows are inserted or moved.
    ``location`` is the address of the cell; ``before`` and ``after`` are excerpts for people.
    ``texts`` and ``lists`` are the new contents of the node's cells (a text of "" empties a cell).
    """

    id: str
    kind: str
    node: str
    field: str
    location: Location
    before: str
    after: str
    texts: Mapping[str, str] = dataclasses.field(repr=False)
    lists: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict, repr=False)

    @property
    def order(self) -> tuple[int, str, str]:
        """What mutants of one program are sorted by, so that they stand as in the file."""
        return self.location.row or self.location.line or 0, self.location.cell or "", self.id

    def to_dict(self) -> dict[str, str]:
        """The mutant as JSON data."""
        return {
            "id": self.id, "kind": self.kind, "node": self.node, "field": self.field,
            "where": str(self.location), "before": self.before, "after": self.after,
        }  # fmt: skip


def mutants_of(rows: Rows) -> list[Mutant]:
    """All mutants of a program, in the order of its rows; some may turn out not to load."""
    targets = targets_of(rows)
    found: list[Mutant] = []
    for row in rows:
        seen: Counter[str] = Counter()
        for change in (*row_changes(row, targets), *_cell_changes(row)):
            if change.before == change.after or _same(row, change):
                continue
            base = f"{change.kind}\0{row.get('name')}\0{change.field}\0{change.before}\0{change.after}"
            seen[base] += 1  # the same words twice in one cell
            number = sha256(f"{base}\0{seen[base]}".encode("utf-8", "surrogatepass")).hexdigest()[:10]
            found.append(
                Mutant(
                    number, change.kind, row.get("name"), change.field, row.cell(change.field),
                    change.before, change.after, dict(change.texts), dict(change.lists),
                )
            )  # fmt: skip
    return found


def mutated(rows: Rows, mutant: Mutant) -> Rows:
    """The program with this fault; the rows given stay as they are."""
    changed = tuple(_changed(row, mutant) if row.get("name") == mutant.node else row for row in rows)
    return replace(rows, rows=changed)


def _changed(row: Row, mutant: Mutant) -> Row:
    lists = {name: items for name, items in row.lists.items() if name not in mutant.texts}
    return replace(row, fields={**row.fields, **mutant.texts}, lists={**lists, **mutant.lists})


def _same(row: Row, change: RowChange) -> bool:
    return all(row.get(name) == text for name, text in change.texts.items())


# ---------------------------------------------------------------------- the cells of a node


def _cell_changes(row: Row) -> Iterator[RowChange]:
    action = ACTIONS.get(normalise_action(row.get("action")))
    kind = action.instruction if action else "ignored"
    if kind in _CODE_ACTIONS:
        code = textwrap.dedent(repair_code(row.get("instruction"))[0]).strip("\n")
        yield from _edited("instruction", code, code_edits(code))
    elif kind != "ignored":
        yield from _edited("instruction", row.get("instruction"), instruction_edits(row.get("instruction")))
    condition = repair_code(row.get("boolean_condition"))[0]
    yield from _edited("boolean_condition", condition, code_edits(condition))
    yield from _return_changes(row)
    choices = [name for name in row.fields if (found := choice_index(name)) and found[0] == "transition_choice"]
    for name in (*_TEXTS, *sorted(choices)):
        yield from _edited(name, row.get(name), text_edits(row.get(name)))


def _edited(name: str, text: str, edits: list[Edit]) -> Iterator[RowChange]:
    for edit in edits:
        after = applied(text, edit)
        before = excerpt(text, edit.start, edit.end)
        yield RowChange(edit.kind, name, before, excerpt(after, edit.start, edit.start + len(edit.new)), {name: after})


def _return_changes(row: Row) -> Iterator[RowChange]:
    """The changes of the expressions behind ``return`` in the transitions."""
    text = row.get("transitions")
    if "return" not in text:
        return
    items = row.items("transitions") or split_list(text)
    for index, item in enumerate(items):
        target = parse_target(item)
        if target.kind != "return_value":
            continue
        expression = repair_code(target.expression)[0]
        for change in _edited("transitions", expression, code_edits(expression)):
            new = (*items[:index], f"return {change.texts['transitions']}", *items[index + 1 :])
            lists = {"transitions": new} if row.items("transitions") is not None else {}
            yield replace(change, texts={"transitions": ", ".join(new)}, lists=lists)
