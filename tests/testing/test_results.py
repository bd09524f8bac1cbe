"""What CI servers and other programs are told: JUnit XML and JSON, and the counts of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from autograph.testing.bots import Bots
from autograph.testing.case import Suite
from autograph.testing.collect import Collector
from autograph.testing.discover import load_suite
from autograph.testing.json_report import results_data
from autograph.testing.junit import junit_xml
from autograph.testing.result import CaseResult
from autograph.testing.run import run_suite

PROGRAM = """\
name,action,instruction,transitions
start1,chat_exact,Hello,keep
keep,python_function,n = int(_last_user_reply),bye
bye,chat_exact,"Bye, $n",quit
"double(x)",python_function,x * 2,return
"""
TESTS = """\
- test: Says <good> "bye" & ends
  turns:
    - expect: Hello
    - say: "3"
      expect: {reply: "Bye, 3", finished: true}
- test: Wrong
  turns:
    - expect: Hullo
- test: Needs a number
  turns:
    - {}
    - say: three
      expect: {error: {node: keep}}
- test: Doubles
  call: double()
  args: [4]
  expect: {value: 8}
- test: With a real model
  live: true
  turns: [{}]
"""


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    (tmp_path / "p.csv").write_text(PROGRAM, "utf-8")
    (tmp_path / "p.chat.yaml").write_text(TESTS, "utf-8")
    return load_suite(tmp_path / "p.chat.yaml")


@pytest.fixture
def results(suite: Suite) -> list[CaseResult]:
    return run_suite(suite)


def test_junit(results: list[CaseResult]) -> None:
    results[1] = replace(results[1], case=replace(results[1].case, name="Wrong \x01"))  # as no XML can hold it
    root = ElementTree.fromstring(junit_xml(results))
    assert root.tag == "testsuites"
    (suite,) = root
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5", "failures": "1", "errors": "0", "skipped": "1"
    }  # fmt: skip
    assert [case.get("name") for case in suite] == [
        'Says <good> "bye" & ends', "Wrong �", "Needs a number", "Doubles", "With a real model"
    ]  # fmt: skip
    assert [case.get("line") for case in suite] == ["1", "6", "9", "14", "18"]
    assert [[child.tag for child in case] for case in suite] == [[], ["failure"], [], [], ["skipped"]]
    failure = suite[1][0]
    assert "Hullo" in str(failure.get("message"))
    assert "start1" in str(failure.text)
    assert suite[4][0].get("message") == "it asks a real model; run it with --live"


def test_json(results: list[CaseResult], suite: Suite) -> None:
    data = results_data(results)
    assert (data["passed"], data["failed"], data["skipped"]) == (3, 1, 1)
    first, second = data["tests"][:2]
    assert first["outcome"] == "passed"
    assert first["path"] == ["start1", "keep", "bye"]
    assert first["file"] == str(suite.path)
    assert second["outcome"] == "failed"
    assert [(f["turn"], f["what"], f["line"]) for f in second["failures"]] == [(1, "contains", 8)]


def test_the_counts_of_a_run(results: list[CaseResult], suite: Suite) -> None:
    collector, bot = Collector(), Bots().get(suite.program)
    for result in results:
        collector.add(bot.program, result.turns)
    (entry,) = collector.entries()
    assert entry.traffic.nodes == {"start1": 3, "keep": 2, "bye": 1, "double()": 1}
    assert entry.traffic.starts == {"start1": 3, "double()": 1}
    assert entry.traffic.edges == {("start1", "keep"): 2, ("keep", "bye"): 1}
    assert entry.traffic.transitions == {
        ("start1", 0, "keep"): 2, ("keep", 0, "bye"): 1, ("bye", 0, "quit"): 1, ("double()", 0, "return"): 1
    }  # fmt: skip
    (coverage,) = collector.coverages()
    assert coverage.missing == ()
    (both,) = collector.coverages([entry])
    assert both.traffic == entry.traffic + entry.traffic


def test_a_program_without_tests_that_ran_is_all_missing(suite: Suite) -> None:
    collector = Collector()
    collector.add(Bots().get(suite.program).program)
    (coverage,) = collector.coverages()
    assert coverage.share("nodes").covered == 0
    assert coverage.share("nodes").total == 4
