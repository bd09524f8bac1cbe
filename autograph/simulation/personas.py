"""Who are the users? A file of personas, each with a goal, and which of them comes in which conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from autograph.errors import AutographError, did_you_mean

__all__ = ["Persona", "PersonaError", "cast_list", "digest", "read_personas"]


class PersonaError(AutographError):
    """A file of personas that cannot be used."""


@dataclass(frozen=True, slots=True)
class Persona:
    """A user with a goal.

    ``traits`` say what kind of person it is, ``instructions`` how to behave. ``success``: an expression that is true
    when the goal was reached (None: the run's own). ``weight``: how often it comes, beside the others.
    ``max_turns``: its patience, in turns (None: the run's own). ``opening``: what it says before the program speaks.
    """

    name: str
    goal: str
    traits: str = ""
    instructions: str = ""
    success: str | None = None
    weight: float = 1.0
    max_turns: int | None = None
    opening: str | None = None


_TEXTS = ("name", "goal", "traits", "instructions", "success", "opening")
_FIELDS = tuple(f.name for f in fields(Persona))


def read_personas(path: str | Path) -> tuple[Persona, ...]:
    """The personas in a YAML or JSON file: a list of mappings. Raises ``PersonaError`` with entry and remedy."""
    import yaml

    try:
        found = yaml.safe_load(Path(path).read_text("utf-8-sig"))
    except OSError as error:
        raise PersonaError(
            f"{path} cannot be read ({error.strerror or error}). Name a YAML file of personas."
        ) from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise PersonaError(f"{path}{where}: this is no valid YAML: {getattr(error, 'problem', error)}.") from None
    if not isinstance(found, list) or not found:
        raise PersonaError(f"{path}: a list of personas is expected, each with name and goal.")
    personas = tuple(_persona(entry, f"{path}, persona {number}") for number, entry in enumerate(found, 1))
    names = [persona.name for persona in personas]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise PersonaError(f'{path}: two personas are called "{twice}". Give each a name of its own.')
    if not any(persona.weight for persona in personas):
        raise PersonaError(f"{path}: every weight is 0, so that nobody would come. Give one a weight above 0.")
    return personas


def _persona(entry: Any, where: str) -> Persona:
    if not isinstance(entry, dict):
        raise PersonaError(f"{where}: a mapping with name and goal is expected, not {entry!r}.")
    unknown = next((str(key) for key in entry if key not in _FIELDS), None)
    if unknown is not None:
        hint = did_you_mean(unknown, _FIELDS) or f"The keys are {', '.join(_FIELDS)}."
        raise PersonaError(f'{where}: there is no key "{unknown}". {hint}')
    given = {key: value for key, value in entry.items() if value is not None}
    for key in ("name", "goal"):
        if not str(given.get(key, "")).strip():
            raise PersonaError(f"{where}: it has no {key}. Say {'who it is' if key == 'name' else 'what it wants'}.")
    for key in _TEXTS:
        if key in given:
            given[key] = _text(given[key], f"{where}: {key}")
    weight, patience = given.get("weight", 1.0), given.get("max_turns", 1)
    if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight < float("inf"):
        raise PersonaError(f"{where}: the weight must be a number that is 0 or more, not {weight!r}.")
    if isinstance(patience, bool) or not isinstance(patience, int) or patience < 1:
        raise PersonaError(f"{where}: max_turns must be a whole number above 0, not {patience!r}.")
    return Persona(**given)


def _text(value: Any, what: str) -> str:
    """A text; a list of texts (``traits``) is put together, a number is written out."""
    if isinstance(value, list) and all(isinstance(item, (str, int, float)) for item in value):
        return ", ".join(map(str, value))
    if isinstance(value, (dict, list)):
        raise PersonaError(f"{what} must be a text, not {value!r}. Put it in quotes.")
    return str(value)


def cast_list(personas: Sequence[Persona], n: int) -> list[Persona | None]:
    """Who comes in each of ``n`` conversations, as evenly as the weights say; None everywhere without personas.

    The first conversations are the same whatever ``n`` is.
    """
    if not personas:
        return [None] * n
    total = sum(persona.weight for persona in personas)
    credit = [0.0] * len(personas)
    comes: list[Persona | None] = []
    for _ in range(n):
        credit = [have + persona.weight / total for have, persona in zip(credit, personas, strict=True)]
        place = max(range(len(personas)), key=lambda i: round(credit[i], 9))
        credit[place] -= 1
        comes.append(personas[place])
    return comes


def digest(personas: Sequence[Persona]) -> str | None:
    """A digest of the personas; None without any."""
    return sha256(repr(list(personas)).encode("utf-8", "surrogatepass")).hexdigest()[:16] if personas else None
