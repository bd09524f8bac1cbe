"""What did a model write between its tags?"""

from __future__ import annotations

import re


def extract_from_tags(tag: str, text: str) -> str | None:
    """The text between ``<tag>`` and ``</tag>``: the last pair's where there are several, None where there is none.

    A model may think aloud first, and quote the tag while it does, so the last pair counts. The text may have several
    lines. As in pydialogue, the tag is a regular expression: ``a.c`` also finds ``<abc>``; a tag that must be taken
    literally is passed through ``re.escape``.
    """
    pairs = list(re.finditer(f"<{tag}>(?P<between>.*?)</{tag}>", text, re.DOTALL))
    return pairs[-1]["between"] if pairs else None
