"""How is each service of a pipeline reached? Its connector made: programs loaded, code found if that is allowed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograph.dialogue.state_values import shown
from autograph.errors import AutographError, RunError, did_you_mean
from autograph.evaluation.fault import Fault
from autograph.evaluation.pipeline.code import Call, call_of, found_code
from autograph.evaluation.pipeline.config import PROGRAM_OPTIONS, PipelineConfig, ServiceConfig
from autograph.evaluation.pipeline.file import PipelineError
from autograph.evaluation.pipeline.formatters import (
    DIALOG_FORMATTERS,
    RESPONSE_FORMATTERS,
    DialogFormatter,
    ResponseFormatter,
)
from autograph.evaluation.pipeline.http import check_url, post_json
from autograph.evaluation.pipeline.program import reply_selector, skill_call, skill_selector
from autograph.evaluation.pipeline.shapes import best_of
from autograph.evaluation.pipeline.skill import Policy, ProgramSkill
from autograph.evaluation.running import in_thread
from autograph.interpreter.bot import Autograph
from autograph.interpreter.loading import load

__all__ = ["Connected", "connected"]

Loader = Callable[..., Autograph]

_HTTP_SECONDS = 60.0
_BUILT_IN = ("PredefinedTextConnector", "PredefinedOutputConnector", "ConfidenceResponseSelectorConnector")
_NOT_ARGUMENTS = ("protocol", "class_name", "python", "timeout", "connector_name")
_POLICIES = ("changed", "invalid", "missing", "finished")


@dataclass(frozen=True, slots=True)
class Connected:
    """A service that can be called: the payloads of a dialog, the call, and the reading of its answer."""

    config: ServiceConfig
    call: Call
    payloads: DialogFormatter
    read: ResponseFormatter


def connected(
    config: PipelineConfig, *, allow_code: bool = False, model: Any = None, classifier: Any = None
) -> dict[str, Connected]:
    """All services by name, the last chance and the time-out too.

    ``allow_code``: whether Python code that the pipeline names is run. ``model`` and ``classifier`` are for programs
    that name none. Raises ``PipelineError`` with all that is wrong.
    """
    maker = _Maker(config, allow_code, {"model": model, "classifier": classifier})
    ends = [service for service in (config.last_chance, config.on_timeout) if service]
    found = {service.name: maker.make(service) for service in (*config.services, *ends)}
    if maker.faults:
        raise PipelineError(maker.faults)
    return {name: service for name, service in found.items() if service is not None}


@dataclass(slots=True)
class _Maker:
    """Makes connectors, and collects what is wrong with them."""

    config: PipelineConfig
    allow_code: bool
    models: Mapping[str, Any]
    faults: list[Fault] = field(default_factory=list)

    def make(self, service: ServiceConfig) -> Connected | None:
        """The service, or None if something is wrong with it."""
        try:
            return Connected(
                service,
                self._call(service),
                self._formatter(service.dialog_formatter, DIALOG_FORMATTERS) or (lambda dialog: [dialog]),
                self._formatter(service.response_formatter, RESPONSE_FORMATTERS) or (lambda answer: answer),
            )
        except AutographError as error:
            self.faults.append(Fault(service.place, f'"{service.name}": {_told(error)}'))
            return None

    def _call(self, service: ServiceConfig) -> Call:
        given = service.connector
        protocol = str(given["protocol"])
        kinds: Mapping[str, Callable[[ServiceConfig, Mapping[str, Any]], Call]] = {
            "program": self._program,
            "python": self._python,
            "http": _http,
            "text": lambda _, found: _constant(
                {"text": str(found.get("text", "")), "annotations": found.get("annotations") or {}}
            ),
            "output": lambda _, found: _constant(found.get("output")),
            "selector": self._selector,
        }
        if protocol.upper() == "AMQP":
            raise RunError("services behind a message queue (AMQP) are not supported. Use http, python or program.")
        if protocol not in kinds:
            hint = did_you_mean(protocol, kinds) or f"There are {', '.join(kinds)}."
            raise RunError(f'there is no protocol "{protocol}". {hint}')
        return kinds[protocol](service, given)

    # ------------------------------------------------------------------ code

    def _python(self, service: ServiceConfig, given: Mapping[str, Any]) -> Call:
        name = str(given.get("class_name", given.get("python", "")))
        arguments = {key: value for key, value in given.items() if key not in _NOT_ARGUMENTS}
        if name in _BUILT_IN:
            return self._built_in(name, arguments)
        return call_of(self._code(name, self.config.connectors_module), arguments)

    def _code(self, name: str, module: str | None) -> Any:
        self._permit(name)
        return found_code(name, module, self.config.source.folder)

    def _permit(self, name: str) -> None:
        if not self.allow_code:
            raise RunError(
                f"{name} is Python code, which runs with your rights. Allow it: allow_code=True, --allow-code."
            )

    def _built_in(self, name: str, arguments: Mapping[str, Any]) -> Call:
        if name == "PredefinedTextConnector":
            text, annotations = arguments.get("response_text"), arguments.get("annotations") or {}
            return _constant({"text": str(text or ""), "annotations": annotations})
        if name == "PredefinedOutputConnector":
            return _constant(arguments.get("output"))
        return self._by_confidence()

    def _formatter(self, name: Any, known: Mapping[str, Any]) -> Any:
        if name is None:
            return None
        if not isinstance(name, str):
            raise RunError(f"a formatter is named by a text, not {shown(name)}")
        if name in known:
            return known[name]
        if ":" not in name and self.config.formatters_module is None:
            hint = did_you_mean(name, known) or "Name your own as module:function."
            raise RunError(f'there is no formatter "{name}". {hint}')
        return self._code(name, self.config.formatters_module)

    # ------------------------------------------------------------------ selectors and programs

    def _selector(self, service: ServiceConfig, given: Mapping[str, Any]) -> Call:
        if given.get("selector") != "confidence":
            raise RunError(f'there is no selector {given.get("selector")!r:.40}; there is "confidence".')
        return self._by_confidence()

    def _by_confidence(self) -> Call:
        order = self._order()

        async def call(dialog: Any) -> Any:
            return best_of(dialog["utterances"][-1]["hypotheses"], order)

        return call

    def _order(self) -> list[str]:
        """The labels of the skills in the order of the file."""
        return [service.label for service in self.config.services if service.method == "add_hypothesis"]

    def _program(self, service: ServiceConfig, given: Mapping[str, Any]) -> Call:
        for key in given:
            if key not in ("protocol", "program", "timeout", *PROGRAM_OPTIONS):
                raise RunError(f'a program has no option "{key}". {did_you_mean(key, PROGRAM_OPTIONS)}'.rstrip())
        bot = self._bot(str(given.get("program", "")), given)
        if service.method == "add_hypothesis":
            try:
                return skill_call(
                    ProgramSkill(
                        bot, service.label, confidence=given.get("confidence", 1.0),
                        hypotheses=given.get("hypotheses", 1),
                        policy=Policy(**{key: given[key] for key in _POLICIES if key in given}),
                    )
                )  # fmt: skip
            except (TypeError, ValueError) as error:
                raise RunError(str(error)) from None
        if "selector" in service.tags:
            after = [
                other.label for other in self.config.services if service.name in (*other.previous, *other.required)
            ]
            return skill_selector(bot, after)
        if service.method == "add_bot_utterance":
            return reply_selector(bot, self._order())
        raise RunError("a program can be a skill, a skill selector or a response selector. Use python or http here.")

    def _bot(self, file: str, given: Mapping[str, Any]) -> Autograph:
        path = file if "://" in file else str(self.config.source.folder / file)
        if path.lower().endswith(".py"):  # of the path, from which a slash at the end is gone
            self._permit(file)
        return load(
            path,
            model=given.get("model") or self.models["model"],
            classifier=given.get("classifier") or self.models["classifier"],
            trust=given.get("trust"),
        )


def _told(error: AutographError) -> str:
    return getattr(error, "message", None) or str(error)


def _constant(value: Any) -> Call:
    async def call(_: Any) -> Any:
        return value

    return call


def _http(service: ServiceConfig, given: Mapping[str, Any]) -> Call:
    urls = given.get("urllist")
    url = check_url(given.get("http", given.get("url", urls[0] if isinstance(urls, list) and urls else None)))
    seconds = service.timeout or _HTTP_SECONDS

    async def call(payload: Any) -> Any:
        try:
            async with asyncio.timeout(None if service.timeout else seconds):  # a socket's own is for each piece
                return await in_thread(lambda: post_json(url, payload, seconds))
        except TimeoutError:
            raise RunError(f"{url} took longer than {seconds:g} seconds") from None

    return call
