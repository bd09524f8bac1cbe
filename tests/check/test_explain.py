"""Every code is explained, and ``docs/checks.md`` says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograph.check import CHECKS
from autograph.check.explain import AREAS, explanation, explanations, find_kind, suggestion
from autograph.problems import KINDS

DOCUMENT = (Path(__file__).parent.parent.parent / "docs" / "checks.md").read_text("utf-8")


def test_every_kind_is_explained_in_the_order_of_the_codes() -> None:
    found = explanations()
    assert set(found) == set(KINDS)
    assert [entry.code for entry in found.values()] == sorted(code for code, _, _ in KINDS.values())
    for entry in found.values():
        assert entry.why.endswith((".", "!"))
        assert entry.example
        assert entry.remedy
        assert entry.code[:3] in AREAS


def test_codes_are_used_once() -> None:
    codes = [code for code, _, _ in KINDS.values()]
    assert len(codes) == len(set(codes))


def test_the_document_lists_all() -> None:
    for kind, (code, _, _) in KINDS.items():
        assert f"\n### {code} {kind}\n" in DOCUMENT


def test_checks_name_known_kinds() -> None:
    assert {kind for kinds in CHECKS.values() for kind in kinds} <= set(KINDS)


@pytest.mark.parametrize("word", ["AG104", "ag104", " 104", "unknown-target", "Unknown-Target"])
def test_codes_are_found_as_people_type_them(word: str) -> None:
    assert find_kind(word) == "unknown-target"


def test_a_word_that_is_no_code_gets_a_suggestion() -> None:
    assert explanation("AG1044") is None
    assert suggestion("AG1044") == 'Did you mean "AG104"?'
    assert suggestion("unknown-taget") == 'Did you mean "unknown-target"?'
    assert "docs/checks.md" in suggestion("?")
