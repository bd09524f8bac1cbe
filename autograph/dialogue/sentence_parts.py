"""What is a sentence made of, where there is no world whose classes would do? Plain data, named as pydialogue names it.

``Sentence([Describer({"Rel": RelArg("goes"), "AM-DIR": Arg("north")})])``. An entity is what its words say, since no
world tells which thing is meant: ``Entity.of("red", "apple", "abstract")``.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Arg", "Describer", "Description", "Entity", "RelArg", "Sentence", "present_form"]


@dataclass(slots=True)
class Arg:
    """What takes part in what is said. ``part``, the wording, plays no role in what is equal."""

    value: Any = None
    part: Any = field(default=None, compare=False, repr=False)

    def __hash__(self) -> int:
        return hash(frozen(self.value))


@dataclass(slots=True)
class RelArg(Arg):
    """The verb. ``infinitive`` is what is compared: ``goes`` and ``go`` say the same, ``went`` something else."""

    infinitive: str | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.infinitive = self.compute_infinitive()

    def compute_infinitive(self) -> str | None:
        """The infinitive of a verb in the present; a verb in another form stays as it is.

        Raises ``TypeError`` for what is no text.
        """
        if not isinstance(self.value, str | None):
            raise TypeError(f"a verb is a text, not {type(self.value).__name__}")
        return None if self.value is None else present_form(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RelArg) and self.infinitive == other.infinitive

    def __hash__(self) -> int:
        return hash(self.infinitive)


@dataclass(slots=True)
class Describer:
    """One statement: keys such as ``Rel``, ``Arg-PAG`` and ``AM-NEG``, each with its argument."""

    args: dict[str, Arg] = field(default_factory=dict)

    def get_arg(self, key: str) -> Any:
        """The value of an argument; None if there is none."""
        return self.args[key].value if key in self.args else None

    def __hash__(self) -> int:
        return hash(frozenset(self.args.items()))


@dataclass(slots=True)
class Sentence:
    """What is said, as a list of statements; who says it, and whether it can be relied on, play no role in equality."""

    describers: list[Describer] = field(default_factory=list)
    speaker: Any = field(default=None, compare=False)
    trusted_source: bool = field(default=True, compare=False)
    error: bool = field(default=False, compare=False)

    def __hash__(self) -> int:
        return hash(tuple(self.describers))


@dataclass(frozen=True, slots=True)
class Description:
    """Which properties and attributes an entity is called by."""

    elements: list[Any]


@dataclass(slots=True)
class Entity:
    """A thing by its properties (``{"color": "red"}``) and attributes (``{"open": None}``).

    Without a world each word is an attribute, a list of words a tuple.
    """

    properties: dict[Any, Any] = field(default_factory=dict)
    attributes: dict[Any, None] = field(default_factory=dict)
    description: Description | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, *words: Hashable) -> Entity:
        """The entity that these words call."""
        return cls(attributes=dict.fromkeys(words))

    def generate_description(self) -> Description:
        """All that is known of it."""
        return Description([*self.properties, *self.attributes])

    def __hash__(self) -> int:
        return hash((frozen(self.properties), frozen(self.attributes)))


def frozen(value: Any) -> Any:
    """``value`` with tuples for its lists and frozen sets for its sets and dicts, so that it can be a key."""
    if isinstance(value, dict):
        return frozenset((key, frozen(part)) for key, part in value.items())
    if isinstance(value, list | tuple):
        return tuple(frozen(part) for part in value)
    return frozenset(frozen(part) for part in value) if isinstance(value, set) else value


# ---------------------------------------------------------------------- verbs

_IRREGULAR = {"is": "be", "am": "be", "are": "be", "has": "have", "was": "was", "goes": "go", "does": "do"}
_ES = ("sses", "shes", "ches", "xes", "zes", "oes")


def present_form(verb: str) -> str:
    """The infinitive of a verb in the present, by the rules of spelling; a capital letter stays.

    >>> [present_form(verb) for verb in ("goes", "Has", "tries", "going", "went")]
    ['go', 'Have', 'try', 'going', 'went']
    """
    lower = verb.lower()
    if lower in _IRREGULAR:
        found = _IRREGULAR[lower]
    elif lower.endswith("ies") and len(lower) > 4:
        found = f"{lower[:-3]}y"
    elif lower.endswith(_ES):
        found = lower[:-2]
    elif lower.endswith("s") and not lower.endswith(("ss", "us", "is")):
        found = lower[:-1]
    else:
        return verb
    return found.capitalize() if verb[:1].isupper() else found
