"""Does the mutation check find what a suite of tests does not notice, and check what is said of equivalent mutants?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from click.testing import CliRunner

import autograph
from autograph.cli.main import cli
from autograph.tables import read_rows
from autograph.testing.equivalent import equivalents_file, read_equivalents
from autograph.testing.fault import SuiteError
from autograph.testing.mutants import KINDS, mutants_of
from autograph.testing.mutate import Report, Tally, check_mutants, drawn
from autograph.testing.trial import MutationError, Workbench

PROGRAMS = Path(autograph.__file__).parents[1] / "programs"

PROGRAM = """\
name,action,instruction,transitions,boolean_condition
start1,chat_exact,How old are you?,age,
age,python_function,n = int(_last_user_reply),old.*,
old.a,chat_exact,You are of age.,quit,n >= 18
old.b,chat_exact,You are young.,quit,
never,chat_exact,Nobody comes here.,quit,
"""

WEAK = """\
- test: Of age
  turns:
    - expect: {reply: How old are you?}
    - say: "30"
      expect: {reply: You are of age.}
- test: Young
  turns:
    - expect: How old
    - say: "9"
      expect: {node: old.b}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "age.csv"
    path.write_text(PROGRAM, encoding="utf-8")
    path.with_name("age.chat.yaml").write_text(WEAK, encoding="utf-8")
    return path


def checked(program: Path, **options: Any) -> Report:
    return check_mutants({str(program): [str(program.with_name("age.chat.yaml"))]}, **options)


def survivors(report: Report) -> list[tuple[str, str, str]]:
    order = sorted(report.survivors, key=lambda one: one.mutant.order)
    return [(one.mutant.location.cell or "", one.mutant.kind, one.mutant.after) for one in order]


def claim(program: Path, *entries: dict[str, Any]) -> None:
    equivalents_file(str(program)).write_text(json.dumps(list(entries)), encoding="utf-8")


def mutant(program: Path, kind: str, after: str) -> str:
    (found,) = [one.id for one in mutants_of(read_rows(program)) if (one.kind, one.after) == (kind, after)]
    return found


# ---------------------------------------------------------------------- survivors


def test_a_weak_suite_leaves_these(program: Path) -> None:
    report = checked(program)
    assert set(survivors(report)) == {
        ("C5", "change-text", "You are youngx."),
        ("C6", "change-text", "Nobodyx comes here."),
        ("D4", "drop-transition", ""),  # that the conversation ends is not expected anywhere
        ("D4", "redirect-target", "start1"),
        ("D4", "redirect-target", "old.a"),
        ("D5", "drop-transition", ""),
        ("D5", "redirect-target", "old.b"),
        ("D5", "redirect-target", "old.a"),
        ("D6", "drop-transition", ""),
        ("D6", "redirect-target", "never"),
        ("D6", "redirect-target", "age"),
        ("E4", "shift-comparison", "n > 18"),
        ("E4", "shift-number", "n >= 17"),
        ("E4", "shift-number", "n >= 19"),
    }
    tally = report.tally()
    assert tally.mutants == len(mutants_of(read_rows(program))) == report.possible
    assert tally.killed + tally.survived == tally.mutants


def test_boundaries_kill_them(program: Path) -> None:
    tests = program.with_name("age.chat.yaml")
    more = "".join(
        f'- test: Of {n}\n  turns: [{{expect: {{node: start1}}}}, {{say: "{n}", expect: {{reply: {reply}}}}}]\n'
        for n, reply in ((18, "You are of age."), (17, "You are young."))
    )
    tests.write_text(WEAK + more, encoding="utf-8")
    report = checked(program)
    assert report.tally(kind="shift-number").survived == report.tally(kind="shift-comparison").survived == 0
    killed = next(one for one in report.outcomes if one.mutant.after == "n > 18")
    assert (killed.test, killed.verdict) == ("Of 18", "killed")
    assert "You are young." in killed.why


def test_a_loop_without_end_counts_as_killed(tmp_path: Path) -> None:
    program = tmp_path / "age.csv"
    program.write_text(
        "name,action,instruction,transitions,boolean_condition\nstart1,python_function,i = 0,more.*,\n"
        "more.a,python_function,i = i + 1,more.*,i < 3\nmore.b,chat_exact,Done.,quit,\n",
        encoding="utf-8",
    )
    program.with_name("age.chat.yaml").write_text("- test: Ends\n  turns: [{expect: Done.}]\n", encoding="utf-8")
    report = checked(program)
    loops = [one for one in report.outcomes if one.mutant.kind == "swap-operator"]
    assert [one.verdict for one in loops] == ["killed"]
    assert "max_steps" in loops[0].why or "steps" in loops[0].why


def test_a_mutant_that_does_not_load_is_passed_over(tmp_path: Path) -> None:
    program = tmp_path / "age.csv"
    program.write_text(
        "name,action,instruction,transitions\nstart1,function,x = f(1),say\n"
        'say,chat_exact,$x,quit\n"f(a, b=2)",transition,,return a + b\n',
        encoding="utf-8",
    )
    program.with_name("age.chat.yaml").write_text("- test: Adds\n  turns: [{expect: {reply: '3'}}]\n", encoding="utf-8")
    report = checked(program)
    assert 0 < report.tally().mutants <= report.possible
    assert all(one.verdict in ("killed", "survived") for one in report.outcomes)


def test_tests_must_pass_first(program: Path) -> None:
    tests = program.with_name("age.chat.yaml")
    tests.write_text(WEAK.replace("You are of age.", "You are old."), encoding="utf-8")
    with pytest.raises(MutationError, match=r'line 1: the test "Of age" fails without any change') as caught:
        checked(program)
    assert "Make it pass before" in str(caught.value)


def test_tests_that_stay_away_are_left_out(program: Path) -> None:
    bench = Workbench([str(program.with_name("age.chat.yaml"))])
    assert [sorted(footprint.nodes) for footprint in bench.footprints] == [["age", "old.a", "old.b", "start1"]] * 2
    never = next(one for one in bench.mutants.values() if one.node == "never")
    assert bench.trial(never).verdict == "survived"


# ---------------------------------------------------------------------- drawing


def test_the_draw_is_stratified_and_depends_on_the_seed_only() -> None:
    mutants = {name: mutants_of(read_rows(PROGRAMS / name)) for name in ("sort.csv", "recruiter.csv")}
    first = drawn(mutants, 7)
    again = drawn({name: list(reversed(mutants[name])) for name in reversed(mutants)}, 7)
    assert [one.id for _, one in first] == [one.id for _, one in again]
    moved = drawn({f"elsewhere/{name}": found for name, found in mutants.items()}, 7)
    assert [one.id for _, one in first] == [one.id for _, one in moved]
    assert [one.id for _, one in first] != [one.id for _, one in drawn(mutants, 8)]
    assert len(first) == sum(map(len, mutants.values()))
    strata = {(program, one.kind) for program, one in first}
    assert {(program, one.kind) for program, one in first[: len(strata)]} == strata


def test_processes_come_to_the_same_result(program: Path) -> None:
    alone = checked(program, number=12, seed=3)
    together = checked(program, number=12, seed=3, jobs=2)
    assert alone == together
    assert alone.tally().mutants == 12


CREW = """\
import multiprocessing, os, signal, sys
from autograph.testing.mutate import check_mutants

def stop(done, total):
    print(*[child.pid for child in multiprocessing.active_children()], flush=True)
    end()

if __name__ == "__main__":
    end = {
        "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
        "interrupted": lambda: os.killpg(0, signal.SIGINT),
    }[sys.argv[2]]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    check_mutants({sys.argv[1]: [sys.argv[1].replace(".csv", ".chat.yaml")]}, jobs=2, progress=stop)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals to a group of processes")
@pytest.mark.parametrize("end", ["killed", "interrupted"])
def test_no_process_outlives_the_check(program: Path, tmp_path: Path, end: str) -> None:
    script = tmp_path / "crew.py"
    script.write_text(CREW, encoding="utf-8")
    command = [sys.executable, str(script), str(program), end]
    ended = subprocess.run(command, capture_output=True, text=True, start_new_session=True, timeout=60, check=False)
    crew = [int(pid) for pid in ended.stdout.split()]
    assert len(crew) == 2
    deadline = monotonic() + 30
    while any(map(alive, crew)) and monotonic() < deadline:
        sleep(0.05)
    assert not any(map(alive, crew))
    if end == "interrupted":  # one traceback, that of the process which was asked to stop
        assert ended.stderr.count("Traceback") == 1
        assert ended.stderr.rstrip().endswith("KeyboardInterrupt")


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended and that nobody asked after does not."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(found.strip()) and not found.strip().startswith("Z")


def test_progress_is_told(program: Path) -> None:
    told: list[tuple[int, int]] = []
    checked(program, number=3, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_the_rate_leaves_equivalent_ones_out() -> None:
    rate = Tally(10, 8, 0, 2).rate
    assert (rate.value, rate.high) == (1.0, 1.0)
    assert rate.low == pytest.approx(0.6756, abs=1e-3)


# ---------------------------------------------------------------------- equivalent mutants


def test_an_equivalent_mutant_is_no_survivor(program: Path) -> None:
    number = mutant(program, "shift-comparison", "n > 18")
    entry = {"mutant": number, "what": "> for >=", "why": "Nobody is 18.",
             "input": {"turns": [{"expect": None}, {"say": "19"}]}}  # fmt: skip
    claim(program, entry)
    report = checked(program)
    assert report.tally(kind="shift-comparison") == Tally(1, 0, 0, 1)
    assert report.remarks == ()
    assert next(one.why for one in report.outcomes if one.mutant.id == number) == "Nobody is 18."


def test_the_input_of_a_claim_is_run(program: Path) -> None:
    number = mutant(program, "shift-comparison", "n > 18")
    given = {"turns": [{"expect": None}, {"say": "18"}]}
    claim(program, {"mutant": number, "what": "> for >=", "why": "None.", "input": given})
    report = checked(program)
    (remark,) = report.remarks
    assert remark.message == (
        f"{number} (> for >=): its input tells them apart: turn 2: the reply is 'You are of age.' in the program and "
        "'You are young.' in the mutant."
    )
    assert report.tally(kind="shift-comparison") == Tally(1, 0, 1, 0)


def test_claims_that_are_wrong_or_stale_are_reported(program: Path) -> None:
    killed = mutant(program, "drop-condition", "")
    given = {"turns": [{"expect": None}]}
    claim(program, {"mutant": killed, "what": "no condition", "why": "None.", "input": given},
          {"mutant": "0123456789", "what": "something old", "why": "None.", "input": given})  # fmt: skip
    report = checked(program)
    assert [str(remark).partition(": ")[2] for remark in report.remarks] == [
        "0123456789 (something old): the program has no such mutant (any more). Delete the entry.",
        f'{killed} (no condition): it is not equivalent: the test "Young" fails with it. Delete the entry.',
    ]
    assert all("age.mutants.yaml, line 1" in remark.where for remark in report.remarks)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1", "the file must be a list"),
        ("- mutant: x", "an entry needs `what`"),
        ("- {mutant: x, what: w, why: y, input: 3}", "`input` must be a mapping"),
        ("- {mutant: x, what: w, why: y, input: {say: hello}}", '"say" is no key of a test'),
        ("- {mutant: x, what: w, why: y, inputs: {}}", 'Did you mean "input"?'),
        ("- &a {mutant: x, what: w, why: y, input: {turns: [{say: a}]}}\n- *a", "is there twice"),
    ],
)
def test_files_of_equivalents_are_checked(program: Path, text: str, message: str) -> None:
    equivalents_file(str(program)).write_text(text, encoding="utf-8")
    with pytest.raises(SuiteError) as caught:
        read_equivalents(str(program))
    assert message in str(caught.value)


def test_a_sheet_of_a_workbook_shares_the_file_of_its_workbook(tmp_path: Path) -> None:
    (tmp_path / "p.xlsx").touch()
    assert equivalents_file(f"{tmp_path}/p.xlsx#main") == tmp_path / "p.mutants.yaml"
    assert read_equivalents(f"{tmp_path}/p.xlsx#main").entries == {}


# ---------------------------------------------------------------------- the command


def run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["test", *args], standalone_mode=False)
    code = result.return_value if result.exception is None else result.exception
    return (code, result.output) if isinstance(code, int) else (-1, str(code))


def test_the_command_shows_survivors_with_their_cells(program: Path) -> None:
    code, text = run(str(program), "--mutate", "all", "--jobs", "1")
    assert code == 1
    assert f'{program}, row 4, column "boolean_condition" (E4), node old.a: < for <=' in text
    assert "    - n >= 18\n    + n > 18\n" in text
    assert "and 90 % are asked for." in text
    code, text = run(str(program), "--mutate", "all", "--jobs", "1", "--kill-under", "10")
    assert code == 0
    assert " killed, " in text.splitlines()[-1]


def test_the_command_as_json(program: Path) -> None:
    code, text = run(str(program), "--mutate", "5", "--jobs", "1", "--mutate-seed", "4", "--json")
    data = json.loads(text)
    assert (data["seed"], data["mutants"], len(data["outcomes"])) == (4, 5, 5)
    assert data["killed"] + data["survived"] == 5
    assert set(data["kinds"]) <= set(KINDS)
    assert set(data["outcomes"][0]) == {
        "program", "id", "kind", "node", "field", "where", "before", "after", "verdict", "test", "why",
    }  # fmt: skip
    assert code == (1 if data["too_little"] else 0)


def test_too_many_equivalents_are_refused(program: Path) -> None:
    found = [one for one in mutants_of(read_rows(program)) if one.node == "never"]
    given = {"turns": [{"expect": None}]}
    claim(program, *({"mutant": one.id, "what": "unseen", "why": "Nobody comes.", "input": given} for one in found))
    code, text = run(str(program), "--mutate", "all", "--jobs", "1", "--kill-under", "0")
    assert code == 1
    assert "are called equivalent; 10 % may be." in text


def test_wrong_uses_of_the_command(program: Path) -> None:
    assert "takes a number of mutants, or all" in run(str(program), "--mutate", "0")[1]
    assert "takes a number of mutants, or all" in run("--mutate", str(program))[1]
    assert "without -k" in run(str(program), "-k", "age", "--mutate")[1]
    program.with_name("age.chat.yaml").write_text(WEAK.replace("of age", "old"), encoding="utf-8")
    code, text = run(str(program), "--mutate", "3", "--jobs", "1")
    assert code == 1
    assert "fails without any change of the program" in text


# ---------------------------------------------------------------------- the shipped programs


@pytest.mark.parametrize("seed", [1, 2])
def test_shipped_programs_are_tested_well(seed: int) -> None:
    names = ("sort.csv", "recruiter.csv", "clinic.yaml", "tutor.csv")
    tests = {str(PROGRAMS / name): [str(PROGRAMS / f"{Path(name).stem}.chat.yaml")] for name in names}
    report = check_mutants({p: files for p, files in tests.items() if Path(files[0]).exists()}, number=80, seed=seed)
    tally = report.tally()
    assert 10 * tally.killed >= 9 * (tally.mutants - tally.equivalent), [one.mutant for one in report.survivors]
    assert not report.too_many_equivalent
    assert not report.remarks
