"""Which scenarios does a file hold? YAML, JSON lines or a table, read with the address of everything that is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from autograph.errors import Location, Problem, ProgramError, did_you_mean
from autograph.evaluation.columns import is_json_lines, read_columns, read_json_lines
from autograph.evaluation.fault import DataError, Fault
from autograph.evaluation.scenarios.scenario import Goal, Persona, ProgramUser, Scenario, Script, UserSpec
from autograph.tables.decode import decode
from autograph.tables.tree import Entries, Items, Scalar, Tree, parse_tree

__all__ = ["COLUMNS", "read_scenarios"]

COLUMNS = ("name", "type", "user", "goal", "steps", "variables", "start", "first", "note")
"""The keys of a scenario, and the columns of a table of them; name and user are needed."""

_NEEDED = ("name", "user")
_USERS = ("says", "program", "persona")
_PERSONA = ("goal", "name", "traits")
_EXAMPLE = "Write a list of texts, program: FILE, or persona: what this person wants."


def read_scenarios(path: str | Path) -> tuple[Scenario, ...]:
    """The scenarios of a file, in its order: YAML, JSON lines, CSV, TSV, or the sheet ``scenarios`` of a workbook.

    Paths in it begin at its folder. Raises ``DataError`` with everything that is wrong.
    """
    path = Path(path)
    reader = _Reader(path.parent, [])
    found = [reader.scenario(where, entry) for where, entry in _entries(path)]
    names: dict[str, Location] = {}
    for scenario in found:
        if scenario.name and scenario.name in names:
            reader.fault(
                scenario.location, f'two scenarios are called "{scenario.name}".', "Give each a name of its own."
            )
        names[scenario.name] = scenario.location
    if not found:
        reader.fault(Location(str(path)), "there is no scenario in the file.", "Write at least one: name, user, goal.")
    if reader.faults:
        raise DataError(reader.faults)
    return tuple(found)


# ---------------------------------------------------------------------- entries


def _entries(path: Path) -> list[tuple[Location, dict[str, Any]]]:
    """Each scenario's keys and values, with its address. Raises ``DataError``."""
    if is_json_lines(path):
        return read_json_lines(path)
    if path.suffix.lower() in (".yaml", ".yml", ".json"):
        return _from_tree(path)
    rows = read_columns(path, COLUMNS, _NEEDED, "scenarios")
    return [(row.location, {name: _cell(name, text) for name, text in row.fields.items() if text}) for row in rows]


def _from_tree(path: Path) -> list[tuple[Location, dict[str, Any]]]:
    problems: list[Problem] = []
    try:
        text = decode(path.read_bytes(), str(path), problems)
        tree = parse_tree(text, str(path), problems, json=path.suffix.lower() == ".json")
    except OSError as error:
        raise DataError([Fault(Location(str(path)), f"the file cannot be read: {error.strerror or error}.")]) from error
    except ProgramError as error:
        problems = error.problems
    if wrong := [found for found in problems if found.severity == "error"]:
        raise DataError(Fault(found.location, found.message, found.hint) for found in wrong)
    if isinstance(tree, Entries):
        tree = next((value for key, value in tree.entries if key.text == "scenarios"), tree)
    if not isinstance(tree, Items):
        where = Location(str(path), line=tree.line)
        raise DataError([Fault(where, "a list of scenarios is expected.", "Begin each with - name: and its name.")])
    found = []
    for item in tree.items:
        where = Location(str(path), line=item.line)
        if not isinstance(item, Entries):
            raise DataError([Fault(where, "a scenario is a mapping.", "Give it a name, a user and a goal.")])
        found.append((where, _value(item)))
    return found


def _value(tree: Tree, *, said: bool = False) -> Any:
    """The value of a part of YAML; words without quotation marks may be numbers, true, false and null.

    ``said``: they are what a user says, so that numbers stay as they are written.
    """
    if isinstance(tree, Items):
        return [_value(item, said=said) for item in tree.items]
    if isinstance(tree, Entries):
        return {key.text: _value(value, said=said or key.text == "user") for key, value in tree.entries}
    return _word(tree, said)


def _word(scalar: Scalar, said: bool) -> Any:
    if scalar.null or (not scalar.quoted and scalar.text in ("", "~")):
        return None
    if said or scalar.quoted or not (scalar.text[:1] in "-0123456789" or scalar.text in ("true", "false", "null")):
        return scalar.text
    try:
        return json.loads(scalar.text)
    except ValueError:
        return scalar.text  # 007, 10:30: what looks like a number and is none


def _cell(name: str, text: str) -> Any:
    """The value of a cell: a number, an object of variables, the lines of a user's texts, or the text itself."""
    if name in ("steps", "variables") and not text.startswith("reference"):
        try:
            return json.loads(text)
        except ValueError:
            return text
    if name == "user" or (name == "steps" and ":" in text):
        key, colon, rest = text.partition(":")
        if colon and key.strip() in ("program", "persona", "reference") and "\n" not in text:
            return {key.strip(): rest.strip()}
        return [line.strip() for line in text.split("\n") if line.strip()]
    return text


# ---------------------------------------------------------------------- one scenario


class _Reader:
    """Takes entries for scenarios; what is wrong is noted in ``faults``."""

    def __init__(self, folder: Path, faults: list[Fault]) -> None:
        self.folder, self.faults = folder, faults

    def fault(self, where: Location, message: str, hint: str = "") -> None:
        """Note something that is wrong."""
        self.faults.append(Fault(where, message, hint))

    def scenario(self, where: Location, entry: Mapping[str, Any]) -> Scenario:
        """The scenario of an entry."""
        self._known(where, entry, COLUMNS, "a scenario")
        given = {key: value for key, value in entry.items() if value is not None}
        first = self._text(where, given, "first", "program")
        if first not in ("program", "user"):
            self.fault(where, f'first is program or user, not "{first}".', "Say who speaks first.")
        goal = self._text(where, given, "goal", "finished")
        try:
            Goal(goal, where)
        except DataError as error:
            self.faults += error.faults
        steps, reference = self._steps(where, given.get("steps"))
        return Scenario(
            self._text(where, given, "name", ""), self._user(where, given.get("user")),
            self._text(where, given, "type", "other"), goal, steps, reference,
            self._variables(where, given.get("variables")), self._text(where, given, "start", "") or None,
            "user" if first == "user" else "program", where,
        )  # fmt: skip

    def _known(self, where: Location, entry: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
        for key in entry:
            if key not in known:
                hint = did_you_mean(key, known) or f"The keys are {', '.join(known)}."
                self.fault(where, f'there is no key "{key}" in {what}.', hint)

    def _text(self, where: Location, given: Mapping[str, Any], key: str, default: str) -> str:
        value = given.get(key, default)
        if isinstance(value, (dict, list)):
            self.fault(where, f'"{key}" must be a text.', 'Put it in quotes: "…".')
        if not str(value).strip() and key in _NEEDED:
            self.fault(where, f'"{key}" is missing or empty.', "Give each scenario a name.")
        return str(value).strip()

    def _user(self, where: Location, value: Any) -> UserSpec:
        if isinstance(value, dict):
            self._known(where, value, _USERS, "a user")
            if len(value) == 1:
                (kind, told) = next(iter(value.items()))
                if kind == "program" and isinstance(told, str) and told:
                    return ProgramUser(self._file(where, told))
                if kind == "persona" and told:
                    return self._persona(where, told)
                value = told if kind == "says" else None
        texts = value if isinstance(value, list) else [value]
        if not texts or any(text is None or isinstance(text, (dict, list)) for text in texts):
            self.fault(where, "the user is missing, or is none.", _EXAMPLE)
            return Script(())
        return Script(tuple(text if isinstance(text, str) else json.dumps(text) for text in texts))

    def _persona(self, where: Location, told: Any) -> Persona:
        if not isinstance(told, dict):
            return Persona(str(told))
        self._known(where, told, _PERSONA, "a persona")
        if not told.get("goal"):
            self.fault(where, "the persona has no goal.", "Say in words what this person wants.")
        return Persona(**{"goal": "", **{key: str(told[key]) for key in _PERSONA if told.get(key)}})

    def _file(self, where: Location, name: str) -> Path:
        path = self.folder / name
        if not path.is_file() and not Path(str(path).rpartition("#")[0]).is_file():
            self.fault(where, f'there is no program "{name}" beside this file.', "Give its path from this file.")
        return path

    def _steps(self, where: Location, value: Any) -> tuple[int | None, Path | None]:
        if value is None:
            return None, None
        if isinstance(value, dict) and list(value) == ["reference"] and isinstance(value["reference"], str):
            return None, self._file(where, value["reference"])
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            self.fault(
                where, "steps is a whole number above 0, or reference: FILE.", "Say how often the user may speak."
            )
            return None, None
        return value, None

    def _variables(self, where: Location, value: Any) -> Mapping[str, Any]:
        if value is None:
            return MappingProxyType({})
        if not isinstance(value, dict) or not all(name.isidentifier() and name[:1] != "_" for name in value):
            self.fault(
                where, "variables are a mapping of names and values.", 'Write it like {"name": "Ada", "tries": 2}.'
            )
            return MappingProxyType({})
        return MappingProxyType(value)
