"""What does the source text of a cell say? Text to a checked syntax tree, with ``$name`` made part of it.

``$name`` is never replaced in the text. Each ``$`` before a name becomes a letter that the text does not
contain, so that Python's parser reads one name, and every place keeps its position. Then the tree has a
``Name`` called ``$name``; inside texts it has a formatted value with the conversion ``INSERTED``.
"""

from __future__ import annotations

import ast
import re
import textwrap
import threading
import unicodedata
import warnings
from collections.abc import Sequence
from itertools import pairwise
from keyword import iskeyword
from typing import Any

from autograph.errors import StatementError
from autograph.language.sandbox.limits import SOURCE_CHARACTERS, TREE_DEPTH, TREE_NODES
from autograph.language.sandbox.policy import RESERVED

__all__ = ["INSERTED", "check_size", "line_texts", "parse"]

INSERTED = ord("$")
"""The conversion that marks ``$name`` inside a text."""

_DOLLAR = re.compile(rf"\$(?=(?:{'|'.join(sorted(RESERVED))})\b|[^\W\d_])")
_MARKS = [chr(code) for code in range(0x16A0, 0x16EB)]  # runes: letters that no normalisation touches
_TARGET = re.compile(r"([^=()\[\]{}'\"]+)=(?!=)")
_WARNINGS = threading.Lock()  # Python keeps the filters for warnings in one place for all threads


def parse(source: str) -> list[ast.stmt]:
    """The statements of ``source``. Raises ``StatementError`` for malformed, empty or too large code."""
    if len(source) > SOURCE_CHARACTERS:
        raise StatementError(f"the code is longer than {SOURCE_CHARACTERS:,} characters; spread it over several nodes.")
    if "\0" in source:
        raise StatementError("the code contains a NUL character.")
    text = textwrap.dedent(source).strip("\n")
    mark = ""
    if "$" in text:
        mark = next((letter for letter in _MARKS if letter not in text), "")
        text = _DOLLAR.sub(mark, text) if mark else text
    body = _python(text, mark).body
    if not body:
        raise StatementError("there is no code.")
    for before, after in pairwise(body):
        if before.end_lineno == after.lineno:
            raise StatementError("`;` is not possible here; write each statement on a line of its own.")
    for statement in body:
        check_size(statement)
    return [_Dollars(mark).visit(statement) for statement in body] if mark else body


def line_texts(source: str, body: Sequence[ast.stmt]) -> list[str]:
    """The text of each of the statements ``body`` of ``source``."""
    lines = re.split(r"\r\n|\r|\n", textwrap.dedent(source).strip("\n"))
    return ["\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in body]


def _python(text: str, mark: str) -> ast.Module:
    try:
        with _WARNINGS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        raise StatementError(_explain(error, text, mark)) from None
    except (ValueError, UnicodeError) as error:
        raise StatementError(f"the code cannot be read: {error}.") from None
    except (MemoryError, RecursionError):
        raise StatementError("the code is nested too deeply.") from None


def _explain(error: SyntaxError, text: str, mark: str) -> str:
    """Python's words for a syntax error, with line and character."""
    lines = text.split("\n")
    line, character = error.lineno or 1, error.offset or 1
    message = error.msg.replace(mark, "$") if mark else error.msg
    if isinstance(error, IndentationError):
        return f"line {line} of the code is indented; begin every statement at the left margin."
    place = f"line {line}, character {character}" if len(lines) > 1 else f"character {character}"
    written = lines[line - 1] if line <= len(lines) else ""
    near = written[max(character - 1, 0) : character + 19].replace(mark or "$", "$").strip()
    target = _TARGET.match(written)
    if target and (bad := _bad_name(target[1].replace(mark or "$", "$"))):
        return f"`{bad}` cannot be the name of a variable: use letters, digits and underscores, a letter first."
    if written[character - 1 : character] == "$":
        message = "$ must be followed by the name of a variable"
    return f"the code cannot be read at {place}: {message}" + (f" (at `{near}`)." if near else ".")


def _bad_name(text: str) -> str:
    """What stands before the ``=`` of an assignment, if it was meant as a name and is none; else ``""``."""
    name = text.strip()
    words = re.fullmatch(r"\w+(?:[- ]\w+)*", name)
    return name if words and (not name.isidentifier() or iskeyword(name)) else ""


def check_size(tree: ast.AST) -> None:
    """Refuse trees that are too large or too deep, without recursion."""
    count = 0
    level: list[ast.AST] = [tree]
    for _ in range(TREE_DEPTH):
        count += len(level)
        if count > TREE_NODES:
            raise StatementError(f"a statement has more than {TREE_NODES:,} parts; split it.")
        level = [child for node in level for child in ast.iter_child_nodes(node) if not isinstance(child, _MARKERS)]
        if not level:
            return
    raise StatementError(f"a statement is nested deeper than {TREE_DEPTH} levels; split it.")


_MARKERS = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)


class _Dollars(ast.NodeTransformer):
    """Puts ``$name`` into a tree that was parsed with a mark instead of ``$``."""

    def __init__(self, mark: str) -> None:
        self.mark = mark
        self.inside = re.compile(rf"(\\?){mark}(\w+)")

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field, value in ast.iter_fields(node):
            if type(value) is str and self.mark in value:
                setattr(node, field, value.replace(self.mark, "$"))
        return super().generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is not str or self.mark not in node.value:
            return node
        return ast.copy_location(ast.JoinedStr(self._parts(node)), node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        values: list[ast.expr] = []
        for value in node.values:
            if isinstance(value, ast.Constant):
                values.extend(self._parts(value))
            else:
                values.append(self.visit(value))
        node.values = values
        return node

    def _parts(self, node: ast.Constant) -> list[ast.expr]:
        """The parts of a text: constants and inserted variables; ``\\$name`` is the name itself."""
        text: Any = node.value
        parts: list[ast.expr] = []
        literal, end = "", 0
        for found in self.inside.finditer(text):
            literal += text[end : found.start()]
            end = found.end()
            if found[1]:
                literal += f"${found[2]}"
                continue
            name = ast.Name(f"${unicodedata.normalize('NFKC', found[2])}", ast.Load())
            parts += [ast.Constant(literal), ast.FormattedValue(name, INSERTED, None)]
            literal = ""
        parts.append(ast.Constant(literal + text[end:].replace(self.mark, "$")))
        return [ast.copy_location(part, node) for part in parts if getattr(part, "value", None) != ""]
