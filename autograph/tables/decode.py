"""Which text do the bytes of a file hold?"""

from __future__ import annotations

import codecs

from autograph.errors import Location, Problem
from autograph.problems import problem
from autograph.tables.cells import normalise_lines
from autograph.tables.rows import refused

__all__ = ["decode", "looks_like_html"]

_BOMS = (  # the longer ones first: a UTF-32 mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(data: bytes, file: str, problems: list[Problem]) -> str:
    """The text of a file, line ends as line feeds: by its byte order mark, as UTF-8, else as Windows-1252.

    Raises ``ProgramError``: bytes of no known encoding, or a web page.
    """
    text = normalise_lines(_decode(data, file, problems))
    if looks_like_html(text):
        raise refused(
            "not-a-table",
            "the content is an HTML page (perhaps the sign-in page of a sheet that is not shared), not a table.",
            Location(file),
            "Share the sheet with everybody who has the link, or download it as .csv or .xlsx, then try again.",
        )
    return text


def _decode(data: bytes, file: str, problems: list[Problem]) -> str:
    encoding = _marked(data) or _unmarked_utf16(data)
    try:
        if encoding:
            return data.decode(encoding).removeprefix("\ufeff")
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if encoding:
            message = f"the file begins like {encoding.upper()} text, but it is none: {error.reason}."
            raise refused("bad-encoding", message, Location(file), "Save it as CSV UTF-8.") from error
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as error:
        message = f"the bytes are text neither in UTF-8 nor in Windows-1252 (byte {error.start + 1})."
        raise refused("bad-encoding", message, Location(file), "Save the file as CSV UTF-8.") from error
    message = "the file is not UTF-8; it was read as Windows-1252, so letters with accents may be wrong."
    problems.append(problem("not-utf8", message, Location(file), "Save it as CSV UTF-8."))
    return text


def _marked(data: bytes) -> str | None:
    return next((encoding for mark, encoding in _BOMS if data.startswith(mark)), None)


def _unmarked_utf16(data: bytes) -> str | None:
    """UTF-16 without a mark: in the header's ASCII letters every other byte is zero."""
    head = data[:64]
    if len(head) < 8 or len(data) % 2:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > 0.7 * half and even == 0:
        return "utf-16-le"
    return "utf-16-be" if even > 0.7 * half and odd == 0 else None


def looks_like_html(text: str) -> bool:
    """Whether a text begins as a web page does."""
    head = text[:2000].lstrip().lower()
    return head.startswith("<") and ("<!doctype html" in head or "<html" in head or head.startswith("<head"))
