"""Which tests does a table of cases stand for? One for each row, with what the test says of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from autograph.tables.tree import Entries, Items, Scalar, Tree
from autograph.testing.fields import Reader
from autograph.testing.keys import CALLED_KEYS, SAID_KEYS
from autograph.testing.typed import is_null, typed
from autograph.testing.yaml_text import flow

__all__ = ["spread"]

_LONGEST = 60  # characters of a row that stand in the test's name


def spread(tree: Tree, reader: Reader) -> list[Tree]:
    """The tests that a test with ``cases`` stands for, each as if it were written out; of others, itself.

    In a conversation each row is one more turn behind the test's own; a plain text is what the user says. In a call
    each row has its arguments (a plain list is these, a plain word is the only one), and what it expects is added to
    what the test expects. A row's ``variables`` are added, too. Each test gets the name of the table and what is said,
    or the arguments.
    """
    if not isinstance(tree, Entries):
        return [tree]
    given = {key.text.strip(): (key, value) for key, value in tree.entries}
    if "cases" not in given:
        return [tree]
    key, rows = given.pop("cases")
    if not isinstance(rows, Items) or not rows.items:
        hint = "Begin each with - and what the user says, or with - args: in a call."
        wrong = "`cases` is an empty list." if isinstance(rows, Items) else "`cases` must be a list."
        reader.fault(wrong, rows.line or key.line, hint)
        return []
    form = _called if "call" in given else _said
    seen: Counter[str] = Counter()
    found: list[Tree] = []
    for row in rows.items:
        added, label = form(given, row, reader)
        seen[label] += 1
        found.append(_test({**given, **added}, label if seen[label] == 1 else f"{label} ({seen[label]})", row.line))
    return found


_Given = Mapping[str, tuple[Scalar, Tree]]
_Added = dict[str, tuple[Scalar, Tree]]


def _said(given: _Given, row: Tree, reader: Reader) -> tuple[_Added, str]:
    """A conversation with one more turn."""
    line = row.line
    if isinstance(row, Scalar):
        row = Entries(((Scalar("say", line), row),), line)
    own = _own(row, SAID_KEYS, reader)
    turn = Entries(tuple(entry for key, entry in own.items() if key != "variables"), line)
    key, turns = given.get("turns", (Scalar("turns", line), Items(())))
    before = turns.items if isinstance(turns, Items) else (turns,)
    added = {"turns": (key, Items((*before, turn), line)), **_variables(given, own)}
    return added, " ".join(_label(own[key][1]) for key in ("say", "variables") if key in own)


def _called(given: _Given, row: Tree, reader: Reader) -> tuple[_Added, str]:
    """A call with arguments and expectations of its own."""
    if not isinstance(row, Entries):
        args = row if isinstance(row, Items) else Items((row,), row.line)
        row = Entries(((Scalar("args", row.line), args),), row.line)
    own = _own(row, CALLED_KEYS, reader)
    expected = [entry for place in (given, own) if "expect" in place for entry in _expected(*place["expect"])]
    if "value" in own:
        expected.append(own["value"])
    kept = tuple({key.text: (key, value) for key, value in expected}.values())
    added: _Added = {key: own[key] for key in ("args", "replies", "answers") if key in own}
    if kept:
        added["expect"] = (Scalar("expect", row.line), Entries(kept, row.line))
    return {**added, **_variables(given, own)}, _label(own["args"][1]) if "args" in own else ""


def _own(row: Tree, known: Iterable[str], reader: Reader) -> _Added:
    return {key: (Scalar(key, line), value) for key, (value, line) in reader.entries(row, "a case", known).items()}


def _expected(key: Scalar, tree: Tree) -> Iterable[tuple[Scalar, Tree]]:
    """The entries of what a call is expected to do; what is no mapping is its value."""
    if is_null(tree):
        return ()
    return tree.entries if isinstance(tree, Entries) else ((Scalar("value", key.line), tree),)


def _variables(given: _Given, own: _Given) -> _Added:
    """The variables of the test and those of the row."""
    if "variables" not in own or "variables" not in given:
        return {key: entry for key, entry in own.items() if key == "variables"}
    (_, shared), (key, tree) = given["variables"], own["variables"]
    if not isinstance(tree, Entries) or not isinstance(shared, Entries):
        return {"variables": (key, tree)}  # who reads it says what is wrong
    merged = {name.text: (name, value) for name, value in (*shared.entries, *tree.entries)}
    return {"variables": (key, Entries(tuple(merged.values()), tree.line))}


def _test(given: _Given, label: str, line: int | None) -> Entries:
    """A test as a tree; its line is that of the row."""
    entries = dict(given)
    if "test" in given and label:
        _, name = given["test"]
        text = name.text.strip() if isinstance(name, Scalar) else ""
        entries["test"] = (Scalar("test", line), Scalar(f"{text}: {label}" if text else "", line))
    return Entries(tuple(entries.values()), line)


def _label(tree: Tree) -> str:
    """What is said, or the values of arguments, in a few words."""
    if isinstance(tree, Scalar):
        text = tree.text if tree.text.strip() else '""'
    else:
        text = flow(typed(tree))
        text = text[1:-1] if isinstance(tree, Items) else text
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
