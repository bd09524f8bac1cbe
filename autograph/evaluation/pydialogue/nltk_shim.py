"""How is pydialogue imported without the network? With a stand-in for the two questions that it puts to NLTK.

The package downloads NLTK's data when it is imported, and switches certificate checks off for the whole process to do
so. All it wants to know is the lemma of a verb and its tag, which ``pyinflect``, on which it stands too, has in a
table. ``import_pydialogue`` puts the stand-in in NLTK's place for the time of the import only: whoever else uses NLTK
has the real one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any, NoReturn

from autograph.errors import AutographError

__all__ = ["import_pydialogue", "verb_lemma"]

_ASKS = "pydialogue.language.components"
"""The one module of the package that imports NLTK."""


def import_pydialogue(module: str = "pydialogue") -> ModuleType:
    """A module of the real package. Raises ``AutographError`` if it is not installed."""
    try:
        if _ASKS not in sys.modules:
            with _in_place_of_nltk():
                import_module(_ASKS)
        return import_module(module)
    except ModuleNotFoundError as error:
        raise AutographError(
            f"pydialogue cannot be imported, since {error.name} is missing. Install it with: "
            "pip install 'autograph-bots[pydialogue]'"
        ) from error


@contextmanager
def _in_place_of_nltk() -> Iterator[None]:
    stands_in = _stand_in()
    before = {name: sys.modules.get(name) for name in stands_in}
    sys.modules.update(stands_in)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def _stand_in() -> dict[str, ModuleType]:
    """What the package looks for under NLTK's name."""
    nltk: Any = ModuleType("nltk", "A stand-in with what pydialogue asks of NLTK.")
    stem: Any = ModuleType("nltk.stem")
    stem.WordNetLemmatizer = _Lemmatizer
    nltk.stem = stem
    nltk.data = SimpleNamespace(find=_found)
    nltk.word_tokenize = str.split
    nltk.pos_tag = _untagged
    nltk.download = _refuse
    return {"nltk": nltk, "nltk.stem": stem}


def _found(resource: str) -> str:
    """There is nothing to look for."""
    return resource


def _untagged(words: list[str]) -> list[tuple[str, str]]:
    """No tag for any word: the package then takes the verb's from pyinflect's table."""
    return [(word, "") for word in words]


def _refuse(resource: str) -> NoReturn:
    raise AutographError(f"NLTK's {resource} is not downloaded for pydialogue, which does without it here.")


class _Lemmatizer:
    """Stands for ``WordNetLemmatizer``."""

    def lemmatize(self, word: str, pos: str = "v") -> str:
        """The lemma of a verb, whatever ``pos`` says: the package asks for nothing else."""
        return verb_lemma(word)


def verb_lemma(verb: str) -> str:
    """The infinitive of a verb; a verb that the table does not know is its own."""
    return _lemmas().get(verb, verb)


@lru_cache(maxsize=1)
def _lemmas() -> MappingProxyType[str, str]:
    """Form to infinitive. Of several infinitives the shortest counts, then the first, as with WordNet's."""
    engine: Any = import_module("pyinflect").InflectionEngine()
    found = {"had": "have"}  # which the table also has as a verb of its own
    for lemma in sorted(engine.infl_data, key=len):
        inflections = {**engine.infl_data[lemma], **engine.overrides.get(lemma, {})}
        for tag, forms in inflections.items():
            for form in forms if tag.startswith("VB") else ():
                found.setdefault(form, lemma)
    return MappingProxyType(found)
