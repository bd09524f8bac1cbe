"""The real ParlAI: a program is its model, its reports are ours, and its files are read. See ``run_parlai.sh``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PYTHON = os.environ.get("AUTOGRAPH_PARLAI_PYTHON", "")
pytestmark = pytest.mark.skipif(not PYTHON, reason="AUTOGRAPH_PARLAI_PYTHON names no Python with ParlAI")

ROOT = Path(__file__).parent.parent.parent
CLINIC = str(ROOT / "programs" / "clinic.yaml")
OURS = "autograph.evaluation.parlai_adapter:AutographAgent"

TALKS = """\
text:hello	labels:Welcome to Elm Street Physiotherapy.|What brings you to us?	label_candidates:What brings you to us?
text:my knee hurts	labels:Thank you. First some questions for your safety.
text:no	labels:And do you have a fever?|Do you have a fever?	episode_done:True
text:Guten Tag\\nwie geht's?	labels:What brings you to us?	reward:1	episode_done:True
text:good morning	labels:What brings you to us?
text:日本語	labels:Please tell me in a few words where it hurts.	episode_done:True
"""


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    file = tmp_path / "talks.txt"
    file.write_text(TALKS, "utf-8")
    return file


def parlai(script: str, folder: Path, *arguments: str) -> str:
    """Run a script of ParlAI; what it printed."""
    done = subprocess.run(
        [PYTHON, "-W", "ignore", "-m", f"parlai.scripts.{script}", *arguments],
        capture_output=True, encoding="utf-8", cwd=folder, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def ours(folder: Path, *arguments: str) -> str:
    """Run a command of ours; what it printed."""
    command = [sys.executable, "-m", "autograph", "eval", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=folder, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def evaluated(talks: Path, *arguments: str) -> dict[str, float]:
    """The report of ParlAI's ``eval_model``."""
    file = talks.parent / "report.json"
    parlai("eval_model", talks.parent, "-t", "fromfile:parlaiformat", "--fromfile-datapath", str(talks),
           "--report-filename", str(file), *arguments)  # fmt: skip
    report: dict[str, float] = json.loads(file.read_text("utf-8"))["report"]
    return report


def same(found: dict[str, Any], expected: dict[str, float]) -> None:
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, abs=1e-12, rel=0)


@pytest.mark.parametrize("opening", ["answer", "skip"])
@pytest.mark.parametrize("metrics", ["default", "bleu,distinct,f1"])
def test_a_program_evaluated_there_and_here(talks: Path, opening: str, metrics: str) -> None:
    expected = evaluated(talks, "-m", OURS, "--program", CLINIC, "--chatbot", "offline", "--opening", opening,
                         "--metrics", metrics)  # fmt: skip
    assert expected["exs"] == 6
    assert expected["f1"] > 0
    task = f"fromfile:parlaiformat:fromfile_datapath={talks}"
    for batch in ("1", "3"):
        done = ours(talks.parent, "run", "-t", task, "-m", CLINIC, "--chatbot", "offline", "--opening", opening,
                    "--metrics", metrics, "-bs", batch, "--json")  # fmt: skip
        same(json.loads(done)["report"], expected)


def test_a_program_in_a_batch_of_parlai(talks: Path) -> None:
    alone = evaluated(talks, "-m", OURS, "--program", CLINIC, "--chatbot", "offline")
    batch = evaluated(talks, "-m", OURS, "--program", CLINIC, "--chatbot", "offline", "-bs", "2")
    same(batch, alone)


@pytest.mark.parametrize("model", ["repeat_label", "repeat_query", "fixed_response", "random_candidate", "ir_baseline"])
def test_the_baselines_say_the_same(talks: Path, model: str) -> None:
    done = ours(talks.parent, "run", "-t", str(talks), "-m", model, "--json")
    same(json.loads(done)["report"], evaluated(talks, "-m", model))


def test_a_dictionary_of_ours_is_used_there(talks: Path) -> None:
    folder = talks.parent
    ours(folder, "train", "-t", str(talks), "-mf", "words")
    done = ours(folder, "run", "-t", str(talks), "-mf", "words", "--json")
    expected = evaluated(talks, "-m", "ir_baseline", "--dict-file", str(folder / "words.dict"))
    same(json.loads(done)["report"], expected)


def test_a_program_is_displayed(talks: Path) -> None:
    shown = parlai("display_model", talks.parent, "-t", "fromfile:parlaiformat", "--fromfile-datapath", str(talks),
                   "-m", OURS, "--program", CLINIC, "--chatbot", "offline", "-n", "3")  # fmt: skip
    assert "What brings you to us?" in shown
    assert "my knee hurts" in shown


def test_dialogues_written_there_are_read_here_and_back(talks: Path) -> None:
    folder = talks.parent
    evaluated(
        talks, "-m", OURS, "--program", CLINIC, "--chatbot", "offline", "--world-logs", str(folder / "logs.jsonl")
    )
    here = ours(folder, "run", "-t", "jsonfile", "--jsonfile-datapath", "logs.jsonl", "-m", "repeat_label", "--json")
    assert json.loads(here)["report"]["accuracy"] == 1.0
    ours(folder, "run", "-t", str(talks), "-m", CLINIC, "--chatbot", "offline", "--world-logs", "own.jsonl")
    lines = [json.loads(line)["dialog"] for line in (folder / "own.jsonl").read_text("utf-8").splitlines()]
    theirs = [json.loads(line)["dialog"] for line in (folder / "logs.jsonl").read_text("utf-8").splitlines()]
    texts = [[[turn["text"] for turn in pair] for pair in dialog] for dialog in lines]
    assert texts == [[[turn["text"] for turn in pair] for pair in dialog] for dialog in theirs]
    file = folder / "report.json"
    parlai("eval_model", folder, "-t", "jsonfile", "--jsonfile-datapath", str(folder / "own.jsonl"),
           "-m", "repeat_label", "--report-filename", str(file))  # fmt: skip
    assert json.loads(file.read_text("utf-8"))["report"]["accuracy"] == 1.0
