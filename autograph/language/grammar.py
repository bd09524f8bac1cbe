"""How is a cell's text taken apart by ``grammar.lark``, and what is said if that fails?

lark is imported and the grammar compiled on first use; most cells never need it (see ``text`` and ``lists``).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

__all__ = ["TextError", "parse"]

_REMEDIES = {
    "?{": "Close it with }, or write \\?{ if it is meant as text.",
    "${": "Close it with }, or write \\${ if it is meant as text.",
}


class TextError(ValueError):
    """A cell's text is malformed. ``message`` is a sentence; ``position`` counts characters from 0."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.message = message
        self.position = position

    def __reduce__(self) -> tuple[type[TextError], tuple[str, int]]:
        return type(self), (self.message, self.position)


def parse(text: str, start: str) -> Tree[Token]:
    """The tree of ``text`` from the rule ``start``. Raises ``TextError``."""
    from lark.exceptions import UnexpectedInput

    try:
        return _parser().parse(text, start=start)
    except UnexpectedInput as error:
        raise _text_error(text, error) from None


@lru_cache(maxsize=1)
def _parser() -> Lark:
    from importlib.resources import files

    from lark import Lark

    grammar = files("autograph.language").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start=["template", "list"])


def _text_error(text: str, error: Any) -> TextError:
    token = getattr(error, "token", None)
    position = len(text) if token is not None and token.type == "$END" else error.pos_in_stream
    if position < len(text) and text[position] in "'\"":
        return TextError(f"The quote {text[position]} at character {position + 1} is never closed.", position)
    opened = [part for part in error.state.value_stack if getattr(part, "type", "") in _OPENING]
    if position == len(text):
        mark, start = str(opened[-1]), opened[-1].start_pos
        remedy = _REMEDIES.get(mark, "")
        return TextError(f'"{mark}" at character {start + 1} is never closed. {remedy}'.rstrip(), start)
    place = f'"{text[position]}" at character {position + 1}'
    if not opened:
        return TextError(f"The bracket {place} closes nothing: it has no opening bracket.", position)
    return TextError(
        f'{place} does not close the bracket "{opened[-1]}" at character {opened[-1].start_pos + 1}.', position
    )


_OPENING = frozenset(("OPTIONAL", "EXPRESSION", "LPAR", "LSQB", "LBRACE"))
