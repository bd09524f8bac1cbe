"""How is a module found that somebody spells out, ``pkg.mod``? In the working folder, or installed."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from autograph.errors import AutographError

__all__ = ["ModuleError", "spelt_out"]


class ModuleError(AutographError):
    """A module that cannot be imported; the text says why."""


def spelt_out(name: str) -> ModuleType:
    """The module of this name; modules of the working folder are found first. Raises ``ModuleError``."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        return import_module(name)
    except AutographError:
        raise
    except Exception as error:  # whatever the module does when it is run
        raise ModuleError(f'the module "{name}" cannot be imported ({type(error).__name__}: {error})') from error
    finally:
        sys.path.remove(here)
