"""Which mutants are said to be equivalent: no input can tell them from the program? The claims are checked, too.

``NAME.mutants.yaml`` beside the program is a list of ``{mutant: id, what: the change, input: …, why: one sentence}``.
The ``input`` is a test without expectations (``turns``, or ``call`` and ``args``, with ``replies`` and so on): the one
that comes closest to telling the two apart. It is run on both, and everything that can be seen must be the same.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograph.tables.tree import Entries, Items, Scalar, Tree
from autograph.testing.case import Case
from autograph.testing.fault import Fault, SuiteError
from autograph.testing.fields import Reader
from autograph.testing.read_case import Shared, read_cases
from autograph.testing.read_yaml import tree_of
from autograph.testing.run import run_case

if TYPE_CHECKING:
    from autograph.testing.mutants import Mutant
    from autograph.testing.result import CaseResult
    from autograph.testing.trial import Workbench

__all__ = ["Equivalent", "Equivalents", "Remark", "claim_fails", "equivalents_file", "read_equivalents"]

_KEYS = ("mutant", "what", "input", "why")


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that is wrong with an entry: where, what, and the remedy."""

    where: str
    message: str
    hint: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message} {self.hint}".rstrip()


@dataclass(frozen=True, slots=True)
class Equivalent:
    """One entry: the mutant's id, what it changes, the input as a test, why it makes no difference, and the line."""

    id: str
    what: str
    input: Case
    why: str
    file: str
    line: int = 0

    def remark(self, message: str, hint: str = "") -> Remark:
        """A remark on this entry."""
        return Remark(f"{self.file}, line {self.line}", f"{self.id} ({self.what}): {message}", hint)


@dataclass(frozen=True, slots=True)
class Equivalents:
    """The entries of a program by the mutants' ids."""

    entries: Mapping[str, Equivalent] = field(default_factory=dict)

    def stale(self, mutants: Container[str]) -> list[Remark]:
        """Remarks on entries whose mutant does not exist (any more)."""
        message = "the program has no such mutant (any more)."
        return [
            entry.remark(message, "Delete the entry.") for entry in self.entries.values() if entry.id not in mutants
        ]


def equivalents_file(program: str) -> Path:
    """``tutor.mutants.yaml`` for ``tutor.csv``."""
    path = Path(program) if Path(program).exists() else Path(program.rpartition("#")[0] or program)
    return path.with_suffix(".mutants.yaml")


def read_equivalents(program: str) -> Equivalents:
    """The entries for a program; none if there is no file. Raises ``SuiteError`` with everything that is wrong."""
    path = equivalents_file(program)
    if not path.exists():
        return Equivalents()
    reader = Reader(str(path))
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SuiteError([Fault(f"the file cannot be read: {error}.", str(path))]) from error
    tree = tree_of(text, reader)
    found: dict[str, Equivalent] = {}
    if not isinstance(tree, Items):
        reader.fault("the file must be a list.", tree.line, "Begin each entry with - mutant: and the mutant's id.")
    for item in tree.items if isinstance(tree, Items) else ():
        entry = _entry(item, reader)
        if entry.id in found:
            lines = f"lines {found[entry.id].line} and {entry.line}"
            reader.fault(f'the mutant "{entry.id}" is there twice, in {lines}.', entry.line, "Delete one of them.")
        found[entry.id] = entry
    if reader.faults:
        raise SuiteError(reader.faults)
    return Equivalents(found)


def _entry(tree: Tree, reader: Reader) -> Equivalent:
    found = reader.entries(tree, "an entry", _KEYS)
    for key in _KEYS:
        if key not in found and isinstance(tree, Entries):
            reader.fault(f"an entry needs `{key}`.", tree.line, f"Its keys are {', '.join(_KEYS)}.")
    words = {key: reader.word(found[key][0], key) or "" for key in ("mutant", "what", "why") if key in found}
    case = Case("")
    if "input" in found:
        given, line = found["input"]
        name = (Scalar("test", line), Scalar(f"input of {words.get('mutant', '')}", line))
        entries = given.entries if isinstance(given, Entries) else ()
        if not isinstance(given, Entries):
            reader.fault(
                "`input` must be a mapping, as a test is.", line, "Write turns:, or call: and args:, below it."
            )
        else:
            (case,) = read_cases(Items((Entries((name, *entries), line),), line), Shared(), reader)
    return Equivalent(
        words.get("mutant", ""), words.get("what", ""), case, words.get("why", ""), reader.file, tree.line or 0
    )


# ---------------------------------------------------------------------- checking a claim


def claim_fails(entry: Equivalent, bench: Workbench, mutant: Mutant) -> str:
    """What the input shows differently on the program and on the mutant; "" if nothing."""
    suite = bench.suites[0]
    whole = run_case(suite, entry.input, bots=bench.bots())
    faulty = run_case(suite, entry.input, bots=bench.bots(mutant))
    if not whole.turns:
        return f"it cannot be run: {whole.failures[0].got}" if whole.failures else "it has no turns."
    for name, old in _seen(whole).items():
        new = _seen(faulty).get(name)
        if new != old:
            return f"{name} is {old!r} in the program and {new!r} in the mutant."
    return "" if len(whole.turns) == len(faulty.turns) else "one of them ends earlier."


def _seen(result: CaseResult) -> dict[str, Any]:
    """Everything that can be seen of a run, by what it is."""
    seen: dict[str, Any] = {}
    for turn in result.turns:
        place = f"turn {turn.number}: the "
        seen[f"{place}reply"] = turn.reply
        seen[f"{place}value"] = repr(turn.value)
        seen[f"{place}path"] = turn.path
        seen[f"{place}error"] = str(turn.error) if turn.error else None
        seen[f"{place}end"] = turn.after.finished
        for name, value in turn.after.variables.items():
            seen[f"{place}variable {name}"] = repr(value)
    return seen
