"""How is a test run? ``run_case`` takes its turns, holds each against what is expected, and stops at the first miss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from autograph.errors import AutographError, ModelError
from autograph.memory import MemoryObject
from autograph.models.base import Model
from autograph.models.recordings import Recordings
from autograph.testing.bots import Bots, BotUnderTest, Desk, at_desk
from autograph.testing.case import Call, Case, CaseTurn, Expectation, Suite
from autograph.testing.expect import Seen, check
from autograph.testing.names import wrong_names
from autograph.testing.result import CaseResult, Failure, TurnResult, total
from autograph.testing.script import ScriptModel
from autograph.testing.voice import asks_program, model_for

__all__ = ["NEEDS_LIVE", "CaseResult", "Failure", "TurnResult", "run_case", "run_suite"]

NEEDS_LIVE = "it asks a real model; run it with --live"


def run_suite(suite: Suite, **options: Any) -> list[CaseResult]:
    """Run all cases of a suite; ``options`` are those of ``run_case``."""
    options.setdefault("bots", Bots())
    return [run_case(suite, case, **options) for case in suite.cases]


def run_case(
    suite: Suite,
    case: Case,
    *,
    bot: BotUnderTest | None = None,
    bots: Bots | None = None,
    live: bool = False,
    model: Model | None = None,
    recordings: Recordings | None = None,
    timeout: float | None = None,
) -> CaseResult:
    """Run one test.

    ``bot``: the bot to test instead of the suite's program (its settings are then its own). ``bots``: where loaded
    bots are kept, so that cases share them. ``live``: real models may be asked. ``model``: answers instead of the
    one that the case says. ``recordings``: those of the run, which are only played back without it. ``timeout``:
    seconds for each turn.

    Everything that goes wrong with program, model or conversation is a failure in the result; nothing is raised.
    """
    begun = perf_counter()
    if case.live and not live:
        return CaseResult(suite, case, skipped=NEEDS_LIVE)
    work = _Work(suite, case, timeout, recordings)
    try:
        loaded = bot or (bots or Bots()).get(suite.program, case.config, live=live and asks_program(case))
    except AutographError as error:
        work.not_loaded(error)
    else:
        work.run(loaded, live, model)
    return replace(work.result(), seconds=perf_counter() - begun)


class _Work:
    """A case while it is run: the turns so far, and what did not hold."""

    def __init__(self, suite: Suite, case: Case, timeout: float | None, recordings: Recordings | None) -> None:
        self._suite, self._case, self._timeout, self._recordings = suite, case, timeout, recordings
        self._turns: list[TurnResult] = []
        self._failures: list[Failure] = []
        self._bot: BotUnderTest | None = None

    def result(self) -> CaseResult:
        return CaseResult(self._suite, self._case, tuple(self._turns), tuple(self._failures))

    def fail(
        self,
        turn: int,
        what: str,
        expected: str,
        got: str,
        line: int,
        wanted: str | None = None,
        text: str | None = None,
    ) -> None:
        suite = self._suite
        self._failures.append(Failure(turn, what, expected, got, suite.path, line, suite.unit, wanted, text))

    # ------------------------------------------------------------------ before the first turn

    def not_loaded(self, error: AutographError) -> None:
        wanted = [e for e in self._case.expect if e.kind == "load_error"]
        if wanted:
            self._hold(0, wanted, Seen(None, MemoryObject(), error=error))
        else:
            self.fail(0, "program", "a program that can be loaded", str(error), self._case.line)

    def run(self, bot: BotUnderTest, live: bool, model: Model | None) -> None:
        self._bot = bot
        for name, kind, line in wrong_names(self._case, bot):
            self.fail(0, "name", f"{kind} of the program", name, line)
        if self._failures:
            return
        try:
            voice = model
            if voice is None:
                voice = model_for(self._suite, self._case, live=live, recordings=self._recordings)
        except ModelError as error:
            self.fail(0, "model", "a model that the test may ask", str(error), self._case.line)
            return
        with at_desk(Desk(voice)) as desk:
            if self._case.call is not None:
                self._call(self._case.call, desk)
            elif self._case.turns:
                self._converse(desk)
            else:
                self._hold(0, self._case.expect, Seen(bot, MemoryObject()))
        if not self._failures and isinstance(voice, ScriptModel) and not self._case.unused:
            self._check_script(voice)

    def _check_script(self, script: ScriptModel) -> None:
        left = script.unused()
        if left:
            line = self._case.script.line or self._case.line
            self.fail(0, "script", "every entry of the script is asked for", f"unused: {'; '.join(left)}", line)

    # ------------------------------------------------------------------ turns

    def _converse(self, desk: Desk) -> None:
        assert self._bot is not None
        try:
            memory = self._bot.start(self._case.variables)
        except AutographError as error:
            self.fail(0, "error", "variables that can be set", str(error), self._case.line)
            return
        for number, turn in enumerate(self._case.turns, 1):
            if isinstance(desk.model, ScriptModel):
                desk.model.extend(turn.script)
            result = self._turn(number, turn, memory, desk)
            self._turns.append(result)
            self._judge(result, turn.expect, turn.line)
            if self._failures:
                return
            memory = result.after
        self._hold(0, self._case.expect, self._overall(memory))

    def _turn(self, number: int, turn: CaseTurn, memory: MemoryObject, desk: Desk) -> TurnResult:
        bot, entry = self._bot, self._case.start if number == 1 else None
        assert bot is not None

        def take(options: dict[str, Any]) -> tuple[str, MemoryObject]:
            return bot.reply(turn.say or "", memory, set_state=entry, **options)

        return self._taken(TurnResult(number, turn.say, None, memory, memory), take, desk)

    def _call(self, call: Call, desk: Desk) -> None:
        bot = self._bot
        assert bot is not None
        try:
            memory = bot.start(self._case.variables)
        except AutographError as error:
            self.fail(0, "error", "variables that can be set", str(error), self._case.line)
            return

        def take(options: dict[str, Any]) -> tuple[Any, MemoryObject]:
            found: tuple[Any, MemoryObject] = bot.apply_fn(
                call.function, call.args, memory=memory, function_type=call.scope, return_memory=True, **options
            )
            return found

        result = self._taken(TurnResult(1, None, None, memory, memory), take, desk)
        self._turns.append(replace(result, reply=None, value=result.reply))
        self._judge(self._turns[0], self._case.expect, call.line)

    def _taken(
        self, result: TurnResult, take: Callable[[dict[str, Any]], tuple[Any, MemoryObject]], desk: Desk
    ) -> TurnResult:
        """The turn, or the call, once it was taken."""
        events: list[Any] = []
        asked, begun = len(desk.requests), perf_counter()
        try:
            said, after = take({"on_event": events.append, "timeout": self._timeout})
        except AutographError as error:
            result = replace(result, error=error.with_traceback(None))
        else:
            last = after.last_turn
            result = replace(result, reply=said, after=after, usage=last.usage if last else None)
        seconds = perf_counter() - begun
        return replace(result, events=tuple(events), requests=tuple(desk.requests[asked:]), seconds=seconds)

    # ------------------------------------------------------------------ what must hold

    def _judge(self, result: TurnResult, expected: Sequence[Expectation], line: int) -> None:
        error = result.error
        if error is not None and not any(e.kind == "error" for e in expected):
            self.fail(result.number, "error", "no error", f"{type(error).__name__}: {error}", line)
            return
        self._hold(result.number, expected, self._seen(result))

    def _hold(self, turn: int, expected: Iterable[Expectation], seen: Seen) -> None:
        for expectation in expected:
            what = f"not {expectation.kind}" if expectation.negated else expectation.kind
            for miss in check(expectation, seen):
                self.fail(turn, what, miss.expected, miss.got, expectation.line, miss.wanted, miss.text)

    def _seen(self, result: TurnResult) -> Seen:
        text = result.reply
        if self._case.call is not None and result.error is None:
            text = str(result.value)
        return Seen(
            self._bot,
            result.after,
            text,
            result.value,
            result.path,
            result.requests,
            result.usage,
            result.seconds,
            result.error,
            self._suite.prices,
        )

    def _overall(self, memory: MemoryObject) -> Seen:
        turns = self._turns
        return Seen(
            self._bot,
            memory,
            path=tuple(name for turn in turns for name in turn.path),
            requests=tuple(request for turn in turns for request in turn.requests),
            usage=total(turns),
            seconds=sum(turn.seconds for turn in turns),
            prices=self._suite.prices,
        )
