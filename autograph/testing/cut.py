"""How does a conversation become a test? It is held again, and what happened then is what the test expects.

What the file of the conversation does not tell is found by leading the program along the nodes that were entered. The
test is run before it is handed out: it passes, and a comment at its top says what could not be recovered.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from autograph.errors import AutographError
from autograph.testing.beside import program_beside
from autograph.testing.bots import BotUnderTest, load_bot
from autograph.testing.case import Case, CaseTurn, Expectation, Suite
from autograph.testing.fault import SuiteError
from autograph.testing.result import CaseResult
from autograph.testing.retrace import Retraced, RetracedTurn, retrace
from autograph.testing.run import run_case
from autograph.testing.same import same
from autograph.testing.told import Told, ToldError
from autograph.testing.told_file import read_told
from autograph.testing.told_memory import told_of_memory
from autograph.testing.write import case_yaml, suite_yaml

__all__ = ["Cut", "cut_file", "cut_test", "cut_told"]

_LONGEST_VALUE = 400
"""How long a variable's value may be, written down; longer ones are left out."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A test that was cut out of a conversation with ``program``, and what could not be recovered (``notes``)."""

    case: Case
    program: Path
    notes: tuple[str, ...] = ()

    def text(self, beside: Path | None = None) -> str:
        """The test as a file of its own, to be put at ``beside`` (None: somewhere in the current folder)."""
        head = "".join(f"# {line}\n" for line in self.notes)
        return head + suite_yaml([self.case], program=_program_line(self.program, beside))


def cut_test(
    conversation_file: str | os.PathLike[str],
    program: str | os.PathLike[str] | None = None,
    *,
    name: str | None = None,
    beside: str | os.PathLike[str] | None = None,
) -> str:
    """A file of one test, cut out of a saved conversation: the text of YAML.

    ``program`` is the program with which the conversation was held; without it the one that the file names.
    ``beside`` is where the text will be written. Raises ``AutographError`` for a file that holds no conversation, or
    one of which no turn can be taken again; ``ProgramError`` for a program that cannot be loaded.
    """
    return cut_file(conversation_file, program, name=name).text(None if beside is None else Path(beside))


def cut_file(
    conversation_file: str | os.PathLike[str],
    program: str | os.PathLike[str] | None = None,
    *,
    name: str | None = None,
) -> Cut:
    """As ``cut_test``, not yet as text."""
    file = Path(conversation_file)
    read = read_told(file)
    source = _source(file, os.fspath(program) if program is not None else read.program, read.program)
    told = read.told
    if told is None:
        assert read.memory is not None  # a file has the one or the other
        told = told_of_memory(read.memory, load_bot(source), str(source))
    first = f"Cut from {file.name} by autograph test --from-conversation."
    return cut_told(told, source, name or file.name.partition(".")[0] or "conversation", first)


def cut_told(told: Told, program: Path, name: str, first: str) -> Cut:
    """The test of a conversation that is told turn by turn; ``first`` is the first of its notes. Raises as above."""
    if not told.turns and told.error is None:
        raise AutographError("the conversation has no turn yet, so there is nothing to be tested")
    bot = load_bot(program, told.config)
    retraced = _from_last_entry(retrace(told, bot), told)
    if not retraced.turns:
        why = retraced.why or "it does not go along the nodes that the conversation went along"
        raise AutographError(f"the conversation cannot be held again with {program}: {why}")
    notes = [first, *_notes(retraced)]
    turns = [_turn(turn) for turn in retraced.turns]
    turns[-1] = replace(turns[-1], expect=(*turns[-1].expect, *_at_the_end(retraced.turns[-1], notes)))
    if told.error is not None and retraced.whole:
        turns += _failing(told.error, notes)
    start = retraced.turns[0].entry
    variables = _variables(retraced.variables, notes)
    case = Case(" ".join(name.split()), tuple(turns), start=start, variables=variables, config=dict(told.config))
    case = _passing(case, program, bot, notes)
    return Cut(case, program, tuple(notes))


# ---------------------------------------------------------------------- which program


def _source(file: Path, given: str, named: str) -> Path:
    """The program, where it is: from here, or from where the conversation lies. Raises ``AutographError``."""
    if not given:
        raise AutographError(f"{file} does not say with which program it was held. Give it with --program FILE.")
    if "://" in given:
        raise AutographError(f"{given} is a link. Save the program as a file, and give that with --program FILE.")
    for path in (Path(given), file.parent / given if given == named else Path(given)):
        if Path(str(path).rpartition("#")[0] or path).is_file() or path.is_file():
            return path
    raise AutographError(f"there is no program {given}, with which {file} was held. Give it with --program FILE.")


def _program_line(program: Path, beside: Path | None) -> str | None:
    """How a file at ``beside`` names the program; None where its own name says it."""
    if beside is not None:
        with suppress(SuiteError):  # no program has this name, or several: it must be named
            if program_beside(beside).resolve() == program.resolve():
                return None
    folder = Path.cwd() if beside is None else beside.parent
    return Path(os.path.relpath(program, folder)).as_posix()


# ---------------------------------------------------------------------- the parts of the test


def _from_last_entry(retraced: Retraced, told: Told) -> Retraced:
    """Where somebody was sent to a node in between, which no test can say, the test begins there."""
    entries = [number for number, turn in enumerate(retraced.turns) if turn.entry is not None and number]
    if not entries:
        return retraced
    turns = retraced.turns[entries[-1] :]
    return Retraced(turns, turns[0].before.variables, len(told.turns) - entries[-1], retraced.why, entries[-1])


def _notes(retraced: Retraced) -> Iterator[str]:
    """What could not be recovered, in sentences."""
    if retraced.left_out:
        yield f"It begins with turn {retraced.left_out + 1}, for which the node was chosen by hand (/goto)."
    for what, numbers in (
        ("what the user said is not kept; this leads the same way", _numbers(retraced, "guessed_says")),
        ("what the model wrote is not kept, and stands for it as …", _numbers(retraced, "guessed_texts")),
        (
            "the reply is not the one in the file, and is not expected",
            [n for n, turn in enumerate(retraced.turns, 1) if not turn.same],
        ),
    ):
        if numbers:
            turns = "Turn" if len(numbers) == 1 else "Turns"
            yield f"{turns} {', '.join(map(str, numbers))}: {what}."
    if not retraced.whole:
        why = f": {' '.join(retraced.why.split())}" if retraced.why else ""
        yield f"It ends before turn {len(retraced.turns) + 1} of {retraced.told}, which could not be taken again{why}."


def _numbers(retraced: Retraced, what: str) -> list[int]:
    return [number for number, turn in enumerate(retraced.turns, 1) if getattr(turn, what)]


def _turn(turn: RetracedTurn) -> CaseTurn:
    expected = [Expectation("path", turn.path)] if turn.path else []
    if turn.reply and turn.same:
        expected.insert(0, Expectation("reply", (turn.reply,)))
    return CaseTurn(turn.says, tuple(expected), turn.script)


def _at_the_end(turn: RetracedTurn, notes: list[str]) -> Iterator[Expectation]:
    """Where the conversation stands after the last turn, and the variables."""
    memory = turn.after
    values = _variables(memory.variables, notes)
    if values:
        yield Expectation("vars", tuple(values.items()))
    yield Expectation("finished", memory.finished)


def _variables(values: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    """The variables that a file of tests can hold."""
    from autograph.testing.yaml_text import flow

    found, left = {}, []
    for name, value in values.items():
        plain = list(value) if isinstance(value, (set, frozenset, tuple)) else value
        try:
            fits = len(flow(plain)) <= _LONGEST_VALUE and same(plain, value)  # nan is not the same as nan
        except AutographError:  # of a kind that YAML does not have
            fits = False
        if not fits:
            left.append(name)
        else:
            found[name] = plain
    if left:
        notes.append(f"Left out are variables that are too long, or of a kind of their own: {', '.join(sorted(left))}.")
    return found


def _failing(error: ToldError, notes: list[str]) -> list[CaseTurn]:
    """The turn with which the conversation broke off, if the program was to blame."""
    if error.kind == "ModelError" or error.says is None:
        notes.append(f"The turn after it failed ({error.kind}), and is left out.")
        return []
    expected = Expectation("error", {"class": error.kind, "contains": error.message})
    return [CaseTurn(error.says, (expected,))]


# ---------------------------------------------------------------------- it passes


def _passing(case: Case, program: Path, bot: BotUnderTest, notes: list[str]) -> Case:
    """The case without what does not hold when it is run, which ``notes`` are told. Raises ``AutographError``."""
    for _ in range(2 * len(case.turns) + 4):
        result = _run(case, program, bot)
        if result.passed:
            return case
        case = _without(case, result, notes)
    raise AutographError(f"the test does not hold: {_first(result)}")


def _run(case: Case, program: Path, bot: BotUnderTest) -> CaseResult:
    """Run the case as its text says it, so that what is written is what was run."""
    from autograph.testing.read_yaml import parse_cases

    path = program.with_name("cut.chat.yaml")
    suite = parse_cases(f"program: {Path(str(program.name))}\ntests:\n" + _indented(case_yaml(case)), path)
    return run_case(Suite(path, program, suite.cases), suite.cases[0], bot=bot)


def _indented(text: str) -> str:
    return "".join(f"  {line}" if line.strip() else line for line in text.splitlines(keepends=True))


def _without(case: Case, result: CaseResult, notes: list[str]) -> Case:
    """The case without the expectations that were missed; without the turn that failed, and those after it."""
    failure = result.failures[0]
    number = failure.turn
    missed = {f.what for f in result.failures if f.turn == number}
    turn = case.turns[number - 1] if number else None
    if turn is None or not any(e.kind in missed for e in turn.expect):
        if number <= 1:
            raise AutographError(f"the test does not hold: {_first(result)}")
        notes.append(f"It ends before turn {number}: {_first(result)}.")
        return replace(case, turns=case.turns[: number - 1])
    notes.append(
        f"Turn {number}: what is expected differs from run to run and is left out: {', '.join(sorted(missed))}."
    )
    gone = {f.expected.partition(" is ")[0] for f in result.failures if f.what == "vars"}
    expected = tuple(_less(e, gone) for e in turn.expect if e.kind == "vars" or e.kind not in missed)
    return replace(case, turns=(*case.turns[: number - 1], replace(turn, expect=expected), *case.turns[number:]))


def _less(expectation: Expectation, gone: set[str]) -> Expectation:
    """An expectation of variables without some of them."""
    if expectation.kind != "vars":
        return expectation
    return replace(expectation, value=tuple(pair for pair in expectation.value if pair[0] not in gone))


def _first(result: CaseResult) -> str:
    failure = result.failures[0]
    return " ".join(f"{failure.what}: expected {failure.expected}, got {failure.got}".split())[:300]
