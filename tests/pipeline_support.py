"""Small agents of several services, and folders with the files of one, for the tests of pipelines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autograph.dialogue.state import validate_state
from autograph.evaluation.pipeline.pipeline import Answer, Pipeline, load_pipeline

BEST = {"best": {"selector": "confidence"}}
SORRY = {"text": "Sorry."}


def code(name: str) -> dict[str, str]:
    return {"python": f"agent_support:{name}"}


def agent(*, timeout: float | None = None, deep_merge: bool = False, **services: Any) -> Pipeline:
    """A pipeline of these groups, with the usual selector and last chance."""
    groups = {"response_selectors": BEST, "last_chance_service": SORRY, **services}
    config: dict[str, Any] = {"services": groups, "deep_merge": deep_merge}
    return load_pipeline(config, allow_code=True, timeout=timeout)


def turn(pipeline: Pipeline, *texts: str) -> Answer:
    """The answer to the last of the texts."""
    dialog = pipeline.new_dialog("ann")
    for text in texts:
        answer = pipeline.respond(text, dialog)
        dialog = answer.dialog
    assert validate_state(dialog.to_dict()) == []
    return answer


TEA = [
    {"name": "start1", "action": "chat_exact", "instruction": "Who are you?", "transitions": "keep"},
    {"name": "keep", "action": "python_function", "instruction": "guest = _last_user_reply", "transitions": "tea"},
    {"name": "tea", "action": "chat_exact", "instruction": "Tea, $guest?", "transitions": "keep"},
]


def with_programs(folder: Path) -> Path:
    """The folder, with two programs in it."""
    (folder / "tea.json").write_text(json.dumps(TEA), "utf-8")
    rows = [{"name": "start1", "action": "chat_exact", "instruction": "Coffee!", "transitions": "start1"}]
    (folder / "coffee.json").write_text(json.dumps(rows), "utf-8")
    return folder


def written(folder: Path, text: str, name: str = "agent.yaml") -> Path:
    """A file of the folder with this text."""
    path = folder / name
    path.write_text(text, "utf-8")
    return path
