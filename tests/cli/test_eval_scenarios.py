"""``autograph eval scenarios``: the table, JSON, comparisons, limits, results that are kept, and runs that go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from autograph.cli.main import cli
from autograph.evaluation.pydialogue.results_file import load_and_merge_results, read_results, write_results
from autograph.evaluation.scenarios.result import held_of
from scenarios_support import cafe


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the café, without models of the environment."""
    cafe(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "AUTOGRAPH_MODEL", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, scenarios: str = "shop.scenarios.yaml", model: str = "offline") -> Result:
    return CliRunner().invoke(cli, ["eval", "scenarios", scenarios, "--model", model, *arguments])


def data(*arguments: str, **options: Any) -> Any:
    return json.loads(run(*arguments, "--json", **options).stdout)


ONE = """\
shop.scenarios.yaml · 3 conversations · seed 0 · each by itself

                      n  shop.csv
  ordering            2  0.50 [0.09, 0.91]
  changing            1  1.00 [0.21, 1.00]
  all                 3  0.67 [0.21, 0.94]
  4 steps             1  0.00 [0.00, 0.79]
  6 steps             1  1.00 [0.21, 1.00]
  20 steps            1  1.00 [0.21, 1.00]
  context, in words      19 → 19, at most 19
  context, in tokens     27 → 28, at most 28

1 without success
  one coffee  the program ended after 3 of 4 steps; last: “It comes at once.”
"""

TWO = """\
shop.scenarios.yaml · 6 conversations · seed 0 · each by itself

                      n  shop.csv             lenient.csv
  ordering            4  0.50 [0.15, 0.85]    1.00 [0.51, 1.00]
  changing            2  1.00 [0.34, 1.00]    1.00 [0.34, 1.00]
  all                 6  0.67 [0.30, 0.90]    1.00 [0.61, 1.00]
  4 steps             2  0.00 [0.00, 0.66]    1.00 [0.34, 1.00]
  6 steps             2  1.00 [0.34, 1.00]    1.00 [0.34, 1.00]
  20 steps            2  1.00 [0.34, 1.00]    1.00 [0.34, 1.00]
  context, in words      19 → 19, at most 19  19 → 19, at most 19
  context, in tokens     28 → 28, at most 28  28 → 28, at most 28

lenient.csv against shop.csv: +0.33 [-0.12, +0.70], p = 0.500. Alone successful:
lenient.csv 2 times, shop.csv 0 times; that does not decide which is better.

shop.csv: 2 without success
  2 ×  one coffee  the program ended after 3 of 4 steps; last: “It comes at
                   once.”
"""


def test_the_table_of_one_program() -> None:
    done = run("-m", "shop.csv")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == ONE


def test_the_table_of_two_programs() -> None:
    done = run("-m", "shop.csv", "-m", "lenient.csv", "--repeat", "2")
    assert done.exit_code == 0
    assert done.stdout == TWO


def test_what_is_not_counted_and_what_the_warm_up_is() -> None:
    Path("s.yaml").write_text(
        "- {name: first, user: tea}\n- {name: odd, user: tea, goal: order == 'milk', steps: {reference: shop.csv}}\n"
    )
    done = run("-m", "shop.csv", "--warm-up", "1", "--continuous", scenarios="s.yaml")
    assert "s.yaml · 1 conversation · seed 0 · 1 to warm up · one memory" in done.stdout
    assert "1 not counted\n  odd  the reference shop.csv does not reach the goal" in done.stdout


def test_a_few_ways_to_fail_are_shown_and_all_if_wanted() -> None:
    Path("s.yaml").write_text("".join(f"- {{name: s{n}, user: tea}}\n" for n in range(12)))
    done = run("-m", "shop.csv", scenarios="s.yaml")
    assert "and 4 other ways (--all shows them)" in done.stdout
    assert "s11  the user had nothing more to say after 1 of 20 steps" in run(
        "-m", "shop.csv", "--all", scenarios="s.yaml"
    ).stdout.replace("“", "")


def test_json() -> None:
    found = data("-m", "shop.csv", "-m", "lenient.csv")
    assert found["programs"]["shop.csv"]["types"]["changing"] == {
        "value": 1.0,
        "low": pytest.approx(0.2065, abs=1e-4),
        "high": 1.0,
    }
    assert [c["success"] for c in found["runs"][0]["conversations"]] == [True, False, True]
    assert found["comparisons"][0]["only_other"] == 1
    assert found["runs"][0]["metadata"]["program"] == "shop.csv"
    assert found["runs"][0]["metadata"]["options"]["seed"] == 0


@pytest.mark.parametrize(
    ("limit", "sure", "code"), [("0.6", False, 0), ("0.7", False, 1), ("0.7", True, 0), ("0.95", True, 1)]
)
def test_limits(limit: str, sure: bool, code: int) -> None:
    done = run("-m", "shop.csv", "--fail-under", limit, *(["--sure"] if sure else []))
    assert done.exit_code == code
    assert f"shop.csv: 0.67 [0.21, 0.94] is {'at or above' if limit == '0.6' else 'below'} {limit}" in done.stdout


def test_without_any_conversation_that_counts_no_limit_is_reached() -> None:
    Path("s.yaml").write_text("- {name: odd, user: tea, goal: order == 'milk', steps: {reference: shop.csv}}\n")
    done = run("-m", "shop.csv", "--fail-under", "0", scenarios="s.yaml")
    assert done.exit_code == 1
    assert done.exception is None or isinstance(done.exception, SystemExit)


# ---------------------------------------------------------------------- results that are kept


def test_results_are_kept_and_joined() -> None:
    done = run("-m", "shop.csv", "-m", "lenient.csv", "--out", "r.json")
    assert done.stderr == "Wrote r.json.\n"
    assert load_and_merge_results(["r.json"], program="lenient.csv")[1] == 100.0
    assert load_and_merge_results(["r.json"], program="shop.csv")[2] == 3


def half(*options: str) -> tuple[Any, Any]:
    """The results of a whole run, and the file cut down to its first conversation."""
    run("-m", "shop.csv", "--out", "r.json", *options)
    (whole,) = read_results("r.json")
    return whole, held_of(whole)


def test_a_run_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    from autograph.evaluation.scenarios.result import run_of

    whole, held = half()
    write_results("r.json", [run_of(held[:1], whole.id, whole.metadata)])
    asked: list[str] = []
    monkeypatch.setattr(
        "autograph.evaluation.scenarios.run.talk",
        _counting(asked),
    )
    assert run("-m", "shop.csv", "--out", "r.json", "--resume").exit_code == 0
    (again,) = read_results("r.json")
    assert asked == ["one coffee", "changes his mind"]
    assert again.conversations == whole.conversations


def _counting(asked: list[str]) -> Any:
    from autograph.evaluation.scenarios.talk import talk

    async def counted(bot: Any, scenario: Any, *rest: Any) -> Any:
        asked.append(scenario.name)
        return await talk(bot, scenario, *rest)

    return counted


def test_another_run_is_not_gone_on_with() -> None:
    whole, _ = half()
    run("-m", "shop.csv", "--out", "r.json", "--resume", "--seed", "5")
    assert [each.id == whole.id for each in read_results("r.json")] == [True, False]
    run("-m", "shop.csv", "--out", "r.json", "--seed", "5")
    assert len(read_results("r.json")) == 1


def test_what_was_held_is_kept_when_the_model_is_out_of_reach() -> None:
    Path("m.json").write_text(json.dumps({"answers": ["yes", "yes"]}))
    done = run("-m", "shop.csv", "--out", "r.json", model="scripted:m.json")
    assert done.exit_code == 69
    (kept,) = read_results("r.json")
    assert [each.scenario for each in held_of(kept)] == ["two teas", "one coffee"]


def test_one_memory_goes_on_where_it_stopped() -> None:
    asking = Path("shop.csv").read_text("utf-8").replace("ask,chat_exact,What", "ask,chat,Ask what")
    Path("shop.csv").write_text(asking, "utf-8")
    whole, held = half("--continuous")
    Path("m.json").write_text(json.dumps({"replies": ["What may I bring you?"] * 2, "answers": ["yes"]}))
    stopped = run("-m", "shop.csv", "--out", "r.json", "--continuous", model="scripted:m.json")
    assert stopped.exit_code == 69
    (part,) = read_results("r.json")
    assert part.metadata["memory"]["finished"] is True
    write_results("r.json", [type(part)(part.points, part.of_types, part.of_steps, whole.id, {
        **whole.metadata, "memory": part.metadata["memory"]
    }, part.conversations)])  # fmt: skip
    run("-m", "shop.csv", "--out", "r.json", "--continuous", "--resume")
    (again,) = read_results("r.json")
    assert "memory" not in again.metadata
    assert [each.scenario for each in held_of(again)] == [each.scenario for each in held]
    words = [each.words for each in held_of(again)]
    assert words[2] > words[1] > words[0]


def test_a_picture() -> None:
    pytest.importorskip("matplotlib")
    done = run("-m", "shop.csv", "--plot", "p.png")
    assert (done.exit_code, done.stderr) == (0, "Wrote p.png.\n")
    assert Path("p.png").read_bytes()[:4] == b"\x89PNG"
    for options, message in (
        (("--plot", "no/p.png"), "--plot: there is no folder no to write p.png into"),
        (("--plot", "p.foo"), "--plot: p.foo must end in .png, .svg or .pdf"),
        (("--out", "no/r.json"), "--out: there is no folder no to write r.json into"),
        (("--out", "."), "is a directory"),
        (("--warm-up", "6", "--repeat", "2"), "--warm-up 6 leaves none of 6"),
    ):
        refused = run("-m", "shop.csv", *options)  # before anything is held
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert message in " ".join(refused.stderr.split())


# ---------------------------------------------------------------------- usage and errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing option '-m'"),
        (("-m", "shop.csv", "-m", "shop.csv"), "shop.csv is named twice"),
        (("-m", "shop.csv", "--resume"), "--resume goes with --out"),
        (("-m", "shop.csv", "--sure"), "--sure goes with --fail-under"),
        (("-m", "shop.csv", "--continuous", "--at-once", "4"), "leave --at-once out"),
    ],
)
def test_usage(arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_faults_of_the_file() -> None:
    Path("s.yaml").write_text("- {name: a, usr: b}\n")
    done = run("-m", "shop.csv", scenarios="s.yaml")
    assert done.exit_code == 65
    assert 'error: s.yaml, line 1: there is no key "usr" in a scenario. Did you mean "user"?' in done.stderr
    found = run("-m", "shop.csv", "--json", scenarios="s.yaml")
    assert [fault["line"] for fault in json.loads(found.stdout)["faults"]] == [1, 1]


def test_a_bad_program() -> None:
    Path("bad.csv").write_text("name,action,transitions\na,chat,nowhere\n")
    assert run("-m", "bad.csv").exit_code == 65


def test_a_persona() -> None:
    Path("s.yaml").write_text("- {name: a, user: {persona: wants tea}, goal: order == 'tea'}\n")
    Path("u.json").write_text(json.dumps({"replies": ["tea", "<end>"]}))
    done = run("-m", "shop.csv", "--user-model", "scripted:u.json", "--fail-under", "1", scenarios="s.yaml")
    assert done.exit_code == 0
