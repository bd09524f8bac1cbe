"""How does pydialogue write a sentence as tokens, and how is it read back?

    sentence  <sent> describer* </sent>
    describer <desc> (<KEY> value </KEY>)* </desc>      KEY: Rel, Arg-…, AM-…
    value     word | entity | <list> value* </list> | <set> value* </set> | sentence
    entity    <entity> (word | <list> word* </list>)* </entity>

With a world of the real package, its own classes are made and its entities found; what goes wrong raises what the
original raises, in its words. With ``world=None`` the parts are ours (``sentence_parts``), entities are what their
words say, and numbers can be read back too. Nothing of pydialogue is imported unless a world of it is given.

``dialogue.sentence_text`` writes tokens as one text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from autograph.dialogue import sentence_parts as ours
from autograph.dialogue.sentence_parts import Arg, Describer, Entity, RelArg, Sentence, frozen
from autograph.dialogue.sentence_text import from_text, to_text

__all__ = [
    "Arg",
    "Describer",
    "Entity",
    "RelArg",
    "Sentence",
    "attach_to_element",
    "classes_of",
    "deserialize",
    "from_text",
    "serialize",
    "to_text",
]


@dataclass(frozen=True, slots=True)
class _Kind:
    """A tag's element: how it is recognised, by what it has; ``missing`` is said where another one is closed."""

    has: tuple[str, ...] = ()
    type: type | None = None
    missing: str = ""

    def fits(self, element: Any) -> bool:
        if self.type is not None:
            return isinstance(element, self.type)
        return all(hasattr(element, name) for name in self.has)


_SENTENCE = _Kind(("describers",), missing="a lc.Sentence.")
_DESCRIBER = _Kind(("args", "get_arg"), missing="a lc.Describer")
_ARG = _Kind(("value", "part"), missing="a lc.Arg.")
_ENTITY = _Kind(("properties", "attributes"), missing="an instance of BaseEntity.")
_KINDS = {
    "sent": _SENTENCE,
    "desc": _DESCRIBER,
    "arg": _ARG,
    "entity": _ENTITY,
    "list": _Kind(type=list, missing="type list."),
    "set": _Kind(type=set, missing="type set."),
}

# ---------------------------------------------------------------------- to tokens


def serialize(elem: Any, world: Any = None) -> list[Any]:
    """The tokens of a sentence, describer, entity, list, tuple or set; anything else is a token itself.

    An entity is written by its description; a thing of the real package that has none draws one, with the random
    generator of its world.
    """
    if _SENTENCE.fits(elem):
        return ["<sent>", *_all(elem.describers, world), "</sent>"]
    if _DESCRIBER.fits(elem):
        return ["<desc>", *_arguments(elem, world), "</desc>"]
    if isinstance(elem, list | tuple):
        return ["<list>", *_all(elem, world), "</list>"]
    if isinstance(elem, set):
        return ["<set>", *_all(elem, world), "</set>"]
    if _ENTITY.fits(elem):
        return ["<entity>", *_words(elem, world), "</entity>"]
    return [elem]


def _all(elements: Iterable[Any], world: Any) -> list[Any]:
    return [token for element in elements for token in serialize(element, world)]


def _arguments(describer: Any, world: Any) -> list[Any]:
    tokens: list[Any] = []
    for key, argument in describer.args.items():
        tokens += [f"<{key}>", *serialize(argument.value, world), f"</{key}>"]
    return tokens


def _words(entity: Any, world: Any) -> list[Any]:
    """The values of the properties by which the entity is described, and the attributes."""
    described = (entity.description if entity.description is not None else entity.generate_description()).elements
    tokens: list[Any] = []
    for key in described:
        if key in entity.properties:
            value = entity.properties[key]
            tokens += serialize(value, world) if isinstance(value, list | tuple) else [value]
        elif key in entity.attributes:
            tokens += serialize(key, world) if isinstance(key, tuple) else [key]
    if "abstract" in entity.attributes and "abstract" not in described:
        tokens.append("abstract")
    return tokens


# ---------------------------------------------------------------------- from tokens


def deserialize(tokens: Iterable[Any], world: Any = None, stack: list[Any] | None = None) -> Any:
    """The first sentence of the tokens, as it is closed; what follows is not read. None if it is never closed.

    ``stack``: the elements that are open already, innermost last; they are worked on. Raises ``Exception`` with
    pydialogue's message for what closes another element than the open one, for a word that the world does not know and
    for an entity of which there is not exactly one; ``IndexError`` where nothing is open; ``TypeError`` for what cannot
    be in a set, and for some verbs that pydialogue cannot inflect.
    """
    classes = classes_of(world)
    open_: list[Any] = [] if stack is None else stack
    for token in tokens:
        if token is None or (world is None and not isinstance(token, str)):
            attach_to_element(open_[-1], token, world)
            continue
        tag = _tag(token)
        if not tag:
            attach_to_element(open_[-1], token, world)
        elif tag[0] != "/":
            open_.append(_opened(tag, token, open_, classes))
        else:
            closed = _closed(tag[1:], open_, world, classes)
            if not open_ and tag == "/sent":
                return closed
    return None


def _tag(token: str) -> str:
    """The kind of element that a token opens, or with a slash closes; "" for a word."""
    if token in ("<sent>", "</sent>", "<desc>", "</desc>"):
        return token[1:-1]
    if token.startswith(("<Arg-", "<AM-")) or token == "<Rel>":
        return "arg"
    if token.startswith(("</Arg-", "</AM-")) or token == "</Rel>":
        return "/arg"
    for kind in ("list", "set", "entity"):
        if token.startswith(f"<{kind}>"):
            return kind
        if token.startswith(f"</{kind}>"):
            return f"/{kind}"
    return ""


def _opened(tag: str, token: str, open_: list[Any], classes: Any) -> Any:
    if tag == "list":
        return []
    if tag == "set":
        return set()
    if tag != "arg":
        return classes[tag]()
    if not _DESCRIBER.fits(open_[-1]):
        raise _misnested(_SENTENCE)  # as the original names it
    argument = classes["rel" if token == "<Rel>" else "arg"]()
    open_[-1].args[token[1:-1]] = argument
    return argument


def _closed(tag: str, open_: list[Any], world: Any, classes: Any) -> Any:
    """The innermost element, which is attached to the one around it. (An argument already is.)"""
    element, kind = open_[-1], _KINDS[tag]
    if not kind.fits(element):
        raise _misnested(kind)
    if tag == "entity":
        element = _found(element, world, classes)
        del open_[-1]
        attach_to_element(open_[-1], element, world)
        return element
    if tag != "arg" and (tag != "sent" or len(open_) > 1):
        attach_to_element(open_[-2], element, world)
    del open_[-1]
    return element


def _misnested(kind: _Kind) -> Exception:
    return Exception(f"The last element in the stack should be {kind.missing}\nThe stack is:")


def _found(entity: Any, world: Any, classes: Any) -> Any:
    """The one entity of the world that has all that is said of it; what is called abstract is any such."""
    if world is None:
        return entity
    if "abstract" in entity.attributes:
        return classes["entity"](properties=entity.properties, attributes=entity.attributes)
    found = world.query_entity_from_db(entity)
    if len(found) != 1:
        raise Exception(
            f"There is no unique entity with the following properties: {entity.properties} and the following "
            f"attributes: {entity.attributes} found in the world."
        )
    return found[0]


def classes_of(world: Any) -> dict[str, Any]:
    """The classes to make sentences of: those of the package that the world comes from, else ours."""
    if any(cls.__module__.startswith("pydialogue.") for cls in type(world).__mro__):
        components = import_module("pydialogue.language.components")
        entity = import_module("pydialogue.environment.entities").BaseEntity
    else:
        components, entity = ours, Entity
    return {
        "sent": components.Sentence,
        "desc": components.Describer,
        "arg": components.Arg,
        "rel": components.RelArg,
        "entity": entity,
    }


# ---------------------------------------------------------------------- putting together


def attach_to_element(elem: Any, elem_to_attach: Any, world: Any = None) -> None:
    """Put an element into the one around it: a list, set, argument, entity or sentence. Any other stays as it is.

    Raises ``Exception`` for a word of an entity that the world does not know.
    """
    if isinstance(elem, list):
        elem.append(elem_to_attach)
    elif _ARG.fits(elem):
        elem.value = elem_to_attach
        if hasattr(elem, "infinitive"):
            elem.infinitive = elem.compute_infinitive()
    elif _ENTITY.fits(elem):
        if not _describe(elem, elem_to_attach, world):
            raise Exception(f"{elem_to_attach} is not recognized as a property value nor as an attribute.")
    elif _SENTENCE.fits(elem):
        elem.describers.append(elem_to_attach)
    elif isinstance(elem, set):
        elem.add(elem_to_attach)


def _describe(entity: Any, word: Any, world: Any) -> bool:
    """Note what a word says of an entity: an attribute, or a value of properties. Whether it says something."""
    if world is None:
        if word != "entity":
            entity.attributes[frozen(word)] = None
        return True
    keys = [key for description in world.all_description_objects for key in description.cand_elements]
    if not keys:
        return False
    if word == "abstract" or word in world.all_attributes:
        entity.attributes[word] = None
        return True
    known: bool = word == "entity"
    several = tuple(word) if isinstance(word, list) else None
    for key in keys:
        if key in world.all_properties and word in _values(key, world):
            entity.properties[key] = word
            known = True
        elif several is not None and isinstance(key, tuple) and several in world.all_attributes:
            entity.attributes[several] = None
            known = True
    return known


def _values(key: Any, world: Any) -> Any:
    """All values that a property has in the world."""
    if isinstance(key, str):
        return getattr(world, f"{key}s")
    return getattr(world, "_".join(key) + "s") if isinstance(key, tuple) else ()
