"""What does a plain English answer mean in pydialogue's world? Its tokens.

The closed set of forms that an agent there needs, in the words of the world's own lines:

    Ann tries going north .   Ann tries getting the red ball in the box .   … dropping … on … .   … looking in … in … .
    Ann says : Ann can not get the cup . the cup 's location is not revealed .
    … can not go to the barn .   … is locked .   … is not hollow under .   … is not surface or supporter .
    … 's north obstacle is the door .   … has no direction west .   getting players is not permitted .
    The path from the hall to the barn is not revealed .   There is no path from … to … .

An entity is the words it is called by; ``a`` and ``an`` mean any such. No list of the world's words is needed, but
which words are one value together (``very big``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

__all__ = ["SEVERAL", "english_tokens", "words_together"]

SEVERAL = frozenset({("very", "big"), ("very", "small"), ("hollow", "under")})
"""Words that are one value together, if no world says so."""

_WORD = re.compile(r"[^\s.,:?!]+|[.,:?!]")
_OWN = re.compile(r"(?<=\w)'s\b")
_ARTICLES = {"the", "The", "a", "an", "A", "An"}
_PLACING = {"in", "on", "under", "to", "from"}
_VERBS = {"going": "go", "getting": "get", "dropping": "drop", "looking": "look"} | {
    form: verb
    for verb, forms in {"go": "goes went", "get": "gets got", "drop": "drops", "look": "looks"}.items()
    for form in [verb, *forms.split()]
}
_LOCATED = {"get": "Arg-DIR", "drop": "Arg-GOL"}
"""The argument that holds a place, for verbs of which it is one of its own."""

Words = Sequence[str]
Several = Collection[tuple[str, ...]]


def words_together(world: Any) -> frozenset[tuple[str, ...]]:
    """The words of a world that are one value together."""
    keys = [key for description in world.all_description_objects for key in description.cand_elements]
    values = [value for key in keys if isinstance(key, str) for value in getattr(world, f"{key}s", ())]
    found = [tuple(value) for value in (*values, *world.all_attributes) if isinstance(value, list | tuple)]
    return frozenset(value for value in found if all(isinstance(word, str) for word in value))


def english_tokens(text: str, several: Several = SEVERAL) -> list[str]:
    """The tokens of what is said. Raises ``ValueError`` with the part that is not understood."""
    words = _WORD.findall(_OWN.sub(" 's", text))
    if "says" in words:
        at = words.index("says")
        said = words[at + 1 :]
        inner = _sentence(said[1:] if said[:1] == [":"] else said, several)
        return [
            "<sent>",
            *_desc(_arg("Arg-PAG", _entity(words[:at], several)), _rel("says"), _arg("Arg-PPT", inner)),
            "</sent>",
        ]
    return _sentence(words, several)


def _sentence(words: Words, several: Several) -> list[str]:
    tokens: list[str] = []
    for clause in _clauses(words):
        try:
            tokens += _clause(clause, several)
        except (ValueError, LookupError):
            raise ValueError(f'"{" ".join(clause)}" is no statement of the kinds that the world knows') from None
    return ["<sent>", *tokens, "</sent>"]


def _clauses(words: Words) -> Iterator[list[str]]:
    clause: list[str] = []
    for word in [*words, "."]:
        if word != ".":
            clause.append(word)
        elif clause:
            yield clause
            clause = []


# ---------------------------------------------------------------------- one statement


def _clause(words: Words, several: Several) -> list[str]:
    form = next((form for sign, form in _FORMS.items() if sign in words), _acts)
    return form(words, several)


def _tries(words: Words, several: Several) -> list[str]:
    at = words.index("tries")
    inner = ["<sent>", *_desc(_action(words[at + 1], words[at + 2 :], several)), "</sent>"]
    return _desc(_arg("Arg-PAG", _entity(words[:at], several)), _rel("tries"), _arg("Arg-PPT", inner))


def _can(words: Words, several: Several) -> list[str]:
    at = words.index("can")
    neg, rest = _negated(words[at + 1 :])
    subject = _subject(rest[0], words[:at], several)
    return _desc(subject, _arg("AM-MOD", ["can"]), neg, _action(rest[0], rest[1:], several))


def _path(words: Words, several: Several) -> list[str]:
    """``The path from A to B is not revealed``, ``There is no path from A to B``."""
    if words[0] == "There":
        return _desc(_rel(words[1]), _arg("Arg-PRD", _list(_items(words[2:], several, plain=2))))
    at = words.index("is")
    neg, rest = _negated(words[at + 1 :])
    return _desc(neg, _rel(rest[0]), _arg("Arg-PPT", _list(["The", *_items(words[1:at], several, plain=1)])))


def _permitted(words: Words, several: Several) -> list[str]:
    at = words.index("is")
    neg, rest = _negated(words[at + 1 :])
    allowed = ["<sent>", *_desc(_rel(words[0]), _arg("Arg-PPT", words[1:at])), "</sent>"]
    return _desc(neg, _rel(rest[0]), _arg("Arg-PPT", allowed))


def _has(words: Words, several: Several) -> list[str]:
    at = words.index("has")
    neg, rest = _negated(words[at + 1 :])
    return _desc(
        _arg("Arg-PAG", _entity(words[:at], several)), _rel("has"), neg, _arg("Arg-PPT", _value(rest, several))
    )


def _acts(words: Words, several: Several) -> list[str]:
    at = next((number for number, word in enumerate(words) if word in _VERBS), len(words))
    return _desc(_subject(words[at], words[:at], several), _action(words[at], words[at + 1 :], several))


def _is(words: Words, several: Several) -> list[str]:
    """``A is B`` and ``A 's C is B``."""
    at = words.index("is")
    topic, (neg, rest) = words[:at], _negated(words[at + 1 :])
    named: Words = ()
    if "'s" in topic:
        own = topic.index("'s")
        named = topic[own + 1 :]
        subject = _list([*_entity(topic[:own], several), *topic[own:]])
    else:
        subject = _entity(topic, several)
    leads = bool(named) and (named[-1] == "obstacle" or named[-1].endswith(("north", "south", "east", "west")))
    if rest[0] in _ARTICLES or leads:
        value = _entity(rest, several)
    elif rest[0] in _PLACING:
        value = _list(_items(rest, several))
    else:
        value = _value(rest, several)
    return _desc(_arg("Arg-PPT", subject), _rel("is"), neg, _arg("Arg-PRD", value))


def _negated(words: Words) -> tuple[list[str], Words]:
    if words[0] in ("not", "no"):
        return _arg("AM-NEG", [words[0]]), words[1:]
    return [], words


def _subject(verb: str, words: Words, several: Several) -> list[str]:
    """Who acts: who goes is what moves, in PropBank's eyes."""
    return _arg("Arg-PPT" if _VERBS[verb] == "go" else "Arg-PAG", _entity(words, several))


def _action(verb: str, words: Words, several: Several) -> list[str]:
    """The verb and what follows it."""
    kind = _VERBS[verb]
    if kind == "look":
        return [*_rel(verb), *_arg("Arg-PPT", _list(_items(words, several)))]
    if kind == "go":
        if words[0] == "to":
            return [*_rel(verb), *_arg("Arg-GOL", _list(_items(words, several)))]
        start = _arg("Arg-DIR", _list(_items(words[1:], several))) if words[1:] else []
        return [*_rel(verb), *_arg("AM-DIR", [words[0]]), *start]
    items = _items(words, several)
    what = items[: items.index("</entity>") + 1]
    place = items[len(what) :]
    return [*_rel(verb), *_arg("Arg-PPT", what), *(_arg(_LOCATED[kind], _list(place)) if place else [])]


# ---------------------------------------------------------------------- what it is made of


def _items(words: Words, several: Several, plain: int = 0) -> list[str]:
    """``plain`` words, and then entities and the words that place them."""
    tokens, called = list(words[:plain]), list[str]()
    for word in words[plain:]:
        belongs = word == "under" and called[-1:] == ["hollow"]
        if word in _PLACING and not belongs:
            tokens += [*(_entity(called, several) if called else []), word]
            called = []
        else:
            called.append(word)
    return tokens + (_entity(called, several) if called else [])


def _entity(words: Words, several: Several) -> list[str]:
    called = [word for word in words if word not in _ARTICLES and word != "entity"]
    if not called or not set(called).isdisjoint({",", ":", "?", "!"}):
        raise ValueError(f'"{" ".join(words)}" is no name of anything')
    any_such = ["abstract"] if words[0] in ("a", "an", "A", "An") else []
    return ["<entity>", *_grouped(called, several), *any_such, "</entity>"]


def _grouped(words: Words, several: Several) -> list[str]:
    """Words with those that are one value together in a list of their own."""
    tokens: list[str] = []
    at = 0
    while at < len(words):
        group = next((value for value in several if tuple(words[at : at + len(value)]) == value), None)
        tokens += _list(group) if group else [words[at]]
        at += len(group) if group else 1
    return tokens


def _value(words: Words, several: Several) -> list[str]:
    """A word; several of them are a list, or with ``or`` between them a set."""
    if not words:
        raise ValueError
    if "or" in words:
        return ["<set>", *_grouped([word for word in words if word not in ("or", ",")], several), "</set>"]
    return list(words) if len(words) == 1 else _list(words)


def _list(tokens: Words) -> list[str]:
    return ["<list>", *tokens, "</list>"]


def _arg(key: str, value: Words) -> list[str]:
    return [f"<{key}>", *value, f"</{key}>"]


def _rel(verb: str) -> list[str]:
    return _arg("Rel", [verb])


def _desc(*arguments: Words) -> list[str]:
    return ["<desc>", *(token for argument in arguments for token in argument), "</desc>"]


_FORMS: Mapping[str, Callable[[Words, Several], list[str]]] = MappingProxyType(
    {"tries": _tries, "can": _can, "path": _path, "permitted": _permitted, "is": _is, "has": _has}
)
"""The kinds of statements by a word that shows them; the first that is found counts."""
