"""Which model does a model string mean?"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from autograph.errors import ModelError, did_you_mean
from autograph.models.base import Model

__all__ = ["DEFAULT_MODEL", "FORMS", "resolve_model"]

DEFAULT_MODEL = "gpt-5-mini"
"""What ``auto`` asks for when no model is named."""

FORMS = (
    "auto",
    "offline",
    "openai:MODEL",
    "openai:MODEL@BASE_URL",
    "local",
    "local:PATH",
    "scripted:FILE",
    "recorded:FILE",
)
_KINDS = ("auto", "offline", "openai", "local", "scripted", "recorded")


def resolve_model(
    spec: str | object | None,
    *,
    role: str = "chatbot",
    notify: Callable[[str], None] | None = None,
    from_program: bool = False,
) -> Model:
    """The model that ``spec`` means: a string of ``FORMS``, a model object, or ``None`` for ``auto``.

    ``role`` (``chatbot``, ``classifier`` …) is for messages. ``notify`` is given the one line that
    says that ``auto`` came to the offline rules; by default it goes to stderr. ``from_program``:
    the string stands in a program, perhaps a stranger's, so the user's key is not sent to a server
    that only the program names. Raises ``ModelError``.
    """
    if spec is None:
        return _auto(role, notify or _to_stderr)
    if not isinstance(spec, str):
        return _as_model(spec, role)
    kind, _, rest = spec.strip().partition(":")
    kind, rest = kind.lower(), rest.strip()
    if kind == "auto" and not rest:
        return _auto(role, notify or _to_stderr)
    if kind == "offline" and not rest:
        from autograph.models.offline import OfflineModel

        return OfflineModel()
    if kind == "openai" and rest:
        return _openai(rest, role, from_program)
    if kind == "local":
        from autograph.models.local import LocalModel

        return LocalModel(rest or None)
    if kind in ("scripted", "recorded") and rest:
        return _from_file(kind, rest)
    hint = did_you_mean(kind, _KINDS) if kind not in _KINDS else ""
    raise ModelError(
        f'"{spec}" is no model for the {role}. The forms are: {", ".join(FORMS)}.{" " + hint if hint else ""}'
    )


def _auto(role: str, notify: Callable[[str], None]) -> Model:
    named = os.environ.get("AUTOGRAPH_MODEL", "").strip()
    if named.partition(":")[0] in _KINDS and named != "auto":
        return resolve_model(named, role=role, notify=notify)
    if os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_BASE_URL"):
        from autograph.models.openai import OpenAIModel

        name = "" if named == "auto" else named
        return OpenAIModel(name or os.environ.get("OPENAI_MODEL", "").strip() or DEFAULT_MODEL)
    from autograph.models.offline import OfflineModel

    notify(
        "No language model is configured: answers come from simple offline rules. "
        "Set OPENAI_API_KEY or OPENAI_BASE_URL, or choose a model such as local:PATH."
    )
    return OfflineModel()


def _openai(rest: str, role: str, from_program: bool) -> Model:
    from autograph.models.openai import OpenAIModel

    match = re.fullmatch(r"(.+?)(?:@(https?://\S+))?", rest)
    name, base_url = (match[1], match[2]) if match else (rest, None)
    if base_url is None and re.search(r".@(?:$|localhost|[\w.-]+:\d+)", name):
        raise ModelError(f'"openai:{rest}" is no model for the {role}: a BASE_URL begins with http:// or https://.')
    if base_url is not None and from_program and not _may_have_key(base_url):
        return OpenAIModel(name, base_url, "unused")
    return OpenAIModel(name, base_url)


def _may_have_key(base_url: str) -> bool:
    """Whether the user's key may go to ``base_url``: to OpenAI, this machine, and the user's own server."""
    url = urlsplit(base_url)
    own = urlsplit(os.environ.get("OPENAI_BASE_URL", ""))
    if own.hostname and (url.scheme, url.netloc) == (own.scheme, own.netloc):
        return True
    host = url.hostname or ""
    return (url.scheme == "https" and host == "api.openai.com") or host in ("localhost", "127.0.0.1", "::1")


def _from_file(kind: str, path: str) -> Model:
    if kind == "scripted":
        from autograph.models.scripted import ScriptedModel

        return ScriptedModel.from_file(path)
    from autograph.models.recorded import RecordedModel

    return RecordedModel(path)


def _as_model(value: Any, role: str) -> Model:
    missing = [name for name in ("generate", "choose") if not callable(getattr(value, name, None))]
    if isinstance(value, type) or missing:
        what = f"the class {value.__name__}" if isinstance(value, type) else f"a {type(value).__name__}"
        lack = "make an object of it" if isinstance(value, type) else f"it lacks {' and '.join(missing)}"
        raise ModelError(f"The {role} cannot be {what}: {lack}. A model has `generate` and `choose`.")
    model: Model = value
    return model


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr)
