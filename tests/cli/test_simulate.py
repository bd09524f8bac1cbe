"""``autograph simulate``: what is printed, saved and refused."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from autograph.cli import main
from autograph.cli.budget import read_budget
from autograph.cli.progress import ProgressLine, progress_text
from autograph.simulation.folder import read_run
from cli.conftest import Run

SHOP = """\
name,action,instruction,transitions,transition_question,transition_choice_a,transition_choice_b,transition_probs,\
user_instruction_transition_a,user_instruction_transition_b
start1,chat_exact,Tea?,"tea, bye",Do they want tea?,yes,no,"0.5, 0.5",Say yes.,Say no.
tea,python_function,cups = 1,bye,,,,,,
bye,chat_exact,Goodbye.,quit,,,,,,
"""

PEOPLE = """\
- {name: Ada, goal: tea, opening: "yes", success: "True"}
- {name: Bo, goal: nothing, success: "False"}
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.csv"
    path.write_text(SHOP, "utf-8")
    return path


def data_of(done: Any) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def test_the_figures_are_on_stdout_and_the_folder_on_stderr(run: Run, shop: Path, tmp_path: Path) -> None:
    done = run("simulate", "shop.csv", "--n", "20", "--model", "offline", "--seed", "4", SOURCE_DATE_EPOCH="1893456000")
    assert done.returncode == 0, done.stderr
    assert "shop · 20 conversations" in done.stdout
    assert "20 of 20" in done.stdout
    folder = Path("simulations") / "shop-2030-01-01-4"
    assert done.stderr == f"Conversations are saved in {folder}.\n"
    saved = read_run(tmp_path / folder)
    assert [talk.index for talk in saved.conversations] == list(range(20))
    assert {talk.outcome for talk in saved.conversations} == {"finished"}
    assert {len(talk.turns) for talk in saved.conversations} == {2}
    assert saved.manifest.models["chatbot"] == "offline rules (no language model)"
    assert (saved.manifest.seed, saved.manifest.n, saved.manifest.user) == (4, 20, "sheet")


def test_a_second_run_has_a_folder_of_its_own(run: Run, shop: Path, tmp_path: Path) -> None:
    for _ in range(2):
        run("simulate", "shop.csv", "--n", "2", "--model", "offline", SOURCE_DATE_EPOCH="1893456000")
    folders = sorted(path.name for path in (tmp_path / "simulations").iterdir())
    assert folders == ["shop-2030-01-01-0", "shop-2030-01-01-0-2"]


@pytest.mark.parametrize("concurrency", ["1", "50"])
def test_the_same_seed_gives_the_same_records(run: Run, shop: Path, tmp_path: Path, concurrency: str) -> None:
    run("simulate", "shop.csv", "--n", "30", "--model", "offline", "--out", "a", "--quiet")
    run(
        "simulate", "shop.csv", "--n", "30", "--model", "offline", "--out", "b", "--concurrency", concurrency, "--quiet"
    )
    lines = [sorted((tmp_path / name / "conversations.jsonl").read_text("utf-8").splitlines()) for name in "ab"]
    assert lines[0] == lines[1]
    assert len(lines[0]) == 30


def test_json_has_everything(run: Run, shop: Path) -> None:
    done = run("simulate", "shop.csv", "--n", "40", "--model", "offline", "--json", "--out", "x", "--success",
               "cups == 1", "--fail-if", "failed > 0.5", "--repeat", "2")  # fmt: skip
    data = data_of(done)
    assert set(data) == {"folder", "complete", "manifest", "summary", "comparison", "fail_if"}
    assert (data["folder"], data["complete"], data["comparison"]) == ("x", True, None)
    assert (data["summary"]["n"], data["summary"]["cases"]) == (80, 40)
    assert data["fail_if"]["fails"] is False
    assert data["manifest"]["success"] == "cups == 1"


def test_fail_if_decides_the_exit_code(run: Run, shop: Path) -> None:
    done = run("simulate", "shop.csv", "--n", "40", "--model", "offline", "--fail-if", "success > 0.5", "--quiet")
    assert done.returncode == 1
    assert done.stderr.startswith("Failed, since success > 0.5.")


def test_two_versions_meet_the_same_users(run: Run, shop: Path, tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text(SHOP.replace("cups = 1", "cups = 0"), "utf-8")
    more = ["--n", "30", "--model", "offline", "--out", "x", "--success", "turns == 2 and cups == 1", "--compare"]
    data = data_of(run("simulate", "shop.csv", *more, "old.csv", "--json"))
    assert data["comparison"]["names"] == ["old.csv", "shop.csv"]
    new, old = read_run(tmp_path / "x"), read_run(tmp_path / "x" / "other")
    assert [talk.seed for talk in new.conversations] == [talk.seed for talk in old.conversations]
    assert [talk.turns[0].reply for talk in old.conversations] == ["Tea?"] * 30
    assert new.manifest.fingerprint != old.manifest.fingerprint
    assert sum(talk.success is True for talk in new.conversations) > 5
    assert sum(talk.success is True for talk in old.conversations) == 0


def test_personas_come_by_their_weights(run: Run, shop: Path, tmp_path: Path) -> None:
    (tmp_path / "people.yaml").write_text(PEOPLE, "utf-8")
    (tmp_path / "user.yaml").write_text("replies: ['no', 'no', 'no', 'no']\n", "utf-8")
    done = run("simulate", "shop.csv", "--n", "4", "--model", "offline", "--personas", "people.yaml", "--user-model",
               "scripted:user.yaml", "--out", "x")  # fmt: skip
    assert done.returncode == 0, done.stderr
    saved = read_run(tmp_path / "x")
    assert [(talk.persona, talk.success, talk.turns[0].user) for talk in saved.conversations] == [
        ("Ada", True, "yes"), ("Bo", False, ""), ("Ada", True, "yes"), ("Bo", False, ""),
    ]  # fmt: skip
    assert (saved.manifest.user, saved.manifest.models["user"]) == ("model", "scripted")
    assert saved.manifest.personas is not None


def test_a_program_may_be_the_user(run: Run, shop: Path, tmp_path: Path) -> None:
    (tmp_path / "guest.csv").write_text("name,action,instruction,transitions\nstart1,chat_exact,No.,quit\n", "utf-8")
    done = run("simulate", "shop.csv", "--n", "2", "--model", "offline", "--user", "guest.csv", "--out", "x")
    assert done.returncode == 0, done.stderr
    saved = read_run(tmp_path / "x")
    assert [turn.user for turn in saved.conversations[0].turns] == ["", "No."]
    assert saved.manifest.user.startswith("guest (")


def test_a_budget_ends_the_run_and_another_goes_on(run: Run, tmp_path: Path) -> None:
    (tmp_path / "talk.yaml").write_text("nodes:\n- {name: start1, action: chat, instruction: Hi, transitions: quit}\n")
    (tmp_path / "model.yaml").write_text("replies: [a, b, c]\n")
    options = ["--n", "3", "--model", "scripted:model.yaml", "--out", "x", "--concurrency", "1"]
    done = run("simulate", "talk.yaml", *options, "--budget", "0")
    assert done.returncode == 0
    assert "Stopped: the budget is used up: 0 of 0 tokens." in done.stderr
    assert "0 of 3 conversations are saved. Go on with:\n  autograph simulate talk.yaml --resume x" in done.stderr
    data = data_of(run("simulate", "talk.yaml", "--resume", "x", "--concurrency", "1", "--json"))
    assert (data["complete"], data["summary"]["n"]) == (True, 3)
    assert [talk.turns[0].reply for talk in read_run(tmp_path / "x").conversations] == ["a", "b", "c"]


FULL = """\
import resource, sys
from autograph.cli.main import cli, run
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.exit(run(cli, "autograph", ["simulate", "shop.csv", "--n", "30", "--model", "offline", *sys.argv[2:]]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit for the size of files")
@pytest.mark.parametrize(("size", "remedy"), [("5000", "Make room and --resume it."), ("0", "")])
def test_a_full_disk_is_no_mistake_of_the_command_line(shop: Path, tmp_path: Path, size: str, remedy: str) -> None:
    command = [sys.executable, "-c", FULL, size, "--quiet", "--out", "x"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 70
    assert done.stdout == ""
    assert done.stderr == f"error: x cannot be written: File too large. {remedy}".rstrip() + "\n"


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (None, "x holds no simulation: there is no manifest.json. Name the folder of a run."),
        ("{}", "manifest.json cannot be read: this is no record of a simulation."),
        (
            '{"version": 9}',
            "manifest.json cannot be read: this is no record of version 1 but 9. Run the simulation again.",
        ),
    ],
)
def test_nothing_to_go_on_with(run: Run, shop: Path, tmp_path: Path, manifest: str | None, said: str) -> None:
    (tmp_path / "x").mkdir()
    if manifest is not None:
        (tmp_path / "x" / "manifest.json").write_text(manifest, "utf-8")
    done = run("simulate", "shop.csv", "--resume", "x")
    assert done.returncode == 2
    assert done.stderr.endswith(f"{said}\n")


def test_success_that_cannot_be_told_says_why(run: Run, shop: Path) -> None:
    done = run("simulate", "shop.csv", "--n", "3", "--model", "offline", "--success", "cusp == 1", "--quiet",
               "--fail-if", "success < 0.9")  # fmt: skip
    assert "Success could not be told of any conversation (" in done.stdout
    assert "'cusp' is not defined" in done.stdout
    assert done.returncode == 0
    assert "Not decided, and therefore not failed" in done.stderr  # in spite of --quiet: it never can be


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("cost.mean > 1", "there are no costs without prices. Add --price"),
        ("success < 0.5 and flake > 0", "nothing is flaky that is held once. Add --repeat"),
    ],
)
def test_figures_that_the_run_will_not_have(run: Run, shop: Path, condition: str, said: str) -> None:
    done = run("simulate", "shop.csv", "--n", "3", "--model", "offline", "--fail-if", condition)
    assert done.returncode == 2
    assert said in done.stderr


def test_what_goes_on_keeps_its_limits(run: Run, tmp_path: Path) -> None:
    (tmp_path / "talk.yaml").write_text("nodes:\n- {name: start1, action: chat, instruction: Hi, transitions: quit}\n")
    (tmp_path / "model.yaml").write_text("replies: [a, b]\n")
    limits = ["--budget", "1", "--rate", "600.5", "--fail-if", "success < 0.5"]
    done = run("simulate", "talk.yaml", "--n", "2", "--model", "scripted:model.yaml", "--out", "my run", *limits,
               "--budget", "0")  # fmt: skip
    said = 'autograph simulate talk.yaml --resume "my run" --rate 600.5 --budget 0 --fail-if "success < 0.5"'
    assert said in done.stderr


def test_a_recording_answers_again(run: Run, tmp_path: Path) -> None:
    (tmp_path / "talk.yaml").write_text("nodes:\n- {name: start1, action: chat, instruction: Hi, transitions: quit}\n")
    (tmp_path / "model.yaml").write_text("replies: [a, b, c]\n")
    first = ["--model", "scripted:model.yaml", "--record", "new", "--recording", "r.jsonl", "--out", "x"]
    done = run("simulate", "talk.yaml", "--n", "3", *first, "--concurrency", "1")
    assert done.returncode == 0, done.stderr
    done = run("simulate", "talk.yaml", "--n", "3", "--recording", "r.jsonl", "--out", "y", "--model", "offline")
    assert done.returncode == 0, done.stderr
    assert [talk.turns[0].reply for talk in read_run(tmp_path / "y").conversations] == ["a", "b", "c"]
    done = run("simulate", "talk.yaml", "--n", "4", "--recording", "r.jsonl", "--out", "z", "--model", "offline")
    assert [talk.outcome for talk in read_run(tmp_path / "z").conversations] == ["finished"] * 3 + ["failed"]


def test_a_model_that_never_answers_has_its_exit_code(run: Run, tmp_path: Path) -> None:
    (tmp_path / "talk.yaml").write_text("nodes:\n- {name: start1, action: chat, instruction: Hi, transitions: quit}\n")
    (tmp_path / "model.yaml").write_text("replies: []\n")
    for n in (3, 40):
        done = run("simulate", "talk.yaml", "--n", str(n), "--model", "scripted:model.yaml", "--out", f"x{n}")
        assert done.returncode == 69, done.stderr
    assert "Stopped: the model cannot be asked: The script of the model has run out of replies" in done.stderr
    assert len(read_run(tmp_path / "x3").conversations) == 3
    assert len(read_run(tmp_path / "x40").conversations) == 0


def test_a_page_is_written(run: Run, shop: Path, tmp_path: Path) -> None:
    done = run("simulate", "shop.csv", "--n", "5", "--model", "offline", "--out", "x", "--html", "page.html")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--n", "0"], "Invalid value for '--n'"),
        (["--user", "nobody.csv"], '--user: "nobody.csv" is neither sheet nor model, and there is no such file.'),
        (["--personas", "people.yaml", "--user", "sheet"], "--personas are played by a model"),
        (["--personas", "none.yaml"], "none.yaml cannot be read"),
        (["--success", "cups ="], '--success: "cups =" is no expression'),
        (["--fail-if", "success <"], "--fail-if: "),
        (["--budget", "much"], '--budget: "much" is no number of tokens. Write for example 500k or 2M.'),
        (["--budget", "cost=5"], "--budget: a cost needs prices. Add --price prompt=0.25,completion=2"),
        (["--price", "tokens=1"], '--price: "tokens=1" is no price'),
        (["--record", "new"], "--record new needs a file to record into: add --recording FILE."),
        (["--record", "new", "--recording", "r", "--repeat", "2"], "a recording answers the same"),
        (["--var", "3=4"], "--var:"),
        (["--html", "no/where/x.html"], "--html: there is no folder"),
        (["--out", "a", "--resume", "x"], "give one of them"),
    ],
)
def test_bad_options_say_the_remedy(
    shop: Path, options: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shop.parent)
    (shop.parent / "people.yaml").write_text(PEOPLE, "utf-8")
    code = main.run(main.cli, "autograph", ["simulate", "shop.csv", "--model", "offline", *options])
    out, told = capsys.readouterr()
    assert said in told
    assert (code, out) == (2, "")
    assert not (shop.parent / "simulations").exists()


def test_a_resumed_run_keeps_its_options_and_refuses_others(run: Run, shop: Path, tmp_path: Path) -> None:
    run("simulate", "shop.csv", "--n", "6", "--model", "offline", "--seed", "9", "--success", "cups == 1", "--out", "x")
    path = tmp_path / "x" / "conversations.jsonl"
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[:2]), "utf-8")
    done = run("simulate", "shop.csv", "--resume", "x")
    assert "2 conversations are done, 4 are to be held." in done.stderr
    assert [talk.index for talk in read_run(tmp_path / "x").conversations] == list(range(6))
    done = run("simulate", "shop.csv", "--resume", "x", "--seed", "10")
    assert "x cannot be resumed: the seed (9 then, 10 now) is not what the run began with." in done.stderr
    assert done.returncode == 2
    shop.write_text(SHOP.replace("Goodbye.", "Bye."), "utf-8")
    done = run("simulate", "shop.csv", "--resume", "x")
    assert "the program's rows or settings are not what the run began with" in done.stderr
    assert done.returncode == 2


def test_a_bad_program_and_a_missing_folder(run: Run, broken: Path) -> None:
    assert run("simulate", "broken.csv", "--model", "offline").returncode == 65
    done = run("simulate", "broken.csv", "--resume", "nowhere")
    assert "nowhere holds no simulation" in done.stderr


# ---------------------------------------------------------------------- parts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (None, (None, None)),
        ("500", (500, None)),
        ("500k", (500_000, None)),
        ("1.5M", (1_500_000, None)),
        ("tokens=2_000", (2_000, None)),
        ("cost=5", (None, 5.0)),
        ("10k, cost=0.5", (10_000, 0.5)),
    ],
)
def test_budgets(text: str | None, found: tuple[int | None, float | None]) -> None:
    assert read_budget(text, priced=True) == found


@pytest.mark.parametrize("text", ["", "k", "-1", "time=3", "cost=", "cost=nan", "cost=-1"])
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(click.UsageError, match="--budget: "):
        read_budget(text, priced=True)


def test_the_line_of_progress() -> None:
    assert progress_text(0, 500, 0, 0, 3.0) == "[------------------------] 0/500"
    assert progress_text(120, 500, 20, 15, 10.0) == "[#####-------------------] 120/500  75% success  3:10 left"
    assert progress_text(1500, 1500, 1500, 1500, 10.0).startswith("[########################] 1,500/1,500  100%")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_for_terminals_and_goes_away() -> None:
    now = [0.0]
    screen, pipe = Terminal(), io.StringIO()
    for stream in (screen, pipe):
        line = ProgressLine(stream, 10, shown=True, clock=lambda: now[0])
        line.update(1, 1)  # too early to be seen
        now[0] += 1
        line.update(2, 1)
        line.close()
    assert pipe.getvalue() == ""
    first, shown, wiped, end = screen.getvalue().split("\r")
    assert (first, shown.split("  ")[:2]) == ("", ["[####--------------------] 2/10", "50% success"])
    assert (wiped, end) == (" " * len(shown), "")
