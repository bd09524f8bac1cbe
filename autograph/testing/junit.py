"""How do CI servers read results? As JUnit XML, of the form that Jenkins, GitLab and GitHub's actions understand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

if TYPE_CHECKING:
    from autograph.testing.result import CaseResult

__all__ = ["junit_xml"]

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold, not even escaped."""


def junit_xml(results: Sequence[CaseResult]) -> str:
    """The results as the text of an XML file: a suite for each file of tests, a case for each test."""
    root = Element("testsuites", _totals("autograph test", results))
    for path, group in groupby(results, key=lambda result: str(result.suite.path)):
        cases = list(group)
        suite = SubElement(root, "testsuite", _totals(_clean(path), cases))
        for result in cases:
            _case(suite, result)
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _totals(name: str, results: Iterable[CaseResult]) -> dict[str, str]:
    found = list(results)
    return {
        "name": name,
        "tests": str(len(found)),
        "failures": str(sum(1 for result in found if result.failures)),
        "errors": "0",
        "skipped": str(sum(1 for result in found if result.skipped is not None)),
        "time": f"{sum(result.seconds for result in found):.3f}",
    }


def _case(suite: Element, result: CaseResult) -> None:
    from autograph.testing.failure import failure_text

    path = result.suite.path
    case = SubElement(
        suite, "testcase",
        {"classname": _clean(path.name), "name": _clean(result.case.name), "file": _clean(str(path)),
         "line": str(result.case.line), "time": f"{result.seconds:.3f}"},
    )  # fmt: skip
    if result.skipped is not None:
        SubElement(case, "skipped", {"message": _clean(result.skipped)})
    elif result.failures:
        first = result.failures[0]
        message = f"{first.what}: expected {first.expected}, got {first.got}"
        found = SubElement(case, "failure", {"message": _clean(message)})
        found.text = _clean(failure_text(result))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("�", text)
