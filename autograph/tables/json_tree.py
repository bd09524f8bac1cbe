"""What structure does a JSON text have? Lines are kept, numbers keep their digits, no key gets lost."""

from __future__ import annotations

import json
import re
from typing import NoReturn

from autograph.errors import Location
from autograph.tables.rows import refused
from autograph.tables.tree import MAX_DEPTH, Entries, Items, Scalar, Tree

__all__ = ["parse_json"]

_BLANK = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])")
_WORD = re.compile(r"(?:true|false|null)(?!\w)")
_WORDS = {"true": Scalar("True"), "false": Scalar("False"), "null": Scalar("", null=True)}  # as a workbook's booleans


def parse_json(text: str, file: str) -> Tree:
    """The tree of a JSON text. Raises ``ProgramError`` (``bad-yaml``) with the line."""
    return _Scanner(text, file).document()


class _Scanner:
    def __init__(self, text: str, file: str) -> None:
        self._text, self._file = text, file
        self._position, self._line, self._counted = 0, 1, 0

    def document(self) -> Tree:
        tree = self._value(0)
        self._blank()
        if self._position < len(self._text):
            self._fail("there is more text after the end of the value.")
        return tree

    def _value(self, depth: int) -> Tree:
        self._blank()
        line, start = self._line, self._text[self._position : self._position + 1]
        if depth > MAX_DEPTH:
            self._fail(f"values are nested more than {MAX_DEPTH} deep.")
        if start == "{":
            return self._entries(line, depth)
        if start == "[":
            return self._items(line, depth)
        if start == '"':
            return Scalar(self._string(), line)
        if number := _NUMBER.match(self._text, self._position):
            self._position = number.end()
            return Scalar(number[0], line)
        if word := _WORD.match(self._text, self._position):
            self._position = word.end()
            return Scalar(_WORDS[word[0]].text, line, _WORDS[word[0]].null)
        self._fail("a value is missing here: a text in double quotes, a number, true, false, null, [ or {.")

    def _items(self, line: int, depth: int) -> Items:
        items: list[Tree] = []
        self._position += 1
        if not self._skip("]"):
            items.append(self._value(depth + 1))
            while self._comma_before("]"):
                items.append(self._value(depth + 1))
        return Items(tuple(items), line)

    def _entries(self, line: int, depth: int) -> Entries:
        entries: list[tuple[Scalar, Tree]] = []
        self._position += 1
        if not self._skip("}"):
            entries.append(self._entry(depth))
            while self._comma_before("}"):
                entries.append(self._entry(depth))
        return Entries(tuple(entries), line)

    def _entry(self, depth: int) -> tuple[Scalar, Tree]:
        self._blank()
        line = self._line
        if not self._text.startswith('"', self._position):
            self._fail("a key in double quotes is missing here.")
        key = Scalar(self._string(), line)
        if not self._skip(":"):
            self._fail(f'a colon is missing after the key "{key.text}".')
        return key, self._value(depth + 1)

    def _string(self) -> str:
        found = _STRING.match(self._text, self._position)
        if not found:
            self._fail("a text is not closed in its line, or holds a control character; write a line end as \\n.")
        self._position = found.end()
        if "\\" not in found[0]:
            return found[0][1:-1]
        try:
            value: str = json.loads(found[0])
        except ValueError:
            self._fail("a text holds a malformed escape; a backslash is written \\\\.")
        return value

    def _comma_before(self, end: str) -> bool:
        """True after a comma, False after the closing bracket."""
        if self._skip(","):
            return True
        if not self._skip(end):
            self._fail(f"a comma or {end} is missing here.")
        return False

    def _skip(self, character: str) -> bool:
        self._blank()
        found = self._text.startswith(character, self._position)
        self._position += found
        return found

    def _blank(self) -> None:
        match = _BLANK.match(self._text, self._position)
        assert match is not None  # the pattern matches the empty text
        self._position = match.end()
        self._line += self._text.count("\n", self._counted, self._position)
        self._counted = self._position

    def _fail(self, message: str) -> NoReturn:
        where = Location(self._file, line=self._line)
        raise refused("bad-yaml", f"the JSON is malformed: {message}", where)
