"""The file of a recording: its form, damage, several writers, and recording anew."""

from __future__ import annotations

import json
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from autograph.errors import ModelError
from autograph.models import RecordedModel, ScriptedModel
from autograph.models.recorded import Recordings
from models_support import ask, three


def record(path: Path, **texts: str) -> None:
    """Record an answer to each text."""
    recorder = RecordedModel(path, ScriptedModel(texts.values()), "new")
    for text in texts:
        recorder.generate(ask(text))


def answers(path: Path, said: str) -> list[str]:
    player = RecordedModel(path)
    return [player.generate(ask(text)).text for text in said]


def test_each_line_is_an_object(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    RecordedModel(path, ScriptedModel(["Grüße\n"]), "new").generate(ask())
    head, line = map(json.loads, path.read_text("utf-8").splitlines())
    assert head == {"autograph": "recording", "version": 1, "model": "scripted", "instruction_role": "user"}
    assert line == {
        "node": "greet",
        "model": "scripted",
        "request": {
            "kind": "generate",
            "messages": [{"role": "system", "content": "You are kind."}, {"role": "user", "content": "Hello"}],
        },
        "answer": {"text": "Grüße\n", "model": "scripted"},
    }


def test_what_a_person_corrects_in_the_file_holds(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    record(path, whales="They sing.")
    path.write_text(path.read_text("utf-8").replace('"whales"', '"sharks"').replace("sing", "bite"), "utf-8")
    assert RecordedModel(path).generate(ask("sharks")).text == "They bite."


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "line 3: this is no recording"),
        ("[]", "line 3: .*a recording has node, model, request and answer"),
        ('{"key": "x"}', "line 3: "),
        ('{"node": "a", "model": "m", "request": {"kind": "sing"}, "answer": {}}', "kind 'sing'"),
        ('{"node": "a", "model": "m", "request": {"kind": "generate"}, "answer": {}}', "has no text"),
        ('{"node": "a", "model": "m", "request": [], "answer": {}}', "mappings"),
        ('{"node": "a", "model": "m", "request": {"kind": "choose"}, "answer": {"index": true}}', "index is True"),
        ('{"node": "a", "model": "m", "request": {"kind": "choose", "context": [1]}, "answer": {}}', "role and"),
        (
            '{"node": "a", "model": "m", "request": {"kind": "generate"}, "answer": {"text": "", "usage": {"x": 1}}}',
            "usage counts",
        ),
        ('{"autograph": "recording", "version": 2}', "line 3: .*version 2 .*Update autograph"),
    ],
)
@pytest.mark.parametrize("mode", ["none", "new", "all"])
def test_a_broken_line_is_an_error_with_its_number(tmp_path: Path, line: str, why: str, mode: str) -> None:
    path = tmp_path / "r.jsonl"
    record(path, a="one", b="two")
    head, *rest = path.read_text().splitlines()
    path.write_text("\n".join([head, "", line, *rest, ""]))
    before = path.read_bytes()
    with pytest.raises(ModelError, match=why):
        RecordedModel(path, ScriptedModel(), mode)  # type: ignore[arg-type]
    assert path.read_bytes() == before


def test_what_is_no_recording_is_not_taken_for_one(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    record(path, a="one")
    path.write_text(path.read_text().split("\n", 1)[1])
    with pytest.raises(ModelError, match=r"line 1: .*first line must say what recorded it"):
        RecordedModel(path)


def test_an_empty_file_is_a_recording_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.touch()
    with pytest.raises(ModelError, match="no recording of a text at all"):
        RecordedModel(path).generate(ask())
    record(path, a="one")
    assert answers(path, "a") == ["one"]


# ---------------------------------------------------------------------- crashes


@pytest.mark.parametrize("cut", [1, 20, -1])
def test_a_line_that_a_crash_has_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "r.jsonl"
    record(path, a="one", b="two")
    *whole, last = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(whole) + last.rstrip(b"\n")[:cut])
    told: list[str] = []
    player = RecordedModel(path, notify=told.append)
    assert player.generate(ask("a")).text == "one"
    assert told == [f"{path}, line 3: the last line is cut off and is left out."]
    recorder = RecordedModel(path, ScriptedModel(["again"]), "new", notify=told.append)
    assert recorder.generate(ask("b")).text == "again"
    assert told[1:] == [f"{path}: the last line was cut off and has been removed."]
    assert answers(path, "ab") == ["one", "again"]


def test_a_last_line_without_its_end_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    record(path, a="one")
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert answers(path, "a") == ["one"]
    record(path, b="two")
    assert answers(path, "ab") == ["one", "two"]


def test_a_crash_of_another_process_in_between(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    told: list[str] = []
    recorder = RecordedModel(path, ScriptedModel(["one", "two"]), "new", notify=told.append)
    recorder.generate(ask("a"))
    with path.open("ab") as file:
        file.write(b'{"node": "hal')
    recorder.generate(ask("b"))
    assert answers(path, "ab") == ["one", "two"]
    assert len(told) == 1


# ---------------------------------------------------------------------- several writers


def _fill(path: str, writer: int) -> list[str]:
    """Record forty requests, of which all writers ask ten."""
    texts = [f"shared {n}" if n % 4 == 0 else f"{writer}: {n}" for n in range(40)]
    recorder = RecordedModel(path, ScriptedModel(f"{text} by {writer}" for text in texts), "new")
    return [recorder.generate(ask(text)).text for text in texts]


def test_threads_and_processes_fill_one_file(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    context = multiprocessing.get_context("spawn")
    with context.Pool(2) as pool, ThreadPoolExecutor(3) as threads:
        remote = [pool.apply_async(_fill, (str(path), writer)) for writer in (1, 2)]
        local = [threads.submit(_fill, str(path), writer) for writer in (3, 4, 5)]
        got = [job.get(60) for job in remote] + [job.result() for job in local]
    player = RecordedModel(path)
    for writer, heard in enumerate(got, 1):
        for number, text in enumerate(heard):
            said = f"shared {number}" if number % 4 == 0 else f"{writer}: {number}"
            assert player.generate(ask(said)).text == text  # whoever came first
    assert len({json.dumps(json.loads(line).get("request")) for line in path.read_text().splitlines()}) == 161


def test_threads_share_one_model(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recorder = RecordedModel(path, ScriptedModel(map(str, range(400))), "new")
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda number: recorder.generate(ask(f"q{number % 20}")).text, range(200)))
    player = RecordedModel(path)
    assert [player.generate(ask(f"q{number % 20}")).text for number in range(200)] == got


def test_what_another_process_has_recorded_meanwhile_is_not_asked(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    model = ScriptedModel(["mine"])
    early = RecordedModel(path, model, "new")
    record(path, a="theirs")
    assert early.generate(ask("a")).text == "theirs"
    assert early.generate(ask("b")).text == "mine"


# ---------------------------------------------------------------------- anew


def test_everything_is_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    record(path, a="old", z="gone")
    with RecordedModel(path, ScriptedModel(["new"]), "all") as recorder:
        assert recorder.generate(ask("a")).text == "new"
        assert answers(path, "az") == ["new", "gone"]  # until the run is over nothing is lost
    assert answers(path, "a") == ["new"]
    assert len(path.read_text().splitlines()) == 2
    with pytest.raises(ModelError):
        answers(path, "z")


def test_a_run_that_fails_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    record(path, a="old a", b="old b")

    def run() -> None:
        with RecordedModel(path, ScriptedModel(["new a"]), "all") as recorder:
            recorder.generate(ask("a"))
            recorder.generate(ask("b"))

    with pytest.raises(ModelError, match="run out"):
        run()
    assert answers(path, "ab") == ["new a", "old b"]


def test_a_run_that_asks_nothing_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    record(path, a="old")
    with RecordedModel(path, ScriptedModel(), "all"):
        pass
    assert answers(path, "a") == ["old"]


def test_after_pruning_recording_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    record(path, a="old", z="gone")
    other = RecordedModel(path, ScriptedModel(["other"]), "new")
    recorder = RecordedModel(path, ScriptedModel(["new", "more"]), "all")
    recorder.generate(ask("a"))
    recorder.close()
    recorder.generate(ask("b"))
    other.generate(ask("c"))
    assert answers(path, "abc") == ["new", "more", "other"]


def test_the_file_keeps_its_permissions_and_its_folder_clean(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    record(path, a="old")
    path.chmod(0o600)
    with RecordedModel(path, ScriptedModel(["new"]), "all") as recorder:
        recorder.generate(ask("a"))
    assert path.stat().st_mode & 0o777 == 0o600
    assert [item.name for item in tmp_path.iterdir()] == ["r.jsonl"]


def test_a_folder_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be"):
        RecordedModel(tmp_path, ScriptedModel(), "new")
    with pytest.raises(ModelError, match="cannot be written"):
        RecordedModel(tmp_path / "no" / "r.jsonl", ScriptedModel(["x"]), "new").generate(ask())


# ---------------------------------------------------------------------- the recordings of a run


def test_the_tests_of_a_run_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    record(path, a="old", z="gone")
    run = Recordings("all")
    chatbot, classifier = ScriptedModel(["1", "2"]), ScriptedModel(answers=["B"])
    first, second = (run.model(path, lambda: (chatbot, classifier)) for _ in range(2))
    assert (first.generate(ask("a")).text, second.generate(ask("a")).text) == ("1", "1")
    second.generate(ask("b"))
    second.choose([three()])
    run.close(prune=True)
    assert len(path.read_text().splitlines()) == 4
    assert answers(path, "ab") == ["1", "2"]


def test_playing_back_asks_for_no_model(tmp_path: Path) -> None:
    record(tmp_path / "r.jsonl", a="one")

    def live() -> tuple[ScriptedModel, ScriptedModel]:
        raise AssertionError("nobody is to be asked")

    run = Recordings()
    assert run.model(tmp_path / "r.jsonl", live).generate(ask("a")).text == "one"
    run.close(prune=True)


def test_a_run_that_is_not_whole_drops_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    record(path, a="old", z="still there")
    run = Recordings("all")
    model = ScriptedModel(["new"])
    run.model(path, lambda: (model, model)).generate(ask("a"))
    run.close()
    assert answers(path, "az") == ["new", "still there"]
