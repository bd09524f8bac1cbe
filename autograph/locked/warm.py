"""What must be in memory before a process is locked? All that a turn may import, open or look up later."""

from __future__ import annotations

import codecs
import time
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from autograph.models.base import Choice, GenerateRequest, Question, Reply

__all__ = ["warm_up"]

_ROOMS = ("language", "language.sandbox", "program", "memory", "interpreter", "interpreter.nodes", "locked", "tables")

_LIBRARY = (
    "ast base64 bisect calendar collections copy ctypes datetime decimal difflib enum fractions functools heapq "
    "importlib.metadata itertools json keyword lark locale math numbers operator random re reprlib regex resource "
    "statistics string textwrap unicodedata uuid _strptime zoneinfo"
)

_CODECS = "ascii latin-1 utf-8 utf-8-sig utf-16 utf-16-le utf-16-be utf-32 utf-32-le utf-32-be unicode_escape"

_SHEET: list[dict[str, Any]] = [
    {"name": "start1", "action": "python_function", "instruction": "x = [f'{i:>3}' for i in range(3)]",
     "transitions": "say"},
    {"name": "say", "action": "chat_exact", "instruction": "?{$x[0]} ${len(x)} \\$", "transitions": "f, say",
     "transition_question": "Which?", "transition_choice_a": "a, $x", "transition_choice_b": "b"},
    {"name": "f", "action": "function", "instruction": "y = g(x[0], [1, 'a'])", "transitions": "p.*, return max(1, 2)",
     "transition_question": "q", "transition_choice_a": "a", "transition_choice_b": "b"},
    {"name": "p.a", "action": "transition", "boolean_condition": "math.sqrt(len(x)) > 1", "transitions": "quit"},
    {"name": "g(a, b=2)", "action": "thought", "instruction": "$a", "transitions": "return str(a) + missing"},
]  # fmt: skip
"""A program that uses each part of the grammar; what is wrong with it is wanted, since errors are words, too."""


def warm_up(tables: bool) -> list[object]:
    """Import all that may be needed; ``tables``: pandas, too. The result must stay alive."""
    for room in _ROOMS:
        package = import_module(f"autograph.{room}")
        for module in iter_modules(package.__path__):
            import_module(f"{package.__name__}.{module.name}")
    for name in _LIBRARY.split():
        import_module(name)
    for name in _CODECS.split():
        codecs.lookup(name)
    time.localtime()
    _run_something()
    return [_time_zones(), _tables() if tables else None]


class _Mute:
    """A model that says nothing and takes the first choice."""

    def generate(self, request: GenerateRequest) -> Reply:
        return Reply("")

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        return [Choice(0) for _ in questions]


def _run_something() -> None:
    """Compile and run a little, so that grammars and tables that are made on use are there."""
    from autograph.errors import AutographError
    from autograph.interpreter.bot import Autograph
    from autograph.tables import read_rows

    last = {"name": "f", "transitions": "quit"}
    for sheet in (_SHEET, [*_SHEET[:2], {**last, "action": "transition"}], [{**last, "action": "unknown"}]):
        bot = Autograph(model=_Mute())
        try:
            bot.load_rows(read_rows(sheet))
            bot.reply("hello")
        except AutographError as error:
            str(error)


def _time_zones() -> list[object]:
    """All time zones; as long as they are kept, ``ZoneInfo`` finds them without opening a file."""
    import zoneinfo

    found: list[object] = []
    for name in zoneinfo.available_timezones():
        try:
            found.append(zoneinfo.ZoneInfo(name))
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
            continue  # a name whose file is broken on this computer exists for nobody
    return found


def _tables() -> ModuleType:
    """pandas, with what it imports on the first use of a table."""
    import pandas

    frame = pandas.DataFrame({"a": [1, 2], "b": ["x", "y"], "c": pandas.to_datetime(["2020-01-01", "2020-01-02"])})
    frame.sort_values("a").groupby("b")["a"].agg(["sum", "mean", "median", "std", "count"])
    frame["b"].str.upper().str.contains("x", regex=False).to_list()
    frame["c"].dt.year.to_list()
    frame.head(1).to_dict("records")
    str(frame)
    return pandas
