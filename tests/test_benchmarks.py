"""Do the benchmarks run? Their quick mode and their report; no test here looks at a time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import autograph

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
MODULES = ("measure", "report", "contestants", "contestants.bare")

pytestmark = pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the benchmarks are only in the repository")


@pytest.fixture(scope="module")
def quick() -> subprocess.CompletedProcess[str]:
    """The quick mode, run once."""
    command = [sys.executable, "-X", "utf8", str(BENCHMARKS / "interpreter.py"), "--quick"]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=300)


@pytest.fixture
def part(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Imports a module of the benchmarks; afterwards it is gone again."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield import_module
    for name in MODULES:
        sys.modules.pop(name, None)


def test_quick_mode_prints_its_tables(quick: subprocess.CompletedProcess[str]) -> None:
    assert quick.returncode == 0, quick.stderr
    for title in (
        "Counter of two nodes with a condition",
        "A turn with a fixed reply",
        "Merge sort of 64 numbers",
        "Recursion 18 deep, local calls",
        "Recursion 18 deep, normal calls",
        "Long conversations: chat_exact turns",
        "Long conversations: model turns",
        "Bars",
    ):
        assert title in quick.stdout


@pytest.mark.parametrize("contestant", ["bare loop", "autograph", "transitions", "Burr", "LangGraph"])
def test_every_contestant_has_a_line(quick: subprocess.CompletedProcess[str], contestant: str) -> None:
    tables, _, _ = quick.stdout.partition("\nBars\n")
    lines = [line for line in tables.splitlines() if line.startswith(f"  {contestant} ")]
    assert lines
    assert all("not installed" in line or line.split()[-1].replace(",", "")[0].isdigit() for line in lines)


def test_every_bar_has_a_state(quick: subprocess.CompletedProcess[str]) -> None:
    _, _, bars = quick.stdout.partition("\nBars\n")
    states = [line.split()[-1] for line in bars.splitlines()[1:]]
    assert len(states) >= 11
    assert set(states) <= {"holds", "FAILS"}


@pytest.mark.parametrize(
    ("sheet", "entry", "values", "value", "steps"),
    [
        ("counter.csv", "count", [3], 3, 7),
        ("down_local.csv", "down", [2], 2, 8),
        ("down_normal.csv", "down", [2], 2, 8),
        ("merge_sort.csv", "merge_sort", [[3, 1, 2, 1]], [1, 1, 2, 3], 43),
    ],
)
def test_bare_loop_runs_the_sheets(
    part: Callable[[str], Any], sheet: str, entry: str, values: list[Any], value: object, steps: int
) -> None:
    loop = part("contestants.bare").BareLoop(BENCHMARKS / "data" / sheet, entry)
    assert loop.run(values) == value
    assert loop.steps == steps


def test_bare_loop_enters_the_nodes_that_autograph_enters(part: Callable[[str], Any], tmp_path: Path) -> None:
    sheet = tmp_path / "nested.csv"
    sheet.write_text(
        "name,action,instruction,transitions,boolean_condition\n"
        'f(n),local_function,"x = add(add(n, 1), add(n, 2))",kind.*,\n'
        "kind.a,transition,,return x,x > 9\n"
        'kind.b,python_function,"x += 1\ny = x * 2",return,\n'
        '"add(a, b)",transition,,return a + b,\n',
        encoding="utf-8",
    )
    loop = part("contestants.bare").BareLoop(sheet, "f")
    bot = autograph.load(sheet)
    for n, value in ((1, 12), (4, 11)):
        assert loop.run([n]) == value
        found, memory = bot.apply_fn("f()", [n], return_memory=True)
        assert (found, len(memory.trajectory)) == (value, loop.steps)


def test_bare_loop_refuses_what_it_cannot_do(part: Callable[[str], Any]) -> None:
    with pytest.raises(NotImplementedError, match="chat_exact"):
        part("contestants.bare").BareLoop(BENCHMARKS / "data" / "turns.csv", "start1")


def test_compare_checks_results_and_takes_turns(part: Callable[[str], Any]) -> None:
    measure = part("measure")
    order: list[str] = []

    def work(name: str) -> Any:
        return measure.Work(name, 1, lambda: order.append(name), None)

    timings = measure.compare([work("a"), work("b")], rounds=2, seconds=0.0)
    assert list(timings) == ["a", "b"]
    assert order == ["a", "a", "b", "b", "a", "b", "b", "a"]
    with pytest.raises(RuntimeError, match="wrong returned 1 instead of 2"):
        measure.compare([measure.Work("wrong", 1, lambda: 1, 2)], rounds=1, seconds=0.0)


def test_report_in_its_three_forms(part: Callable[[str], Any]) -> None:
    report, timing = part("report"), part("measure").Timing
    timings = {"autograph": timing("autograph", 1e-6, 2e-6), "slow": timing("slow", 2.5e-3, 3e-3)}
    table = report.Table("Race", "µs a step", timings, ("autograph",), ("absent",))
    bars = [report.Bar("near", 9.5, 10, "×"), report.Bar("far", 0.5, 1, "×", at_least=True)]
    bars.append(report.Bar("late", 2.0, 1, "s", ratio=False))
    whole = report.Report({"date": "today"}, [table], bars)
    assert report.text(whole).splitlines()[2:7] == [
        "Race",
        "  contestant  best, µs a step  median  × autograph",
        "  autograph                 1       2            1",
        "  slow                  2,500   3,000        2,500",
        "  absent        not installed       -            -",
    ]
    assert "| far | 0.5 × | ≥ 1 × | ratio | FAILS |" in report.markdown(whole)
    assert [bar["holds"] for bar in report.plain(whole)["bars"]] == [True, False, False]
    assert [bar.name for bar in whole.failed()] == ["far"]


def test_simulated_conversations_are_compared_with_the_ideal() -> None:
    command = [sys.executable, "-X", "utf8", str(BENCHMARKS / "simulation.py"), "--quick", "--json"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    found = [
        {name: result[name] for name in ("user", "conversations", "turns", "waits")}
        for result in json.loads(done.stdout)
    ]
    assert found == [
        {"user": "program", "conversations": 40, "turns": 400, "waits": 10},
        {"user": "sheet", "conversations": 40, "turns": 400, "waits": 19},
    ]
