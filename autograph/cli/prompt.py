"""The comfortable reader, on prompt_toolkit: history, search, completion, several lines, and news while it waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import has_focus
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.shortcuts import CompleteStyle

from autograph.cli.readers import PROMPT, Complete, history_file

__all__ = ["PromptReader"]

_LOOK_EVERY = 0.4
"""Seconds between two looks at what is watched."""


class PromptReader:
    """Enter sends, Alt-Enter begins another line, Tab completes, Ctrl-R searches what was typed before.

    ``changed`` is asked while the prompt waits; when it says yes, ``on_change`` may print above the prompt.
    """

    def __init__(
        self,
        complete: Complete,
        *,
        coloured: bool,
        changed: Callable[[], bool] | None = None,
        on_change: Callable[[], object] | None = None,
    ) -> None:
        self._changed, self._on_change = changed, on_change
        self._coloured = coloured
        file = history_file()
        history: History = FileHistory(str(file)) if file else InMemoryHistory()
        self._prompt: PromptSession[str] = PromptSession(
            history=history,
            completer=_Completer(complete),
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            key_bindings=_keys(),
            multiline=True,
            prompt_continuation=lambda width, line, wrapped: " " * width,
            color_depth=None if coloured else ColorDepth.DEPTH_1_BIT,
        )

    def read(self, label: str = PROMPT) -> str:
        """The next text, which may have several lines."""
        colour = "ansicyan" if label == PROMPT else "ansiyellow"
        shown = FormattedText([(colour, label.rstrip()), ("", " ")]) if self._coloured else label
        return self._prompt.prompt(shown, pre_run=self._begin_watching if self._changed else None)

    def close(self) -> None:
        """Nothing to do: each line was kept when it was typed."""

    def _begin_watching(self) -> None:
        get_app().create_background_task(self._watch())

    async def _watch(self) -> None:
        while self._changed is not None and self._on_change is not None:
            await asyncio.sleep(_LOOK_EVERY)
            if self._changed():
                await run_in_terminal(self._on_change)


class _Completer(Completer):
    """Completes commands and their arguments."""

    def __init__(self, complete: Complete) -> None:
        self._complete = complete

    def get_completions(self, document: Any, complete_event: Any) -> Iterator[Completion]:
        part, words = self._complete(document.text_before_cursor)
        for word in words:
            yield Completion(word, start_position=-len(part))


def _keys() -> KeyBindings:
    keys = KeyBindings()
    typing = has_focus(DEFAULT_BUFFER)

    @keys.add("enter", filter=typing)
    def _send(event: Any) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter", filter=typing)
    def _new_line(event: Any) -> None:
        event.current_buffer.insert_text("\n")

    return keys
