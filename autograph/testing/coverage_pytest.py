"""How much do the conversation tests of a pytest run cover? ``pytest --chat-coverage``, also with xdist's workers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from autograph.errors import AutographError
from autograph.testing.bots import Bots
from autograph.testing.collect import Collector
from autograph.testing.coverage import Coverage
from autograph.testing.coverage_file import DEFAULT_FILE, CoverageError, Entry, entries_of, entries_text, write_entries
from autograph.testing.coverage_report import MOST, read_least, report_lines, too_little
from autograph.testing.result import CaseResult

__all__ = ["ChatCoverage", "chat_coverage"]

_KEY = "autograph_coverage"


def chat_coverage(config: pytest.Config) -> ChatCoverage:
    """The plugin that counts, by the options ``--chat-…``. Raises ``UsageError``."""
    file = Path(config.getoption("--chat-coverage-file") or DEFAULT_FILE)
    try:
        return ChatCoverage(config, file, read_least(config.getoption("--chat-fail-under")))
    except CoverageError as error:
        raise pytest.UsageError(f"--chat-fail-under: {error}") from error


class ChatCoverage:
    """Counts the ways of all conversation tests, and shows them at the end; ``file`` keeps them for later."""

    def __init__(self, config: pytest.Config, file: Path, least: dict[str, float]) -> None:
        self._config = config
        self._file = file
        self._least = least
        self._collector = Collector()
        self._bots = Bots()
        self._coverages: Sequence[Coverage] = ()

    # ------------------------------------------------------------------ counting

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """A test is over; a conversation test has its result."""
        result = getattr(item, "result", None)
        if not isinstance(result, CaseResult):
            return
        try:
            program = self._bots.get(result.suite.program).program
        except AutographError:  # the program cannot be loaded, which the result says
            return
        self._collector.add(program, result.turns)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: Any) -> None:
        """A worker is done, and has left its counts."""
        text = getattr(node, "workeroutput", {}).get(_KEY)
        for entry in entries_of(text, "a worker's output", self._config.rootpath) or () if text else ():
            self._collector.count(self._program(entry), entry.traffic)

    def _program(self, entry: Entry) -> Any:
        return self._bots.get(f"{entry.file}#{entry.sheet}" if entry.sheet else entry.file).program

    # ------------------------------------------------------------------ the end

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand the counts to xdist's controller; or write and judge them. Too little covered is exit code 1."""
        output = getattr(self._config, "workeroutput", None)
        entries = self._collector.entries()
        if output is not None:
            output[_KEY] = entries_text(entries, self._config.rootpath)
            return
        write_entries(self._file, entries)
        self._coverages = self._collector.coverages()
        if too_little(self._coverages, self._least) and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """The table, and what is missing."""
        if not self._coverages:
            return
        terminalreporter.section("coverage of conversations")
        verbose = self._config.get_verbosity() > 0
        for line in report_lines(self._coverages, most=None if verbose else MOST):
            terminalreporter.write_line(line.text, bold=line.kind == "heading")
        for text in too_little(self._coverages, self._least):
            terminalreporter.write_line(f"too little: {text}", red=True)
