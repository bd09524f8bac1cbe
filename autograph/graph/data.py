"""How does a view look to other programs? Plain JSON data, with the same names as in ``View``."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from autograph.graph.view import View, ViewNode, ViewProblem

__all__ = ["json_text", "node_data", "problem_data", "view_data"]


def view_data(view: View) -> dict[str, Any]:
    """The view as JSON data; ``version`` is that of this form."""
    return {
        "version": 1,
        "title": view.title,
        "nodes": [node_data(node) for node in view.nodes],
        "edges": [asdict(edge) for edge in view.edges],
        "groups": [asdict(group) for group in view.groups],
        "functions": [asdict(function) for function in view.functions],
        "problems": [problem_data(found) for found in view.problems],
        "compared_with": view.compared_with,
        "counted": view.counted,
        "selection": view.selection,
    }


def node_data(node: ViewNode) -> dict[str, Any]:
    """A node as JSON data."""
    return asdict(node)


def problem_data(found: ViewProblem) -> dict[str, Any]:
    """A problem as JSON data."""
    return asdict(found)


def json_text(view: View) -> str:
    """The view as JSON text."""
    return json.dumps(view_data(view), ensure_ascii=False, indent=1) + "\n"
