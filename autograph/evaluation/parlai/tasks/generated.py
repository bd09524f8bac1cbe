"""How is a task made up? Dialogues are drawn with a seed, and the draw's content decides whether it is for training.

So the same seed gives the same dialogues everywhere, and none of training is among those of validation or test.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

from autograph.evaluation.parlai.datatypes import FOLDS, Datatype
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.parlai_text import write_parlai_text
from autograph.evaluation.parlai.tasks.task import Opt, Task, fixed_teacher, refusal
from autograph.evaluation.parlai.teachers import Teacher

__all__ = ["SIZES", "Kind", "a_or_an", "ask", "generate", "generated_task", "listed"]

SIZES = {"train": 400, "valid": 50, "test": 50}
"""How many dialogues a teacher has, where the option ``size`` says nothing."""

_SHARES = ("train",) * 8 + ("valid", "test")
_ATTEMPTS = 200  # draws for each dialogue wanted, before it is clear that there are no more different ones

Draw = Callable[[random.Random], list[Message]]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of dialogue in a task, with a teacher of its own."""

    name: str
    draw: Draw
    description: str


def ask(text: str, labels: Sequence[str], candidates: Sequence[str] = ()) -> Message:
    """One example. Where the first label is none of the ``candidates``, they get it, and its place tells nothing."""
    message = Message(text=text, labels=list(labels))
    if candidates:
        has_it = labels[0] in candidates
        message["label_candidates"] = list(candidates) if has_it else sorted([*candidates, labels[0]])
    return message


def generate(key: str, draw: Draw, fold: str, *, seed: int = 0, size: int | None = None) -> list[list[Message]]:
    """``size`` different dialogues of ``train``, ``valid`` or ``test``.

    Raises ``DataError`` if there are not so many.
    """
    wanted = SIZES[fold] if size is None else size
    rng = random.Random(f"{key}/{seed}")
    found: dict[str, list[Message]] = {}
    for _ in range(_ATTEMPTS * wanted):
        episode = draw(rng)
        digest = sha256(json.dumps([(act["text"], act["labels"]) for act in episode]).encode()).hexdigest()
        if _SHARES[int(digest, 16) % len(_SHARES)] == fold:
            found.setdefault(digest, episode)
        if len(found) == wanted:
            return list(found.values())
    raise refusal(f'"{key}" has only {len(found)} different dialogues for {fold}, not {wanted}.', "Ask for fewer.")


def generated_task(name: str, kinds: Sequence[Kind], tags: Sequence[str], description: str) -> Task:
    """The task with a teacher for each kind, ``name:kind``; its usual teachers are those of all kinds.

    Options: ``size``, how many dialogues each teacher has; ``data_seed``, a number for other ones (0).
    """
    teachers = {f"{kind.name.capitalize()}Teacher": partial(_teacher, name, kind) for kind in kinds}

    def every(opt: Opt) -> list[Teacher]:
        return [_teacher(name, kind, {**opt, "task": f"{name}:{kind.name}"}) for kind in kinds]

    return Task(name, {"DefaultTeacher": every, **teachers}, tuple(tags), description, partial(_build, name, kinds))


def _teacher(name: str, kind: Kind, opt: Opt) -> Teacher:
    fold = Datatype(opt.get("datatype", "train")).fold
    size, seed = opt.get("size"), opt.get("data_seed") or 0
    if size is not None and (not isinstance(size, int) or size < 1):
        raise refusal(f'"size" is {size!r}, which is no number of dialogues.', "Write one from 1 on.")
    if not isinstance(seed, int):
        raise refusal(f'"data_seed" is {seed!r}, which is no whole number.', "Write one, such as 7.")
    return fixed_teacher(generate(f"{name}:{kind.name}", kind.draw, fold, seed=seed, size=size), opt)


def _build(name: str, kinds: Sequence[Kind], datapath: Path) -> Path:
    """Write the task as a folder of ParlAI text, with its ``task.yaml``; the folder is returned."""
    folder = datapath / name
    lines = [f"name: {name}", "format: parlai", "teachers:"]
    for kind in kinds:
        lines += [f"  {kind.name}:", "    files:"]
        for fold in FOLDS:
            file = f"{kind.name}_{fold}.txt"
            write_parlai_text(folder / file, generate(f"{name}:{kind.name}", kind.draw, fold))
            lines.append(f"      {fold}: {file}")
    (folder / "task.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return folder


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""


def a_or_an(word: str) -> str:
    """The word with its article."""
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
