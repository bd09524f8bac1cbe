"""From what is the bot made? The file with the options of the command line, so that it can be made again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from autograph.config import AutographConfig

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.interpreter.loading import Source

__all__ = ["Recipe"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A program's source with everything that goes into loading it.

    ``model`` and ``classifier`` are objects, made once, so that a program that is read again goes on
    with the same ones; None leaves the choice to the program. ``notify`` is told which model ``auto`` chose.
    ``trust`` is that of ``autograph.load``; ``hosts`` are the host functions at hand, ``allow`` names those that
    the program may have (a Python file's own are always its own).
    """

    source: Any
    config: AutographConfig
    model: Any = None
    classifier: Any = None
    notify: Callable[[str], None] | None = None
    trust: str | None = None
    hosts: Mapping[str, Any] = field(default_factory=dict)
    allow: tuple[str, ...] = ()

    def read(self) -> Source:
        """What the source says. Raises ``ProgramError``."""
        from autograph.interpreter.loading import read_source
        from autograph.interpreter.trust import trust_of

        return read_source(self.source, trust=trust_of(self.source, self.trust))

    def make(self, read: Source) -> Autograph:
        """The bot of what was read. Raises ``ProgramError``."""
        from autograph.interpreter.bot import Autograph
        from autograph.interpreter.trust import trust_of

        bot = Autograph(
            self.config,
            model=self.model,
            classifier=self.classifier,
            notify=self.notify,
            modules={**read.modules, **self.hosts},
            trust=trust_of(self.source, self.trust),
            allow=(*self.allow, *read.modules),
        )
        return bot.load_rows(read.rows)

    def with_model(self, spec: str) -> Recipe:
        """This recipe with another model. Raises ``ModelError`` if ``spec`` means none."""
        from autograph.models.resolve import resolve_model

        return replace(self, model=resolve_model(spec, notify=self.notify))
