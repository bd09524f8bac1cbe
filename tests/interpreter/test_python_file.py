"""A program in a Python file, with its host functions and configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

import autograph

SHOP = """
from prices import PRICES

def price(item):
    return PRICES[item]

modules = {"price": price}
config = {"agent_name": "Mia"}
nodes = [{"name": "a", "action": "chat_exact", "instruction": "Tea: ${price('tea')} coins.", "transitions": "a"}]
"""


def test_it_brings_its_functions_and_configuration(tmp_path: Path) -> None:
    (tmp_path / "prices.py").write_text("PRICES = {'tea': 3}\n", "utf-8")
    path = tmp_path / "shop.py"
    path.write_text(SHOP, "utf-8")
    bot = autograph.load(path)
    assert bot.reply()[0] == "Tea: 3 coins."
    assert bot.config.agent_name == "Mia"
    assert autograph.load(str(path), modules={"price": lambda item: 9}).reply()[0] == "Tea: 9 coins."


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("x = 1\n", "sets no nodes", None),
        ("x = 1\ny = 1 / 0\n", "ZeroDivisionError", 2),
        ("x = (\n", "SyntaxError", 1),
        ("nodes = [{'name': 'a', 'action': 'chta'}]", "no action", None),
    ],
)
def test_what_is_wrong_has_an_address(tmp_path: Path, source: str, message: str, line: int | None) -> None:
    path = tmp_path / "p.py"
    path.write_text(source, "utf-8")
    with pytest.raises(autograph.ProgramError, match=message) as caught:
        autograph.load(path)
    assert caught.value.problems[0].location.line == line


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(autograph.ProgramError, match="cannot be read"):
        autograph.load(tmp_path / "no.py")
