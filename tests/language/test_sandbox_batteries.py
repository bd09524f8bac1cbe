"""The batteries: every benign statement works, every hostile one is refused, every bomb is bounded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograph.config import AutographConfig
from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.modules import MODULES
from sandbox_support import MARKER, decode, interpreter, variables, vectors

BENIGN = vectors("benign")
REFUSED = [vector for vector in vectors("hostile") if vector["must"] == "reject"]
BOMBS = [vector for vector in vectors("hostile") if vector["must"] != "reject"]


@pytest.fixture(scope="module")
def shared() -> Any:
    return interpreter()


@pytest.mark.parametrize("vector", BENIGN, ids=lambda vector: vector["id"])
def test_benign(vector: dict[str, Any], shared: Any) -> None:
    scope = variables()
    if vector["kind"] == "expr":
        value = shared.execute_expression(vector["code"], scope)
        if "expect" in vector:
            expected = decode(vector["expect"])
            assert value == (pytest.approx(expected) if isinstance(expected, float) else expected)
            assert type(value) is type(expected) or "$set" in str(vector["expect"])
    else:
        shared.execute_assignment(vector["code"], scope)
    for name, expected in vector.get("expect_vars", {}).items():
        assert scope[name] == decode(expected)


@pytest.fixture(scope="module")
def generous() -> Any:
    """An interpreter with every module there is."""
    return interpreter(AutographConfig(python_imports=tuple(MODULES)))


@pytest.mark.parametrize("vector", REFUSED, ids=lambda vector: vector["id"])
def test_refused(vector: dict[str, Any], shared: Any, generous: Any) -> None:
    for given in (shared, generous) if {*vector["needs"]} & {*MODULES} else (shared,):
        run = given.execute_expression if vector["mode"] == "expr" else given.execute_assignment
        with pytest.raises((StatementError, LimitError)) as caught:
            run(vector["code"], variables())
        assert MARKER not in str(caught.value)


_RUNNER = """
import json, resource, sys, time
from autograph.config import AutographConfig
from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.modules import MODULES
from sandbox_support import interpreter, variables

shared = interpreter(AutographConfig(python_imports=tuple(MODULES)))
for vector in json.load(sys.stdin):
    begun = time.process_time()
    try:
        shared.execute_expression(vector["code"], variables())
        outcome = "finished"
    except (StatementError, LimitError) as error:
        outcome = type(error).__name__
    seconds = time.process_time() - begun
    print(json.dumps([vector["id"], outcome, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]), flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are set as on Linux")
def test_bombs_are_bounded() -> None:
    """All bombs in one process of limited memory: 512 MB more than the interpreter itself takes."""
    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    environment = {
        **os.environ,
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent.parent), *sys.path]),
    }
    done = subprocess.run(
        [sys.executable, "-c", _RUNNER],
        input=json.dumps(BOMBS),
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=limit,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = {name: rest for name, *rest in map(json.loads, done.stdout.splitlines())}
    assert len(results) == len(BOMBS)
    for vector in BOMBS:
        outcome, seconds, kilobytes = results[vector["id"]]
        assert outcome in ("StatementError", "LimitError") or vector.get("may_finish"), vector["id"]
        assert seconds < vector["bound"]["seconds"], vector["id"]
        assert kilobytes < (vector["bound"]["extra_mb"] + 64) * 1024, vector["id"]
