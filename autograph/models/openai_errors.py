"""What went wrong between us and a server: a sentence, and whether to try again."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from autograph.errors import ModelError

__all__ = ["LONGEST_WAIT", "Peer", "explained", "refused_name", "retry_delay", "timed_out"]

LONGEST_WAIT = 60.0
"""Seconds; a server that asks us to wait for longer is not waited for."""

OPENAI_URL = "https://api.openai.com/v1"
_SECRET = re.compile(r"\b(?:sk|key|pk)-[\w*.-]{4,}")


@dataclass(frozen=True, slots=True)
class Peer:
    """Whom we talk to: for messages, which never show the key."""

    model: str
    base_url: str | None
    key: str
    timeout: float

    @property
    def url(self) -> str:
        """The base URL in use."""
        return self.base_url or OPENAI_URL

    @property
    def where(self) -> str:
        """The server's address as messages show it, without a password in it."""
        url = urlsplit(self.url)
        return url._replace(netloc=url.netloc.rpartition("@")[2], query="").geturl()

    @property
    def is_openai(self) -> bool:
        """Whether the server is OpenAI's own."""
        host = urlsplit(self.url).hostname or ""
        return host == "api.openai.com" or host.endswith(".api.openai.com")

    @property
    def is_loopback(self) -> bool:
        """Whether the server runs on this machine."""
        host = urlsplit(self.url).hostname or ""
        return host in ("localhost", "::1") or host.startswith("127.")

    def without_key(self, text: str) -> str:
        """``text`` with anything that looks like a key struck out."""
        if len(self.key) > 3 and self.key != "unused":
            text = text.replace(self.key, "***")
        return _SECRET.sub("***", text)


def refused_name(error: Exception, payload: Mapping[str, Any], optional: frozenset[str]) -> str | None:
    """The optional parameter of ``payload`` that a server names in its refusal, or ``None``.

    A refused role comes as ``"developer"``.
    """
    if getattr(error, "status_code", None) not in (400, 422):
        return None
    words = _words(error)
    param = str(getattr(error, "param", None) or "").split(".")[0].split("[")[0]
    sent = [name for name in payload if name in optional]
    if param in sent:
        return param
    roles = {message["role"] for message in payload["messages"]}
    if "developer" in roles and re.search(r"\bdeveloper\b|\brole", words):
        return "developer"
    named = [(match.start(), name) for name in sent if (match := re.search(rf"\b{name}\b", words))]
    if named:
        return min(named)[1]
    if "response_format" in sent and re.search(r"json.?schema|grammar|structured.output", words, re.IGNORECASE):
        return "response_format"
    return None


def retry_delay(error: Exception, retries: int, peer: Peer) -> float | None:
    """Seconds to wait before the same request is sent again, or ``None`` if it should not be.

    A time-out is not repeated: the caller may ask again, and then it waits knowingly.
    """
    import openai

    if isinstance(error, openai.APITimeoutError):
        return None
    if isinstance(error, openai.APIConnectionError):
        return None if peer.is_loopback else _back_off(retries)
    if isinstance(error, openai.APIStatusError):
        if error.status_code not in (408, 409, 429) and error.status_code < 500:
            return None
        if _no_quota(error):
            return None
        asked = _retry_after(error.response.headers)
        if asked is None:
            return _back_off(retries)
        return asked if asked <= LONGEST_WAIT else None
    return None


def timed_out(peer: Peer, seconds: float) -> ModelError:
    """The error for an answer that did not come in time."""
    return ModelError(
        f'The model "{peer.model}" at {peer.where} did not answer within {seconds:.3g} seconds. '
        "Say it again, raise `timeout`, or use a faster model.",
        retryable=True,
    )


def explained(error: Exception, peer: Peer, timeout: float | None = None) -> ModelError | None:
    """``error`` as a ``ModelError``, or ``None`` if it has nothing to do with the server."""
    import openai

    if isinstance(error, openai.APITimeoutError | TimeoutError):
        return timed_out(peer, timeout or peer.timeout)
    if isinstance(error, openai.APIStatusError):
        return _status(error, peer)
    if isinstance(error, openai.APIConnectionError):
        return _connection(error, peer)
    if isinstance(error, openai.APIError):
        return ModelError(f"{peer.where} broke off with an error: {_said(error, peer)} Say it again.", retryable=True)
    if isinstance(error, ValueError):
        return ModelError(
            f"{peer.where} sent something that is no valid JSON ({error}). "
            "Say it again; if it stays so, check that the base URL is that of an OpenAI-compatible API.",
            retryable=True,
        )
    return None


def _status(error: Any, peer: Peer) -> ModelError:
    status, said = error.status_code, _said(error, peer)
    if status in (401, 403):
        return ModelError(_key_refused(status, said, peer))
    if status == 404:
        return ModelError(_not_found(error, said, peer))
    if status == 429:
        if _no_quota(error):
            return ModelError(
                f"The account at {peer.where} has no quota left (insufficient_quota): {said} "
                "Add credit, or use another key or model."
            )
        return ModelError(f"{peer.where} limits the rate of requests (429): {said} Wait, then repeat.", retryable=True)
    if status in (408, 409) or status >= 500:
        return ModelError(f"{peer.where} failed (status {status}): {said} Say it again in a while.", retryable=True)
    if getattr(error, "code", None) == "context_length_exceeded" or re.search("context (length|size)", _words(error)):
        return ModelError(
            f'The conversation is too long for the model "{peer.model}": {said} Lower `max_prompt_tokens`.'
        )
    return ModelError(f'{peer.where} refused the request to the model "{peer.model}" (status {status}): {said}')


def _key_refused(status: int, said: str, peer: Peer) -> str:
    if peer.key == "unused":
        return f"{peer.where} wants an API key (status {status}) and none is set. Set OPENAI_API_KEY."
    remedy = "Set OPENAI_API_KEY (or `api_key=`) to a key that is valid for this server and model."
    return f"{peer.where} refused the API key (status {status}){': ' + said if status == 403 else '.'} {remedy}"


def _not_found(error: Any, said: str, peer: Peer) -> str:
    if getattr(error, "code", None) == "model_not_found" or "model" in _words(error).lower():
        return f'{peer.where} does not know the model "{peer.model}": {said} Check the name after `openai:`.'
    return f"There is no chat API at {peer.where} (status 404). A base URL usually ends with /v1."


def _connection(error: Exception, peer: Peer) -> ModelError:
    import httpx2

    cause = error.__cause__
    if isinstance(cause, httpx2.ConnectError):
        reason = peer.without_key(str(cause)).strip() or "connection failed"
        return ModelError(
            f"No connection to {peer.where} ({reason}). Check that the server runs and that the base URL is right.",
            retryable=True,
        )
    reason = peer.without_key(str(cause or error)).rstrip(". ")
    return ModelError(f"The connection to {peer.where} broke off ({reason}). Say it again.", retryable=True)


def _said(error: Any, peer: Peer) -> str:
    """The server's own words, short and without keys."""
    body = error.body
    message = body.get("message") if isinstance(body, dict) else None
    if isinstance(body, dict) and isinstance(body.get("error"), str):
        message = body["error"]
    text = " ".join(peer.without_key(str(message or error.message)).split())
    text = text if len(text) <= 300 else text[:299] + "…"
    return text if text.endswith((".", "!", "?", "…")) else text + "."


def _words(error: Any) -> str:
    return f"{getattr(error, 'message', '')} {getattr(error, 'body', '') or ''}"


def _no_quota(error: Any) -> bool:
    return "insufficient_quota" in (getattr(error, "code", None), getattr(error, "type", None))


def _back_off(retries: int) -> float:
    return min(0.5 * 2.0**retries, 8.0) * (1 - 0.25 * random.random())


def _retry_after(headers: Any) -> float | None:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name)
        if text is None:
            continue
        try:
            return max(0.0, float(text) * unit)
        except ValueError:
            return _seconds_until(text)
    return None


def _seconds_until(date: str) -> float | None:
    import time
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(date).timestamp() - time.time())
    except ValueError:
        return None
