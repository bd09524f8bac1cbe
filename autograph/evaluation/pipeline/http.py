"""How is a service in another process asked? By HTTP: the payload is posted as JSON, the answer is a list of one."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

from autograph.dialogue.state_values import shown
from autograph.errors import RunError

__all__ = ["check_url", "post_json"]

MOST_BYTES = 10_000_000
"""The longest answer that is read."""

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A service answers itself; the dialog is not sent on to wherever it says."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def check_url(url: object) -> str:
    """``url``, if it can be asked. Raises ``RunError`` with the reason why not."""
    if not isinstance(url, str) or not url.lower().startswith(("http://", "https://")):
        raise RunError(f"the url must begin with http:// or https://, not {shown(url)}")
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna")
        port_is_right = parts.port is None or parts.port > 0
    except ValueError as error:  # a port that is no number, brackets that do not match, a name that is too long
        raise RunError(f"the url {shown(url)} is none: {error}") from None
    if not host or not port_is_right:
        raise RunError(f"the url {shown(url)} names no {'host' if not host else 'port'}")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise RunError(f"the url {shown(url)} holds characters that must be written with %, as in %20 for a blank")
    return url


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
    except http.client.HTTPException as error:
        told = f"{type(error).__name__}: {str(error).strip()[:100]}"
        raise RunError(f"{url} does not answer as HTTP wants it ({told})") from None
    if len(body) > MOST_BYTES:
        raise RunError(f"{url} answered with more than {MOST_BYTES:,} bytes")
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RunError(f"{url} answered with no JSON: {error}") from None
    if not isinstance(answer, list) or not answer:
        raise RunError(f"{url} must answer with a list that has one item for each dialog, not {shown(answer)}")
    return answer[0]
