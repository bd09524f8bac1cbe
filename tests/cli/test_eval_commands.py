"""``autograph eval run`` and its neighbours: tables, files, comparisons, talks, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from autograph.cli.eval_tables import figure
from autograph.cli.main import cli

TEA = """\
name,action,instruction,transitions,transition_question,transition_choice_a,transition_choice_b
welcome,chat_exact,Would you like tea?,"tea,bye",Does the guest want tea?,yes,no
tea,chat_exact,Here is your tea.,quit,,,
bye,chat_exact,"Goodbye, then.",quit,,,
"""
MUTE = """\
name,action,instruction,transitions
start,chat_exact,Hello.,quit
"""
TALKS = """\
text:hello\tlabels:Would you like tea?\tid:guest
text:yes please\tlabels:Here is your tea.|Your tea!\tepisode_done:True
text:hi\tlabels:Good morning!
text:no thanks\tlabels:Goodbye!|Farewell\tepisode_done:True
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with programs and dialogues, without models of the environment."""
    for name, text in (("tea.csv", TEA), ("mute.csv", MUTE), ("talks.txt", TALKS)):
        (tmp_path / name).write_text(text, "utf-8")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "AUTOGRAPH_MODEL", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(cli, ["eval", *arguments], input=text)


TABLE = """\
tea.csv · valid · 4 examples · 2 dialogues

             exs  accuracy           bleu-4             f1
  talks.txt  4    .5000 [.00, 1.00]  .5000 [.00, 1.00]  .6667 [.00, 1.00]
"""


def test_a_program_is_measured() -> None:
    done = run("run", "-t", "talks.txt", "-m", "tea.csv", "--chatbot", "offline")
    assert done.exit_code == 0, done.output
    assert done.stdout == TABLE


def test_the_same_as_parlai_names_it() -> None:
    named = ("fromfile:parlaiformat:fromfile_datapath=talks.txt",)
    given = ("fromfile:parlaiformat", "--fromfile-datapath", "talks.txt")
    reports = [
        json.loads(run("run", "-t", *task, "-m", "tea.csv", "--chatbot", "offline", "--json", "-bs", batch).stdout)
        for task in (named, given, ("talks.txt",))
        for batch in ("1", "3")
    ]
    assert [report["report"] for report in reports] == [reports[0]["report"]] * 6
    first = reports[0]
    assert first["report"]["accuracy"] == 0.5
    assert first["report"].keys() == {"exs", "accuracy", "precision", "recall", "f1", "bleu-4"}
    assert first["intervals"]["accuracy"]["value"] == 0.5
    assert (first["answered"], first["measured"], first["examples"], first["episodes"]) == (4, 4, 4, 2)


def test_silence_is_counted_beside_the_averages() -> None:
    done = run("run", "-t", "talks.txt", "-m", "mute.csv", "--chatbot", "offline")
    assert "  4    2/4 " in done.stdout
    assert "Silent: 2 of 4. The averages leave silence out, as ParlAI does." in done.stdout
    done = run("run", "-t", "talks.txt", "-m", "ir_baseline", "--plot", "p.png")
    assert (done.exit_code, "nothing was measured that has an average" in done.stderr) == (70, True)


COMPARED = """\
A tea.csv · B mute.csv · the same examples

            n  A      B       B - A               A better  B better  p
  accuracy  4  .5000  0       -.50 [-.85, +.10]   2         0         .5000  McNemar
"""


def test_two_programs_are_compared_on_the_same_examples() -> None:
    done = run("run", "-t", "talks.txt", "-m", "tea.csv", "--compare", "mute.csv", "--chatbot", "offline",
               "--metrics", "accuracy")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert [" ".join(line.split()) for line in COMPARED.splitlines()] == [
        " ".join(line.split()) for line in done.stdout[done.stdout.index("A tea.csv") :].splitlines()[:4]
    ]
    data = json.loads(run("run", "-t", "talks.txt", "-m", "tea.csv", "--compare", "mute.csv", "--chatbot", "offline",
                          "--json").stdout)  # fmt: skip
    (accuracy,) = [pair for pair in data["pairs"] if pair["metric"] == "accuracy"]
    assert (accuracy["only_first"], accuracy["only_other"], accuracy["p"]) == (2, 0, 0.5)
    assert data["compared"]["model"] == "mute.csv"


def test_several_tasks_have_a_row_for_all() -> None:
    done = run("run", "-t", "talks.txt,smalltalk", "-m", "repeat_label", "-n", "2")
    lines = done.stdout.splitlines()
    assert lines[3].split()[:3] == ["all", "6", "1"]
    assert lines[4].split()[0] == "talks.txt"
    assert "In the row all each task counts alike (macro)." in done.stdout
    micro = run("run", "-t", "talks.txt,smalltalk", "-m", "repeat_query", "-n", "3", "--aggregate-micro")
    assert "each example counts alike (micro)" in micro.stdout


def test_wide_tables_are_broken() -> None:
    done = run("run", "-t", "stories:where", "-m", "random_candidate", "-n", "4", "--metrics", "all")
    assert max(map(len, done.stdout.splitlines())) <= 80
    heads = [line.split() for line in done.stdout.splitlines() if "  " in line and "[" not in line]
    names = [name for head in heads for name in head if name not in ("exs", "answered")]
    assert names[:7] == ["accuracy", "bleu-1", "bleu-2", "bleu-3", "bleu-4", "f1", "hits@1"]
    assert names[7:] == [
        "hits@5", "hits@10", "hits@100", "interdistinct-1", "interdistinct-2", "intradistinct-1", "intradistinct-2",
        "precision", "recall",
    ]  # fmt: skip


def test_what_is_written_besides(folder: Path) -> None:
    done = run("run", "-t", "talks.txt", "-m", "tea.csv", "--chatbot", "offline", "--report-filename", "r.json",
               "--examples", "e.csv", "--world-logs", "logs.jsonl", "--plot", "p.svg")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "Wrote r.json." in done.stderr
    report = json.loads((folder / "r.json").read_text("utf-8"))
    assert (report["opt"]["task"], report["report"]["accuracy"]) == ("talks.txt", 0.5)
    rows = list(csv.DictReader(io.StringIO((folder / "e.csv").read_text("utf-8"))))
    assert [(row["episode"], row["turn"], row["reply"], row["accuracy"], row["node"]) for row in rows[:2]] == [
        ("0", "0", "Would you like tea?", "1.0", "welcome"),
        ("0", "1", "Here is your tea.", "1.0", "tea"),
    ]
    assert rows[1]["labels"] == "Here is your tea.|Your tea!"
    dialog = json.loads((folder / "logs.jsonl").read_text("utf-8").splitlines()[0])["dialog"]
    assert [turn["text"] for turn in dialog[0]] == ["hello", "Would you like tea?"]
    assert "accuracy" in (folder / "p.svg").read_text("utf-8")
    for name in ("e.json", "e.jsonl"):
        run("run", "-t", "talks.txt", "-m", "repeat_label", "--examples", name)
    assert len(json.loads((folder / "e.json").read_text("utf-8"))) == 4
    assert len((folder / "e.jsonl").read_text("utf-8").splitlines()) == 4


def test_the_logs_of_several_tasks_are_files_of_their_own(folder: Path) -> None:
    done = run("run", "-t", "talks.txt,stories:where", "-m", "repeat_label", "-n", "2", "--world-logs", "l.jsonl")
    assert "Wrote l_talks.txt.jsonl, l_stories_where.jsonl." in done.stderr
    assert (folder / "l_stories_where.metadata").exists()


def test_chinese_is_counted_by_characters_if_wanted(folder: Path) -> None:
    (folder / "zh.txt").write_text("text:我想喝茶\tlabels:我想喝咖啡\tepisode_done:True\n", "utf-8")
    found = [
        json.loads(run("run", "-t", "zh.txt", "-m", "repeat_query", "--json", "--tokenize", tokenize).stdout)["report"]
        for tokenize in ("word", "char")
    ]
    assert found[0]["f1"] == 0
    assert found[1]["f1"] == pytest.approx(2 * 3 / (4 + 5))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-dt", "train"), "-dt train is for learning"),
        (("-dt", "train:ordered"), "use -dt train:evalmode"),
        (("-dt", "vlid"), 'there is no datatype "vlid". Did you mean "valid"?'),
        (("--metrics", "rouge"), '--metrics: there is no metric "rouge".'),
        (("--metrics", "accurcy"), 'Did you mean "accuracy"?'),
        (("--examples", "e.xls"), "must end in .csv, .json or .jsonl"),
        (("--report-filename", ".rep"), "there is none"),
        (("--plot", "none/p.png"), "there is no folder none"),
        (("--plot", "p.foo"), "--plot: p.foo must end in .png, .svg or .pdf"),
        (("--report-filename", "none/r.json"), "--report-filename: there is no folder none"),
        (("--world-logs", "."), "--world-logs"),
        (("-o", "cant_answer_percent=much"), "the option cant_answer_percent is 'much', which is no number"),
        (("-o", "x"), "Write key=value"),
        (("-t", "talks.txt,talks.txt"), 'two tasks are called "talks.txt"'),
        (("--opening", "loud"), "'loud' is not one of"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], message: str) -> None:
    done = run("run", "-t", "talks.txt", "-m", "repeat_label", *arguments)
    assert message in done.stderr
    assert done.exit_code == 2


@pytest.mark.parametrize("command", ["run", "display-data", "display-model", "train"])
def test_no_task(command: str) -> None:
    done = run(command, "-m", "ir_baseline", "-mf", "words") if command != "display-data" else run(command)
    assert done.exit_code == 2
    assert "Missing option '-t' / '--task'" in done.stderr


def test_options_are_told_by_their_names() -> None:
    for option in ("length_penalty", "history_size"):
        done = run("run", "-t", "talks.txt", "-m", "ir_baseline", "-o", f"{option}=x")
        assert (done.exit_code, f"the option {option} is 'x'" in done.stderr) == (2, True)


def test_a_fixed_response_is_a_text_whatever_it_looks_like() -> None:
    Path("sums.txt").write_text("text:how much is it?\tlabels:1.50\tepisode_done:True\n", "utf-8")
    done = run("run", "-t", "sums.txt", "-m", "fixed_response", "-o", "fixed_response=1.50", "--json")
    assert json.loads(done.stdout)["report"]["accuracy"] == 1


def test_a_class_that_fails(folder: Path) -> None:
    code = "class Waiter:\n    def __init__(self, opt): pass\n    def observe(self, seen): return seen\n"
    (folder / "waiters.py").write_text(f"{code}    def act(self): raise ValueError('no tea')\n", "utf-8")
    done = run("run", "-t", "talks.txt", "-m", "waiters:Waiter", "-bs", "2")
    assert done.exit_code == 70
    assert 'the agent "waiters:Waiter" failed in act(): ValueError: no tea' in " ".join(done.stderr.split())


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_line_is_wider_than_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    done = run("run", "-t", "talks.txt", "-m", "tea.csv", "--compare", "repeat_query", "--chatbot", "offline")
    assert max(map(len, done.stdout.splitlines())) <= width
    assert ("A better" in done.stdout.split("B - A")[1].split("\n")[0]) == (width > 60)


def test_names_that_are_no_formulas_are_drawn(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    (folder / "_茶$x_{$.csv").write_text(TEA, "utf-8")
    (folder / "$t_{$.txt").write_text(TALKS, "utf-8")
    for options in ((), ("--compare", "repeat_label")):
        done = run("run", "-t", "$t_{$.txt", "-m", "_茶$x_{$.csv", "--chatbot", "offline", "--plot", "p.png", *options)
        assert done.exit_code == 0, done.output
        assert "Wrote p.png." in done.stderr


def test_json_of_training_is_json_a_line() -> None:
    done = run("train", "-t", "talks.txt", "-mf", "words", "--validate", "--json")
    counted, measured = map(json.loads, done.stdout.splitlines())
    assert (counted["examples"], measured["tasks"]) == (4, ["talks.txt"])


def test_nobody_answers() -> None:
    done = run("run", "-t", "talks.txt")
    assert (done.exit_code, "who answers?" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-t", "talks.txt", "-m", "none"), 'the model "none": there is no agent and no file of this name.'),
        (("-t", "talks.txt", "-mf", "none"), "there is neither a file .opt nor a file .dict"),
        (("-t", "talk.txt", "-m", "repeat_label"), 'Did you mean "talks.txt"?'),
        (("-t", "talks.txt", "-m", "gone.csv"), "gone.csv"),
        (("-t", "stories:data_seed=x", "-m", "repeat_label"), "\"data_seed\" is 'x', which is no whole number."),
        (("-t", "#qaa", "-m", "repeat_label"), 'Did you mean "#qa"?'),
    ],
)
def test_bad_names_and_files(arguments: tuple[str, ...], message: str) -> None:
    done = run("run", *arguments)
    assert message in done.stderr
    assert done.exit_code == 65
    assert isinstance(json.loads(run("run", *arguments, "--json").stdout), dict)


def test_an_agent_out_of_reach() -> None:
    pytest.importorskip("zmq")
    done = run("run", "-t", "talks.txt", "-m", "remote:tcp://127.0.0.1:1", "-o", "timeout=0.05")
    assert "has not answered within 0.05 s" in done.stderr
    assert done.exit_code == 69


def test_a_turn_that_fails() -> None:
    Path("bad.csv").write_text("name,action,instruction,transitions\na,chat_exact,${1/0},quit\n", "utf-8")
    done = run("run", "-t", "talks.txt", "-m", "bad.csv", "--chatbot", "offline")
    assert (done.exit_code, "divided by zero" in done.stderr) == (70, True)
    assert "0/4" in run("run", "-t", "talks.txt", "-m", "bad.csv", "--chatbot", "offline", "--keep-going").stdout


# ---------------------------------------------------------------------- showing


def test_data_are_shown() -> None:
    done = run("display-data", "-t", "talks.txt", "-n", "3")
    assert done.stdout == (
        "- - - talks.txt - - -\nhello\n   Would you like tea?\nyes please\n   Here is your tea.|Your tea!\n"
        "- - - talks.txt - - -\nhi\n   Good morning!\n"
    )
    assert "4 examples in 2 dialogues." in done.stderr
    (first, *_) = run("display-data", "-t", "talks.txt", "--json").stdout.splitlines()
    assert json.loads(first)["labels"] == ["Would you like tea?"]
    assert "  labels: ['Good morning!']" in run("display-data", "-t", "talks.txt", "--verbose").stdout.replace(
        "('Good morning!',)", "['Good morning!']"
    )
    assert run("display-data", "-t", "#qa", "-dt", "valid").exit_code == 0


def test_answers_are_shown() -> None:
    done = run("display-model", "-t", "talks.txt", "-m", "mute.csv", "--chatbot", "offline")
    assert "hello\n    labels: Would you like tea?\n     model: Hello.\n" in done.stdout
    assert "     model: (silent)\n" in done.stdout
    assert "That were all examples." in done.stderr
    (first, *_) = run("display-model", "-t", "talks.txt", "-m", "repeat_label", "--json").stdout.splitlines()
    assert json.loads(first)["answer"]["metrics"]["accuracy"] == 1.0
    assert "accuracy" in run("display-model", "-t", "stories,talks.txt", "-m", "repeat_label", "-v").stdout


# ---------------------------------------------------------------------- training


def test_words_are_counted(folder: Path) -> None:
    done = run("train", "-t", "talks.txt", "-mf", "words", "-o", "history_size=2", "--validate")
    assert done.stdout.splitlines()[0] == "words.dict: 25 words of 4 examples."
    assert "words · valid · 4 examples" in done.stdout
    assert "tea\t3" in (folder / "words.dict").read_text("utf-8").splitlines()
    assert json.loads((folder / "words.opt").read_text("utf-8"))["history_size"] == 2
    assert run("run", "-t", "stories:where", "-mf", "words", "-n", "2").exit_code == 0
    done = run("train", "-t", "talks.txt", "-mf", "low.dict", "--dict-lower", "--json", "-n", "1")
    assert json.loads(done.stdout) == {"file": "low.dict", "examples": 1, "words": 10}


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("tea.csv", "programs are not trained"),
        ("seq2seq", "models that are trained (seq2seq, memory networks, DrQA) are not offered"),
        ("repeat_label", "has nothing to learn"),
    ],
)
def test_nothing_else_is_trained(model: str, message: str) -> None:
    done = run("train", "-t", "talks.txt", "-mf", "words", "-m", model)
    assert (done.exit_code, message in done.stderr) == (2, True)


# ---------------------------------------------------------------------- talking


def test_a_person_talks_to_a_program(folder: Path) -> None:
    done = run("interactive", "-m", "tea.csv", "--chatbot", "offline", "--opening", "skip", "--outfile", "t.jsonl",
               text="yes please\nyes\n[DONE]\n[EXIT]\n")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert done.stdout == (
        "tea: Would you like tea?\ntea: Here is your tea.\n- - -\n"
        "tea: Would you like tea?\ntea: Here is your tea.\n- - -\n"
        "tea: Would you like tea?\n- - -\ntea: Would you like tea?\n"
    )
    assert len((folder / "t.jsonl").read_text("utf-8").splitlines()) == 2
    (line,) = run("interactive", "-m", "repeat_query", "--json", text="hi\n").stdout.splitlines()
    assert json.loads(line)["text"] == "hi"


def test_candidates_go_with_what_a_person_says(folder: Path) -> None:
    (folder / "c.txt").write_text("tea is here\nno coffee\n", "utf-8")
    assert "IRBaselineAgent: no coffee" in run("interactive", "-m", "ir_baseline", "--candidates", "c.txt",
                                               text="coffee?\n").stdout  # fmt: skip


def test_an_agent_talks_to_itself(folder: Path) -> None:
    done = run("self-chat", "-m", "repeat_query", "-n", "2", "--selfchat-max-turns", "2", "--world-logs", "s.jsonl")
    said = "context: Hi!\nRepeatQueryAgent_1: Hi!\nRepeatQueryAgent_2: Hi!\n- - -\n"
    assert done.stdout == said * 2
    (first, _) = map(json.loads, (folder / "s.jsonl").read_text("utf-8").splitlines())
    assert [turn["text"] for turn in first["context"]] == ["Hi!", ""]
    metadata = json.loads((folder / "s.metadata").read_text("utf-8"))
    assert metadata["self_chat"] is True


def test_a_talk_begins_with_what_a_task_asks(folder: Path) -> None:
    done = run("self-chat", "-m", "repeat_query", "--partner", "fixed_response", "--context", "", "--json",
               "--seed-messages-from-task", "-t", "talks.txt", "--selfchat-max-turns", "1")  # fmt: skip
    dialog = json.loads(done.stdout)["dialog"]
    assert dialog[0]["text"] in ("hello", "hi")
    assert dialog[1]["text"] == "I don't know."
    (folder / "openers.txt").write_text("tea?\n\n", "utf-8")
    done = run("self-chat", "-m", "repeat_query", "--seed-messages-from-file", "openers.txt", "--context", "")
    assert done.stdout.startswith("RepeatQueryAgent_1: tea?\n")
    assert "add -t TASK" in run("self-chat", "-m", "repeat_query", "--seed-messages-from-task").stderr


def test_the_figures_of_the_table() -> None:
    shown = [figure(value) for value in (0.5, 1 / 3, 0.0, 1.0, -0.25, 12.3456, 1234.6, 7, float("nan"), 1e-9, 0.04412)]
    assert shown == [".5000", ".3333", "0", "1", "-.25", "12.35", "1235", "7", "", "1e-09", ".04412"]
