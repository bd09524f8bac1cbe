"""The documents are true: their examples load and run, and their generated parts are as the program is."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import autograph
from autograph.models import ScriptedModel

ROOT = Path(__file__).parent.parent
LANGUAGE = ROOT / "docs" / "language.md"
FENCE = re.compile(r"```(\w*)")
TEXT_VARIABLES = {"name": "Ada", "items": ["tea", "bun"], "empty": "", "nothing": None}
STATEMENT_VARIABLES = {"xs": [3, 1, 2], "x": 4, "prices": {"tea": 2}}


@dataclass
class Block:
    """A fenced block, or a table; ``kind`` is the word after the fence, or ``table``."""

    kind: str
    line: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def rows(self) -> list[list[str]]:
        """The cells of a table, the header first."""
        rows = [re.split(r"(?<!\\)\|", line.strip()[1:-1]) for line in self.lines]
        return [[_plain(cell) for cell in row] for row in (rows[0], *rows[2:])]


def _plain(cell: str) -> str:
    """A cell without the marks of code."""
    text = cell.strip().replace(r"\|", "|")
    return text[1:-1] if re.fullmatch(r"`[^`]+`", text) else text


def blocks(document: str) -> Iterator[Block]:
    """The fenced blocks and tables of a document, in order."""
    block: Block | None = None
    for number, line in enumerate(document.splitlines(), 1):
        fence = FENCE.match(line)
        if block is not None and block.kind != "table":
            if fence:
                yield block
                block = None
            else:
                block.lines.append(line)
        elif fence:
            block = Block(fence[1], number)
        elif line.startswith("|"):
            block = block or Block("table", number)
            block.lines.append(line)
        elif block is not None:
            yield block
            block = None


BLOCKS = list(blocks(LANGUAGE.read_text("utf-8")))


def is_program(block: Block) -> bool:
    """Whether a block is a sheet or a YAML program."""
    if block.kind == "table":
        return {"name", "action"} <= set(block.rows()[0])
    return block.kind in ("csv", "yaml")


def load(block: Block, folder: Path, model: ScriptedModel | None = None) -> autograph.Autograph:
    """The program in a block."""
    model = model or ScriptedModel()
    if block.kind == "table":
        header, *rows = block.rows()
        source: Any = [dict(zip(header, row, strict=True)) for row in rows]
    else:
        source = folder / f"program.{block.kind}"
        source.write_text(block.text, "utf-8")
    return autograph.load(source, model=model, classifier=model)


PROGRAMS = [block for block in BLOCKS if is_program(block)]
CHATS = [
    (next(b for b in reversed(BLOCKS[:index]) if is_program(b)), block)
    for index, block in enumerate(BLOCKS)
    if block.kind == "chat"
]


def table_after(header: list[str]) -> list[list[str]]:
    """The rows of the one table with this header."""
    (block,) = [block for block in BLOCKS if block.kind == "table" and block.rows()[0] == header]
    return block.rows()[1:]


def _at_line(block: Block) -> str:
    return f"line {block.line}"


def test_blocks_are_of_known_kinds() -> None:
    assert {block.kind for block in BLOCKS} <= {"table", "csv", "yaml", "chat", "python", "text"}


@pytest.mark.parametrize("program", PROGRAMS, ids=_at_line)
def test_programs_load_without_a_warning(program: Block, tmp_path: Path) -> None:
    assert load(program, tmp_path).problems == ()


@pytest.mark.parametrize(("program", "chat"), CHATS, ids=lambda block: _at_line(block))
def test_conversations_run_as_shown(program: Block, chat: Block, tmp_path: Path) -> None:
    turns = [tuple(line.split(": ", 1)) if ": " in line else (line, "") for line in chat.lines]
    assert {word for word, _ in turns} <= {"you", "bot", "model", "answer", "error", "end"}
    replies = [text for word, text in turns if word == "model"]
    model = ScriptedModel(replies, [text for word, text in turns if word == "answer"])
    bot, memory, said = load(program, tmp_path, model), None, ""
    for word, text in turns:
        if word == "you":
            said = text
        elif word == "bot":
            reply, memory = bot.reply(said, memory)
            assert reply == text
        elif word == "error":
            with pytest.raises(autograph.RunError, match=text):
                bot.reply(said, memory)
        elif word == "end":
            assert memory is not None
            assert memory.finished
    assert model.left == (0, 0)
    assert memory is not None
    assert memory.finished == (turns[-1][0] == "end")


@pytest.mark.parametrize(("text", "becomes"), table_after(["text", "becomes"]))
def test_texts_become_what_the_table_says(text: str, becomes: str) -> None:
    bot = autograph.load([{"name": "start1", "action": "chat_exact", "instruction": text}], model=ScriptedModel())
    assert bot.reply("", bot.start(variables=TEXT_VARIABLES))[0] == becomes


@pytest.mark.parametrize(("statement", "value"), table_after(["statement", "value"]))
def test_statements_have_the_value_that_the_table_says(statement: str, value: str) -> None:
    interpreter = autograph.StatementInterpreter(autograph.AutographConfig())
    assert repr(interpreter.execute_assignment(statement, dict(STATEMENT_VARIABLES))[1]) == value


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.kind == "python"], ids=_at_line)
def test_python_runs(block: Block) -> None:
    exec(compile(block.text, f"language.md, line {block.line}", "exec"), {})


# ---------------------------------------------------------------------- generated parts


def docs_script() -> ModuleType:
    """``scripts/docs.py`` as a module."""
    spec = importlib.util.spec_from_file_location("docs_script", ROOT / "scripts" / "docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_parts_are_not_stale() -> None:
    assert docs_script().stale() == []


def test_a_stale_part_is_found_and_made_anew(tmp_path: Path) -> None:
    script = docs_script()
    page = tmp_path / "page.md"
    page.write_text("Before.\n<!-- actions -->\nold\n<!-- /actions -->\nAfter.\n", "utf-8")
    assert script.stale(tmp_path) == [page]
    fresh = script.refreshed(page.read_text("utf-8"))
    assert fresh.startswith("Before.\n<!-- actions -->\n\n| action |")
    assert "| `python_function` or `python` |" in fresh
    assert fresh.endswith("|\n\n<!-- /actions -->\nAfter.\n")
    assert script.refreshed(fresh) == fresh


def test_check_tells_by_its_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = docs_script()
    page = tmp_path / "page.md"
    page.write_text("<!-- builtins -->\n<!-- /builtins -->\n", "utf-8")
    monkeypatch.setattr(
        script, "stale", lambda: [page] if script.refreshed(page.read_text("utf-8")) != page.read_text("utf-8") else []
    )
    assert script.main(["--check"]) == 1
    assert "page.md is stale" in capsys.readouterr().err
    assert script.main([]) == 0
    assert "`int`, `float`" in page.read_text("utf-8")
    assert script.main(["--check"]) == 0
    assert script.main(["--nonsense"]) == 2


def test_every_action_and_field_is_in_the_document() -> None:
    from autograph.vocabulary import ACTIONS, FIELDS

    text = LANGUAGE.read_text("utf-8")
    shown = [f"`{name}_a`" if f.lettered else f"`{name}`" for name, f in FIELDS.items()]
    assert [name for name in (*(f"`{a}`" for a in ACTIONS), *shown) if name not in text] == []
