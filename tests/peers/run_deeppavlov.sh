#!/usr/bin/env bash
# Programs within a real DeepPavlov Agent. First argument: a folder with an environment that has deeppavlov_agent and
# autograph; without it one is made.
set -euo pipefail
cd "$(dirname "$0")"
venv="${1:-$(mktemp -d)/venv}"
if [ ! -x "$venv/bin/python" ]; then
    "${PYTHON:-python3.11}" -m venv "$venv"
    "$venv/bin/pip" install -q -r requirements-deeppavlov.txt
    "$venv/bin/pip" install -q --no-deps deeppavlov_agent==2.2.0
    "$venv/bin/pip" install -q -e ../..
fi
PYTHONPATH=.. "$venv/bin/python" -m pytest -q -c /dev/null --rootdir . -p no:cacheprovider -p no:autograph --noconftest \
    test_deeppavlov.py
