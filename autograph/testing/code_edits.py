"""Which small changes can be made to the Python of a cell? Places are found in its syntax tree, nothing is run."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import singledispatch
from itertools import pairwise

from autograph.testing.edits import Edit, altered_words

__all__ = ["code_edits"]

_DOLLAR = re.compile(r"\$(?=[^\W\d])")
_MARK = "\u16df"  # a letter that no program uses; it stands for the $ of $name while Python reads the code
_COMPARISONS: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
}
_OPERATORS: Mapping[type[ast.operator], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: (r"\*", "//"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
}


def code_edits(source: str) -> list[Edit]:
    """The changes of an expression or of statements, in the order of their places.

    ``source`` is code as the loader takes it (dedented). What does not parse has none: the loader has said why.
    """
    try:
        tree = ast.parse(_DOLLAR.sub(_MARK, source))
    except (SyntaxError, ValueError, RecursionError):
        return []
    code = _Code(source, _DOLLAR.sub(_MARK, source))
    found = [edit for node in _nodes(tree) for edit in _edits(node, code)]
    return sorted({*found, *_dropped(tree.body, code)})


class _Code:
    """A source text and where the nodes of its tree stand in it."""

    def __init__(self, source: str, parsed: str) -> None:
        self.text = source
        self._lines = parsed.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def start(self, node: ast.AST) -> int:
        return self._place(node.lineno, node.col_offset)  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        return self._place(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def _place(self, line: int, column: int) -> int:
        """Python counts columns in bytes, we in characters."""
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def of(self, node: ast.AST) -> str:
        return self.text[self.start(node) : self.end(node)]

    def lines(self, node: ast.stmt) -> tuple[int, int]:
        """Where the lines of a statement begin and end, the line feed included."""
        return self._starts[node.lineno - 1], min(self._starts[node.end_lineno or node.lineno], len(self.text))

    def between(self, left: ast.AST, right: ast.AST, pattern: str, new: str, kind: str) -> Iterator[Edit]:
        """Exchanges the operator that stands between two operands."""
        start = self.end(left)
        found = re.compile(pattern).search(self.text, start, self.start(right))
        if found:
            yield Edit(found.start(), found.end(), new, kind)

    def swapped(self, first: ast.AST, second: ast.AST, kind: str) -> Iterator[Edit]:
        """Exchanges two parts, of which the first stands in front."""
        one, two = self.of(first), self.of(second)
        if one != two:
            start, end = self.start(first), self.end(second)
            yield Edit(start, end, two + self.text[self.end(first) : self.start(second)] + one, kind)


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those inside of formatted texts, whose places Python 3.11 does not tell."""
    yield tree
    if not isinstance(tree, ast.JoinedStr):
        for child in ast.iter_child_nodes(tree):
            yield from _nodes(child)


# ---------------------------------------------------------------------- statements


def _dropped(body: list[ast.stmt], code: _Code) -> Iterator[Edit]:
    """Leaves a statement out; of a lone assignment, the variable."""
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name() | ast.Tuple()]) as assignment:
                kind = "drop-assignment"
                if len(body) == 1:
                    yield Edit(code.start(assignment), code.start(assignment.value), "", kind)
            case _:
                kind = "drop-statement"
                if len(body) == 1 and not isinstance(statement, ast.Expr):
                    yield Edit(code.start(statement), code.end(statement), "None", kind)
        if len(body) > 1:
            start, end = code.lines(statement)
            yield Edit(start - (statement is body[-1]), end, "", kind)


# ---------------------------------------------------------------------- expressions


@singledispatch
def _edits(node: ast.AST, code: _Code) -> Iterator[Edit]:
    """The changes that this node allows, not those of its parts."""
    return iter(())


def _changes(kind: type[ast.AST]) -> Callable[[Callable[..., Iterator[Edit]]], Callable[..., Iterator[Edit]]]:
    return _edits.register(kind)


@_changes(ast.Compare)
def _comparison(node: ast.Compare, code: _Code) -> Iterator[Edit]:
    for operator, (left, right) in zip(node.ops, pairwise([node.left, *node.comparators]), strict=True):
        pattern, new = _COMPARISONS[type(operator)]
        yield from code.between(left, right, pattern, new, "shift-comparison")


@_changes(ast.BoolOp)
def _connective(node: ast.BoolOp, code: _Code) -> Iterator[Edit]:
    old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    for left, right in pairwise(node.values):
        yield from code.between(left, right, rf"\b{old}\b", new, "swap-and-or")


@_changes(ast.BinOp)
def _operator(node: ast.BinOp, code: _Code) -> Iterator[Edit]:
    if type(node.op) in _OPERATORS:
        pattern, new = _OPERATORS[type(node.op)]
        yield from code.between(node.left, node.right, pattern, new, "swap-operator")


@_changes(ast.UnaryOp)
def _negation(node: ast.UnaryOp, code: _Code) -> Iterator[Edit]:
    if isinstance(node.op, ast.Not):
        start = code.start(node)
        yield Edit(start, start + len("not"), "", "drop-not")


@_changes(ast.IfExp)
def _branches(node: ast.IfExp, code: _Code) -> Iterator[Edit]:
    yield from code.swapped(node.body, node.orelse, "swap-branches")


@_changes(ast.comprehension)
def _filter(node: ast.comprehension, code: _Code) -> Iterator[Edit]:
    for condition in node.ifs:
        start, end = code.start(condition), code.end(condition)
        yield Edit(start, end, f"not ({code.text[start:end]})", "negate-condition")


@_changes(ast.Call)
def _arguments(node: ast.Call, code: _Code) -> Iterator[Edit]:
    for first, second in pairwise(node.args):
        if not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
            yield from code.swapped(first, second, "swap-arguments")


@_changes(ast.Constant)
def _constant(node: ast.Constant, code: _Code) -> Iterator[Edit]:
    start, end = code.start(node), code.end(node)
    value = node.value
    if value is True or value is False:
        yield Edit(start, end, str(not value), "change-constant")
    elif isinstance(value, int | float):
        yield Edit(start, end, repr(value + 1), "shift-number")
        yield Edit(start, end, repr(value - 1), "shift-number")
    elif isinstance(value, str):
        opening = re.match(r"[A-Za-z]*", code.text[start:end])
        skipped = opening.end() if opening else 0
        yield from altered_words(code.text[start + skipped : end], start + skipped)


@_changes(ast.JoinedStr)
def _formatted(node: ast.JoinedStr, code: _Code) -> Iterator[Edit]:
    """A formatted text: a word of each piece between its braces, and the changes of what stands in braces."""
    start, text = code.start(node), code.of(node)
    place = re.match(r"[A-Za-z]*", text)
    position = place.end() if place else 0
    for opened, closed in [*_fields(text), (len(text), len(text))]:
        yield from altered_words(text[position:opened], start + position)
        expression = _expression(text[opened + 1 : closed])
        leading = len(expression) - len(expression.lstrip())
        yield from (edit.moved(start + opened + 1 + leading) for edit in code_edits(expression.strip()))
        position = closed + 1


def _expression(field: str) -> str:
    """What stands in braces without its conversion and format: the longest part in front of one that is Python."""
    for cut in [len(field), *(i for i in reversed(range(len(field))) if field[i] in ":!")]:
        try:
            ast.parse(field[:cut].strip(), mode="eval")
        except (SyntaxError, ValueError):
            continue
        return field[:cut]
    return ""


def _fields(text: str) -> Iterator[tuple[int, int]]:
    """Where the braces of a formatted text open and close; doubled braces are text."""
    depth, opened, position = 0, 0, 0
    while position < len(text):
        if not depth and text[position : position + 2] in ("{{", "}}"):
            position += 2
            continue
        if text[position] == "{":
            opened, depth = (position, 1) if not depth else (opened, depth + 1)
        elif text[position] == "}" and depth:
            depth -= 1
            if not depth:
                yield opened, position
        position += 1
