"""What does one test say? A mapping of the file becomes a ``Case``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograph.errors import did_you_mean
from autograph.tables.tree import Entries, Items, Scalar, Tree
from autograph.testing.case import Call, Case, CaseTurn, Expectation, Script
from autograph.testing.fields import Reader, shown
from autograph.testing.keys import CALL_KEYS, CASE_KEYS, LONGEST_SAYING, OTHERS, SAY_KEYS, SCOPES, TURN_KEYS
from autograph.testing.read_table import spread
from autograph.testing.typed import FLAGS, is_null, typed

__all__ = ["Shared", "read_cases", "read_config"]

Found = Mapping[str, tuple[Tree, int]]


@dataclass(frozen=True, slots=True)
class Shared:
    """What all tests of a file have in common."""

    config: Mapping[str, Any] = field(default_factory=dict)
    variables: Mapping[str, Any] = field(default_factory=dict)
    model: str | None = None
    recording: str | None = None


def read_cases(tree: Tree, shared: Shared, reader: Reader) -> tuple[Case, ...]:
    """The tests of a list. What is wrong is noted in ``reader``."""
    if not isinstance(tree, Items):
        reader.fault("the tests must be a list.", tree.line, "Begin each with - test: and its name.")
        return ()
    if not tree.items:
        reader.fault("there is no test in the list.", tree.line)
    cases = []
    lines: dict[str, int] = {}
    for item in (one for row in tree.items for one in spread(row, reader)):
        case = _case(item, shared, reader)
        if case.name in lines and case.name:
            message = f'two tests have the name "{case.name}", in {reader.unit}s {lines[case.name]} and {case.line}.'
            reader.fault(message, case.line, "Name each test by what it shows.")
        lines.setdefault(case.name, case.line)
        cases.append(case)
    reader.faults[:] = dict.fromkeys(reader.faults)  # what is wrong with a table is told once, not for each row
    return tuple(cases)


def _case(tree: Tree, shared: Shared, reader: Reader) -> Case:
    found = reader.entries(tree, "a test", CASE_KEYS)
    line = found["test"][1] if "test" in found else tree.line or 0
    name = " ".join(reader.text(found["test"][0], "test").split()) if "test" in found else ""
    if not name and isinstance(tree, Entries):
        reader.fault("a test has no name.", line, "Write test: and what it shows.")
    turns = _turns(found["turns"][0], reader) if "turns" in found else ()
    call = _call(found, reader)
    expect = _whole(found, reader)
    _check_form(found, line, expect, reader)
    script, model, recording = _voice(found, turns, shared, reader)
    config = read_config(found, reader)
    variables = reader.mapping(found["variables"][0], "variables") if "variables" in found else {}
    _check_names(variables, found, reader)
    seen = call is None or call.scope != "local"
    if variables and not seen:
        hint = "Write type: normal, or give the values as args."
        reader.fault("a local call sees no variables.", found["variables"][1], hint)
    return Case(
        name=name,
        turns=turns,
        call=call,
        expect=expect,
        start=reader.word(found["start"][0], "start") if "start" in found else None,
        variables={**shared.variables, **variables} if seen else {},
        config={**shared.config, **config},
        script=script,
        model=model,
        recording=recording,
        live=reader.flag(found["live"][0], "live") if "live" in found else False,
        unused=_unused(found, reader),
        line=line,
    )


def _check_form(found: Found, line: int, expect: tuple[Expectation, ...], reader: Reader) -> None:
    """A test has turns, or a call, or expects that the program is refused."""
    if not found:
        return
    if "turns" in found and "call" in found:
        reader.fault("a test has turns or a call, not both.", found["call"][1], "Make two tests of it.")
    refused = any(e.kind == "load_error" for e in expect) or reader.faults  # a fault may be why nothing is expected
    if "turns" not in found and "call" not in found and not refused:
        reader.fault("the test has no turns.", line, "Write turns: and below it what the user says, or call:.")
    if "args" in found and "call" not in found:
        reader.fault("`args` belong to a call.", found["args"][1], "Write call: and the function's name.")
    if "start" in found and "turns" not in found:
        reader.fault("`start` belongs to a conversation.", found["start"][1], "Leave it out, or write turns.")


def _whole(found: Found, reader: Reader) -> tuple[Expectation, ...]:
    if "expect" not in found:
        return ()
    tree = found["expect"][0]
    if is_null(tree):
        return ()
    place = "call" if "call" in found else "whole" if "turns" in found else "load"
    bare = {"call": "value", "whole": "contains", "load": "load_error"}[place]
    return reader.expectations(tree, place, bare)


# ---------------------------------------------------------------------- turns and calls


def _turns(tree: Tree, reader: Reader) -> tuple[CaseTurn, ...]:
    if not isinstance(tree, Items) or not tree.items:
        wrong = "`turns` is an empty list." if isinstance(tree, Items) else "`turns` must be a list."
        reader.fault(wrong, tree.line, "Begin each turn with - say: or - expect:.")
        return ()
    return tuple(_turn(item, first=number == 0, reader=reader) for number, item in enumerate(tree.items))


def _turn(tree: Tree, *, first: bool, reader: Reader) -> CaseTurn:
    found = reader.entries(tree, "a turn", TURN_KEYS)
    line = tree.line or 0
    say = _say(found["say"][0], reader) if "say" in found else None
    if say is None and not first and found:
        reader.fault("only the first turn may be without `say`.", line, 'If the user says nothing, write say: "".')
    expect: tuple[Expectation, ...] = ()
    if "expect" in found and not is_null(found["expect"][0]):
        expect = reader.expectations(found["expect"][0], "turn", "contains")
    return CaseTurn(say, expect, _script(found, reader), line)


def _say(tree: Tree, reader: Reader) -> str:
    """What the user says: a text, or ``{repeat: text, times: n}`` for one that is too long to be written out."""
    if not isinstance(tree, Entries):
        return reader.text(tree, "say")
    found = reader.entries(tree, "`say`", SAY_KEYS)
    text = reader.text(found["repeat"][0], "repeat") if "repeat" in found else ""
    times = typed(found["times"][0]) if "times" in found else None
    if isinstance(times, bool) or not isinstance(times, int) or not 0 < times * len(text) <= LONGEST_SAYING:
        hint = "Write {repeat: a text, times: 100}."
        reader.fault(f"`say` must be repeated to between 1 and {LONGEST_SAYING:,} characters.", tree.line, hint)
        return ""
    return text * times


def _call(found: Found, reader: Reader) -> Call | None:
    if "call" not in found:
        return None
    tree, line = found["call"]
    parts: Found = {"function": (tree, line)}
    if isinstance(tree, Entries):
        parts = reader.entries(tree, "a call", CALL_KEYS)
    name = reader.word(parts["function"][0], "function") if "function" in parts else None
    if "function" not in parts:
        reader.fault("the call names no function.", line, "Write function: and its name.")
    if name and "(" in name and not name.endswith("()"):
        reader.fault(f"the call {name!r} has arguments in it.", line, f"Write {name.partition('(')[0]}() and args:.")
    if "args" in parts and "args" in found:
        reader.fault("the call has `args` twice.", found["args"][1], "Delete one of them.")
    args = parts.get("args") or found.get("args")
    scope = reader.word(parts["type"][0], "type") if "type" in parts else "local"
    if scope and scope not in SCOPES:
        hint = did_you_mean(scope, SCOPES) or f"It is one of {', '.join(SCOPES)}."
        reader.fault(f'"{scope}" is no type of a call.', parts["type"][1], hint)
    return Call(name or "", _args(args[0], reader) if args else (), scope or "local", line)


def _args(tree: Tree, reader: Reader) -> Any:
    if isinstance(tree, Items):
        return tuple(typed(item) for item in tree.items)
    if isinstance(tree, Entries):
        return typed(tree)
    reader.fault("`args` must be a list, or a mapping of names.", tree.line, f"Write [{tree.text}].")
    return ()


# ---------------------------------------------------------------------- who answers


def _voice(
    found: Found, turns: tuple[CaseTurn, ...], shared: Shared, reader: Reader
) -> tuple[Script, str | None, str | None]:
    """The script, the model and the recording: at most one of them is the test's own, and it wins."""
    script = _script(found, reader)
    own = {key: reader.word(found[key][0], key) for key in ("model", "recording") if key in found}
    scripted = "replies" in found or "answers" in found or any(turn.script for turn in turns)
    if scripted and own:
        key = next(iter(own))
        hint = "Delete one of them."
        reader.fault(f"a test has a script or a {key}, not both.", found[key][1], hint)
    if scripted:
        return script, None, None
    if own:
        return script, own.get("model"), own.get("recording")
    return script, shared.model, shared.recording


def _script(found: Found, reader: Reader) -> Script:
    if "replies" not in found and "answers" not in found:
        return Script()
    replies, node_replies = _entries_of(found, "replies", _reply, reader)
    answers, node_answers = _entries_of(found, "answers", reader.answer, reader)
    line = min(found[key][1] for key in ("replies", "answers") if key in found)

    def _text(values: tuple[Any, ...]) -> tuple[str, ...]:
        return tuple(str(value) for value in values)

    texts = {name: _text(values) for name, values in node_replies.items()}
    return Script(_text(replies), answers, texts, node_answers, line)


def _reply(tree: Tree, what: str) -> str:
    return tree.text if isinstance(tree, Scalar) else ""


def _entries_of(
    found: Found, key: str, read: Callable[[Tree, str], Any], reader: Reader
) -> tuple[tuple[Any, ...], dict[str, tuple[Any, ...]]]:
    """The entries in order, and those by node."""
    if key not in found:
        return (), {}
    tree, line = found[key]
    if is_null(tree):
        return (), {}
    if isinstance(tree, Entries):
        by_node = {name.text.strip(): _several(value, key, read, reader) for name, value in tree.entries}
        return by_node.pop(OTHERS, ()), by_node
    if not isinstance(tree, Items) and not isinstance(tree, Scalar):
        reader.fault(f"`{key}` must be a list, or a mapping of nodes.", line)
        return (), {}
    return _several(tree, key, read, reader), {}


def _several(tree: Tree, key: str, read: Callable[[Tree, str], Any], reader: Reader) -> tuple[Any, ...]:
    """One entry, or a list of them; ``[B, 0.4]`` is one answer with its confidence."""
    if isinstance(tree, Items) and not (key == "answers" and _is_pair(tree)):
        items: tuple[Tree, ...] = tree.items
    else:
        items = (tree,)
    for item in items:
        if key == "replies" and not isinstance(item, Scalar):
            hint = 'Put a text with ": " or brackets in quotes.'
            reader.fault(f"each entry of `replies` must be a text, not {shown(item)}.", item.line or tree.line, hint)
    return tuple(read(item, key) for item in items)


def _is_pair(tree: Items) -> bool:
    values = [typed(item) for item in tree.items]
    return len(values) == 2 and isinstance(values[1], float)


# ---------------------------------------------------------------------- the rest


def read_config(found: Found, reader: Reader) -> dict[str, Any]:
    """The settings below ``config``."""
    if "config" not in found:
        return {}
    from autograph.program.setting_kinds import setting_names

    tree, _ = found["config"]
    config = reader.mapping(tree, "config")
    known = list(setting_names())
    for key, _value in tree.entries if isinstance(tree, Entries) else ():
        if key.text not in known:
            reader.fault(f'there is no setting "{key.text}".', key.line, did_you_mean(key.text, known))
    return config


def _check_names(variables: Mapping[str, Any], found: Found, reader: Reader) -> None:
    for name in variables:
        if not name.isidentifier() or name.startswith("_"):
            hint = "Use letters, digits and underscores, a letter first."
            reader.fault(f'"{name}" cannot be the name of a variable.', found["variables"][1], hint)


def _unused(found: Found, reader: Reader) -> bool:
    if "unused" not in found:
        return False
    tree, line = found["unused"]
    word = reader.text(tree, "unused").strip().lower()
    if word != "ok" and word not in FLAGS:
        reader.fault(f"`unused` must be ok, not {shown(tree)}.", line)
    return word == "ok" or FLAGS.get(word, False)
