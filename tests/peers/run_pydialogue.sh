#!/usr/bin/env bash
# The real pydialogue: our sentences, trimmers, tables and programs in its own world. First argument: a folder with an
# environment that has pydialogue and autograph; without it one is made.
set -euo pipefail
cd "$(dirname "$0")/../.."
venv="${1:-$(mktemp -d)/venv}"
if [ ! -x "$venv/bin/python" ]; then
    "${PYTHON:-python3.11}" -m venv "$venv"
    "$venv/bin/pip" install -q -r tests/peers/requirements-pydialogue.txt
    "$venv/bin/pip" install -q --no-deps pydialogue==0.2.0
    "$venv/bin/pip" install -q -e .
fi
# The package leaves its log files open, which is no fault here.
"$venv/bin/python" -m pytest -q -W ignore::ResourceWarning -W ignore::pytest.PytestUnraisableExceptionWarning \
    tests/peers/test_pydialogue.py tests/peers/test_pydialogue_eval.py
