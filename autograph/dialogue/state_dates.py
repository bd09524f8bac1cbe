"""How are the ids and dates of a dialogue state written? As DeepPavlov Agent does: MD5 digests, ``str(datetime)``."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from hashlib import md5
from itertools import count
from uuid import uuid4

__all__ = ["DATE", "HASH", "ID", "NO_DATE", "Ids", "moment", "upstream_date"]

NO_DATE = "None"
"""What stands for the dates of a dialog that was never saved."""

DATE = r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}(\.\d{1,6})?([+-]\d{2}:?\d{2}|Z)?"
HASH = "[0-9a-f]{32}"
ID = "([0-9a-f]{24}|[0-9a-f]{32})"

_DATE = re.compile(DATE, re.ASCII)


def moment(text: str) -> datetime | None:
    """The moment that a date names, without an offset (it is turned into UTC); None if it is no date."""
    if not _DATE.fullmatch(text):
        return None
    try:
        found = datetime.fromisoformat(_full(text))
    except ValueError:
        return None
    try:
        return found if found.tzinfo is None else found.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:  # the first or last day of all
        return None


def _full(text: str) -> str:
    """``text`` with six digits behind the second, which ``fromisoformat`` of Python 3.11 reads everywhere."""
    return re.sub(r"\.(\d{1,6})", lambda digits: "." + digits[1].ljust(6, "0"), text)


def upstream_date(text: str) -> str:
    """A date in the form of the original: a blank before the time, no offset. One in that form stays as it is."""
    found = moment(text)
    if found is None or (text[10] == " " and text[-1] != "Z" and not re.search(r"[+-]\d{2}:?\d{2}$", text[19:])):
        return text
    return str(found)


class Ids:
    """Makes ids: at random, or with ``seed`` always the same ones in the same order."""

    def __init__(self, seed: str | None = None) -> None:
        self._seed = uuid4().hex if seed is None else seed
        self._numbers = count(1)  # safe to share between threads

    def next(self) -> str:
        """32 hexadecimal digits that no other call gives."""
        number = next(self._numbers)
        return md5(f"{self._seed}/{number}".encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
