"""What can be expected of a turn? The table that reader, schema, sheets and documents share; `expect.py` checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

__all__ = ["KINDS", "NEGATED", "Kind"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of expectation.

    ``shape`` says how its value is written: ``texts`` (one or several), ``patterns``, ``names`` (of nodes),
    ``path``, ``vars``, ``flag``, ``number`` (or a comparison), ``error``, ``value`` (anything). ``turn``,
    ``call``, ``load`` and ``whole`` tell where it may stand; ``negatable`` whether ``not:`` may hold it.
    """

    name: str
    shape: str
    meaning: str
    turn: bool = True
    call: bool = True
    load: bool = False
    whole: bool = False
    negatable: bool = False


_TEXTS = partial(Kind, shape="texts", negatable=True)
_WHOLE = partial(Kind, whole=True)

_ALL = (
    _TEXTS("reply", meaning="the reply is exactly this text, or one of these"),
    _TEXTS("contains", meaning="the reply has this text in it, or each of these"),
    _TEXTS("matches", shape="patterns", meaning="this pattern is found in the reply, or each of these"),
    _TEXTS("starts", meaning="the reply begins with this text, or one of these"),
    _TEXTS("ends", meaning="the reply ends with this text, or one of these"),
    _WHOLE("node", "names", "the conversation stands at this node, or one of these", call=False, negatable=True),
    _WHOLE("path", "path", "exactly these nodes were entered, in this order", negatable=True),
    _WHOLE("passes", "names", "this node was entered, or each of these", negatable=True),
    _WHOLE("vars", "vars", "expressions have these values; one that stands alone is true", negatable=True),
    _WHOLE("unset", "names", "this variable has no value, or none of these"),
    _WHOLE("finished", "flag", "whether the conversation has ended", call=False),
    _WHOLE("silent", "flag", "whether the model was not asked anything"),
    _WHOLE("told", "texts", "the model is told this text, or each of these, in prompt or question", negatable=True),
    Kind("prompt", "texts", "the prompt that the model gets from here on is exactly this text"),
    Kind("user_prompt", "texts", "the prompt of a simulated user is exactly this text"),
    _WHOLE("calls", "number", "how often the model was asked"),
    _WHOLE("tokens", "number", "how many tokens the requests took"),
    _WHOLE("cost", "number", "what the requests cost, by `prices`"),
    _WHOLE("time", "number", "how many seconds it took"),
    _WHOLE("stack", "number", "how many levels the stack has"),
    Kind("error", "error", "it fails with this error: a part of its text, its class, or both and its node"),
    Kind("value", "value", "the function gives this value", turn=False, negatable=True),
    Kind("load_error", "texts", "the program is refused with this text or code", turn=False, call=False, load=True),
)

KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in _ALL})

NEGATED: Mapping[str, str] = MappingProxyType({"not_contains": "contains", "not_matches": "matches"})
"""Short forms of ``not: {contains: …}`` and its like."""
