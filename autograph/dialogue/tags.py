"""What did a model write between its tags?"""

from __future__ import annotations

import re


def extract_from_tags(tag: str, text: str) -> str | None:
    """The text between ``<tag>`` and ``</tag>``: the last pair's where there are several, None where there is none.

    A model may think aloud first, and quote the tag while it does, so the last pair counts. The text may have several
    lines. As in pydialogue, the tag is a regular expression: ``a.c`` also finds ``<abc>``; a tag that must be taken
    literally is passed through ``re.escape``.
    """
    pattern = re.compile(f"<{tag}>(.*?)</{tag}>", re.DOTALL)
    between = pattern.groups // 2 + 1  # the tag, which stands on both sides, may have groups of its own
    pairs = list(pattern.finditer(text))
    return (pairs[-1][between] or "") if pairs else None
