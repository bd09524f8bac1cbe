"""What does a memory still know of its conversation? Its trajectory, cut into turns, with what was said in them.

The turns of a local or normal call that has returned are dropped from the memory, and with them what was said there;
the nodes are in the trajectory. So the stack of calls is followed along the trajectory, which tells what was kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from autograph.check.facts import facts_of
from autograph.interpreter.bot import Autograph
from autograph.memory import MemoryObject
from autograph.memory.turns import Turn, oldest_first
from autograph.testing.told import Told, ToldTurn

__all__ = ["likely_says", "told_of_memory"]

_MOST_GUESSES = 40
_LONGEST_GUESS = 200
_USUAL = ("…", "yes", "no", "ok", "1", "2", "3")


def told_of_memory(memory: MemoryObject, bot: Autograph, program: str = "") -> Told:
    """What is known of the conversation of ``memory``, held with the program of ``bot``."""
    names = [bot.program.present_name(name) for name in memory.trajectory]
    kept = _kept(names, memory, bot)
    texts = {**_assigned(names, memory, bot), **_written(names, kept, bot)}
    turns: list[ToldTurn] = []
    start = 0
    for end in _ends(names, bot):
        turns.append(_turn(names, start, end, kept, texts, bot))
        start = end
    if start < len(names) or (memory.finished and _has_left(names, memory, bot)):
        turns.append(_turn(names, start, len(names), kept, texts, bot))
    jumps = memory.texts < len(turns) - 1
    return Told(tuple(_said(turns, memory)), program, memory, _beginnings(memory, bot), _seed(memory, bot), jumps=jumps)


def likely_says(memory: MemoryObject | None) -> tuple[str, ...]:
    """What may be tried where it is not known what a user said: his last text, texts in variables, usual ones."""
    found: dict[str, None] = dict.fromkeys(_USUAL[:1])
    if memory is not None:
        if memory.last_user_reply:
            found[memory.last_user_reply] = None
        for text in _texts([level.visible_items() for level in memory.stack]):
            if len(found) < _MOST_GUESSES and 0 < len(text) <= _LONGEST_GUESS:
                found[text] = None
    return (*found, *(text for text in _USUAL if text not in found))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif not isinstance(value, (bytes, type(None), bool)) and hasattr(value, "__iter__"):
        for item in value:
            yield from _texts(item)


# ---------------------------------------------------------------------- turns


def _ends(names: Sequence[str], bot: Autograph) -> Iterator[int]:
    """Behind which places a turn ends: there the program spoke."""
    for place, name in enumerate(names):
        node = bot.node_table.get(name)
        if node is not None and node.speaks:
            yield place + 1


def _has_left(names: Sequence[str], memory: MemoryObject, bot: Autograph) -> bool:
    """Whether a conversation that ended behind a node that spoke needed a further turn for it."""
    node = bot.node_table.get(names[-1]) if names else None
    return node is not None and node.speaks and (len(memory.stack) > 1 or not node.waits_for_nothing)


def _turn(
    names: Sequence[str], start: int, end: int, kept: Mapping[int, Turn], texts: Mapping[int, str], bot: Autograph
) -> ToldTurn:
    """The nodes of a turn, with what is kept of their words. Who takes the user's text first tells what it was."""
    takers = [place for place in range(start, end) if _takes(names[place], bot)]
    says = [kept[place].user for place in takers if place in kept and kept[place].user is not None]
    certain = bool(says) or (bool(takers) and takers[0] in kept)
    last = kept.get(end - 1) if end > start else None
    return ToldTurn(
        (says[0],) if says else (None,) if certain else (),
        tuple(names[start:end]),
        last.agent if last is not None and last.spoke else None,
        texts={place - start: texts[place] for place in range(start, end) if place in texts},
        certain=certain,
    )


def _written(names: Sequence[str], kept: Mapping[int, Turn], bot: Autograph) -> dict[int, str]:
    """What a model wrote, by places: a suffix that the model writes itself stands there once."""
    return {place: turn.agent for place, turn in kept.items() if _writes(names[place], bot)}


def _assigned(names: Sequence[str], memory: MemoryObject, bot: Autograph) -> dict[int, str]:
    """What a model wrote, by places, as far as it is in a variable that nothing has set since."""
    found: dict[str, tuple[int, str]] = {}
    for place, name in enumerate(names):
        node = bot.node_table.get(name)
        if node is not None and node.spec.assign:
            found[node.spec.assign] = (place, name)
    values = memory.variables
    texts = {place: values.get(variable) for variable, (place, name) in found.items() if _writes(name, bot)}
    return {place: text for place, text in texts.items() if isinstance(text, str)}


def _writes(name: str, bot: Autograph) -> bool:
    """Whether a model writes what the node says or thinks."""
    node = bot.node_table.get(name)
    return node is not None and (node.spec.action.instruction == "model" or node.spec.action.name == "chat_suffix")


def _takes(name: str, bot: Autograph) -> bool:
    node = bot.node_table.get(name)
    return node is not None and node.spec.action.consumes


def _said(turns: list[ToldTurn], memory: MemoryObject) -> Iterator[ToldTurn]:
    """The turns with what follows from the whole: the newest text is that of the last turn, and only the first may be
    without one."""
    for number, turn in enumerate(turns):
        says, certain = turn.says, turn.certain
        if number and number == len(turns) - 1 and memory.last_user_reply is not None:
            says, certain = (memory.last_user_reply,), True
        elif number and says == (None,):
            says = ("",)
        elif number == 0 and not certain:
            says = (None,) if memory.texts < len(turns) else (memory.last_user_reply,) if len(turns) == 1 else ()
            certain = bool(says)
        yield replace(turn, says=says, certain=certain)


# ---------------------------------------------------------------------- what was kept


@dataclass(slots=True)
class _Call:
    """A call under way: who called, the how-many-th of his calls it is, and the words on its level."""

    caller: str
    number: int
    keeps: bool
    words: list[int] = field(default_factory=list)


def _kept(names: Sequence[str], memory: MemoryObject, bot: Autograph) -> dict[int, Turn]:
    """The turns that the memory holds, by their place in the trajectory."""
    turns = [turn for level in memory.stack for turn in oldest_first(level.turn, level.base)]
    places = _places(names, bot)
    if [names[place] for place in places] != [bot.program.present_name(turn.node) for turn in turns]:
        places = _from_the_end(names, turns, bot)
    return dict(zip(places, turns, strict=False))


def _places(names: Sequence[str], bot: Autograph) -> list[int]:
    """Where in the trajectory the words were said that are kept, found by following the calls."""
    calls = [_Call("", 0, True)]
    number = 0
    for place, name in enumerate(names):
        node = bot.node_table.get(name)
        if node is None:
            continue
        if node.spec.parameters is not None and place:
            caller = bot.node_table.get(names[place - 1])
            scope = caller.spec.action.scope if caller is not None else None
            calls.append(_Call(names[place - 1], number, scope == "global"))
            number = 0
        elif len(calls) > 1 and name == calls[-1].caller:
            again = place + 1 < len(names) and _is_function(names[place + 1], bot)
            plan = node.spec.plan
            if not again or (plan is not None and calls[-1].number + 1 < len(plan.calls)):
                call = calls.pop()
                calls[-1].words += call.words if call.keeps else ()
                number = call.number + 1 if again else 0
        if node.spec.action.consumes:
            calls[-1].words.append(place)
    return [place for call in calls for place in call.words]


def _is_function(name: str, bot: Autograph) -> bool:
    node = bot.node_table.get(name)
    return node is not None and node.spec.parameters is not None


def _from_the_end(names: Sequence[str], turns: Sequence[Turn], bot: Autograph) -> list[int]:
    """The newest places at which the turns can have been: calls that have returned lie before those that have not."""
    places: list[int] = []
    place = len(names) - 1
    for turn in reversed(turns):
        while place >= 0 and names[place] != bot.program.present_name(turn.node):
            place -= 1
        if place < 0:
            break
        places.append(place)
        place -= 1
    return places[::-1] if len(places) == len(turns) else []


# ---------------------------------------------------------------------- the beginning


def _beginnings(memory: MemoryObject, bot: Autograph) -> tuple[Mapping[str, Any], ...]:
    """Variables with which the conversation may have begun: those that nothing in the program sets, none, or all."""
    if not memory.stack:
        return ({},)
    final = dict(memory.stack[0].own_items())
    set_by_program = {name for facts in facts_of(bot.program) for name in facts.sets}
    for node in bot:
        set_by_program |= {parameter.name for parameter in node.spec.parameters or ()}
    given = {name: value for name, value in final.items() if name not in set_by_program}
    return tuple(beginning for n, beginning in enumerate((given, {}, final)) if n == 0 or beginning != given)


def _seed(memory: MemoryObject, bot: Autograph) -> dict[str, Any]:
    """The seed of the conversation's draws, if there were any and the program does not fix it."""
    return {} if memory.seed is None or memory.seed == bot.config.seed else {"seed": memory.seed}
