"""How is a service in another process asked? By HTTP: the payload is posted as JSON, the answer is a list of one."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

from autograph.errors import RunError

__all__ = ["post_json"]

MOST_BYTES = 10_000_000
"""The longest answer that is read."""

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A service answers itself; the dialog is not sent on to wherever it says."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def post_json(url: str, payload: Any, timeout: float) -> Any:
    """The first item of the list with which the service answers. Raises ``RunError``. ``timeout``: seconds."""
    data = json.dumps(payload, allow_nan=False).encode("utf-8")
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    handlers: list[urllib.request.BaseHandler] = [_NoRedirects()]
    if urlsplit(url).hostname in _LOOPBACK:
        handlers.append(urllib.request.ProxyHandler({}))
    opener = urllib.request.build_opener(*handlers)
    try:
        with opener.open(urllib.request.Request(url, data, headers), timeout=timeout) as response:
            body = response.read(MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        with error:
            raise RunError(f"{url} answered with the status {error.code}") from None
    except OSError as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise RunError(f"{url} cannot be reached: {reason}") from None
    if len(body) > MOST_BYTES:
        raise RunError(f"{url} answered with more than {MOST_BYTES:,} bytes")
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RunError(f"{url} answered with no JSON: {error}") from None
    if not isinstance(answer, list) or not answer:
        raise RunError(f"{url} must answer with a list that has one item for each dialog, not {answer!r:.60}")
    return answer[0]
