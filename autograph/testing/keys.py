"""Which keys has a file of tests? The tables that reader, writer, schema and documents share."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = [
    "CALLED_KEYS",
    "CALL_KEYS",
    "CASE_KEYS",
    "INTERJECTIONS",
    "LONGEST_SAYING",
    "OTHERS",
    "PRICE_KEYS",
    "SAID_KEYS",
    "SAY_KEYS",
    "SCOPES",
    "SUITE_KEYS",
    "TURN_KEYS",
]

SUITE_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "program": "the program under test; default: the one with the same name beside this file",
        "config": "settings for all tests",
        "variables": "variables that all conversations begin with",
        "model": "the model of all tests that have no script",
        "recording": "the file with what a real model answered, for tests that have no script",
        "prices": "what a million tokens costs, for `cost`",
        "tests": "the tests",
    }
)

CASE_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "test": "the name of the test",
        "start": "the node at which the conversation begins; default: the program's start",
        "variables": "variables to begin with",
        "config": "settings for this test",
        "replies": "what the model writes: texts in order, or by node",
        "answers": "what the model answers to questions: in order, or by node",
        "unused": "`ok` if the script may keep entries that nothing asked for",
        "model": "a model instead of a script: offline, recorded:FILE, or a real one together with live",
        "recording": "the file with what a real model answered, instead of a script",
        "live": "run only with --live",
        "turns": "the turns of the conversation",
        "call": "a function to be called, instead of turns",
        "args": "the arguments of the call: a list, or a mapping of names",
        "cases": "a table of tests that differ in what is said last, or in the arguments of the call",
        "expect": "what must hold for the call, or for the conversation as a whole",
    }
)

SAID_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "say": "what the user says last",
        "expect": "what must hold after it",
        "variables": "more variables to begin with",
        "replies": "what the model writes then, added to the script",
        "answers": "what the model answers then, added to the script",
    }
)
"""The keys of a row of ``cases`` in a conversation."""

CALLED_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "args": "the arguments: a list, or a mapping of names",
        "value": "the value that the function gives",
        "expect": "what must hold for the call",
        "variables": "more variables that the call sees",
        "replies": "what the model writes",
        "answers": "what the model answers",
    }
)
"""The keys of a row of ``cases`` of a call."""

TURN_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "say": "what the user says, or {repeat: text, times: n}; a first turn without it lets the program begin",
        "expect": "what must hold after the turn",
        "replies": "what the model writes in this turn, added to the script",
        "answers": "what the model answers in this turn, added to the script",
    }
)

SAY_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "repeat": "a text that the user says several times without a break",
        "times": "how often",
    }
)

LONGEST_SAYING = 1_000_000
"""The most characters that ``repeat`` may come to."""

CALL_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "function": "the name of the function",
        "args": "the arguments: a list, or a mapping of names",
        "type": "local (default), normal or global: what the call sees of the variables",
    }
)

PRICE_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "prompt": "the price of a million tokens that are sent",
        "completion": "the price of a million tokens that the model writes",
        "cached": "the price of a million tokens that are sent and that the server had kept; default: that of prompt",
    }
)

SCOPES = ("local", "normal", "global")

OTHERS = "*"
"""The key for what belongs to no node in particular, in a script by node."""

INTERJECTIONS = "interjections"
"""The key for the answers to interjection questions, in a script by node."""
