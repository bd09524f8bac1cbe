"""What does the file of a pipeline mean? It is read into services, and what is wrong with it is told by line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograph.dialogue.state_values import is_number, shown
from autograph.errors import did_you_mean
from autograph.evaluation.fault import Fault
from autograph.evaluation.pipeline.config import (
    GROUPS,
    METHODS,
    PROGRAM_OPTIONS,
    Group,
    PipelineConfig,
    ServiceConfig,
)
from autograph.evaluation.pipeline.file import PipelineError, PipelineSource
from autograph.evaluation.pipeline.links import INPUT, RESPONDER, cycle_of

__all__ = ["configured"]

TAGS = ("selector", "last_chance", "timeout")
_SHORT = ("program", "python", "http", "text", "output", "selector")
_KEYS = (
    "connector", "dialog_formatter", "response_formatter", "workflow_formatter", "previous_services",
    "required_previous_services", "state_manager_method", "tags", "timeout",
)  # fmt: skip
_TOP = ("services", "connectors", "connectors_module", "formatters_module", "timeout", "deep_merge")


def configured(source: PipelineSource) -> PipelineConfig:
    """The services of a pipeline. Raises ``PipelineError`` with all that is wrong, also between them."""
    return _Reader(source).read()


@dataclass(slots=True)
class _Draft:
    """A service as it stands in the file."""

    group: str
    label: str
    data: Mapping[str, Any]
    path: tuple[str, ...]
    single: bool

    @property
    def name(self) -> str:
        return self.label if self.single else f"{self.group}.{self.label}"


@dataclass(slots=True)
class _Reader:
    """Reads a pipeline, and collects what is wrong with it."""

    source: PipelineSource
    faults: list[Fault] = field(default_factory=list)

    def read(self) -> PipelineConfig:
        data = self.source.data
        self._unknown(data, _TOP, (), "a pipeline")
        drafts = self._drafts(data.get("services"))
        names = self._names(drafts)
        services = [self._service(draft, names) for draft in drafts]
        self._cycle([service for service in services if not {"last_chance", "timeout"} & set(service.tags)])
        last_chance, on_timeout = (self._tagged(services, tag) for tag in ("last_chance", "timeout"))
        timeout = self._seconds(data.get("timeout"), ("timeout",))
        if not isinstance(data.get("deep_merge", False), bool):
            self._note(f"deep_merge is true or false, not {shown(data['deep_merge'])}.", "deep_merge")
        plain = [service for service in services if service not in (last_chance, on_timeout)]
        if not plain:
            self._note("there are no services. Name at least one skill and a response selector.", "services")
        self._after_the_end(plain, [service.name for service in (last_chance, on_timeout) if service])
        if self.faults:
            raise PipelineError(self.faults)
        return PipelineConfig(
            tuple(plain), self.source, last_chance, on_timeout, timeout, data.get("deep_merge") is True,
            data.get("connectors_module"), data.get("formatters_module"),
        )  # fmt: skip

    def _note(self, message: str, *path: str | int) -> None:
        self.faults.append(Fault(self.source.place(*path), message))

    def _unknown(self, data: Mapping[str, Any], known: Iterable[str], path: tuple[str, ...], what: str) -> None:
        for key in data:
            if key not in known:
                self._note(f'{what} has no key "{key}". {did_you_mean(str(key), known)}'.rstrip(), *path, key)

    # ------------------------------------------------------------------ the services as they stand there

    def _drafts(self, services: Any) -> list[_Draft]:
        if not isinstance(services, Mapping):
            self._note("services must be a mapping of groups, each a mapping of services.", "services")
            return []
        found: list[_Draft] = []
        for group, inside in services.items():
            path = ("services", str(group))
            if not isinstance(inside, Mapping):
                self._note(f'"{group}" must be a service or a group of services.', *path)
            elif _is_service(inside):
                found.append(_Draft(str(group), str(group), inside, path, True))
            else:
                for label, data in inside.items():
                    if isinstance(data, Mapping):
                        found.append(_Draft(str(group), str(label), data, (*path, str(label)), False))
                    else:
                        self._note(f'the service "{group}.{label}" must be a mapping.', *path, label)
        return found

    def _names(self, drafts: list[_Draft]) -> dict[str, list[str]]:
        """What a service may call others: by group, or by full name, to the full names."""
        names: dict[str, list[str]] = {}
        for draft in drafts:
            if draft.name in (INPUT, RESPONDER):
                self._note(f'no service may be called "{draft.name}": every pipeline has one itself.', *draft.path)
            elif draft.name in names:
                self._note(f'there are two services "{draft.name}".', *draft.path)
            names[draft.name] = [draft.name]
        for draft in drafts:
            if not draft.single:
                names.setdefault(draft.group, []).append(draft.name)
        return names

    def _service(self, draft: _Draft, names: Mapping[str, list[str]]) -> ServiceConfig:
        data, path = draft.data, draft.path
        self._unknown(data, (*_KEYS, *_SHORT, *_options(data)), path, f'the service "{draft.name}"')
        short = next((key for key in _SHORT if key in data), None)
        group = GROUPS.get(draft.group, Group(None)) if short and "connector" not in data else Group(None)
        before = [full for name in group.before for full in ([INPUT] if name == INPUT else names.get(name, []))]
        previous = self._links(data.get("previous_services", []), names, (*path, "previous_services"))
        method = data.get("state_manager_method", group.method)
        if method is not None and method not in METHODS:
            hint = did_you_mean(str(method), METHODS)
            message = f'there is no state manager method "{method}". {hint}'.rstrip()
            self._note(message, *path, "state_manager_method")
        if data.get("workflow_formatter", True) is None:
            self._note("workflow_formatter: null is not read: services get the dialog.", *path, "workflow_formatter")
        return ServiceConfig(
            draft.name, draft.label, draft.group, self._connector(draft, short), self.source.place(*path),
            previous if "previous_services" in data else tuple(before),
            self._links(data.get("required_previous_services", []), names, (*path, "required_previous_services")),
            method, self._tags(data.get("tags", list(group.tags)), path),
            self._seconds(data.get("timeout", self._connector_timeout(data)), (*path, "timeout")),
            data.get("dialog_formatter"), data.get("response_formatter"),
        )  # fmt: skip

    def _connector(self, draft: _Draft, short: str | None) -> Mapping[str, Any]:
        data = draft.data
        given = data.get("connector")
        if given is None and short is not None:
            return {"protocol": short, short: data[short], **{key: data[key] for key in _options(data)}}
        if isinstance(given, str):
            return self._named_connector(given, (*draft.path, "connector"))
        if isinstance(given, Mapping) and isinstance(given.get("protocol"), str):
            return given
        known = ", ".join(_SHORT)
        self._note(f'the service "{draft.name}" must have a connector with a protocol, or one of {known}.', *draft.path)
        return {"protocol": ""}

    def _named_connector(self, name: str, path: tuple[str, ...]) -> Mapping[str, Any]:
        connectors = self.source.data.get("connectors")
        known = {str(key): value for key, value in connectors.items()} if isinstance(connectors, Mapping) else {}
        if name not in known:  # as DeepPavlov Agent writes it
            name = name.removeprefix("connectors.")
        found = known.get(name)
        if isinstance(found, Mapping) and isinstance(found.get("protocol"), str):
            return found
        if name in known:
            self._note(f'the connector "{name}" must be a mapping with a protocol.', "connectors", name)
        else:
            self._note(f'there is no connector "{name}". {did_you_mean(name, known)}'.rstrip(), *path)
        return {"protocol": ""}

    @staticmethod
    def _connector_timeout(data: Mapping[str, Any]) -> Any:
        connector = data.get("connector")
        return connector.get("timeout") if isinstance(connector, Mapping) else None

    # ------------------------------------------------------------------ what they say of each other

    def _links(self, given: Any, names: Mapping[str, list[str]], path: tuple[str, ...]) -> tuple[str, ...]:
        """The full names behind names of services and groups."""
        if isinstance(given, str):
            given = [given]
        if not isinstance(given, (list, tuple)):
            self._note("this must be a list of services or groups.", *path)
            return ()
        found: dict[str, None] = {}
        for index, name in enumerate(given):
            if str(name) not in names:
                hint = did_you_mean(str(name), names)
                self._note(f'there is no service or group "{name}". {hint}'.rstrip(), *path, index)
            found.update(dict.fromkeys(names.get(str(name), ())))
        return tuple(found)

    def _tags(self, given: Any, path: tuple[str, ...]) -> tuple[str, ...]:
        tags = [given] if isinstance(given, str) else given
        if not isinstance(tags, (list, tuple)):
            self._note("tags must be a list.", *path, "tags")
            return ()
        for tag in tags:
            if tag not in TAGS:
                self._note(f'there is no tag "{tag}"; the tags are {", ".join(TAGS)}.', *path, "tags")
        return tuple(str(tag) for tag in tags)

    def _cycle(self, services: list[ServiceConfig]) -> None:
        links = {service.name: (*service.previous, *service.required) for service in services}
        found = cycle_of(links)
        if found:
            place = next(service.place for service in services if service.name == found[0])
            way = " → ".join([*found, found[0]])
            self.faults.append(Fault(place, f"these services wait for each other: {way}."))

    def _after_the_end(self, services: list[ServiceConfig], ends: list[str]) -> None:
        for service in services:
            for name in {*service.previous, *service.required} & set(ends):
                message = f'"{service.name}" waits for "{name}", which only speaks where nothing follows.'
                self.faults.append(Fault(service.place, message))

    def _tagged(self, services: list[ServiceConfig], tag: str) -> ServiceConfig | None:
        found = [service for service in services if tag in service.tags]
        for service in found[1:]:
            message = (
                f'"{service.name}" and "{found[0].name}" both have the tag {tag}; a pipeline has one such service.'
            )
            self.faults.append(Fault(service.place, message))
        for service in found:
            if service.method is None:
                message = f'"{service.name}" needs a state_manager_method: without one, its text is said to nobody.'
                self.faults.append(Fault(service.place, message))
        return found[0] if found else None

    def _seconds(self, given: Any, path: tuple[str, ...]) -> float | None:
        if given is None:
            return None
        if not is_number(given) or given <= 0:
            self._note(f"timeout must be a number of seconds above 0, not {shown(given)}.", *path)
            return None
        return float(given)


def _is_service(data: Mapping[str, Any]) -> bool:
    """Whether this is a service and no group of them, which a group may call what it likes."""
    services = any(isinstance(value, Mapping) for key, value in data.items() if key not in ("annotations", "output"))
    return "connector" in data or (not services and any(key in data for key in _SHORT))


def _options(data: Mapping[str, Any]) -> tuple[str, ...]:
    """The further keys of the short form, by its kind."""
    if "program" in data:
        return tuple(key for key in data if key in PROGRAM_OPTIONS)
    return tuple(key for key in data if key == "annotations" and "text" in data)
