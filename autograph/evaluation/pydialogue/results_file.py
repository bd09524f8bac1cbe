"""Where are the results of an evaluation kept? One JSON file, versioned; several files are read and joined.

{"format": "autograph-results", "version": 1, "runs": [{"run": "…", "metadata": {…}, "test_points": [["Get", 1, 42]],
 "succ_total": {"Get": [1, 1]}, "succ_total_per_step": [[3, [1, 1]]], "conversations": []}]}
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from autograph.evaluation.pydialogue.accuracy_tables import NoDialoguesError, percentages
from autograph.evaluation.pydialogue.old_pickles import PickleError, plain_pickle
from autograph.evaluation.pydialogue.results_data import Counts, Given, Point, ResultsError, Run, run_from

__all__ = ["Merged", "ResultsError", "Run", "load_and_merge_results", "read_results", "save_results", "write_results"]

FORMAT = "autograph-results"
VERSION = 1

MOST_BYTES = 64 * 1024 * 1024
"""A larger file is not read: it can hardly be one of results."""

Merged = tuple[dict[str, float], float, int, list[Point], dict[str, Counts], dict[int, float], dict[int, Counts]]
"""Accuracy of each type (percent), of all, number, time points, counts of types, accuracy of steps, their counts."""


# ---------------------------------------------------------------------- writing


def save_results(
    filename: str | os.PathLike[str],
    test_points: Iterable[Sequence[Any]],
    succ_total: Mapping[str, Sequence[int]],
    succ_total_per_step: Mapping[int, Sequence[int]],
    *,
    run_id: str = "",
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Write the results of one run to a JSON file, and print that it was done.

    The first four are as ``generate_and_eval`` gives them. ``run_id`` and ``metadata`` (JSON data: seed, program,
    model) are kept with them. Raises ``ResultsError``.
    """
    found = Given(str(filename), "")
    run = Run(
        found.points(list(test_points)), found.of_types(succ_total), found.of_steps(list(succ_total_per_step.items())),
        run_id, dict(metadata or {}),
    )  # fmt: skip
    write_results(filename, [run])
    print(f"Data saved to {filename}")


def write_results(path: str | os.PathLike[str], runs: Iterable[Run]) -> None:
    """Write runs to a file; one that is there already is replaced whole or not at all. Raises ``ResultsError``."""
    target = Path(path)
    data = {"format": FORMAT, "version": VERSION, "runs": [run.to_dict() for run in runs]}
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        beside.write_text(json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n", "utf-8", newline="")
        os.replace(beside, target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise ResultsError(f"{target} cannot be written: {error.strerror or error}.") from error
    except (TypeError, ValueError) as error:
        raise ResultsError(f"{target} was not written: the metadata are no JSON data ({error}).") from error


# ---------------------------------------------------------------------- reading


def load_and_merge_results(
    filenames: Iterable[str | os.PathLike[str]],
    *,
    duplicates: Literal["count", "skip", "error"] = "count",
    program: str | None = None,
) -> Merged:
    """The results of several files as one: counts are added up, time points follow each other in the files' order.

    ``duplicates``: a run that was there already (same id; same results where it has none) counts again, is skipped, or
    is an error. ``program``: only runs whose metadata name this program; without it, runs of different programs are an
    error. pickle files of pydialogue are read, too, as far as they hold plain data; nothing in them is run. Raises
    ``ResultsError``, ``NoDialoguesError`` (a ``ZeroDivisionError``) if there are no dialogues in the files.
    """
    if duplicates not in ("count", "skip", "error"):
        raise ResultsError(f'duplicates is "count", "skip" or "error", not {duplicates!r}.')
    points: list[Point] = []
    of_types: dict[str, Counts] = {}
    of_steps: dict[int, Counts] = {}
    for run in _chosen(filenames, duplicates, program):
        points += run.points
        _join(of_types, run.of_types)
        _join(of_steps, run.of_steps)
    number = sum(total for _, total in of_types.values())
    accuracies = percentages(of_types)
    if not number:
        raise NoDialoguesError("the files hold no dialogue of which a share could succeed. Name files with results.")
    accuracy = 100 * sum(success for success, _ in of_types.values()) / number
    return accuracies, accuracy, number, points, of_types, percentages(of_steps), of_steps


def _chosen(filenames: Iterable[str | os.PathLike[str]], duplicates: str, program: str | None) -> list[Run]:
    found: list[Run] = []
    first: dict[str, str] = {}
    for name in filenames:
        for run in read_results(name):
            if program is not None and run.metadata.get("program") != program:
                continue
            if run.identity in first and duplicates == "error":
                raise ResultsError(
                    f"{name} holds a run that {first[run.identity]} holds, too. Leave one of them out, or join with "
                    'duplicates="skip".'
                )
            if run.identity not in first or duplicates == "count":
                found.append(run)
            first.setdefault(run.identity, str(name))
    programs = sorted({str(run.metadata["program"]) for run in found if "program" in run.metadata})
    if len(programs) > 1:
        raise ResultsError(
            f"the files hold results of {', '.join(programs)}. Name one of them: program={programs[0]!r}."
        )
    return found


def _join(table: dict[Any, Counts], more: Mapping[Any, Counts]) -> None:
    for key, (success, total) in more.items():
        before = table.get(key, (0, 0))
        table[key] = (before[0] + success, before[1] + total)


def read_results(path: str | os.PathLike[str]) -> tuple[Run, ...]:
    """The runs in a file of results. Raises ``ResultsError``."""
    try:
        size = os.path.getsize(path)
        if size > MOST_BYTES:
            raise ResultsError(f"{path} has {size:,} bytes; a file of results has at most {MOST_BYTES:,}.")
        data = Path(path).read_bytes()
    except OSError as error:
        raise ResultsError(f"{path} cannot be read: {error.strerror or error}.") from error
    if data.lstrip()[:1] in (b"{", b"[") or data.startswith(b"\xef\xbb\xbf"):
        return _from_json(str(path), data)
    try:
        return (run_from(plain_pickle(data), Given(str(path), "")),)
    except PickleError as error:
        raise ResultsError(f"{path} is no file of results: {error}.") from error


def _from_json(path: str, data: bytes) -> tuple[Run, ...]:
    try:
        tree = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{path} is no valid JSON: {error}.") from None
    if not isinstance(tree, dict) or tree.get("format") != FORMAT:
        raise ResultsError(f'{path} is no file of results: "format": "{FORMAT}" is missing.')
    version = tree.get("version")
    if version != VERSION:
        raise ResultsError(
            f"{path} is a file of results of version {version!r:.20}; this autograph reads version {VERSION}."
        )
    runs = tree.get("runs")
    if not isinstance(runs, list):
        raise ResultsError(f"{path}: runs is a list, not {type(runs).__name__}.")
    return tuple(run_from(run, Given(path, f"runs[{index}].")) for index, run in enumerate(runs))
