"""What passes between a worker and its parent? Frames: a length of four bytes, then JSON text.

Nothing richer ever crosses: no pickle, no objects. Both sides refuse frames that are too long or too deep, or have too
many parts, before they are parsed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

__all__ = ["HEADER", "FrameError", "pack", "read_frame", "unpack"]

HEADER = 4
"""Bytes of the length."""

_MOST_LEVELS = 450
"""Values are nested 108 levels at most, and their JSON form has up to four levels for each."""

_BYTES_PER_PART = 16
"""A list or mapping takes some hundred bytes where it is read: there may be one for so many bytes of a frame."""

_NO_BRACKETS = bytes(code for code in range(256) if code not in b'[]{}"')


class FrameError(Exception):
    """A frame that is no frame: too long, too deep, too many parts, cut off, or no JSON mapping."""


def pack(data: dict[str, Any], most: int) -> bytes:
    """The frame of ``data``. Raises ``FrameError`` if it would have more than ``most`` bytes, or too many parts."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    if len(text) > most:
        raise FrameError(f"{len(text):,} bytes are more than the {most:,} that may pass at once")
    _check_parts(text, most)
    return len(text).to_bytes(HEADER, "big") + text


def unpack(text: bytes, most: int) -> dict[str, Any]:
    """What the text of a frame says, of which up to ``most`` bytes may pass. Raises ``FrameError``."""
    _check_parts(text, most)
    _check_depth(text)
    try:
        data = json.loads(text.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise FrameError(f"it is no JSON text ({type(error).__name__})") from None
    if type(data) is not dict:
        raise FrameError("it is no mapping")
    return data


def read_frame(read: Callable[[int], bytes], most: int) -> dict[str, Any] | None:
    """The next frame; None at the end. ``read(n)`` gives up to ``n`` bytes, none at the end.

    Raises ``FrameError``, and whatever ``read`` raises.
    """
    header = _read_all(read, HEADER)
    if not header:
        return None
    length = int.from_bytes(header, "big")
    if len(header) < HEADER or length > most:
        raise FrameError(f"{length:,} bytes are announced where {most:,} may pass at once")
    text = _read_all(read, length)
    if len(text) < length:
        raise FrameError("it breaks off")
    return unpack(text, most)


def _read_all(read: Callable[[int], bytes], length: int) -> bytes:
    parts = bytearray()
    while len(parts) < length:
        part = read(min(length - len(parts), 1 << 20))
        if not part:
            break
        parts += part
    return bytes(parts)


def _check_depth(text: bytes) -> None:
    """Raise ``FrameError`` if brackets are nested too deeply, without parsing.

    Texts are taken out, then pairs of brackets from the inside out, a level or two in each round.
    """
    if _openings(text) <= _MOST_LEVELS:
        return
    bare = _brackets(text)
    for _ in range(_MOST_LEVELS):
        if not bare:
            return
        bare = bare.replace(b"[]", b"").replace(b"{}", b"")
    raise FrameError("it is nested too deeply")


def _check_parts(text: bytes, most: int) -> None:
    """Raise ``FrameError`` if there are too many lists and mappings, without parsing."""
    allowed = max(most // _BYTES_PER_PART, _MOST_LEVELS)
    if _openings(text) > allowed and (count := _openings(_brackets(text))) > allowed:
        raise FrameError(f"{count:,} lists and mappings are more than the {allowed:,} that may pass at once")


def _openings(text: bytes) -> int:
    return text.count(b"[") + text.count(b"{")


def _brackets(text: bytes) -> bytes:
    """The brackets of JSON text, without those that stand in texts."""
    bare = text.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _NO_BRACKETS)
    return b"".join(bare.split(b'"')[::2])
