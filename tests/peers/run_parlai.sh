#!/usr/bin/env bash
# The real ParlAI with our programs as its models. First argument: a folder with an environment that has ParlAI and
# autograph; without it one is made. The tests themselves run in the present environment (autograph[test]).
set -euo pipefail
cd "$(dirname "$0")/../.."
venv="${1:-$(mktemp -d)/venv}"
if [ ! -x "$venv/bin/python" ]; then
    "${PYTHON:-python3.11}" -m venv "$venv"
    "$venv/bin/pip" install -q -r tests/peers/requirements-parlai.txt
    "$venv/bin/pip" install -q --no-deps parlai==1.7.2
    "$venv/bin/pip" install -q -e .
fi
AUTOGRAPH_PARLAI_PYTHON="$venv/bin/python" python -m pytest -q tests/peers/test_parlai.py
