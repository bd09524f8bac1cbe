"""What do tests of the locked worker need? A nursery of other workers, and a sign where nothing can be locked."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from autograph.locked import can_lock

HERE = Path(__file__).parent / "locked"
WHY_NOT = can_lock()

needs_lock = pytest.mark.skipif(
    WHY_NOT is not None and not os.environ.get("CI"),  # in CI what cannot be locked fails
    reason=f"no process can be locked: {WHY_NOT}",
)
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="processes are locked on Linux")
