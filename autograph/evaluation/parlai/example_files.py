"""How is every single answer kept? In a table (CSV), as JSON, or with its dialogue as conversations."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograph.evaluation.parlai.conversation_format import save_conversations
from autograph.evaluation.parlai.examined_model import Examined, Example, TaskResult

__all__ = ["examples_text", "save_world_logs"]

_FIRST = ("task", "episode", "turn", "text", "labels", "reply", "node", "confidence", "error")


def examples_text(examples: Sequence[Example], suffix: str) -> str:
    """All examples as the text of a file: ``.csv``, ``.jsonl`` (one a line) or ``.json``. Raises ``ValueError``."""
    rows = [example.to_dict() for example in examples]
    if suffix == ".jsonl":
        return "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)
    if suffix == ".json":
        return json.dumps(rows, ensure_ascii=False, default=str, indent=1) + "\n"
    if suffix != ".csv":
        raise ValueError(f'a file of examples ends in .csv, .json or .jsonl, not in "{suffix}"')
    return _table(rows)


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    metrics = sorted({name for row in rows for name in row["metrics"]})
    used = [name for name in _FIRST if any(row.get(name) is not None for row in rows)]
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*used, *metrics])
    for row in rows:
        labels = "|".join(row["labels"]) if row["labels"] is not None else None
        cells = [labels if name == "labels" else row.get(name) for name in used]
        writer.writerow([*cells, *(row["metrics"].get(name) for name in metrics)])
    return file.getvalue()


def save_world_logs(examined: Examined, path: Path, opt: Mapping[str, Any]) -> list[Path]:
    """Write the dialogues as conversations (JSONL), those of several tasks to ``NAME_TASK.jsonl``; the files."""
    if len(examined.tasks) == 1:
        return [save_conversations(_parleys(examined.tasks[0]), path, opt)]
    files = []
    for result in examined.tasks:
        name = "".join(c if c.isalnum() or c in "._-" else "_" for c in result.task)
        task = {**opt, "task": result.task}
        files.append(save_conversations(_parleys(result), path.with_name(f"{path.stem}_{name}.jsonl"), task))
    return files


def _parleys(result: TaskResult) -> list[list[list[Mapping[str, Any]]]]:
    """The rounds of each dialogue."""
    found: dict[int, list[list[Mapping[str, Any]]]] = {}
    for example in result.examples:
        found.setdefault(example.episode, []).append([example.asked, example.answer])
    return list(found.values())
