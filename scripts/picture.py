"""Draw the README's picture: a real conversation with the tutor, offline, as the terminal shows it.

python scripts/picture.py            writes docs/img/tutor.svg
python scripts/picture.py --check    exits 1 if the picture no longer shows what is said
"""

from __future__ import annotations

import re
import sys
from html import unescape
from io import StringIO
from pathlib import Path

import autograph

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "img" / "tutor.svg"
WIDTH = 84
SAYS = ("Ada", "yes", "that is clear", "2/5", "hint", "2/3")


def conversation() -> list[tuple[str, str]]:
    """Who said what, from the program's opening on."""
    bot = autograph.load(ROOT / "programs" / "tutor.csv", model="offline")
    reply, memory = bot.reply()
    turns = [("bot", reply)]
    for text in SAYS:
        reply, memory = bot.reply(text, memory)
        turns += [("you", text), ("bot", reply)]
    return turns


def drawn() -> str:
    """The picture as SVG, without anything that would be loaded from elsewhere."""
    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text("$ autograph-chat programs/tutor.csv", style="bold"))
    for who, text in conversation():
        console.print()
        if who == "you":
            console.print(Text.assemble(("you › ", "bold cyan"), (text, "cyan")))
        else:
            console.print(Text(text))
    svg = console.export_svg(title="autograph-chat", unique_id="tutor")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas")


def words(text: str) -> list[str]:
    """The words of a text, however it is broken into lines."""
    return re.findall(r"\w+", text)


def is_current() -> bool:
    """Whether the words in the picture are those of the conversation. (Bytes differ between versions of rich.)"""
    if not PICTURE.exists():
        return False
    shown = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", PICTURE.read_text("utf-8")))
    said = " ".join(f"you {text}" if who == "you" else text for who, text in conversation())
    return words(unescape(shown))[-len(words(said)) :] == words(said)


def main(arguments: list[str]) -> int:
    """Write or check the picture."""
    if "--check" in arguments:
        if not is_current():
            print(f"{PICTURE.relative_to(ROOT)} is stale: run python scripts/picture.py", file=sys.stderr)
            return 1
        return 0
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(drawn(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
