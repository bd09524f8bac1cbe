"""The folder of a run: what a crash leaves of it, and when it may be gone on with."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograph.simulation.folder import FolderError, RunFolder, read_run
from autograph.simulation.record import Conversation, Manifest, Measured, RecordError
from simulation_records import manifest, talk


def fill(folder: Path, indexes: list[int], *, resume: bool = False, **changes: Any) -> RunFolder:
    with RunFolder(folder, replace(manifest(), **changes), resume=resume) as run:
        for index in indexes:
            run.keep(talk(index), Measured(index, 1.23456, (0.5, 0.25)))
    return run


def test_a_run_is_read_by_index(tmp_path: Path) -> None:
    fill(tmp_path / "run", [2, 0, 1])
    saved = read_run(tmp_path / "run")
    assert saved.manifest == manifest()
    assert [json.dumps(each.to_dict()) for each in saved.conversations] == [
        json.dumps(talk(i).to_dict()) for i in range(3)
    ]
    assert saved.measured[2] == Measured(2, 1.2346, (0.5, 0.25))


def test_times_are_no_part_of_conversations(tmp_path: Path) -> None:
    fill(tmp_path / "run", [0])
    assert "seconds" not in (tmp_path / "run" / "conversations.jsonl").read_text("utf-8")


@pytest.mark.parametrize("cut", [1, 30, 200])
def test_a_half_line_is_dropped(tmp_path: Path, cut: int) -> None:
    folder = tmp_path / "run"
    fill(folder, [0, 1])
    path = folder / "conversations.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert [each.index for each in read_run(folder).conversations] == [0]
    run = fill(folder, [1], resume=True)
    assert [each.index for each in run.done] == [0]
    assert path.read_bytes() == whole


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    fill(tmp_path, [0])
    with (tmp_path / "conversations.jsonl").open("ab") as file:
        file.write(b'{"version": 1\n{"version": 2}\n')
    with pytest.raises(FolderError, match=r"conversations\.jsonl, line 2: this is no JSON"):
        read_run(tmp_path)


def test_a_line_of_another_version_is_refused(tmp_path: Path) -> None:
    fill(tmp_path, [])
    (tmp_path / "conversations.jsonl").write_text('{"version": 2, "index": 0}\n', "utf-8")
    with pytest.raises(FolderError, match=r"line 1: this is no record of version 1 but 2\. Run the simulation again"):
        read_run(tmp_path)


def test_a_folder_is_not_written_over(tmp_path: Path) -> None:
    fill(tmp_path, [0])
    with pytest.raises(FolderError, match=r"holds a simulation already\. Go on with it by --resume"):
        fill(tmp_path, [1])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 8}, r"the seed \(7 then, 8 now\) is not what the run began with"),
        ({"fingerprint": "other"}, "the program's rows or settings are not what the run began with"),
        ({"models": {"chatbot": "b"}}, "the models are not what the run began with"),
        ({"n": 99, "success": "x"}, r"the number of conversations \(.* then, 99 now\) and the success expression \("),
    ],
)
def test_another_run_is_not_gone_on_with(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    fill(tmp_path, [0], seed=7)
    with pytest.raises(FolderError, match=said) as caught:
        fill(tmp_path, [1], resume=True, **{"seed": 7, **changes})
    assert str(caught.value).endswith("Begin a new run with --out.")


def test_date_versions_and_place_do_not_matter(tmp_path: Path) -> None:
    fill(tmp_path, [0])
    changes = {"date": "2031-01-01", "python": "4", "autograph": "9", "source": "moved.csv", "command": {"n": 3}}
    run = fill(tmp_path, [1], resume=True, **changes)
    assert run.manifest == manifest()  # that of the beginning stays
    assert len(read_run(tmp_path).conversations) == 2


def test_nothing_to_resume(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match=r"holds no simulation: there is no manifest\.json"):
        fill(tmp_path, [], resume=True)


def test_two_runs_do_not_write_one_folder(tmp_path: Path) -> None:
    code = (
        "import sys; from autograph.simulation.lockfile import FolderLock; from pathlib import Path\n"
        "with FolderLock(Path(sys.argv[1])): print('held', flush=True); sys.stdin.readline()"
    )
    fill(tmp_path, [0])
    command = [sys.executable, "-c", code, str(tmp_path / ".lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(FolderError, match=r"another simulation writes into .* now"):
            fill(tmp_path, [1], resume=True)
        other.kill()
    fill(tmp_path, [1], resume=True)  # the lock went with its process
    assert len(read_run(tmp_path).conversations) == 2


def test_a_manifest_survives_json() -> None:
    data = json.loads(json.dumps(manifest().to_dict()))
    assert Manifest.from_dict(data) == manifest()
    with pytest.raises(RecordError, match="no manifest"):
        Manifest.from_dict({"version": 1, "seed": 1})
    with pytest.raises(RecordError, match="a conversation lacks or mistakes"):
        Conversation.from_dict({"version": 1})
