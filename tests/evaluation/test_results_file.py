"""Results of evaluations: JSON and back, joined files, doubles, and old pickles of which nothing is run."""

from __future__ import annotations

import json
import os
import pickle
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.evaluation.dialogues import load_and_merge_results, save_results
from autograph.evaluation.pydialogue import results_file
from autograph.evaluation.pydialogue.accuracy_tables import NoDialoguesError
from autograph.evaluation.pydialogue.old_pickles import PickleError, plain_pickle
from autograph.evaluation.pydialogue.results_file import ResultsError, read_results

VECTORS = json.loads((Path(__file__).parent.parent / "data" / "pydialogue.json").read_text("utf-8"))

POINTS = [("Get", 1, 20), ("Look", 0, 55)]
TYPES = {"Get": (1, 1), "Look": (0, 1)}
STEPS = {1: (1, 1), 3: (0, 1)}


def stepped(table: dict[str, Any]) -> dict[int, Any]:
    return {int(key): value for key, value in table.items()}


def test_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    save_results("x.pkl", POINTS, TYPES, STEPS)
    assert capsys.readouterr().out == VECTORS["save_results_stdout"]
    assert load_and_merge_results(["x.pkl"])[3] == POINTS


@pytest.mark.parametrize("kind", ["json", "pickle"])
@pytest.mark.parametrize("case", VECTORS["load_and_merge_results"], ids=lambda case: case["name"])
def test_recorded_results(case: dict[str, Any], kind: str, tmp_path: Path) -> None:
    files = []
    for number, (points, types, steps) in enumerate(case["inputs"]):
        path = tmp_path / f"{number}.{kind}"
        files.append(path)
        if kind == "json":
            save_results(path, points, types, stepped(steps))
        else:
            data = {"test_points": points, "succ_total": types, "succ_total_per_step": stepped(steps)}
            path.write_bytes(pickle.dumps(data))
    if "error" in case:
        with pytest.raises(ZeroDivisionError):
            load_and_merge_results(files)
        return
    value = case["value"]
    expected = (
        value["individual_accuracies"],
        value["total_accuracy"],
        value["total_num_dias"],
        [tuple(point) for point in value["test_points"]],
        {key: tuple(counts) for key, counts in value["succ_total"].items()},
        stepped(value["acc_per_step"]),
        {key: tuple(counts) for key, counts in stepped(value["succ_total_per_step"]).items()},
    )
    found = load_and_merge_results(files)
    assert found == expected
    assert [list(table) for table in (found[0], found[4], found[5])] == [
        list(expected[0]), list(expected[4]), list(expected[5])
    ]  # fmt: skip


def test_the_form_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    save_results(path, POINTS, TYPES, STEPS, run_id="a", metadata={"seed": 7})
    assert json.loads(path.read_text("utf-8")) == {
        "format": "autograph-results",
        "version": 1,
        "runs": [
            {
                "run": "a",
                "metadata": {"seed": 7},
                "test_points": [["Get", 1, 20], ["Look", 0, 55]],
                "succ_total": {"Get": [1, 1], "Look": [0, 1]},
                "succ_total_per_step": [[1, [1, 1]], [3, [0, 1]]],
                "conversations": [],
            }
        ],
    }
    assert os.listdir(tmp_path) == ["r.json"]


def test_doubles(tmp_path: Path) -> None:
    one, two, other = tmp_path / "1.json", tmp_path / "2.json", tmp_path / "3.json"
    save_results(one, POINTS, TYPES, STEPS)
    two.write_bytes(one.read_bytes())
    save_results(other, POINTS, TYPES, STEPS, run_id="another")
    assert load_and_merge_results([one, two, other])[2] == 6
    assert load_and_merge_results([one, two, other], duplicates="skip")[2] == 4
    assert load_and_merge_results([one, other], duplicates="error")[2] == 4
    with pytest.raises(ResultsError, match=r"2\.json holds a run that .*1\.json holds, too"):
        load_and_merge_results([one, other, two], duplicates="error")
    with pytest.raises(ResultsError, match='"count", "skip" or "error"'):
        load_and_merge_results([one], duplicates="never")  # type: ignore[arg-type]


def test_results_of_different_programs_are_not_mixed(tmp_path: Path) -> None:
    one, two = tmp_path / "1.json", tmp_path / "2.json"
    save_results(one, POINTS, TYPES, STEPS, metadata={"program": "old.csv"})
    save_results(two, POINTS[:1], {"Get": (1, 1)}, {1: (1, 1)}, metadata={"program": "new.csv"})
    with pytest.raises(ResultsError, match=r"hold results of new\.csv, old\.csv"):
        load_and_merge_results([one, two])
    assert load_and_merge_results([one, two], program="new.csv")[2] == 1
    with pytest.raises(NoDialoguesError, match="hold no dialogue"):
        load_and_merge_results([one, two], program="none.csv")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "no valid JSON"),
        ("[1]", "no file of results"),
        ('{"format": "autograph-results", "version": 2, "runs": []}', "version 2; this autograph reads version 1"),
        ('{"format": "autograph-results", "version": 1, "runs": 3}', "runs is a list, not int"),
        ('{"format": "autograph-results", "version": 1, "runs": [3]}', r"runs\[0\]\.data: a run is a mapping"),
        ('{"format": "autograph-results", "version": 1, "runs": [{"test_points": [["A", 1]]}]}', "a type, 1 or 0"),
        ('{"format": "autograph-results", "version": 1, "runs": [{"test_points": [["A", 1, "x"]]}]}', "whole number"),
        ('{"format": "autograph-results", "version": 1, "runs": [{"succ_total": {"A": [1]}}]}', r"succ_total\.A"),
        ('{"format": "autograph-results", "version": 1, "runs": [{"succ_total_per_step": [1]}]}', "pairs of steps"),
        ('{"format": "autograph-results", "version": 1, "runs": [{"metadata": []}]}', "a mapping is expected"),
        ('{"format": "autograph-results", "version": 1, "runs": [{"conversations": [1]}]}', "list of mappings"),
        ("[" * 100_000, "no valid JSON"),
    ],
)
def test_what_is_no_file_of_results(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ResultsError, match=message):
        load_and_merge_results([path])


def test_files_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ResultsError, match=r"no\.json cannot be read"):
        read_results(tmp_path / "no.json")
    with pytest.raises(ResultsError, match="cannot be written"):
        save_results(tmp_path / "no" / "r.json", POINTS, TYPES, STEPS)
    with pytest.raises(ResultsError, match="no JSON data"):
        save_results(tmp_path / "r.json", POINTS, TYPES, STEPS, metadata={"x": object()})
    assert os.listdir(tmp_path) == []
    save_results(tmp_path / "r.json", POINTS, TYPES, STEPS)
    monkeypatch.setattr(results_file, "MOST_BYTES", 10)
    with pytest.raises(ResultsError, match="at most 10"):
        read_results(tmp_path / "r.json")


# ---------------------------------------------------------------------- old pickles

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
PLAIN = st.recursive(
    SCALARS,
    lambda part: (
        st.lists(part, max_size=5)
        | st.lists(part, max_size=5).map(tuple)
        | st.dictionaries(st.text() | st.integers(), part, max_size=5)
    ),
    max_leaves=20,
)


@given(PLAIN, st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_plain_pickles_are_read_as_they_are(value: Any, protocol: int) -> None:
    assert plain_pickle(pickle.dumps(value, protocol)) == value


def test_a_shared_part_is_shared() -> None:
    part = [1]
    found = plain_pickle(pickle.dumps([part, part, {"a": part}]))
    assert found[0] is found[1] is found[2]["a"]


class Evil:
    """Runs a command when it is unpickled."""

    def __reduce__(self) -> Any:
        return os.system, ("touch was-here",)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_nothing_in_a_pickle_is_run(protocol: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("r.pkl")
    path.write_bytes(pickle.dumps({"test_points": [], "succ_total": Evil()}, protocol))
    with pytest.raises(ResultsError, match="holds more than plain data"):
        load_and_merge_results([path])
    assert os.listdir() == ["r.pkl"]


@pytest.mark.parametrize("value", [{1, 2}, b"bytes", 1j, Evil, len, frozenset()])
def test_only_plain_data_is_read(value: Any) -> None:
    with pytest.raises(PickleError, match="more than plain data"):
        plain_pickle(pickle.dumps([value]))


@given(st.binary(max_size=200))
def test_damaged_pickles_are_errors(data: bytes) -> None:
    with suppress(PickleError):
        plain_pickle(b"\x80\x04" + data)


@given(PLAIN, st.data())
def test_changed_pickles_are_errors_or_data(value: Any, data: st.DataObject) -> None:
    text = bytearray(pickle.dumps(value))
    text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    with suppress(PickleError):
        plain_pickle(bytes(text))


def test_an_endless_pickle_is_refused_in_few_words(tmp_path: Path) -> None:
    part: list[Any] = ["x"]
    for _ in range(60):
        part = [part, part]
    (tmp_path / "r.pkl").write_bytes(pickle.dumps({"test_points": [part]}))
    with pytest.raises(ResultsError, match=r"test_points\[0\]") as caught:
        read_results(tmp_path / "r.pkl")
    assert len(str(caught.value)) < 300
