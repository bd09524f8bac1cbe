"""Who answers? Models that write texts and answer questions, loaded when they are used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograph.models.base import (
        AsyncModel,
        Choice,
        GenerateRequest,
        Message,
        Model,
        Question,
        Reply,
        Usage,
        letter,
    )
    from autograph.models.local import LocalModel
    from autograph.models.offline import OfflineModel
    from autograph.models.openai import OpenAIModel
    from autograph.models.recorded import RecordedModel
    from autograph.models.resolve import resolve_model
    from autograph.models.scripted import ScriptedModel

__all__ = [
    "AsyncModel",
    "Choice",
    "GenerateRequest",
    "LocalModel",
    "Message",
    "Model",
    "OfflineModel",
    "OpenAIModel",
    "Question",
    "RecordedModel",
    "Reply",
    "ScriptedModel",
    "Usage",
    "letter",
    "resolve_model",
]

_MODULES = {
    "LocalModel": "local",
    "OfflineModel": "offline",
    "OpenAIModel": "openai",
    "RecordedModel": "recorded",
    "ScriptedModel": "scripted",
    "resolve_model": "resolve",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'base')}"), name)


def __dir__() -> list[str]:
    return __all__
