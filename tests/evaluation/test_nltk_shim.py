"""pydialogue is imported without NLTK and its downloads; a package that looks like it stands for it here."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from autograph.errors import AutographError
from autograph.evaluation.pydialogue.nltk_shim import import_pydialogue

ASKS = """
import ssl
import nltk
from nltk.stem import WordNetLemmatizer
import pyinflect

try:
    nltk.data.find("corpora/wordnet.zip")
except LookupError:
    ssl._create_default_https_context = ssl._create_unverified_context
    nltk.download("wordnet")

def lemma(verb):
    return WordNetLemmatizer().lemmatize(verb, pos="v")

def tags(verb):
    return nltk.pos_tag(nltk.word_tokenize(verb))
"""
TABLE = """
class Engine:
    infl_data = {
        "go": {"VB": ("go",), "VBD": ("went",), "VBZ": ("goes",), "NNS": ("gos",)},
        "found": {"VB": ("found",), "VBD": ("founded",)},
        "find": {"VB": ("find",), "VBD": ("found",)},
        "abide": {"VB": ("abide",), "VBZ": ("abides",)},
    }
    overrides = {"abide": {"VBZ": ("abode",)}}

def InflectionEngine():
    return Engine()
"""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    (tmp_path / "pydialogue" / "language").mkdir(parents=True)
    for name, text in {
        "pydialogue/__init__.py": "",
        "pydialogue/language/__init__.py": "",
        "pydialogue/language/components.py": ASKS,
        "pydialogue/other.py": "import sys, pydialogue.language.components\nreal = 'nltk' in sys.modules",
        "pyinflect.py": TABLE,
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(packages: Path, code: str) -> str:
    """What code prints that can import the packages."""
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(packages), str(root)])}
    start = "import sys, ssl\nfrom autograph.evaluation.pydialogue.nltk_shim import import_pydialogue, verb_lemma\n"
    done = subprocess.run([sys.executable, "-c", start + code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_it_is_imported_offline_and_certificates_stay_checked(packages: Path) -> None:
    code = (
        "before = ssl._create_default_https_context\n"
        "other = import_pydialogue('pydialogue.other')\n"
        "print('nltk' in sys.modules, 'nltk.stem' in sys.modules, other.real)\n"
        "print(ssl._create_default_https_context is before)"
    )
    assert run(packages, code).splitlines() == ["False False False", "True"]


def test_verbs(packages: Path) -> None:
    code = (
        "import_pydialogue()\n"
        "asks = sys.modules['pydialogue.language.components']\n"
        "verbs = 'goes went found founded abode abides had gos zzzq'.split()\n"
        "print([asks.lemma(verb) for verb in verbs])\n"
        "print(asks.tags('goes'), verb_lemma('went'))"
    )
    assert run(packages, code).splitlines() == [
        "['go', 'go', 'find', 'found', 'abide', 'abides', 'have', 'gos', 'zzzq']",
        "[('goes', '')] go",
    ]


def test_whoever_else_uses_nltk_has_the_real_one(packages: Path) -> None:
    (packages / "nltk.py").write_text("real = True", encoding="utf-8")
    code = "import nltk\nimport_pydialogue()\nprint(sys.modules['nltk'] is nltk, nltk.real, 'nltk.stem' in sys.modules)"
    assert run(packages, code) == "True True False"


def test_a_download_is_refused(packages: Path) -> None:
    code = (
        "import_pydialogue()\n"
        "try:\n"
        "    sys.modules['pydialogue.language.components'].nltk.download('wordnet')\n"
        "except Exception as error:\n"
        "    print(type(error).__name__, error)"
    )
    assert run(packages, code) == (
        "AutographError NLTK's wordnet is not downloaded for pydialogue, which does without it here."
    )


@pytest.mark.skipif(find_spec("pydialogue") is not None, reason="pydialogue is installed")
def test_what_is_said_without_the_package() -> None:
    with pytest.raises(AutographError, match=r"since pydialogue is missing. Install it with: pip install 'autograph"):
        import_pydialogue()
    assert "nltk" not in sys.modules
