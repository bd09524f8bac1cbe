"""Draw the picture in docs/graph.md: the clinic's intake, laid out by graphviz-pure.

python scripts/graph_picture.py            writes docs/img/clinic.svg
python scripts/graph_picture.py --check    exits 1 if the picture no longer shows the program
"""

from __future__ import annotations

import re
import sys
from html import unescape
from pathlib import Path

import autograph
from autograph.graph import Drawing

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "img" / "clinic.svg"


def drawn() -> Drawing:
    """The drawing of the program as it is now."""
    return autograph.draw(ROOT / "programs" / "clinic.yaml", engine="graphviz-pure")


def titles(svg: str) -> list[str]:
    """What the parts of a picture are called. (Where they are may differ between versions of Graphviz.)"""
    return sorted(unescape(title) for title in re.findall(r"<title>([^<]*)</title>", svg))


def main(arguments: list[str]) -> int:
    """Write or check the picture."""
    svg = drawn().svg()
    if "--check" in arguments:
        if not PICTURE.exists() or titles(PICTURE.read_text("utf-8")) != titles(svg):
            print(f"{PICTURE.relative_to(ROOT)} is stale: run python scripts/graph_picture.py", file=sys.stderr)
            return 1
        return 0
    PICTURE.write_text(svg, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
