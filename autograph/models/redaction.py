"""Which parts of a text are secrets, and how does it read without them?

Struck are the values of environment variables that are named like secrets, in the spellings in which a text may hold
them, and what looks like a key, a token or a password by its form.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from urllib.parse import quote, quote_plus

__all__ = ["STRUCK", "strike", "strike_all"]

STRUCK = "***"
"""What stands in the place of a secret."""

SHORTEST = 6
"""The length from which on the value of a variable is taken for a secret: shorter ones are words such as ``yes``."""

_NAMES = re.compile(
    r"(?:^|_)(?:KEY|PAT|PWD|PASS|AUTH|CREDENTIALS?|PRIVATE)(?:_|$)"
    r"|(?:KEY|TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)$|(?:KEY|TOKEN|SECRET|PASSWORD)_"
)
_NO_SECRETS = frozenset({"PWD", "OLDPWD", "SSH_AUTH_SOCK"})

_PREFIXES = (
    r"(?:sk|pk|rk)[-_][\w-]{12,}", r"gh[opsur]_\w{12,}", r"github_pat_\w{12,}", r"glpat-[\w-]{12,}",
    r"xox[a-z]-[\w-]{8,}", r"(?:AKIA|ASIA)[0-9A-Z]{12,}", r"AIza[\w-]{20,}", r"ya29\.[\w-]{12,}", r"hf_\w{12,}",
    r"(?:gsk|npm|nvapi|xai|tvly|r8|whsec|shpat|dop_v1)[-_][\w-]{12,}", r"pypi-[\w-]{12,}",
    r"SG\.[\w-]{12,}\.[\w-]{12,}", r"eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*",
)  # fmt: skip

_FORMS = (
    re.compile(r"-----BEGIN (?:\w+ )*PRIVATE KEY-----.*?(?:-----END (?:\w+ )*PRIVATE KEY-----|\Z)", re.DOTALL),
    re.compile(r"(?<![\w-])(?:" + "|".join(_PREFIXES) + ")"),
    re.compile(r"(?<=://)(?P<before>[^\s/:@]*:)[^\s/]+(?=@)|(?<=://)[^\s/:@]{16,}(?=@)"),
    re.compile(
        r"(?P<before>authorization\\*[\"']?\s*[:=]\s*\\*[\"']?(?:(?:bearer|basic|token|digest|bot|apikey)\s+)?)"
        r"[\w.~+/=-]{8,}",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<before>\bbearer\s+)(?:(?=[\w+/=-]*[\d.~+/=_-])[\w.~+/=-]{8,}|\w{20,})", re.IGNORECASE),
    re.compile(
        r"(?P<before>(?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|signature)\\*[\"']?\s*[:=]\s*\\*[\"']?)"
        r"(?=[^\s\"'&,;]*\d)[^\s\"'&,;]{6,}",
        re.IGNORECASE,
    ),
)  # fmt: skip
_PASSWORD = re.compile(r"://[^\s/:@]*:([^\s/]+)@")


def strike_all(value: Any) -> Any:
    """``value`` (JSON data) with the secrets struck out of all its texts, also of the keys of its mappings."""
    return _walk(value, _secrets())


def strike(text: str) -> str:
    """``text`` without secrets. Struck text stays as it is if it is struck again, on any machine."""
    return _struck(text, _secrets())


def _walk(value: Any, secrets: tuple[str, ...]) -> Any:
    if isinstance(value, str):
        return _struck(value, secrets)
    if isinstance(value, dict):
        return {_walk(key, secrets): _walk(item, secrets) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_walk(item, secrets) for item in value]
    return value


@lru_cache(maxsize=2048)  # the turns of a conversation are in every later prompt
def _struck(text: str, secrets: tuple[str, ...]) -> str:
    """Strike until nothing is found: what is left on both sides of a secret may form another one."""
    values = _pattern(secrets)
    while True:
        before = text
        if values is not None:
            text = values.sub(STRUCK, text)
        for form in _FORMS:
            text = form.sub(_without, text)
        if text == before:
            return text


def _without(match: re.Match[str]) -> str:
    return (match.groupdict().get("before") or "") + STRUCK


@lru_cache(maxsize=8)
def _pattern(secrets: tuple[str, ...]) -> re.Pattern[str] | None:
    """Any spelling of any secret, the longest first."""
    spellings = {spelling for secret in secrets for spelling in _spellings(secret)}
    if not spellings:
        return None
    return re.compile("|".join(re.escape(text) for text in sorted(spellings, key=lambda text: (-len(text), text))))


def _secrets() -> tuple[str, ...]:
    """The secrets of this process' environment."""
    return tuple(sorted({secret for item in os.environ.items() for secret in _secrets_of(*item)}))


def _secrets_of(name: str, value: str) -> Iterator[str]:
    if len(value) < SHORTEST:
        return
    if _NAMES.search(name.upper()) and name.upper() not in _NO_SECRETS:
        yield value
    elif "://" in value:
        yield from (password for password in _PASSWORD.findall(value) if len(password) >= SHORTEST)


def _spellings(secret: str) -> Iterator[str]:
    """A secret as it is, and as it stands in JSON (also within JSON), in a link, and with other ends of lines."""
    for plain in {secret, secret.strip(), secret.replace("\r\n", "\n"), secret.replace("\n", "\r\n")}:
        if len(plain) < SHORTEST:
            continue
        yield plain
        for ascii_only in (True, False):
            once = json.dumps(plain, ensure_ascii=ascii_only)[1:-1]
            yield once
            yield json.dumps(once, ensure_ascii=ascii_only)[1:-1]
        if not any("\ud800" <= letter <= "\udfff" for letter in plain):  # half a character has no form in a link
            yield from (quote(plain, safe=""), quote(plain), quote_plus(plain))
