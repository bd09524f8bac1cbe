"""One level of the stack: the variables, turns and prompts of a function call, or of the base.

A level's ``scope`` is the flat view of everything visible from it, in the form that the sandbox
evaluates in. A local level starts empty; a normal or global one starts with a copy of its caller's
view, which is safe because a caller cannot rebind anything while it waits. ``own`` holds the names
that belong to the level itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from autograph.memory.turns import Turn, oldest_first
from autograph.values import deep_copy

__all__ = ["UNSET", "Level"]


class _Unset:
    """The value of something that has no value yet (None is a value)."""

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> bool:
        return False

    def __copy__(self) -> _Unset:
        return self

    def __deepcopy__(self, memo: Any) -> _Unset:
        return self


UNSET: Final[Any] = _Unset()


class Level:
    """A frame of the stack. Read ``function_scope last_state variables prompt user_prompt turns``.

    ``function_scope`` is ``local``, ``normal`` or ``global``; ``last_state`` the node at which the
    level stands (None: nothing entered yet). The rest serves the interpreter: ``output`` is the
    level's ``_last_variable_output``; ``base`` the newest turn of the caller when the level began;
    ``interruptions`` the chat nodes that interjections left, newest last; ``calls_done`` and
    ``values`` the finished graph calls of the node at which the level stands; ``text_at_call`` and
    ``texts_at_call`` the user text that was pending when the level was called, and how many texts
    had come by then.
    """

    __slots__ = (
        "base",
        "calls_done",
        "function_scope",
        "interruptions",
        "last_state",
        "output",
        "own",
        "prompt",
        "scope",
        "text_at_call",
        "texts_at_call",
        "turn",
        "user_prompt",
        "values",
    )

    def __init__(
        self,
        function_scope: str,
        scope: dict[str, Any],
        own: set[str] | None,
        prompt: str,
        user_prompt: str,
        turn: Turn | None = None,
    ) -> None:
        self.function_scope = function_scope
        self.scope = scope
        self.own = own
        self.prompt = prompt
        self.user_prompt = user_prompt
        self.turn = turn
        self.base = turn
        self.last_state: str | None = None
        self.output: Any = UNSET
        self.interruptions: tuple[str, ...] = ()
        self.calls_done = 0
        self.values: tuple[Any, ...] = ()
        self.text_at_call: str | None = None
        self.texts_at_call = 0

    @property
    def turns(self) -> list[Turn]:
        """The level's own turns, oldest first."""
        return oldest_first(self.turn, self.base)

    @property
    def variables(self) -> dict[str, Any]:
        """A copy of the level's own variables."""
        copied: dict[str, Any] = deep_copy(dict(self.own_items()), {})
        return copied

    def own_items(self) -> Iterator[tuple[str, Any]]:
        """The level's own variables, in the order in which they came."""
        own = self.own
        for name, value in self.scope.items():
            if name[0] not in "_@" and (own is None or name in own):
                yield name, value

    def visible_items(self) -> Iterator[tuple[str, Any]]:
        """All variables visible from this level."""
        return ((name, value) for name, value in self.scope.items() if name[0] not in "_@")

    def assign(self, name: str, value: Any) -> None:
        """Set a variable of this level."""
        self.scope[name] = value
        if self.own is not None:
            self.own.add(name)

    def fork(self, builtins: Mapping[str, Any], fuel: Any) -> Level:
        """A copy that can be changed without changing this one; the values are shared.

        ``builtins`` are what the program that goes on may use beside its variables, ``fuel`` is what its statements
        may use up.
        """
        new: Level = Level.__new__(Level)
        new.function_scope = self.function_scope
        new.scope = scope = self.scope.copy()
        scope["__builtins__"] = builtins
        scope["@fuel"] = fuel
        new.own = None if self.own is None else self.own.copy()
        new.prompt = self.prompt
        new.user_prompt = self.user_prompt
        new.turn = self.turn
        new.base = self.base
        new.last_state = self.last_state
        new.output = self.output
        new.interruptions = self.interruptions
        new.calls_done = self.calls_done
        new.values = self.values
        new.text_at_call = self.text_at_call
        new.texts_at_call = self.texts_at_call
        return new

    def __repr__(self) -> str:
        return f"<Level {self.function_scope} at {self.last_state!r}>"
