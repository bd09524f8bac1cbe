"""How is a program written as JSON?"""

from __future__ import annotations

import json

from autograph.program.write.tree_form import program_tree
from autograph.tables import Rows

__all__ = ["json_text"]


def json_text(rows: Rows) -> str:
    """The program as a JSON document."""
    return json.dumps(program_tree(rows), ensure_ascii=False, indent=2) + "\n"
