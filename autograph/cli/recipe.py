"""From what is the bot made? The file with the options of the command line, so that it can be made again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from autograph.config import AutographConfig

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.tables import Rows

__all__ = ["Recipe"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A program's source with everything that goes into loading it.

    ``model`` and ``classifier`` are objects, made once, so that a program that is read again goes on
    with the same ones; None leaves the choice to the program. ``notify`` is told which model ``auto`` chose.
    ``trust`` is that of ``autograph.load``.
    """

    source: Any
    config: AutographConfig
    model: Any = None
    classifier: Any = None
    notify: Callable[[str], None] | None = None
    trust: str | None = None

    def read(self) -> Rows:
        """The rows of the source. Raises ``ProgramError``."""
        from autograph.tables import read_rows

        return read_rows(self.source)

    def make(self, rows: Rows) -> Autograph:
        """The bot of these rows. Raises ``ProgramError``."""
        from autograph.interpreter.bot import Autograph
        from autograph.interpreter.trust import trust_of

        trust = trust_of(self.source, self.trust)
        bot = Autograph(self.config, model=self.model, classifier=self.classifier, notify=self.notify, trust=trust)
        return bot.load_rows(rows)

    def with_model(self, spec: str) -> Recipe:
        """This recipe with another model. Raises ``ModelError`` if ``spec`` means none."""
        from autograph.models.resolve import resolve_model

        return replace(self, model=resolve_model(spec, notify=self.notify))
