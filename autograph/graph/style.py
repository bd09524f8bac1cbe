"""How does an action look? Shape, colours and word of every kind of node: never colour alone.

Dark colours follow from the light ones; a test holds all of them to their contrast.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["ACCENT", "DARK_PAGE", "INK", "LOOKS", "Look", "contrast", "dark", "dark_ink", "look_of", "mix"]

INK = "#10151d"
"""Text in the light theme."""
DARK_INK = "#f0f4f9"
DARK_PAGE = "#0d1117"
ACCENT = "#c2410c"
"""What is selected, and the path of a conversation."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one kind of node is drawn.

    ``shape`` is a word of ``shapes``; ``fill`` and ``stroke`` are the light theme's; ``dashed`` borders mean
    that the user sees nothing of it. ``word`` stands in the corner; ``summary`` in the legend.
    """

    shape: str
    fill: str
    stroke: str
    word: str
    summary: str
    dashed: bool = False


_BLUE, _NAVY, _VIOLET, _GREEN, _TEAL = "#17609f", "#0b4f8a", "#6d45a6", "#256e37", "#0b665f"
_ROSE, _RUST, _GREY, _RED = "#a52a58", "#a03618", "#5a5f66", "#b91c1c"


def _looks() -> Mapping[str, Look]:
    call = "calls a function (dashed line)"
    prompt = "changes a prompt"
    return {
        "chat": Look("rounded", "#e3f0fd", _BLUE, "chat", "reply written by the model"),
        "chat_exact": Look("rounded", "#cfe4fa", _NAVY, "chat_exact", "fixed reply"),
        "chat_suffix": Look("rounded", "#dcebf8", _BLUE, "chat_suffix", "reply with a fixed end"),
        "thought": Look("rounded", "#f1eafb", _VIOLET, "thought", "hidden model call", dashed=True),
        "thought_exact": Look("rounded", "#f5f1fb", _VIOLET, "thought_exact", "hidden fixed text", dashed=True),
        "thought_qa": Look("rounded", "#ece3f8", _VIOLET, "thought_qa", "hidden question and answer", dashed=True),
        "python_function": Look("box", "#e6f4ea", _GREEN, "python", "Python statement"),
        "function": Look("call", "#dff3f1", _TEAL, "function", call),
        "local_function": Look("call", "#dff3f1", _TEAL, "local_function", call),
        "global_function": Look("call", "#dff3f1", _TEAL, "global_function", call),
        "set_prompt": Look("note", "#fbe9ef", _ROSE, "set_prompt", prompt),
        "append_prompt": Look("note", "#fbe9ef", _ROSE, "append_prompt", prompt),
        "set_user_prompt": Look("note", "#fbe9ef", _ROSE, "set_user_prompt", prompt + " of the simulated user"),
        "append_user_prompt": Look("note", "#fbe9ef", _ROSE, "append_user_prompt", prompt + " of the simulated user"),
        "transition": Look("box", "#eeeeee", _GREY, "transition", "only goes on"),
        # roles that win over the action
        "interjection": Look("arrow", "#fde8e3", _RUST, "interjection", "may start at any turn"),
        "entry": Look("entry", "#dff3f1", _TEAL, "entry", "where a function begins"),
        "missing": Look("box", "#fef2f2", _RED, "missing", "is named but does not exist", dashed=True),
        "custom": Look("box", "#f4f0e4", "#6b5518", "custom", "an action of your own"),
    }


LOOKS: Mapping[str, Look] = MappingProxyType(_looks())


def look_of(key: str) -> Look:
    """The look of a node's ``View`` key; actions of third parties share one."""
    return LOOKS.get(key, LOOKS["custom"])


# ---------------------------------------------------------------------- colours


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(colour: str, over: str, share: float) -> str:
    """``share`` of ``colour`` laid over the colour ``over``."""
    pairs = zip(_channels(colour), _channels(over), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def dark(look: Look) -> tuple[str, str]:
    """Fill and stroke of the dark theme: a third of the stroke over the page, and the stroke lightened."""
    return mix(look.stroke, DARK_PAGE, 0.32), dark_ink(look.stroke)


def dark_ink(colour: str) -> str:
    """A colour that can be read on the dark page: lightened halfway to white."""
    return mix(colour, "#ffffff", 0.5)


def _luminance(colour: str) -> float:
    parts = [c / 255 for c in _channels(colour)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as the Web Content Accessibility Guidelines define it: 1 to 21."""
    light, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (low + 0.05)
