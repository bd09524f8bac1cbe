"""Who takes part? One module for each contestant; all offer the same tasks.

A peer's module has ``NAME``, ``MODULE`` (what it imports), ``counter(iterations)`` and ``turns(count)``, which
return a ``measure.Work``. The peer is imported inside these functions, so that a missing one shows as
``ImportError`` only when it is asked to run.
"""

from __future__ import annotations

HELLO = "Good day. How are you?"
LISTEN = "I see. Please go on."
SAID = "It was a long day."
