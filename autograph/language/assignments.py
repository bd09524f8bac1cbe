"""Does a text cell assign to a variable? Only ``identifier = rest`` at its very start does."""

from __future__ import annotations

from keyword import iskeyword
from unicodedata import normalize

from autograph.language.grammar import TextError

__all__ = ["split_assignment"]

_BLANKS = " \t\xa0"


def split_assignment(text: str) -> tuple[str | None, str]:
    """The variable, or None, and the text that is meant for it.

    ``note = keep it`` gives ``("note", "keep it")``. What stands before the first ``=`` must be an identifier
    (in NFKC as Python has it, no keyword, not beginning with ``_``) on the same line; ``==`` and ``\\=`` assign
    nothing. Raises ``TextError`` if nothing follows the ``=``.
    """
    head, mark, rest = text.partition("=")
    name = head.lstrip().rstrip(_BLANKS)
    if not mark or rest.startswith("=") or not name.isidentifier():
        return None, text
    name = normalize("NFKC", name)
    if name.startswith("_") or iskeyword(name):
        return None, text
    if not rest.strip():
        message = f'Nothing is assigned to "{name}": the instruction is empty after the =. Write \\= for a plain =.'
        raise TextError(message, len(head) + 1)
    return name, rest.lstrip(_BLANKS)
