"""How do a turn, a call and a simulated user begin and end?

Each beginning checks what it was given and returns the desk (``Run``) with the loop to be driven; each
end seals the memory.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from keyword import iskeyword
from random import Random
from typing import TYPE_CHECKING, Any

from autograph.config import AutographConfig
from autograph.errors import ConversationFinished, ProgramChanged, RunError, did_you_mean
from autograph.interpreter.effects import Effect
from autograph.interpreter.events import EventLog
from autograph.interpreter.loop import run_loop
from autograph.interpreter.nodes.function import enter_function
from autograph.interpreter.run import Run
from autograph.interpreter.userbot import simulate
from autograph.language.names import normalise
from autograph.memory import Level, MemoryObject
from autograph.values import check_storable, deep_copy

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.interpreter.nodes import Node

__all__ = ["base_level", "begin_call", "begin_simulation", "begin_turn", "finish_call", "finish_turn"]

Begun = tuple[Run, Generator[Effect, Any, None]]

_SCOPES = ("local", "normal", "global")


def base_level(config: AutographConfig, variables: Mapping[str, Any]) -> Level:
    """The level of a fresh conversation. Raises ``RunError`` for variables that cannot be."""
    if not isinstance(variables, Mapping):
        raise RunError(f"variables must be a mapping of names to values, not {type(variables).__name__}")
    for name, value in variables.items():
        if not isinstance(name, str) or not name.isidentifier() or iskeyword(name) or name.startswith("_"):
            advice = "use letters, digits and underscores, a letter first"
            raise RunError(f"{name!r} cannot be the name of a variable: {advice}")
        try:
            check_storable(value, name)
        except ValueError as error:
            raise RunError(str(error)) from None
    copied = deep_copy(dict(variables), {})
    return Level("local", copied, None, config.default_prompt, config.default_user_prompt)


# ---------------------------------------------------------------------- a turn


def begin_turn(
    bot: Autograph, user_reply: str, memory: MemoryObject | None, set_state: str | None, options: dict[str, Any]
) -> Begun:
    """Take a user text in, and find the node to go on from."""
    if not isinstance(user_reply, str):
        raise RunError(f"the user's text must be a str, not {type(user_reply).__name__}")
    if memory is not None and not isinstance(memory, MemoryObject):
        raise RunError(
            f"the memory must be the MemoryObject that the last turn returned, not {type(memory).__name__}. "
            "Make one of stored data with MemoryObject.from_dict or from_json."
        )
    if memory is not None and memory.finished:
        raise ConversationFinished("the conversation has ended; no further reply is possible. Begin a new one.")
    run = bot.start_run(memory, **options)
    current = run.memory.current
    if user_reply or (current is not None and set_state is None):
        run.memory.receive(user_reply)
    if set_state is not None:
        return run, run_loop(run, _known(bot, set_state), False)
    if current is None:
        return run, run_loop(run, bot.node_table[bot.program.start], False)
    node = bot.node_table.get(current)
    if node is None:
        near = did_you_mean(current, bot.node_table)
        raise ProgramChanged(
            f'the conversation stands at the node "{current}", which is no longer in the program. '
            f'Name it in the field "formerly" of the node that replaces it. {near}'.rstrip(),
            node=current,
        )
    return run, run_loop(run, node, True)


def _known(bot: Autograph, name: str) -> Node:
    node = bot.node_table.get(bot.program.present_name(name))
    if node is None:
        raise RunError(f'set_state names "{name}", which is no node. {did_you_mean(name, bot.node_table)}'.rstrip())
    if node.spec.callable:
        raise RunError(f'set_state names "{name}", which is a function. Call it with apply_fn("{name}", […]).')
    return node


def finish_turn(run: Run, user_reply: str) -> tuple[str, MemoryObject]:
    """The reply, and the memory after the turn."""
    reply = run.reply or ""
    run.memory.seal(user_reply or None, reply, run.speaker, EventLog(run.log), run.usage)
    return reply, run.memory


# ---------------------------------------------------------------------- a call


def begin_call(
    bot: Autograph, entry: str, args: Any, memory: MemoryObject | None, function_type: str, options: dict[str, Any]
) -> Begun:
    """Find the function, and push the level of the call."""
    if function_type not in _SCOPES:
        raise RunError(f'function_type is "{function_type}"; it must be local, normal or global')
    name = normalise(entry)
    node = bot.node_table.get(bot.program.present_name(name if name.endswith(")") else f"{name}()"))
    if node is None or not node.spec.callable:
        functions = [f"{function}()" for function in bot.program.functions]
        raise RunError(f'there is no function "{entry}" in the program. {did_you_mean(entry, functions)}'.rstrip())
    run = bot.start_run(memory if function_type != "local" else None, **options)
    run.floor = len(run.memory.stack)
    run.memory.restart_trajectory()
    positional, keywords = _arguments(entry, args)
    try:
        enter_function(run, node, node, positional, keywords, function_type)
    except RunError as error:
        error.node = node.name
        raise
    return run, run_loop(run, node, False)


def _arguments(entry: str, args: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments, copied so that the program cannot change the caller's values."""
    if isinstance(args, (str, bytes)):
        raise RunError(f"the arguments of {entry} must be a list or a mapping, not a single text: write [{args!r}]")
    named = isinstance(args, Mapping)
    try:
        values = dict(args) if named else list(args)
    except TypeError:
        raise RunError(f"the arguments of {entry} must be a list or a mapping, not {args!r:.60}") from None
    try:
        check_storable(values, "arguments")
        copied = deep_copy(values, {})
    except ValueError as error:
        raise RunError(f"{entry} cannot be called: {error}") from None
    return ((), copied) if named else (tuple(copied), {})


def finish_call(run: Run, return_memory: bool) -> Any:
    """The value of the call; with its memory, if that is wanted."""
    value = deep_copy(run.result, {})  # it may be a variable's value, also of the memory given
    if not return_memory:
        return value
    run.memory.seal(None, "", None, EventLog(run.log), run.usage)
    return value, run.memory


# ---------------------------------------------------------------------- a simulated user


def begin_simulation(bot: Autograph, memory: MemoryObject, seed: int | None, options: dict[str, Any]) -> Begun:
    """Let the simulated user speak next; the same seed and memory give the same draw."""
    run = bot.start_run(memory, **options)
    seed = bot.config.seed if seed is None else seed
    rng = Random() if seed is None else Random(f"{seed} {run.memory.entered} {run.memory.texts}")
    return run, simulate(run, rng)
