#!/usr/bin/env bash
# Programs within a real DeepPavlov Agent: makes an environment for it, or takes the one in $AUTOGRAPH_DEEPPAVLOV_VENV.
set -euo pipefail
cd "$(dirname "$0")"
venv="${AUTOGRAPH_DEEPPAVLOV_VENV:-$(mktemp -d)/venv}"
if [ ! -d "$venv" ]; then
  "${PYTHON:-python3}" -m venv "$venv"
  "$venv/bin/pip" install -q -r requirements-deeppavlov.txt
  "$venv/bin/pip" install -q --no-deps deeppavlov_agent==2.2.0
  "$venv/bin/pip" install -q -e ../..
fi
PYTHONPATH=.. "$venv/bin/python" -m pytest -q -c /dev/null --rootdir . -p no:cacheprovider -p no:autograph --noconftest test_deeppavlov.py "$@"
