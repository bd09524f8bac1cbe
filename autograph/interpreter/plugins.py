"""Which actions do installed packages add? Entry points of the group ``autograph.actions``.

    [project.entry-points."autograph.actions"]
    shout = "my_package.nodes:Shout"

The class is a subclass of ``Node`` with a class attribute ``action``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograph.errors import AutographError

if TYPE_CHECKING:
    from autograph.interpreter.nodes import Node

__all__ = ["GROUP", "installed_actions"]

GROUP = "autograph.actions"


def installed_actions() -> dict[str, type[Node]]:
    """The node classes of installed packages, by the name of their action."""
    from importlib.metadata import entry_points

    from autograph.interpreter.nodes import Node

    found: dict[str, type[Node]] = {}
    for point in entry_points(group=GROUP):
        cls = point.load()
        if not (isinstance(cls, type) and issubclass(cls, Node) and cls.action is not None):
            raise AutographError(f"the entry point {point.name} = {point.value} of {GROUP} is no node with an action")
        found[cls.action.name] = cls
    return found
