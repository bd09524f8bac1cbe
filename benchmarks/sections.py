"""Where do results stand in RESULTS.md? Each benchmark writes a section of its own and leaves the others."""

from __future__ import annotations

from pathlib import Path

__all__ = ["put"]

RESULTS = Path(__file__).parent / "RESULTS.md"
TITLE = "# Results\n\nWritten by the benchmarks with `--write`; [README.md](README.md) says what is compared and why.\n"


def put(name: str, text: str, path: Path = RESULTS) -> None:
    """Write the section ``name``, in place of the older one if there is one, else at the end."""
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    whole = path.read_text(encoding="utf-8") if path.exists() else TITLE
    section = f"{begin}\n\n{text.strip()}\n\n{end}"
    if begin in whole:
        before, _, rest = whole.partition(begin)
        _, _, after = rest.partition(end)
        whole = before + section + after
    else:
        whole = f"{whole.rstrip()}\n\n{section}\n"
    path.write_text(whole, encoding="utf-8")
