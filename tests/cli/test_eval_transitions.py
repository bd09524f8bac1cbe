"""``autograph eval transitions``: the tables on the terminal, JSON, limits, what is generated and kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from autograph.cli.main import cli
from sayings_support import TEA

SAYINGS = """\
node,choice,say
ask,yes,yes please
ask,no,no thanks
ask,no,"I just had one, you know"
green,hours,when do you close?
"""


SHORT = """\
name,action,instruction,transitions,transition_question,transition_choice_a,transition_choice_b,\
user_instruction_transition_a,user_instruction_transition_b
ask,chat_exact,Tea?,"quit,tea",Tea?,no,yes,Say no.,Say yes.
tea,chat_exact,Here it is.,quit,,,,,
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the program ``tea.csv`` and its sayings, without models of the environment."""
    (tmp_path / "tea.csv").write_text(TEA, "utf-8")
    (tmp_path / "tea.sayings.csv").write_text(SAYINGS, "utf-8")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "AUTOGRAPH_MODEL", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def script(*answers: object, replies: tuple[str, ...] = (), name: str = "model.json") -> str:
    Path(name).write_text(json.dumps({"replies": replies, "answers": answers}), "utf-8")
    return f"scripted:{name}"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["eval", "transitions", *arguments])


TABLES = """\
tea.csv · tea.sayings.csv · 4 sayings

                         n  scripted:model.json
  ask                    3  0.67 [0.21, 0.94]
  interjections          1  1.00 [0.21, 1.00]
  all sayings            4  0.75 [0.30, 0.95]
  mean of the questions     0.83
  sure when right           0.70
  sure when wrong           0.40

ask · 0.67 [0.21, 0.94] · 2 of 3
Does $guest want tea?
            A    B
  A  no     1    1
  B  yes    ·    1
  row 4  A → B  0.40  “I just had one, you know”

interjections · 1.00 [0.21, 1.00] · 1 of 1
Which of the following is true?
                                        hours
  hours  The guest asks for the hours.      1
"""


def test_the_tables_on_the_terminal() -> None:
    done = run("tea.csv", "--model", script(1, ["yes", 0.8], 1, ["no", 0.6], 1, ["yes", 0.4], 0))
    assert done.exit_code == 0
    assert done.stdout == TABLES


def test_colours_show_right_and_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    done = run("tea.csv", "--model", script(1, "yes", 1, "no", 1, "yes", 0))
    assert "\x1b[32m  1\x1b[0m  \x1b[31m  1\x1b[0m" in done.stdout
    assert "\x1b" not in run("tea.csv", "--no-color", "--model", script(1, "yes", 1, "no", 1, "yes", 0)).stdout


def test_json_holds_everything() -> None:
    name = script(1, ["yes", 0.8], 1, "no", 1, "hm", 0)
    done = run("tea.csv", "--json", "--model", name)
    data = json.loads(done.stdout)
    assert data["manifest"]["subject"] == "tea.csv"
    assert data["manifest"]["models"] == [name]
    assert len(data["manifest"]["fingerprint"]) == len(data["manifest"]["data"]) == 64
    (model,) = data["models"]
    assert (model["n"], model["right"], model["macro"]) == (4, 3, pytest.approx(5 / 6))
    assert model["accuracy"] == {
        "value": 0.75,
        "low": pytest.approx(0.3006, abs=1e-3),
        "high": pytest.approx(0.9544, abs=1e-3),
    }
    ask, about = model["questions"]
    assert ask["choices"] == [
        {"key": "A", "label": "no", "target": "bye"},
        {"key": "B", "label": "yes", "target": "tea"},
    ]
    assert (ask["rows"], ask["columns"], ask["counts"]) == (["A", "B"], ["A", "B", "unclear"], [[1, 0, 1], [0, 1, 0]])
    assert (about["purpose"], about["counts"]) == ("interjection", [[1, 0]])
    assert model["sayings"][2]["got"] == "unclear"
    assert (model["sayings"][0]["confidence"], model["sayings"][0]["row"]) == (0.8, 2)
    assert data["not_asked"] == []


def test_two_models_side_by_side() -> None:
    one, other = script(1, "yes", 1, "yes", 1, "yes", 1), script(1, "yes", 1, "no", 1, "no", 0, name="b.json")
    done = run("tea.csv", "--model", one, "--model", other)
    assert "all sayings            4  0.25 [0.05, 0.70]    1.00 [0.51, 1.00]" in done.stdout
    assert "scripted:b.json against scripted:model.json: +0.75 [+0.09, +0.95], p = 0.250.\n" in done.stdout
    assert "that does not decide" in " ".join(done.stdout.split())
    assert done.stdout.count("\nask · ") == 2
    data = json.loads(run("tea.csv", "--json", "--model", script(1, "yes", 1, "yes", 1, "yes", 1),
                          "--model", script(1, "yes", 1, "no", 1, "no", 0, name="b.json")).stdout)  # fmt: skip
    (comparison,) = data["comparisons"]
    assert (comparison["both"], comparison["only_first"], comparison["only_other"], comparison["neither"]) == (
        1,
        0,
        3,
        0,
    )


@pytest.mark.parametrize(
    ("options", "code", "line"),
    [
        (
            ["--fail-under", "0.75"],
            0,
            "0.75 [0.30, 0.95] is not below 0.75; not decided, since the interval holds the limit.",
        ),
        (
            ["--fail-under", "0.9"],
            1,
            "0.75 [0.30, 0.95] is below 0.9; not decided, since the interval holds the limit (16",
        ),
        (["--fail-under", "0.9", "--sure"], 0, "0.75 [0.30, 0.95] is below 0.9; not decided"),
        (["--fail-under", "0.97", "--sure"], 1, "0.75 [0.30, 0.95] is below 0.97.\n"),
    ],
)
def test_a_limit_and_whether_it_is_decided(options: list[str], code: int, line: str) -> None:
    done = run("tea.csv", *options, "--model", script(1, "yes", 1, "no", 1, "yes", 0))
    assert done.exit_code == code
    assert line in done.stdout.replace("\n", " ").replace(" \n", " ") or line in done.stdout


def test_what_could_not_be_asked_is_told_and_is_no_pass() -> None:
    Path("tea.sayings.csv").write_text("node,choice,say\nblack,none,thanks\nask,yes,yes\n", "utf-8")
    done = run("tea.csv", "--fail-under", "0.5", "--model", script(1, "yes"))
    assert done.exit_code == 1
    assert 'Not asked: 1\n  black (row 2): the variable "who" is not defined.' in done.stdout
    assert "Something could not be asked, so this is no pass." in done.stdout
    assert run("tea.csv", "--model", script(1, "yes")).exit_code == 0


def test_faults_of_the_table_have_their_cells() -> None:
    Path("tea.sayings.csv").write_text("node,choice,say\nask,yess,ok\naks,yes,ok\n", "utf-8")
    done = run("tea.csv", "--model", "offline")
    assert (done.exit_code, done.stdout) == (65, "")
    assert done.stderr.splitlines() == [
        'error: tea.sayings.csv, row 2, column "choice" (B2): the node "ask" has no choice "yess". Did you mean "yes"?',
        'error: tea.sayings.csv, row 3, column "node" (A3): there is no node "aks". Did you mean "ask"?',
    ]
    data = json.loads(run("tea.csv", "--model", "offline", "--json").stdout)
    assert [(fault["cell"], fault["row"]) for fault in data["faults"]] == [("B2", 2), ("A3", 3)]


def test_only_some_nodes() -> None:
    done = run("tea.csv", "--only", "green", "--json", "--model", script(0))
    assert json.loads(done.stdout)["models"][0]["n"] == 1
    done = run("tea.csv", "--only", "grene", "--model", "offline")
    assert (done.exit_code, 'there is no node "grene"' in done.stderr) == (2, True)


def test_results_are_written_to_files() -> None:
    done = run("tea.csv", "--model", "offline", "--out", "r.json", "--html", "r.html")
    assert done.exit_code == 0
    assert json.loads(Path("r.json").read_text("utf-8"))["models"][0]["model"] == "offline"
    assert "<h3>ask · " in Path("r.html").read_text("utf-8")
    assert "Wrote r.json.\nWrote r.html.\n" in done.stderr


def test_a_labelled_set_needs_no_program() -> None:
    item = {"id": 1, "kind": "yesno", "turns": [{"role": "user", "content": "ok"}], "question": "Tea?",
            "choices": ["Yes", "No"], "answer": 0}  # fmt: skip
    Path("q.jsonl").write_text(f"{json.dumps(item)}\n{json.dumps({**item, 'answer': 1})}\n", "utf-8")
    done = run("q.jsonl", "--model", script("Yes", "Yes"))
    assert done.exit_code == 0
    assert done.stdout.startswith("q.jsonl · 2 questions\n")
    assert "  line 2  B → A  “ok”" in done.stdout.replace("    ", "  ")
    assert run("q.jsonl", "--generate", "2").exit_code == 2


def test_sayings_are_generated_kept_and_completed() -> None:
    Path("tea.sayings.csv").unlink()
    Path("tea.csv").write_text(SHORT, "utf-8")
    done = run("tea.csv", "--generate", "1", "--write", "--user-model", script(replies=("Nope", "Yes please")))
    assert (done.exit_code, done.stdout) == (
        0,
        "Wrote 2 sayings to tea.sayings.csv. Read them, and change what nobody says.\n",
    )
    kept = "node,choice,say,before,variables,note\nask,no,Nope,,,generated\nask,yes,Yes please,,,generated\n"
    assert Path("tea.sayings.csv").read_text("utf-8") == kept
    done = run("tea.csv", "--generate", "2", "--write", "--user-model", script(replies=("Nope.", "Never", "Sure")))
    assert done.exit_code == 0
    assert Path("tea.sayings.csv").read_text("utf-8") == f"{kept}ask,no,Never,,,generated\nask,yes,Sure,,,generated\n"
    done = run("tea.csv", "--generate", "1", "--write", "--force", "--user-model", script(replies=("A", "B")))
    assert Path("tea.sayings.csv").read_text("utf-8").count("\n") == 3
    done = run("tea.csv", "--generate", "2", "--user-model", script(replies=("C", "D")), "--model", "offline", "--json")
    assert [s["say"] for s in json.loads(done.stdout)["models"][0]["sayings"]] == ["A", "B", "C", "D"]
    assert Path("tea.sayings.csv").read_text("utf-8").count("\n") == 3


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["tea.csv", "--write"], 2, "--write goes with --generate K."),
        (["tea.csv", "--force"], 2, "--force goes with --write"),
        (["tea.csv", "--sure"], 2, "--sure goes with --fail-under"),
        (["tea.csv", "--model", "oflfine"], 2, "is no model for the classifier"),
        (["none.csv", "--model", "offline"], 65, "the file cannot be read"),
        (["tea.csv", "--sayings", "none.csv"], 65, "none.csv: the file cannot be read"),
        (["tea.csv", "--model", "scripted:empty.json"], 69, "The script of the model has run out of answers"),
    ],
)
def test_exit_codes(arguments: list[str], code: int, message: str) -> None:
    Path("empty.json").write_text('{"answers": []}', "utf-8")
    done = run(*arguments)
    assert (done.exit_code, message in " ".join(done.stderr.split())) == (code, True), done.output


def test_a_program_without_sayings() -> None:
    Path("tea.sayings.csv").unlink()
    done = run("tea.csv", "--model", "offline")
    assert done.exit_code == 2
    assert "there are no sayings for tea.csv: write them to tea.sayings.csv (node, choice, say)" in done.stderr


def test_the_group_knows_its_commands() -> None:
    done = CliRunner().invoke(cli, ["eval", "--help"])
    assert (done.exit_code, "transitions" in done.stdout) == (0, True)
    done = CliRunner().invoke(cli, ["eval", "transition"])
    assert (done.exit_code, 'there is no evaluation "transition". Did you mean "transitions"?' in done.stderr) == (
        2,
        True,
    )
