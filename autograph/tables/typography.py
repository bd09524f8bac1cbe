"""Which typographic quotes, dashes and operators in code were meant as plain ones?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograph.errors import Problem
from autograph.problems import problem
from autograph.tables.cells import plain_blanks
from autograph.tables.rows import Row
from autograph.vocabulary import ACTIONS, normalise_action

__all__ = ["repair_code", "typography_problems"]

QUOTES = "curly-quotes"
OPERATORS = "unicode-operator"

_DOUBLE = "“”„‟«»＂"
_SINGLE = "‘’‚‛‹›＇"
_CLOSERS = {"“": "”", "„": "“”", "«": "»", "»": "«", "‘": "’", "‚": "‘’", "‹": "›", "›": "‹"}  # others close themselves
_PLAIN = {
    **dict.fromkeys("‐‑‒–—―−－", "-"),
    **{"…": "...", "×": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!="},
    **{"，": ",", "＝": "=", "（": "(", "）": ")", "［": "[", "］": "]", "｛": "{", "｝": "}", "：": ":", "．": "."},
    **{"＋": "+", "＊": "*", "／": "/", "％": "%", "＜": "<", "＞": ">", "！": "!"},
}
_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<literal>\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_RETURN = re.compile(r"(?:^|,)\s*return\s")
_CODE_ACTIONS = frozenset(a.name for a in ACTIONS.values() if a.instruction in ("statement", "call"))


def repair_code(text: str) -> tuple[str, list[str]]:
    """The code with plain quotes and operators, and the kinds of problem found: ``curly-quotes``, ``unicode-operator``.

    String literals in plain quotes and comments stay as they are, and so does what stands between curly quotes.
    No-break blanks between words become plain ones, of which nobody need hear.
    """
    if text.isascii():
        return text, []
    kinds: dict[str, None] = {}
    pieces: list[str] = []
    position = 0
    while match := _TOKEN.match(text, position):
        piece, position = match[0], match.end()
        if match.lastgroup == "other" and piece in _PLAIN:
            kinds[OPERATORS] = None
            piece = _PLAIN[piece]
        elif match.lastgroup == "other" and piece in _DOUBLE + _SINGLE + "\"'":
            end = _closing(text, match.start())
            if end is not None:
                kinds[QUOTES] = None
                piece, position = _literal(text[match.end() : end], piece), end + 1
            elif piece not in "\"'":
                kinds[QUOTES] = None
                piece = '"' if piece in _DOUBLE else "'"
        pieces.append(plain_blanks(piece) if match.lastgroup == "other" and len(piece) == 1 else piece)
    return "".join(pieces), list(kinds)


def _closing(text: str, start: int) -> int | None:
    """Where the quotation that begins with a curly quote, or with an unclosed plain one, ends in its line.

    Its proper partner comes first, then any quote of its family, then a plain one: ``“Ada“`` and ``“Ada"`` occur.
    """
    opening = text[start]
    curly, plain = (_DOUBLE, '"') if opening in _DOUBLE + '"' else (_SINGLE, "'")
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    for closers in (_CLOSERS.get(opening, opening if opening in curly else curly), curly, plain):
        for index in range(start + 1, end):
            if text[index] in closers and not _is_apostrophe(text, index):
                return index
    return None


def _is_apostrophe(text: str, index: int) -> bool:
    """Whether a single quote stands inside a word, as in ``it’s``."""
    return text[index] in "’'" and text[index - 1].isalnum() and text[index + 1 : index + 2].isalnum()


def _literal(content: str, opening: str) -> str:
    """The string literal in plain quotes, of the same kind if the content allows it."""
    quote, other = ('"', "'") if opening in _DOUBLE + '"' else ("'", '"')
    if quote in content:
        if other not in content:
            quote = other
        else:
            content = re.sub(rf"(?<!\\){quote}", rf"\\{quote}", content)
    return f"{quote}{content}{quote}"


def typography_problems(rows: tuple[Row, ...]) -> Iterator[Problem]:
    """A warning for every cell of code that has typographic quotes or operators."""
    for row in rows:
        for name, code in _code_cells(row):
            for kind in repair_code(code)[1]:
                what = "quotes" if kind == QUOTES else "dashes or operators"
                message = f"typographic {what} in code are read as plain ones."
                hint = "Type them anew, and switch autocorrection off for the sheet."
                yield problem(kind, message, row.cell(name), hint)


def _code_cells(row: Row) -> Iterator[tuple[str, str]]:
    """The cells that hold code and are not plain ASCII, with the code in them."""
    get = row.fields.get
    instruction = get("instruction", "")
    if not instruction.isascii() and normalise_action(get("action", "")) in _CODE_ACTIONS:
        yield "instruction", instruction
    condition = get("boolean_condition", "")
    if not condition.isascii():
        yield "boolean_condition", condition
    transitions = get("transitions", "")
    if not transitions.isascii() and (found := _RETURN.search(transitions)):
        # Splitting the list properly is the language's business; for a warning, all from the first return will do.
        yield "transitions", transitions[found.start() :]
