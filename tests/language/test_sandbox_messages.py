"""Words for authors: what a refused cell is told."""

from __future__ import annotations

import pytest

from autograph.config import AutographConfig
from autograph.errors import StatementError
from autograph.language.sandbox import Sandbox


@pytest.mark.parametrize("code", ["my-var = 3", "first name = 'x'", "class = 'x'"])
def test_what_was_meant_as_a_name_is_called_one(code: str) -> None:
    with pytest.raises(StatementError, match=r"cannot be the name of a variable"):
        Sandbox(AutographConfig()).statements(code)
