"""``autograph test``: which tests are run, what is shown, exit codes, coverage and its files."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.conftest import Run

TESTS = """\
- test: Serves tea
  replies: [Would you like some tea?]
  answers: ["yes"]
  turns:
    - expect: {contains: name, node: start1}
    - say: Ada
      expect: {node: ask, vars: {guest: Ada}}
    - say: oh yes
      expect: Here is your tea, Ada.
- test: Takes a no
  replies: [Would you like some tea?]
  answers: ["no"]
  turns:
    - {}
    - say: Bob
    - say: oh no
      expect: {reply: "Goodbye, Bob.", finished: true}
"""
WRONG = TESTS.replace("Goodbye, Bob.", "See you, Bob.")


@pytest.fixture
def tested(cafe: Path) -> Path:
    """The café with its tests, which pass."""
    cafe.with_name("cafe.chat.yaml").write_text(TESTS, "utf-8")
    return cafe


@pytest.fixture
def failing(cafe: Path) -> Path:
    """The café with a test that fails, the second."""
    cafe.with_name("cafe.chat.yaml").write_text(WRONG, "utf-8")
    return cafe


# ---------------------------------------------------------------------- what is run and shown


def test_all_below_the_folder(run: Run, tested: Path) -> None:
    done = run("test")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:2] == ["cafe.chat.yaml  ..", ""]
    assert lines[2].startswith("2 passed in ")
    assert done.stderr == ""


@pytest.mark.parametrize("path", ["cafe.chat.yaml", "cafe.csv", "."])
def test_a_file_of_tests_a_program_and_a_folder(run: Run, tested: Path, path: str) -> None:
    assert run("test", path).stdout.splitlines()[0] == "cafe.chat.yaml  .."


def test_names_one_below_the_other(run: Run, tested: Path) -> None:
    assert run("test", "-v").stdout.splitlines()[:3] == ["cafe.chat.yaml", "  ✓ Serves tea", "  ✓ Takes a no"]


def test_a_failure_says_what_was_expected_what_came_and_the_way(run: Run, failing: Path) -> None:
    done = run("test")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == "cafe.chat.yaml  .F"
    assert lines[2] == "cafe.chat.yaml:10: Takes a no"
    assert any("See you, Bob." in line for line in lines)
    assert any("Goodbye, Bob." in line for line in lines)
    assert any("keep → ask" in line for line in lines)
    assert lines[-1].startswith("1 passed, 1 failed in ")


def test_selected_by_name(run: Run, failing: Path) -> None:
    assert run("test", "-k", "SERVES").stdout.splitlines()[0] == "cafe.chat.yaml  ."
    assert run("test", "-k", "serves", "-k", "takes").stdout.splitlines()[0] == "cafe.chat.yaml  .F"
    assert run("test", "-k", "cafe.chat").stdout.splitlines()[0] == "cafe.chat.yaml  .F"


def test_stops_at_the_first_failure(run: Run, cafe: Path) -> None:
    for name in ("a", "b"):
        tests = f"- test: Wrong {name}\n  turns: [{{expect: no}}]\n- test: Right\n  turns: [{{}}]\n"
        cafe.with_name(f"{name}.chat.yaml").write_text(f"program: cafe.csv\ntests:\n{tests}", "utf-8")
    assert run("test").stdout.splitlines()[:2] == ["a.chat.yaml  F.", "b.chat.yaml  F."]
    assert [line for line in run("test", "-x").stdout.splitlines() if "chat.yaml  " in line] == ["a.chat.yaml  F"]


def test_live_tests_are_skipped(run: Run, cafe: Path) -> None:
    text = "- test: Real\n  live: true\n  turns: [{}]\n"
    cafe.with_name("cafe.chat.yaml").write_text(text, "utf-8")
    done = run("test", "-v")
    assert done.returncode == 0
    assert done.stdout.splitlines()[1] == "  – Real (it asks a real model; run it with --live)"
    assert done.stdout.splitlines()[-1].startswith("1 skipped in ")


def test_json_and_junit(run: Run, failing: Path, tmp_path: Path) -> None:
    done = run("test", "--json", "--junit", "results.xml")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert [(t["test"], t["outcome"]) for t in data["tests"]] == [("Serves tea", "passed"), ("Takes a no", "failed")]
    assert data["tests"][1]["failures"][0]["what"] == "reply"
    assert (data["passed"], data["failed"], data["skipped"]) == (1, 1, 0)
    assert "coverage" not in data
    suite = ElementTree.parse(tmp_path / "results.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")


# ---------------------------------------------------------------------- what is refused


def test_nothing_found(run: Run, cafe: Path) -> None:
    done = run("test")
    assert done.returncode == 2
    assert "there are no conversation tests here. Write NAME.chat.yaml beside the program" in done.stderr
    done = run("test", "cafe.csv")
    assert done.returncode == 2
    assert "there are no tests of this file. Write cafe.chat.yaml beside it." in done.stderr
    done = run("test", "caffe.csv")
    assert done.returncode == 2
    assert 'there is no file or folder caffe.csv. Did you mean "cafe.csv"?' in done.stderr


def test_no_test_of_that_name(run: Run, tested: Path) -> None:
    done = run("test", "-k", "coffee")
    assert done.returncode == 2
    assert (
        'none of the 2 tests here has "coffee" in its name or file. autograph test -v lists the names.' in done.stderr
    )


def test_the_only_test_has_another_name(run: Run, cafe: Path) -> None:
    cafe.with_name("cafe.chat.yaml").write_text("- test: Opens\n  turns: [{}]\n", "utf-8")
    assert 'the test here has not "coffee" in its name or file.' in run("test", "-k", "coffee").stderr


def test_a_file_of_tests_that_is_wrong(run: Run, tested: Path) -> None:
    tested.with_name("cafe.chat.yaml").write_text(TESTS.replace("answers:", "anwsers:", 1), "utf-8")
    done = run("test")
    assert done.returncode == 65
    assert done.stdout == ""
    assert done.stderr.startswith("error: cafe.chat.yaml, line 3: ")
    assert "answers" in done.stderr
    done = run("test", "--json")
    assert done.returncode == 65
    (problem,) = json.loads(done.stdout)["problems"]
    assert (problem["file"], problem["line"]) == ("cafe.chat.yaml", 3)


def test_of_many_mistakes_the_first_are_shown(run: Run, tested: Path) -> None:
    tests = "".join(f"- test: t{number}\n  trun: []\n" for number in range(500))
    tested.with_name("cafe.chat.yaml").write_text(tests, "utf-8")
    lines = run("test").stderr.splitlines()
    assert len(lines) == 31
    assert (
        lines[-1] == f"… and {len(json.loads(run('test', '--json').stdout)['problems']) - 30:,} more; --json gives all."
    )


def test_no_program_beside(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lost.chat.yaml").write_text(TESTS, "utf-8")
    done = run("test")
    assert done.returncode == 65
    assert "lost.chat.yaml: there is no program of this name beside the file" in done.stderr


def test_a_program_that_cannot_be_loaded_fails_its_tests(run: Run, broken: Path) -> None:
    broken.with_name("broken.chat.yaml").write_text("- test: Opens\n  turns: [{}]\n", "utf-8")
    done = run("test", "--coverage")
    assert done.returncode == 1
    assert "nowhere" in done.stdout
    assert "Coverage" not in done.stdout


def test_why_a_program_cannot_be_loaded_is_told_once(run: Run, broken: Path) -> None:
    tests = "".join(f"- test: Opens {number}\n  turns: [{{}}]\n" for number in range(40))
    broken.with_name("broken.chat.yaml").write_text(tests, "utf-8")
    done = run("test")
    assert done.stdout.count("nowhere") == 1
    assert "39 more tests of broken.chat.yaml could not be run for the same reason." in done.stdout
    assert done.stdout.splitlines()[-1].startswith("40 failed in ")


def test_a_file_that_cannot_be_written_takes_no_results_away(run: Run, failing: Path) -> None:
    for option in ("--junit", "--coverage-file"):
        done = run("test", option, "nowhere/results")
        assert done.returncode == 2
        assert "See you, Bob." in done.stdout
        assert done.stdout.splitlines()[-1].startswith("1 passed, 1 failed in ")
        assert "nowhere/results cannot be written: No such file or directory." in done.stderr


def test_what_is_no_percentage(run: Run, tested: Path) -> None:
    done = run("test", "--fail-under", "nods=100")
    assert done.returncode == 2
    assert '--fail-under: "nods=100" is no percentage. ' in done.stderr
    assert done.stdout == ""


# ---------------------------------------------------------------------- coverage


def test_coverage_of_all(run: Run, tested: Path) -> None:
    done = run("test", "--coverage", "--fail-under", "transitions=83")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[2].split() == ["Coverage", "nodes", "transitions", "answers", "conditions"]
    assert " ".join(lines[3].split()) == "cafe.csv 5/5 100 % 5/6 83 % 2/2 100 % none"
    assert lines[5:7] == ["Missing in cafe.csv", '  transition  tea → bye  row 5, column "transitions" (D5)']
    assert "Counts in .autograph-coverage.json" in done.stderr


def test_too_little_is_covered(run: Run, tested: Path) -> None:
    done = run("test", "-k", "serves", "--fail-under", "nodes=80,answers=51")
    assert done.returncode == 1
    assert "too little: cafe.csv: 1 of 2 answers are covered, 50.0 %, and 51 % are asked for." in done.stdout
    assert "of 5 nodes are covered" not in done.stdout
    data = json.loads(run("test", "-k", "serves", "--fail-under", "100", "--json").stdout)
    assert len(data["too_little"]) == 3
    assert data["coverage"][0]["nodes"] == {"covered": 4, "total": 5, "percent": 80.0}
    assert data["coverage"][0]["missing"][0]["cell"] == "D4"


def test_runs_are_merged(run: Run, tested: Path) -> None:
    options = ("--coverage-file", "counts.json", "--json")
    assert json.loads(run("test", "-k", "serves", *options).stdout)["coverage"][0]["answers"]["covered"] == 1
    assert json.loads(run("test", "-k", "takes", *options).stdout)["coverage"][0]["answers"]["covered"] == 1
    both = json.loads(run("test", "-k", "serves", "--append", *options).stdout)["coverage"][0]
    assert both["answers"] == {"covered": 2, "total": 2, "percent": 100.0}
    assert [item["text"] for item in both["missing"]] == ["tea → bye"]


def test_counts_of_a_changed_program_are_left_out(run: Run, tested: Path) -> None:
    run("test", "--coverage")
    tested.write_text(tested.read_text("utf-8").replace("Do they want tea?", "Tea?"), "utf-8")
    done = run("test", "-k", "serves", "--append")
    assert "note: cafe.csv has changed since the earlier counts, which are left out." in done.stderr
    assert " 1/2  50 %" in done.stdout


def test_a_file_that_is_no_coverage_file(run: Run, tested: Path, tmp_path: Path) -> None:
    done = run("test", "--append", "--coverage-file", "cafe.csv")
    assert done.returncode == 2
    assert "cafe.csv is no coverage file" in done.stderr
    assert done.stdout == ""


def test_drawn_on_the_graph(run: Run, tested: Path, tmp_path: Path) -> None:
    run("test", "-k", "serves", "--coverage")
    done = run("graph", "cafe.csv", "--coverage", ".autograph-coverage.json", "-o", "cafe.json")
    assert done.returncode == 0, done.stderr
    view = json.loads((tmp_path / "cafe.json").read_text("utf-8"))
    assert {node["name"]: node["count"] for node in view["nodes"]} == {
        "start1": 1, "keep": 1, "ask": 1, "tea": 1, "bye": 0
    }  # fmt: skip
    assert view["counted"].startswith("4 of 5 nodes entered, 3 of 5 edges taken")
    tested.write_text(tested.read_text("utf-8").replace("Goodbye", "Bye"), "utf-8")
    done = run("graph", "cafe.csv", "--coverage", ".autograph-coverage.json", "-o", "cafe.json")
    assert done.returncode == 2
    assert "has the counts of an earlier cafe.csv. Run autograph test --coverage again." in done.stderr
