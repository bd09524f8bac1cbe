"""How does a pipeline answer one text? Services start when those before them are over; what fails, fails alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from autograph.dialogue import state_update
from autograph.dialogue.state_dates import Ids, moment
from autograph.dialogue.state_model import Dialog, HumanUtterance
from autograph.errors import RunError
from autograph.evaluation.pipeline.config import PipelineConfig, ServiceConfig
from autograph.evaluation.pipeline.connectors import Connected
from autograph.evaluation.pipeline.links import INPUT, RESPONDER, Links, Status
from autograph.evaluation.pipeline.shapes import hypotheses_of, labels_of, selection_of

__all__ = ["PipelineTurn"]

_WORK, _DONE = Status(), Status(done=True)


class PipelineTurn:
    """One turn at work. ``dialog``, ``statuses`` and ``errors`` (by service) tell how far it has come."""

    def __init__(
        self,
        config: PipelineConfig,
        services: Mapping[str, Connected],
        links: Links,
        dialog: Dialog,
        ids: Ids,
        clock: Callable[[], datetime],
    ) -> None:
        self._config, self._services, self._links = config, services, links
        self._ids, self._clock = ids, clock
        self._tasks: dict[asyncio.Task[list[Any]], str] = {}
        self._ranks: list[int] = []  # of each hypothesis, the place of its skill in the file
        self.dialog = dialog
        self.statuses: dict[str, Status] = {}
        self.errors: dict[str, str] = {}

    async def run(self, text: str, attributes: Mapping[str, Any]) -> None:
        """Take the text in and answer it. Raises ``RunError`` if nobody has an answer."""
        self.dialog = state_update.add_human_utterance(self.dialog, text, **self._mark(), attributes=attributes)
        self.statuses[INPUT] = _DONE
        seconds = self._config.timeout
        try:
            async with asyncio.timeout(seconds):
                await self._work()
        except TimeoutError:
            await self._stop()
            if self._unanswered or self._config.on_timeout:
                await self._stand_in(self._config.on_timeout or self._config.last_chance, f"within {seconds:g} seconds")
        finally:
            await self._stop()
        if self._unanswered:
            raise RunError("the pipeline has come to its end, and nobody has spoken. Is there a response selector?")
        self.dialog = state_update.save_dialog(self.dialog)
        self.statuses[RESPONDER] = _DONE

    @property
    def _unanswered(self) -> bool:
        return isinstance(self.dialog.utterances[-1], HumanUtterance)

    def _mark(self) -> dict[str, str]:
        """The id and the date of a new utterance, which is never before the one before it."""
        now = self._clock()
        if self.dialog.utterances:
            before = moment(self.dialog.utterances[-1].date_time)
            now = max(now, before) if before else now
        return {"utt_id": self._ids.next(), "date_time": str(now)}

    # ------------------------------------------------------------------ the order of things

    async def _work(self) -> None:
        """Run services until it is the responder's turn, or nothing is left to run."""
        while True:
            ready = self._links.ready(self.statuses)
            if RESPONDER in ready and not self._unanswered:
                return
            for name in ready:
                if name != RESPONDER:
                    self._start(name)
            if not self._tasks:
                if self._unanswered or self._config.last_chance:
                    await self._stand_in(self._config.last_chance, "")
                return
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            over = [(task, name) for task, name in self._tasks.items() if task.done()]
            for task, name in sorted(over, key=lambda pair: self._place(pair[1])):
                del self._tasks[task]
                self._finish(task, name)
            self._order_hypotheses()

    def _order_hypotheses(self) -> None:
        """Put the hypotheses into the order of the file, unless somebody is at work who counts them."""
        newest = self.dialog.utterances[-1]
        methods = (self._services[name].config.method or "" for name in self._tasks.values())
        counted = any(method.startswith("add_hypothesis_annotation") for method in methods)
        if counted or not isinstance(newest, HumanUtterance):
            return
        order = sorted(range(len(self._ranks)), key=self._ranks.__getitem__)
        self._ranks.sort()
        ordered = replace(newest, hypotheses=tuple(newest.hypotheses[place] for place in order))
        self.dialog = replace(self.dialog, utterances=(*self.dialog.utterances[:-1], ordered))

    def _place(self, name: str) -> int:
        return next(place for place, service in enumerate(self._config.services) if service.name == name)

    def _start(self, name: str) -> None:
        self.statuses[name] = _WORK
        service = self._services[name]
        self._tasks[asyncio.create_task(_answers(service, self.dialog.to_dict()), name=name)] = name

    def _finish(self, task: asyncio.Task[list[Any]], name: str) -> None:
        service = self._services[name]
        error = task.exception()
        if isinstance(error, Exception):
            self._failed(name, error)
            return
        if error is not None:
            raise error
        try:
            dialog, wanted = self._applied(service, task.result())
        except Exception as wrong:  # what it has given is in no known form
            self._failed(name, wrong)
            return
        self.dialog, self.statuses[name] = dialog, _DONE
        newest = dialog.utterances[-1]
        if isinstance(newest, HumanUtterance):
            self._ranks += [self._place(name)] * (len(newest.hypotheses) - len(self._ranks))
        for other in self._links.after[name] if wanted is not None else ():
            if other != RESPONDER and self._services[other].config.label not in (wanted or ()):
                self.statuses[other] = Status(skipped=True)

    def _failed(self, name: str, error: Exception) -> None:
        message = getattr(error, "message", None) or str(error)
        plain = isinstance(error, RunError)
        self.errors[name] = message if plain else f"{type(error).__name__}: {message}".removesuffix(": ")
        self.statuses[name] = Status(done=True, error=True)
        for other in self._links.dependents.get(name, ()):
            self.statuses[other] = Status(skipped=True)

    async def _stop(self) -> None:
        """Cancel whatever is still at work."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    # ------------------------------------------------------------------ what becomes of an answer

    def _applied(self, service: Connected, answers: list[Any]) -> tuple[Dialog, set[str] | None]:
        """The dialog with the answers of a service, and the labels that it wants if it is a selector."""
        dialog, wanted = self.dialog, None
        for index, answer in enumerate(answers):
            if service.config.method is not None:
                dialog = self._with(dialog, service, answer, index)
            if "selector" in service.config.tags:
                wanted = labels_of(answer)
        return dialog, wanted

    def _with(self, dialog: Dialog, service: Connected, answer: Any, index: int) -> Dialog:
        label, method = service.config.label, service.config.method
        if method == "add_annotation":
            return state_update.add_annotation(dialog, label, answer)
        if method == "add_annotation_prev_bot_utt":
            return state_update.add_annotation_prev_bot_utt(dialog, label, answer)
        if method == "add_hypothesis":
            return state_update.add_hypothesis(dialog, label, hypotheses_of(answer))
        if method == "add_hypothesis_annotation":
            return state_update.add_hypothesis_annotation(dialog, label, answer, index)
        if method == "add_hypothesis_annotation_batch":
            return state_update.add_hypothesis_annotation_batch(dialog, label, answer)
        if method == "add_text":
            return state_update.add_text(dialog, answer)
        if method == "add_bot_utterance":
            newest = dialog.utterances[-1]
            chosen = selection_of(answer, newest.hypotheses if isinstance(newest, HumanUtterance) else ())
            deep = self._config.deep_merge
            return state_update.add_bot_utterance(dialog, chosen, **self._mark(), deep=deep)
        if method == "add_failure_bot_utterance":
            return state_update.add_failure_bot_utterance(dialog, label, answer, **self._mark())
        overwrite = method == "add_bot_utterance_last_chance_overwrite"
        return state_update.add_bot_utterance_last_chance(dialog, label, answer, **self._mark(), overwrite=overwrite)

    async def _stand_in(self, service: ServiceConfig | None, why: str) -> None:
        """Let the last chance or the time-out speak. Raises ``RunError`` if there is none, or if it fails."""
        if service is None:
            failed = "; ".join(f"{name}: {message}" for name, message in self.errors.items())
            raise RunError(f"no service has answered {why}".rstrip() + (f" ({failed})" if failed else ""))
        found = self._services[service.name]
        self.statuses[service.name] = _WORK
        try:
            self.dialog, _ = self._applied(found, await _answers(found, self.dialog.to_dict()))
        except Exception as error:
            self._failed(service.name, error)
            raise RunError(f"{service.name} has failed: {self.errors[service.name]}") from error
        self.statuses[service.name] = _DONE


async def _answers(service: Connected, dialog: dict[str, Any]) -> list[Any]:
    """The answers of a service to all its payloads, which it gets at once."""
    payloads = service.payloads(dialog)
    if not isinstance(payloads, (list, tuple)):
        raise RunError(f"a dialog formatter gives a list of payloads, not {type(payloads).__name__}")
    seconds = service.config.timeout
    try:
        async with asyncio.timeout(seconds) as limit:
            found = await asyncio.gather(*(service.call(payload) for payload in payloads))
    except TimeoutError:
        if limit.expired():
            raise RunError(f"it took longer than {seconds:g} seconds") from None
        raise
    return [service.read(answer) for answer in found]
