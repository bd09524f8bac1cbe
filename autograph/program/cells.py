"""What does one cell of a node mean? Text becomes lists, numbers, templates and statements.

Every reader notes a problem with the cell's address and goes on, so that an author sees everything
that is wrong at once.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from autograph.errors import Problem, StatementError
from autograph.language.calls import CallPlan, CallProblem, Functions, graph_calls_in, plan_calls
from autograph.language.lists import split_list
from autograph.language.names import NodeName, normalise
from autograph.language.text import Template, TextError, parse_template
from autograph.problems import problem
from autograph.tables import Row
from autograph.tables.typography import repair_code
from autograph.vocabulary import choice_index

if TYPE_CHECKING:
    from autograph.language.sandbox import Sandbox, Statement

__all__ = ["CellReader"]

_WORD = re.compile(r"\w+")
_DYNAMIC_CALL = re.compile(r"\$\w+\s*\(")


class CellReader:
    """Reads the cells of rows; ``problems`` collects what is wrong with them."""

    def __init__(self, sandbox: Sandbox, functions: Functions, names: Collection[NodeName] = ()) -> None:
        self.sandbox = sandbox
        self.functions = functions
        self._names = {n.name for n in names}
        self._variants = {f"{n.prefix}.{n.suffix}": n.name for n in names if n.prefix is not None}
        self._lettered: dict[tuple[str, ...], tuple[tuple[int, str], ...]] = {}
        self.problems: list[Problem] = []

    def note(self, kind: str, row: Row, field: str, message: str, hint: str = "") -> None:
        """Record a problem of a cell."""
        self.problems.append(problem(kind, message, row.cell(field), hint))

    def node_name(self, text: str) -> str:
        """The name of a node as it is stored; the letter of a variant may be written in either case."""
        name = normalise(text)
        if not self._variants:
            return name
        prefix, dot, suffix = name.rpartition(".")
        return self._variants.get(f"{prefix}.{suffix.lower()}", name) if dot and len(suffix) == 1 else name

    def state_name(self, text: str) -> str:
        """The name of a node in a list of states, where a function may stand without its brackets."""
        name = self.node_name(text)
        function = name.partition("(")[0].rstrip()
        is_call = name.endswith(")") and function != name
        return f"{function}()" if function in self.functions and (is_call or name not in self._names) else name

    # ------------------------------------------------------------------ words, lists and numbers

    def items(self, row: Row, field: str) -> tuple[str, ...]:
        """The items of a list cell."""
        given = row.items(field)
        if given is not None:
            return given
        text = row.fields.get(field, "")
        if not text:
            return ()
        try:
            return split_list(text)
        except TextError as error:
            self.note("bad-list", row, field, str(error))
            return ()

    def number(self, row: Row, field: str, low: float, high: float) -> float | None:
        """A number between ``low`` and ``high``; None if the cell is empty or wrong."""
        text = row.fields.get(field, "")
        if not text:
            return None
        return self._number(row, field, text, low, high)

    def _number(self, row: Row, field: str, text: str, low: float, high: float) -> float | None:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if low <= value <= high:
            return value
        bounds = f"at least {low:g}" if high == float("inf") else f"between {low:g} and {high:g}"
        self.note("bad-number", row, field, f'"{text}" is no number {bounds}', "Write it like 2 or 0.5.")
        return None

    def whole_number(self, row: Row, field: str) -> int | None:
        """A whole number from 0; None if the cell is empty or wrong."""
        value = self.number(row, field, 0, 1_000_000)
        if value is not None and value != int(value):
            self.note("bad-number", row, field, f'"{row.fields[field]}" is no whole number', "Write it like 2.")
            return None
        return None if value is None else int(value)

    def numbers(self, row: Row, field: str) -> tuple[float, ...]:
        """A list of probabilities."""
        values = [self._number(row, field, item, 0, 1) for item in self.items(row, field)]
        return tuple(value for value in values if value is not None)

    def lettered(self, row: Row, field: str) -> dict[int, str]:
        """The filled-in columns of a lettered field: index of the letter, to the column's name."""
        fields = row.fields
        columns = self._lettered.get(key := (field, *fields))
        if columns is None:
            found = ((choice_index(name), name) for name in fields)
            columns = tuple((index[1], name) for index, name in found if index is not None and index[0] == field)
            self._lettered[key] = columns
        return {index: name for index, name in columns if fields[name]}

    # ------------------------------------------------------------------ text

    def template(self, row: Row, field: str, text: str | None = None) -> Template | None:
        """The template in a cell (or in ``text``, a part of it); None if there is none."""
        source = row.fields.get(field, "") if text is None else text
        if not source and text is None:
            return None
        try:
            return parse_template(source, self._embedded)
        except TextError as error:
            self.note("bad-template", row, field, str(error))
        except StatementError as error:
            self.note("bad-statement", row, field, f"in ${{…}}: {error.message}")
        except CallProblem as error:
            self.note(error.kind, row, field, error.message, error.hint)
        return None

    def _embedded(self, source: str) -> Statement:
        """An expression in a text: ``${source}``."""
        self._refuse_calls(source)
        return self.sandbox.expression(source)

    # ------------------------------------------------------------------ code

    def code(self, row: Row, field: str) -> str:
        """The text of a code cell, typographic quotes and dashes repaired."""
        text = row.fields.get(field, "")
        return text if text.isascii() else repair_code(text)[0]

    def expression(self, row: Row, field: str, source: str) -> Statement | None:
        """An expression in which no graph call may stand: a condition, or what follows ``return``."""
        try:
            self._refuse_calls(source)
            return self.sandbox.expression(source)
        except (StatementError, CallProblem) as error:
            self._note_code(row, field, error)
            return None

    def statements(self, row: Row, field: str, source: str) -> tuple[tuple[Statement, ...], CallPlan | None]:
        """The statements of a ``python_function``, or the plan of its asynchronous host calls."""
        try:
            if self.sandbox.async_names and any(name in source for name in self.sandbox.async_names):
                plan = plan_calls(source, self.sandbox, self.functions, graph=False)
                if plan is not None:
                    return (), plan
            self._refuse_calls(source)
            return self.sandbox.statements(source), None
        except (StatementError, CallProblem) as error:
            self._note_code(row, field, error)
            return (), None

    def call(self, row: Row, field: str, source: str) -> CallPlan | None:
        """The plan of a function node."""
        try:
            plan = plan_calls(source, self.sandbox, self.functions)
        except (StatementError, CallProblem) as error:
            self._note_code(row, field, error)
            return None
        if plan is None:
            self.note(
                "no-call", row, field, "a function node calls a graph function, and here is none",
                "Use the action python_function for plain Python.",
            )  # fmt: skip
        return plan

    def _note_code(self, row: Row, field: str, error: StatementError | CallProblem) -> None:
        if isinstance(error, CallProblem):
            self.note(error.kind, row, field, error.message, error.hint)
        else:
            self.note("bad-statement", row, field, error.message)

    def _refuse_calls(self, source: str) -> None:
        """Refuse graph calls where none may stand; code without a function's name is not even parsed."""
        if self.functions.keys().isdisjoint(_WORD.findall(source)) and not _DYNAMIC_CALL.search(source):
            return
        for tree in self.sandbox.parse(source):
            for name in graph_calls_in(tree, self.functions):
                raise CallProblem(
                    "misplaced-call",
                    f"the call of the graph function {name}() cannot stand here",
                    f'Call it in a node with the action local_function ("x = {name}(…)") and use x here.',
                )
