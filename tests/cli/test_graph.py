"""``autograph graph``: where it writes, what it says, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Run


def test_the_page_stands_beside_the_program(run: Run, cafe: Path) -> None:
    done = run("graph", "cafe.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Wrote cafe.html: 5 nodes, 5 edges.\n"
    assert (cafe.parent / "cafe.html").read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("name", "start"), [("a.svg", "<svg "), ("a.dot", "digraph "), ("a.mmd", "%% made by"), ("a.json", "{")]
)
def test_the_ending_says_the_format(name: str, start: str, run: Run, cafe: Path) -> None:
    assert run("graph", "cafe.csv", "-o", name).returncode == 0
    assert (cafe.parent / name).read_text("utf-8").startswith(start)


def test_stdout(run: Run, cafe: Path) -> None:
    done = run("graph", "cafe.csv", "--format", "mermaid", "-o", "-")
    assert done.stdout.startswith("%% made by autograph graph\nflowchart TD\n")
    assert "Wrote" not in done.stdout + done.stderr
    assert run("graph", "cafe.csv", "-o", "-").stdout.startswith("<!doctype html>")


def test_json_says_what_was_written(run: Run, cafe: Path) -> None:
    assert json.loads(run("graph", "cafe.csv", "--json").stdout) == {
        "file": "cafe.html", "format": "html", "nodes": 5, "edges": 5, "functions": 0, "notes": [],
    }  # fmt: skip


def test_parts(run: Run, calls: Path) -> None:
    def nodes(*options: str) -> list[str]:
        done = run("graph", "calls.csv", "--format", "json", "-o", "-", *options)
        return [node["name"] for node in json.loads(done.stdout)["nodes"]]

    assert nodes() == ["start1", "order()", "back", "done"]
    assert nodes("--function", "order") == ["order()", "back"]
    assert nodes("--focus", "done", "--depth", "1") == ["start1", "done"]


def test_comparison_and_counts(run: Run, cafe: Path) -> None:
    (cafe.parent / "old.csv").write_text(cafe.read_text("utf-8").replace("Goodbye", "Bye"), "utf-8")
    (cafe.parent / "counts.json").write_text('{"nodes": {"bye": 2, "gone": 1}}', "utf-8")
    done = run("graph", "cafe.csv", "--diff", "old.csv", "--visits", "counts.json", "--format", "json", "-o", "-")
    bye = json.loads(done.stdout)["nodes"][4]
    assert (bye["change"], bye["count"]) == ("changed", 2)
    assert done.stderr == (
        "note: 1 of 5 nodes entered, 0 of 5 edges taken; counts of 1 unknown nodes left out (gone)\n"
    )


def test_a_program_with_errors(run: Run, broken: Path) -> None:
    done = run("graph", "broken.csv")
    assert done.returncode == 65
    assert "AG103" in done.stderr
    assert "With --draft what there is of the program is drawn" in done.stderr
    assert not (broken.parent / "broken.html").exists()
    listed = json.loads(run("graph", "broken.csv", "--json").stdout)
    assert [problem["code"] for problem in listed["problems"]] == ["AG103", "AG104", "AG102"]
    done = run("graph", "broken.csv", "--draft")
    assert done.returncode == 0
    assert done.stderr == "note: 3 problems marked in the drawing\n"
    page = (broken.parent / "broken.html").read_text("utf-8")
    assert "AG104" in page
    assert "nowhere" in page


def test_no_draft_is_offered_of_what_cannot_be_read(run: Run, cafe: Path) -> None:
    (cafe.parent / "slip.csv").write_text(cafe.read_text("utf-8").replace("transitions", "transitons", 1), "utf-8")
    for arguments in (("none.csv",), ("slip.csv",), ("cafe.csv", "--diff", "none.csv")):
        done = run("graph", *arguments)
        assert done.returncode == 65
        assert "--draft" not in done.stderr


def test_a_python_program(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("nodes = [{'name': 'a', 'action': 'chat_exact', 'instruction': '$(x'}]", "utf-8")
    assert run("graph", "p.py", "--draft").stdout.startswith("Wrote p.html")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--focus", "tee"], 'There is no node "tee". Did you mean "tea"?'),
        (["--function", "f"], 'There is no function "f()". There is no function at all.'),
        (["-o", "a.gif"], "a.gif must end in .html"),
        (["-o", "none/a.html"], "none/a.html cannot be written: No such file or directory."),
        (["--visits", "none.json"], "none.json cannot be read"),
        (["--coverage", "cafe.csv"], "cafe.csv has not the form"),
    ],
)
def test_wrong_usage(options: list[str], message: str, run: Run, cafe: Path) -> None:
    done = run("graph", "cafe.csv", *options)
    assert done.returncode == 2
    assert message in done.stderr


def test_pdf_without_dot_names_the_remedy(run: Run, cafe: Path) -> None:
    done = run("graph", "cafe.csv", "--format", "pdf", "--engine", "graphviz-pure")
    assert done.returncode == 70
    assert "Remedy: install Graphviz" in " ".join(done.stderr.split())


def test_a_program_is_not_overwritten(run: Run, cafe: Path) -> None:
    (cafe.parent / "p.json").write_text('[{"name": "a", "action": "chat", "instruction": "x"}]', "utf-8")
    done = run("graph", "p.json", "--format", "json")
    assert done.returncode == 2
    assert "p.json is the program itself" in done.stderr
