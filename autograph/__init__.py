"""autograph: chatbots as graph programs.

    import autograph

    bot = autograph.load("programs/tutor.csv")
    reply, memory = bot.reply()
    reply, memory = bot.reply("hello", memory)

Names are loaded on first use, so that importing the package costs next to nothing.
"""

from typing import TYPE_CHECKING, Any

from autograph.config import AutographConfig
from autograph.errors import (
    AutographError,
    ConversationFinished,
    LimitError,
    Location,
    ModelError,
    Problem,
    ProgramChanged,
    ProgramError,
    RunError,
    StatementError,
    StorageError,
    TransitionError,
)
from autograph.version import __version__

if TYPE_CHECKING:
    from autograph.graph import draw
    from autograph.interpreter.bot import Autograph
    from autograph.interpreter.loading import apply_fn, load, reply
    from autograph.interpreter.nodes import Node
    from autograph.interpreter.process import process_node_id
    from autograph.language.sandbox.exposure import expose_type, host_function
    from autograph.language.statements import StatementInterpreter
    from autograph.memory import MemoryObject
    from autograph.tables import read_rows
    from autograph.vocabulary import Action

_HOME = {
    "Action": "autograph.vocabulary",
    "Autograph": "autograph.interpreter.bot",
    "MemoryObject": "autograph.memory",
    "Node": "autograph.interpreter.nodes",
    "StatementInterpreter": "autograph.language.statements",
    "apply_fn": "autograph.interpreter.loading",
    "expose_type": "autograph.language.sandbox.exposure",
    "host_function": "autograph.language.sandbox.exposure",
    "draw": "autograph.graph",
    "load": "autograph.interpreter.loading",
    "process_node_id": "autograph.interpreter.process",
    "read_rows": "autograph.tables",
    "reply": "autograph.interpreter.loading",
}

__all__ = [
    "Action",
    "Autograph",
    "AutographConfig",
    "AutographError",
    "ConversationFinished",
    "LimitError",
    "Location",
    "MemoryObject",
    "ModelError",
    "Node",
    "Problem",
    "ProgramChanged",
    "ProgramError",
    "RunError",
    "StatementError",
    "StatementInterpreter",
    "StorageError",
    "TransitionError",
    "__version__",
    "apply_fn",
    "draw",
    "expose_type",
    "host_function",
    "load",
    "process_node_id",
    "read_rows",
    "reply",
]


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'autograph' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
