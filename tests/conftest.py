"""How thorough are the property tests? ``AUTOGRAPH_EXAMPLES=20`` runs twenty times as many examples of each."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

_SETTINGS = "_hypothesis_internal_use_settings"

settings.register_profile("untimed", deadline=None)  # a machine that is busy with something else is no fault
settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Multiply the examples of all property tests."""
    factor = int(os.environ.get("AUTOGRAPH_EXAMPLES", "1"))
    if factor == 1:
        return
    for item in items:
        test = getattr(item, "obj", None)
        chosen = getattr(test, _SETTINGS, None)
        if chosen is not None:
            setattr(test, _SETTINGS, settings(chosen, max_examples=chosen.max_examples * factor, deadline=None))
