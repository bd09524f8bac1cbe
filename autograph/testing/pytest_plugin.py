"""Conversation tests as pytest items: each test of ``NAME.chat.yaml`` and ``NAME.tests.csv`` is one, with its line.

The module is loaded by every run of pytest, so it imports nothing of autograph but names of files; the engine is
imported when the first file of tests is collected.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from autograph.testing.beside import is_test_file

if TYPE_CHECKING:
    from autograph.testing.bots import Bots
    from autograph.testing.case import Case, Suite
    from autograph.testing.result import CaseResult

_BOTS: pytest.StashKey[Bots] = pytest.StashKey()
_WIDTH = 80


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options ``--live`` and ``--chat-…``, and the setting ``autograph_workbooks``."""
    group = parser.getgroup("autograph", "conversation tests")
    group.addoption("--live", action="store_true", default=False, help="Also run tests that ask a real model.")
    group.addoption("--chat-coverage", action="store_true", help="Show what the conversation tests cover.")
    group.addoption("--chat-coverage-file", metavar="JSON", help="The same; where the counts are kept for later.")
    group.addoption("--chat-fail-under", metavar="PERCENT", action="append", default=[],
                    help="The same; fail if less is covered: 90, or nodes=100,answers=95.")  # fmt: skip
    help_text = "Collect the sheet `tests` of every workbook, not only of those that are named on the command line."
    parser.addini("autograph_workbooks", help_text, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker ``live`` known; count, if coverage is wanted."""
    config.addinivalue_line("markers", "live: asks a real language model; runs only with --live")
    if any(config.getoption(f"--chat-{name}", default=None) for name in ("coverage", "coverage-file", "fail-under")):
        from autograph.testing.coverage_pytest import chat_coverage

        config.pluginmanager.register(chat_coverage(config), "autograph-coverage")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The collector of a file of tests."""
    if is_test_file(file_path):
        return ChatFile.from_parent(parent, path=file_path)
    if file_path.suffix.lower() == ".xlsx" and _wants_workbook(file_path, parent):
        from autograph.testing.read_sheet import has_tests

        if has_tests(file_path):
            return ChatFile.from_parent(parent, path=file_path)
    return None


def _wants_workbook(path: Path, parent: pytest.Collector) -> bool:
    return bool(parent.config.getini("autograph_workbooks")) or parent.session.isinitpath(path)


class ChatFile(pytest.File):
    """A file of conversation tests."""

    def collect(self) -> Iterator[ChatItem]:
        """One item for each test. A file that cannot be read is an error of collection."""
        from autograph.testing.discover import load_suite
        from autograph.testing.fault import SuiteError
        from autograph.testing.run import NEEDS_LIVE

        try:
            suite = load_suite(self.path)
        except SuiteError as error:
            raise self.CollectError(str(error)) from error
        for case in suite.cases:
            item: ChatItem = ChatItem.from_parent(self, name=case.name, suite=suite, case=case)
            if case.live:
                item.add_marker("live")
                if not self.config.getoption("--live"):
                    item.add_marker(pytest.mark.skip(reason=NEEDS_LIVE))
            yield item


class ChatItem(pytest.Item):
    """One conversation test."""

    def __init__(self, *, suite: Suite, case: Case, **given: Any) -> None:
        super().__init__(**given)
        self.suite, self.case = suite, case
        self.result: CaseResult | None = None

    def runtest(self) -> None:
        """Run the conversation; bots are loaded once for the session."""
        from autograph.testing.bots import Bots
        from autograph.testing.run import run_case

        bots = self.config.stash.setdefault(_BOTS, Bots())
        live = bool(self.config.getoption("--live"))
        self.result = run_case(self.suite, self.case, bots=bots, live=live)
        if self.result.failures:
            raise ChatFailure(self.result)

    def reportinfo(self) -> tuple[Path, int, str]:
        """File, line (counted from 0) and name."""
        return self.path, max(self.case.line - 1, 0), self.name

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The conversation in place of a traceback."""
        if isinstance(excinfo.value, ChatFailure):
            return Told(excinfo.value.result)
        return super().repr_failure(excinfo, style)


class ChatFailure(Exception):
    """A conversation test did not hold; ``result`` tells why."""

    def __init__(self, result: CaseResult) -> None:
        super().__init__(result.failures[0].message)
        self.result = result


class Told:
    """A failed conversation as pytest shows it: the whole in the report, one line in the summary."""

    def __init__(self, result: CaseResult) -> None:
        from autograph.testing.failure import failure_text

        first = result.failures[0]
        self.text = failure_text(result, _WIDTH)
        self.reprcrash = SimpleNamespace(path=str(first.path), lineno=first.line, message=first.message)

    def toterminal(self, tw: Any) -> None:
        """Write the text to pytest's terminal."""
        for line in self.text.split("\n"):
            tw.line(line)

    def __str__(self) -> str:
        return self.text
