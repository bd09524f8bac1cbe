"""The examples of the documents run: Python, commands and programs, with the output shown; and links lead somewhere.

A marker in the line above a block says what is to be done with it:

    <!-- not run -->        a Python block that needs what a test has not got; there may be few
    <!-- run -->            a block of shell commands that is run
    <!-- file: cafe.csv --> the block is written to this file, for the blocks after it

The blocks of a document run in order, in one namespace and one folder, which has copies of ``programs/`` and
``examples/``. A text block after a Python block that prints, or after commands that are run, shows their output.
No model and no network can be reached.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

import autograph
from autograph.cli.main import cli
from autograph.models import ScriptedModel

ROOT = Path(__file__).parent.parent
DOCUMENTS = [path for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))] if path.exists()]
LINKED = [path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/README.md")] if path.exists()]
TESTED_ELSEWHERE = {"language.md"}  # its programs, in test_documents.py
COMMANDS = ("autograph", "autograph-chat", "python")
MOST_NOT_RUN = 2

_FENCE = re.compile(r"^(```+)(\w*)[^\n]*\n(.*?)^\1[ \t]*$", re.DOTALL | re.MULTILINE)
_MARKER = re.compile(r"<!-- (not run|run|file: ([\w./-]+)) -->\s*\Z")
_LINK = re.compile(r"!?\[[^\]]*\]\(<?([^()\s>]+)>?\)|<img [^>]*src=\"([^\"]+)\"")
_SECONDS = re.compile(r"\bin \d+(\.\d+)? s\b")
_AND_SO_ON = "\n…\n"
"""The end of an output of which only the beginning is shown."""
_HEADING = re.compile(r"^#+ +(.+?) *#*$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: ``kind`` is the word after the fence, ``line`` that of its first line, counted from 1."""

    kind: str
    line: int
    text: str
    marker: str = ""
    file: str = ""


def blocks(document: str) -> list[Block]:
    """The fenced blocks of a document, in order."""
    found = []
    for match in _FENCE.finditer(document):
        marker = _MARKER.search(document, 0, match.start())
        line = document.count("\n", 0, match.start(3)) + 1
        found.append(Block(match[2], line, match[3], marker[1] if marker else "", (marker[2] or "") if marker else ""))
    return found


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to run examples in, without keys and without a network."""
    for name in ("programs", "examples"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name)
    for name in [name for name in os.environ if name.startswith(("OPENAI_", "AUTOGRAPH_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    monkeypatch.setattr(socket.socket, "connect", _only_here(socket.socket.connect))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _only_here(connect: Any) -> Any:
    def connect_here(self: socket.socket, address: Any) -> Any:
        assert not isinstance(address, tuple) or str(address[0]) in ("127.0.0.1", "::1", "localhost"), (
            f"an example tries to reach {address}"
        )
        return connect(self, address)

    return connect_here


# ---------------------------------------------------------------------- examples


class Runner:
    """Runs the blocks of one document."""

    def __init__(self, name: str, folder: Path) -> None:
        self._name = name
        self._folder = folder
        self._namespace: dict[str, Any] = {"__name__": "__main__"}
        self._output: str | None = None

    def run(self, block: Block) -> None:
        """Run a block, or compare it with the output of the one before."""
        if block.kind == "text" and self._output is not None and block.marker != "not run":
            shown, printed = (_SECONDS.sub("in … s", text) for text in (block.text, self._output))
            if shown.endswith(_AND_SO_ON):
                shown, printed = shown.removesuffix(_AND_SO_ON), printed[: len(shown) - len(_AND_SO_ON)]
            assert shown == printed, f"{self._name}, line {block.line}: this is not what the block prints"
        self._output = None
        if block.file:
            path = self._folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, "utf-8")
        elif block.kind == "python" and block.marker != "not run":
            printed = self._python(block)
            self._output = printed if "print(" in block.text else None
        elif block.kind == "sh" and block.marker == "run" and shutil.which("sh"):
            self._output = self._commands(block)

    def _python(self, block: Block) -> str:
        source = "\n" * (block.line - 1) + block.text  # so that a traceback shows the document's line
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(source, self._name, "exec"), self._namespace)
        return printed.getvalue()

    def _commands(self, block: Block) -> str:
        done = subprocess.run(
            ["sh", "-eu"], input=block.text, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False
        )
        assert done.returncode == 0, f"{self._name}, line {block.line}: {done.stderr or done.stdout}"
        return done.stdout


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_examples_run_as_shown(document: Path, folder: Path) -> None:
    runner = Runner(document.name, folder)
    for block in blocks(document.read_text("utf-8")):
        runner.run(block)


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_few_examples_are_not_run(document: Path) -> None:
    marked = [b.line for b in blocks(document.read_text("utf-8")) if b.kind == "python" and b.marker == "not run"]
    assert len(marked) <= MOST_NOT_RUN


# ---------------------------------------------------------------------- commands


def _command_lines() -> Iterator[tuple[str, str]]:
    """The place and the text of every command of ours in a shell block."""
    for document in DOCUMENTS:
        for block in blocks(document.read_text("utf-8")):
            if block.kind in ("sh", "bash", "console"):
                lines = re.sub(r"\\\n\s*", "", block.text).splitlines()
                for number, line in enumerate(lines, block.line):
                    for part in re.split(r"\s*(?:\||&&|;)\s*", line.removeprefix("$ ")):
                        if part.split(" ")[0] in ("autograph", "autograph-chat"):
                            yield f"{_name(document)}, line {number}", part


def test_commands_that_are_run_are_ours() -> None:
    for document in DOCUMENTS:
        for block in blocks(document.read_text("utf-8")):
            if block.kind == "sh" and block.marker == "run":
                first = [line.split(" ")[0] for line in block.text.splitlines() if line and not line.startswith("#")]
                assert [word for word in first if word not in COMMANDS and word != "printf"] == [], document.name


def test_commands_and_their_options_exist() -> None:
    for place, line in _command_lines():
        name, *words = shlex.split(line, comments=True)
        command: click.Command | None = cli
        if name == "autograph-chat":
            words.insert(0, "chat")
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            name = words.pop(0)
            command = command.get_command(click.Context(command), name)
            assert command is not None, f"{place}: there is no command {name}"
        known = {"-h", "--help"} | {option for parameter in command.params for option in parameter.opts}
        given = {word.split("=")[0] for word in words if word.startswith("--")}
        assert given <= known, f"{place}: {line}"


# ---------------------------------------------------------------------- programs


def _programs() -> Iterator[Any]:
    for document in DOCUMENTS:
        if document.name in TESTED_ELSEWHERE:
            continue
        for block in blocks(document.read_text("utf-8")):
            if _is_program(block):
                yield pytest.param(block, id=f"{_name(document)}, line {block.line}")


def _is_program(block: Block) -> bool:
    if block.marker == "not run":
        return False
    if block.kind == "csv":
        return {"name", "action"} <= set(re.split(r"[,;\t]", block.text.splitlines()[0].lower()))
    return (block.kind == "yaml" and re.search(r"^nodes:", block.text, re.MULTILINE) is not None) or (
        block.kind == "json" and '"nodes"' in block.text
    )


@pytest.mark.parametrize("block", list(_programs()))
def test_programs_load_without_a_warning(block: Block, tmp_path: Path) -> None:
    path = tmp_path / f"program.{block.kind}"
    path.write_text(block.text, "utf-8")
    model = ScriptedModel()
    assert autograph.load(path, model=model, classifier=model).problems == ()


# ---------------------------------------------------------------------- links


def _anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


def _without_code(document: str) -> str:
    return re.sub(r"`[^`\n]+`", "", _FENCE.sub("", document))


@pytest.mark.parametrize("document", LINKED, ids=_name)
def test_links_lead_somewhere(document: Path) -> None:
    for match in _LINK.finditer(_without_code(document.read_text("utf-8"))):
        target, _, anchor = (match[1] or match[2]).partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        path = (document.parent / target).resolve() if target else document
        assert path.exists(), f"{_name(document)}: {match[0]}"
        assert path.is_relative_to(ROOT), f"{_name(document)}: {match[0]}"
        if anchor and path.suffix == ".md":
            text = _FENCE.sub("", path.read_text("utf-8"))
            assert anchor in {_anchor(heading) for heading in _HEADING.findall(text)}, f"{_name(document)}: {match[0]}"


# ---------------------------------------------------------------------- this file itself


EXAMPLE = """# A page

<!-- file: p.csv -->
```csv
name,action
```

```python
from pathlib import Path

x = 1
print(Path("p.csv").read_text(), end="")
```
Prose.
```text
name,action
```

<!-- not run -->
```python
raise SystemExit
```

<!-- run -->
```sh
python -c "print(2)"
```

```text
2
```
"""


def test_blocks_are_found_with_their_markers() -> None:
    found = blocks(EXAMPLE)
    assert [(b.kind, b.line, b.marker, b.file) for b in found] == [
        ("csv", 5, "file: p.csv", "p.csv"),
        ("python", 9, "", ""),
        ("text", 16, "", ""),
        ("python", 21, "not run", ""),
        ("sh", 26, "run", ""),
        ("text", 30, "", ""),
    ]


def _run(document: str, folder: Path) -> None:
    runner = Runner("page.md", folder)
    for block in blocks(document):
        runner.run(block)


def test_a_page_that_is_true_runs(folder: Path) -> None:
    _run(EXAMPLE, folder)
    assert (folder / "p.csv").read_text("utf-8") == "name,action\n"


@pytest.mark.parametrize(("old", "new", "line"), [("x = 1", "print('x')", 16), ("print(2)", "print(3)", 30)])
def test_another_output_is_noticed(old: str, new: str, line: int, folder: Path) -> None:
    with pytest.raises(AssertionError, match=f"line {line}: this is not what the block prints"):
        _run(EXAMPLE.replace(old, new), folder)


def test_anchors_are_those_of_github() -> None:
    assert _anchor("What `chat` sees, and [why](x.md)!") == "what-chat-sees-and-why"
    assert _anchor("7 Statements") == "7-statements"
