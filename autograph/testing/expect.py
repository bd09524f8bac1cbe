"""Does it hold? One small function for each kind of expectation; each gives what was missed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from autograph.errors import AutographError, ProgramError, RunError
from autograph.interpreter.bot import Autograph
from autograph.memory import MemoryObject
from autograph.models.base import GenerateRequest, Question, Usage
from autograph.models.questions import question_messages
from autograph.testing.case import Expectation
from autograph.testing.fields import compare
from autograph.testing.same import same, shown_value
from autograph.testing.variables import Undefined, evaluate

__all__ = ["CHECKS", "PATTERN_SECONDS", "Miss", "Seen", "check"]

PATTERN_SECONDS = 1.0
"""How long one pattern may search in one reply."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What expectations are held against: a turn, a call, or a conversation as a whole.

    ``text`` is the reply, or the text of a call's value; None if there is none.
    """

    bot: Autograph | None
    memory: MemoryObject
    text: str | None = None
    value: Any = None
    path: tuple[str, ...] = ()
    requests: tuple[GenerateRequest | tuple[Question, ...], ...] = ()
    usage: Usage | None = None
    seconds: float = 0.0
    error: AutographError | None = None
    prices: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Miss:
    """What was expected, and what there was instead, in words.

    Where texts are compared, ``text`` is what was said, and ``wanted`` the one text that should have been.
    """

    expected: str
    got: str
    wanted: str | None = None
    text: str | None = None


def check(expectation: Expectation, seen: Seen) -> list[Miss]:
    """What an expectation misses; nothing if it holds."""
    return CHECKS[expectation.kind](expectation, seen)


# ---------------------------------------------------------------------- texts


def _reply(e: Expectation, seen: Seen) -> list[Miss]:
    got = None if seen.text is None else seen.text.rstrip("\n")
    hit = any(got == text.rstrip("\n") for text in e.value)
    if got is not None and hit != e.negated:
        return []
    wanted = e.value[0] if len(e.value) == 1 and not e.negated else None
    return [Miss(_words("", e.value, e.negated), _got(seen), wanted, seen.text)]


def _one_of(e: Expectation, seen: Seen, words: str, test: Callable[[str, str], bool]) -> list[Miss]:
    hit = seen.text is not None and any(test(seen.text, text) for text in e.value)
    held = seen.text is not None and hit != e.negated
    return [] if held else [Miss(_words(words, e.value, e.negated), _got(seen), text=seen.text)]


def _starts(e: Expectation, seen: Seen) -> list[Miss]:
    return _one_of(e, seen, "a text that begins with ", str.startswith)


def _ends(e: Expectation, seen: Seen) -> list[Miss]:
    return _one_of(e, seen, "a text that ends with ", lambda text, end: text.rstrip("\n").endswith(end.rstrip("\n")))


def _contains(e: Expectation, seen: Seen) -> list[Miss]:
    missed = [part for part in e.value if seen.text is None or (part in seen.text) == e.negated]
    words = [_words("a text that contains ", [part], e.negated) for part in missed]
    return [Miss(expected, _got(seen), text=seen.text) for expected in words]


def _matches(e: Expectation, seen: Seen) -> list[Miss]:
    return [miss for pattern in e.value if (miss := _match(pattern, e.negated, seen)) is not None]


def _match(pattern: str, negated: bool, seen: Seen) -> Miss | None:
    import regex

    expected = _words("a text that matches ", [pattern], negated)
    try:
        found = seen.text is not None and regex.search(pattern, seen.text, timeout=PATTERN_SECONDS) is not None
    except TimeoutError:
        limit = f"{PATTERN_SECONDS:g} second"
        return Miss(expected, f"the pattern took longer than {limit}; repeat less inside of what is repeated")
    return None if seen.text is not None and found != negated else Miss(expected, _got(seen), text=seen.text)


# ---------------------------------------------------------------------- where, and along which way


def _node(e: Expectation, seen: Seen) -> list[Miss]:
    at = seen.memory.current
    return [] if (at in e.value) != e.negated else [Miss(_names("at ", e.value, e.negated), f"at {at}")]


def _path(e: Expectation, seen: Seen) -> list[Miss]:
    held = (seen.path == tuple(e.value)) != e.negated
    expected = " → ".join(e.value) or "no node"
    return [] if held else [Miss(f"not {expected}" if e.negated else expected, " → ".join(seen.path) or "no node")]


def _passes(e: Expectation, seen: Seen) -> list[Miss]:
    missed = [name for name in e.value if (name in seen.path) == e.negated]
    got = " → ".join(seen.path) or "no node"
    return [Miss(f"a way {'not ' if e.negated else ''}through {name}", got) for name in missed]


# ---------------------------------------------------------------------- variables


def _vars(e: Expectation, seen: Seen) -> list[Miss]:
    return [miss for item in e.value if (miss := _var(item, e.negated, seen)) is not None]


def _var(item: Any, negated: bool, seen: Seen) -> Miss | None:
    code, wanted = item if isinstance(item, tuple) else (item, None)
    if isinstance(item, tuple):
        expected = f"{code} {'is not' if negated else 'is'} {shown_value(wanted)}"
    else:
        expected = f"{code} is {'not true' if negated else 'true'}"
    try:
        found = evaluate(code, seen.bot, seen.memory)
    except Undefined as error:
        return Miss(expected, str(error))
    except AutographError as error:
        return Miss(expected, f"it cannot be evaluated: {error}")
    held = same(wanted, found.value) if isinstance(item, tuple) else found.true
    if held != negated:
        return None
    return Miss(expected, " ".join([shown_value(found.value), *found.where]))


def _unset(e: Expectation, seen: Seen) -> list[Miss]:
    variables = seen.memory.variables
    return [Miss(f"no variable {n}", f"{n} is {shown_value(variables[n])}") for n in e.value if n in variables]


# ---------------------------------------------------------------------- state, model and costs


def _finished(e: Expectation, seen: Seen) -> list[Miss]:
    words = {True: "the conversation has ended", False: "the conversation goes on"}
    return [] if seen.memory.finished == e.value else [Miss(words[e.value], words[seen.memory.finished])]


def _silent(e: Expectation, seen: Seen) -> list[Miss]:
    if (not seen.requests) == e.value:
        return []
    return [Miss("no request to the model" if e.value else "a request to the model", _asked(seen.requests))]


def _calls(e: Expectation, seen: Seen) -> list[Miss]:
    return _number(e, len(seen.requests), "requests to the model", _asked(seen.requests))


def _told(e: Expectation, seen: Seen) -> list[Miss]:
    told = [text for request in seen.requests for text in _messages(request)]
    missed = [part for part in e.value if any(part in text for text in told) == e.negated]
    got = "\n".join(told) or "nothing: it was not asked"
    return [Miss(_words("that the model is told ", [part], e.negated), got) for part in missed]


def _messages(request: GenerateRequest | tuple[Question, ...]) -> list[str]:
    """All texts of a request to the model."""
    if isinstance(request, GenerateRequest):
        return [message.content for message in request.messages]
    own = [text for q in request for text in (q.question_prompt, q.question, *q.choices)]
    own += [message.content for q in request for message in q.context]
    return own + [message.content for message in question_messages(request, as_json=False)]  # with lettered choices


def _prompt(e: Expectation, seen: Seen) -> list[Miss]:
    return _is_text(e, seen.memory.stack[-1].prompt if seen.memory.stack else "")


def _user_prompt(e: Expectation, seen: Seen) -> list[Miss]:
    return _is_text(e, seen.memory.stack[-1].user_prompt if seen.memory.stack else "")


def _is_text(e: Expectation, text: str) -> list[Miss]:
    hit = any(text.rstrip("\n") == wanted.rstrip("\n") for wanted in e.value)
    return [] if hit else [Miss(_words("", e.value, False), repr(text))]


def _tokens(e: Expectation, seen: Seen) -> list[Miss]:
    if seen.usage is None and seen.requests:
        return [Miss(f"tokens {_bounds(e)}", "the model counts no tokens")]
    used = 0 if seen.usage is None else seen.usage.prompt + seen.usage.completion
    return _number(e, used, "tokens", str(used))


def _cost(e: Expectation, seen: Seen) -> list[Miss]:
    expected = f"a cost {_bounds(e)}"
    if not seen.prices:
        return [Miss(expected, "no `prices` are given in the file of tests")]
    if seen.usage is None and seen.requests:
        return [Miss(expected, "the model counts no tokens")]
    usage = seen.usage or Usage(requests=0)
    price = seen.prices.get("prompt", 0.0)
    millionths = (usage.prompt - usage.cached) * price + usage.cached * seen.prices.get("cached", price)
    cost = (millionths + usage.completion * seen.prices.get("completion", 0.0)) / 1e6
    return _number(e, cost, "a cost", f"{cost:.6g}")


def _time(e: Expectation, seen: Seen) -> list[Miss]:
    return _number(e, seen.seconds, "seconds", f"{seen.seconds:.3f}")


def _stack(e: Expectation, seen: Seen) -> list[Miss]:
    levels = [f"{level.function_scope} level at {level.last_state}" for level in seen.memory.stack]
    return _number(e, len(levels), "levels", f"{len(levels)}: {', '.join(levels)}")


def _number(e: Expectation, number: float, words: str, got: str) -> list[Miss]:
    held = all(compare(comparison, number) for comparison in e.value)
    return [] if held else [Miss(f"{words} {_bounds(e)}", got)]


# ---------------------------------------------------------------------- errors and values


def _error(e: Expectation, seen: Seen) -> list[Miss]:
    error, wanted = seen.error, e.value
    expected = " ".join(
        [
            wanted.get("class", "an error"),
            *([f"that contains {wanted['contains']!r}"] if "contains" in wanted else []),
            *([f"at {wanted['node']}"] if "node" in wanted else []),
        ]
    )
    if error is None:
        return [Miss(expected, "no error" if seen.text is None else f"no error, and the text {seen.text!r}")]
    held = (
        wanted.get("class") in (None, *(kind.__name__ for kind in type(error).__mro__))
        and wanted.get("contains", "") in str(error)
        and wanted.get("node") in (None, error.node if isinstance(error, RunError) else None)
    )
    return [] if held else [Miss(expected, f"{type(error).__name__}: {error}")]


def _value(e: Expectation, seen: Seen) -> list[Miss]:
    if same(e.value, seen.value) != e.negated:
        return []
    return [Miss(("not " if e.negated else "") + shown_value(e.value), shown_value(seen.value))]


def _load_error(e: Expectation, seen: Seen) -> list[Miss]:
    error = seen.error
    if error is None:
        return [Miss(_words("a refused program with ", e.value, False), "the program loads")]
    words = {str(error)}
    if isinstance(error, ProgramError):
        words |= {p.code for p in error.problems} | {p.kind for p in error.problems}
    hit = any(text in words or text in str(error) for text in e.value)
    return [] if hit else [Miss(_words("a refused program with ", e.value, False), str(error))]


# ---------------------------------------------------------------------- words


def _words(before: str, texts: Sequence[str], negated: bool) -> str:
    return ("not " if negated else "") + before + " or ".join(map(repr, texts))


def _names(before: str, names: Sequence[str], negated: bool) -> str:
    return ("not " if negated else "") + before + " or ".join(names)


def _got(seen: Seen) -> str:
    if seen.text is not None:
        return repr(seen.text)
    return "no reply" if seen.error is None else f"{type(seen.error).__name__}: {seen.error}"


def _bounds(e: Expectation) -> str:
    return " and ".join(str(text).removeprefix("== ") for text in e.value)


def _asked(requests: Sequence[GenerateRequest | tuple[Question, ...]]) -> str:
    if not requests:
        return "none"
    words = []
    for request in requests:
        if isinstance(request, GenerateRequest):
            words.append(f"a {request.purpose} text for {request.node}")
        else:
            words.append(f"{' and '.join(repr(q.question) for q in request)} at {request[0].node}")
    return f"{len(words)}: {'; '.join(words)}"


CHECKS: Mapping[str, Callable[[Expectation, Seen], list[Miss]]] = MappingProxyType(
    {
        "reply": _reply,
        "contains": _contains,
        "matches": _matches,
        "starts": _starts,
        "ends": _ends,
        "node": _node,
        "path": _path,
        "passes": _passes,
        "vars": _vars,
        "unset": _unset,
        "finished": _finished,
        "told": _told,
        "prompt": _prompt,
        "user_prompt": _user_prompt,
        "silent": _silent,
        "calls": _calls,
        "tokens": _tokens,
        "cost": _cost,
        "time": _time,
        "stack": _stack,
        "error": _error,
        "value": _value,
        "load_error": _load_error,
    }
)
