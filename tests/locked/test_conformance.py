"""A stranger's program does what the same program does that is trusted: all conformance cases, word for word."""

from __future__ import annotations

import contextlib
import io
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import autograph
from conformance.run_conformance import run_case

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")

FOLDER = Path(__file__).parent.parent / "conformance"
CASES = sorted(path.parent for path in FOLDER.glob("*/case.json"))
LOAD = autograph.load


def recorded(trust: str, said: list[str]) -> Callable[..., Any]:
    """``autograph.load`` with this trust; each of the bot's outcomes is noted, errors with all their words."""

    def note(what: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*args: Any, **options: Any) -> Any:
            try:
                result = what(*args, **options)
            except Exception as error:
                notes = getattr(error, "__notes__", [])
                said.append(f"{type(error).__name__}: {error} | {getattr(error, 'node', None)} | {notes}")
                raise
            for item in result if isinstance(result, tuple) else [result]:
                if isinstance(item, autograph.MemoryObject):
                    turn = item.last_turn
                    said.append(item.to_json())
                    said.extend(str(event.to_dict()) for event in (turn.trace if turn else ()))
                    said.append(repr(turn.usage if turn else None))
                elif not isinstance(item, autograph.Autograph):
                    said.append(repr(item))
            return result

        return noting

    def load(*args: Any, **options: Any) -> Any:
        bot = LOAD(*args, **options, trust=trust)
        assert bot.trust == trust
        for name in ("reply", "apply_fn", "start"):
            setattr(bot, name, note(getattr(bot, name)))
        return bot

    return note(load)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes: dict[str, list[str]] = {}
    for trust in ("own", "untrusted"):
        said = outcomes[trust] = []
        monkeypatch.setattr(autograph, "load", recorded(trust, said))
        with contextlib.redirect_stdout(io.StringIO()):
            run_case(str(case), Namespace(roundtrip=False))
    assert outcomes["untrusted"] == outcomes["own"]
    assert outcomes["own"] or case.name.startswith("interpreter_")
