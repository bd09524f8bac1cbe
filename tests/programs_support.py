"""What do conversations with the shipped programs need? Loading, talking, and texts that people really send."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import autograph
from autograph.models import ScriptedModel

ROOT = Path(__file__).parent.parent
PROGRAMS = ROOT / "programs"

Line = str | Callable[[Any], str]

ODD_TEXTS = (
    "", " ", "?", "ok", "yes", "no", "hint", "stop", "I don't know", "3/4", "3 / 4", "3\\4", "-1/2", "1/0", "0/0", "7",
    "4", "1 1/2", "0.75", "three quarters", "½", "²/³", "٣/٤", "1e400", "nan", "-", "//", "1/2/3", "=", "$name", "${x}",
    "?{a $b}", "\\", "\n\n", "'\"", "[]", "{}", "[1, 2", "why?", "what is a numerator?", "more", "next", "unit 3",
    "are you a robot?", "say that again", "another topic", "tuesday morning", "other", "60k", "5000 a month", "a@b.org",
    "👍🏽", "naïve Zoë", "x" * 6000, "9" * 6000, "1, " * 500, "bla bla. " * 700, "\x00\x07", "A" * 3 + "\u202e" + "b",
)  # fmt: skip


class Talk:
    """A conversation that remembers its replies. The memory goes through JSON before every turn."""

    def __init__(self, bot: autograph.Autograph, memory: Any = None) -> None:
        self.bot = bot
        reply, self.memory = bot.reply("", memory)
        self.replies = [reply]

    def say(self, *lines: Line) -> str:
        """Say the lines one after the other; the last reply. A function makes its line from the variables."""
        for line in lines:
            text = line if isinstance(line, str) else line(self.memory.variables)
            stored = autograph.MemoryObject.from_json(self.memory.to_json())
            reply, self.memory = self.bot.reply(text, stored)
            self.replies.append(reply)
        return self.replies[-1]

    @property
    def finished(self) -> bool:
        return bool(self.memory.finished)

    def __getitem__(self, variable: str) -> Any:
        return self.memory.variables[variable]

    @property
    def path(self) -> list[str]:
        return list(self.memory.trajectory)


def offline(name: str) -> autograph.Autograph:
    """A shipped program with the rules that need no model."""
    return autograph.load(PROGRAMS / name, model="offline")


def scripted(name: str, replies: Iterable[str] = (), answers: Iterable[Any] = ()) -> autograph.Autograph:
    """A shipped program with a scripted model."""
    return autograph.load(PROGRAMS / name, model=ScriptedModel(replies=list(replies), answers=list(answers)))


def babble(bot: autograph.Autograph, seed: int, turns: int, starts: Iterable[str] = ()) -> None:
    """A conversation of odd texts, begun anew when it ends. Every turn must give a reply."""
    pick = random.Random(seed)
    talk = Talk(bot)
    talk.say(*starts)
    for _ in range(turns):
        if talk.finished:
            talk = Talk(bot)
        text = pick.choice(ODD_TEXTS)
        assert talk.say(text).strip(), (text, talk.path[-5:])
