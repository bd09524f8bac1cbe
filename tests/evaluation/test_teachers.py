"""Do teachers pose their examples, and measure the answers, as ParlAI's do?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from autograph.evaluation.fault import DataError
from autograph.evaluation.metric import Average, Metric
from autograph.evaluation.metrics import values
from autograph.evaluation.parlai.datatypes import DATATYPES, Datatype
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.row_dialogues import read_row_dialogues, row_dialogues
from autograph.evaluation.parlai.tasks import teacher_for
from autograph.evaluation.parlai.teachers import FixedDialogTeacher, MultiTaskTeacher, Teacher

DATA = json.loads((Path(__file__).parent.parent / "data" / "parlai-formats.json").read_text("utf-8"))
EXACT = 1e-12


class FixedResponse:
    """An agent that always says the same."""

    id = "FixedResponseAgent"

    def __init__(self, text: str) -> None:
        self.text = text

    def act(self, asked: Message) -> Message:
        return Message(id=self.id, text=self.text, episode_done=False)


def episodes(*sizes: int, name: str = "") -> list[list[Message]]:
    """Dialogues of so many examples; the third of the second is asked ``2.3`` and answered ``a2.3``."""
    return [
        [Message(text=f"{name}{i}.{k}", labels=[f"a{i}.{k}"]) for k in range(1, size + 1)]
        for i, size in enumerate(sizes, 1)
    ]


def texts(teacher: Teacher, count: int) -> list[str | None]:
    return [teacher.act().get("text") for _ in range(count)]


# ---------------------------------------------------------------------- recorded runs


@pytest.mark.parametrize("name", DATA["runs"])
def test_recorded_runs(name: str, tmp_path: Path) -> None:
    run = DATA["runs"][name]
    folder = tmp_path / "work"
    folder.mkdir()
    for file, text in DATA["files"].items():
        (folder / file).write_text(text, "utf-8", newline="")
    given = dict(zip(run["args"][::2], run["args"][1::2], strict=True))
    names = {"--fromfile-datapath": "fromfile_datapath", "--jsonfile-datapath": "jsonfile_datapath"}
    options: dict[str, Any] = {
        option: str(folder / Path(given[flag]).name) for flag, option in names.items() if flag in given
    }
    options["label_turns"] = given.get("--label-turns")
    teacher = teacher_for(given["-t"], datatype=given["-dt"], options=options)
    student = FixedResponse(given["--fixed-response"])
    assert (teacher.num_examples(), teacher.num_episodes()) == (run["num_examples"], run["num_episodes"])
    for asked, answered in run["acts"]:
        assert not teacher.epoch_done()
        act = teacher.act()
        assert act == asked
        reply = student.act(act)
        assert reply == answered
        teacher.observe(reply)
    assert teacher.epoch_done()
    assert values(teacher.report()) == pytest.approx(run["report"], abs=EXACT)


# ---------------------------------------------------------------------- order


@pytest.mark.parametrize("datatype", ["train:ordered", "train:evalmode", "valid", "test:stream"])
def test_one_pass_in_order(datatype: str) -> None:
    teacher = FixedDialogTeacher(episodes(2, 1), datatype=datatype)
    seen = []
    while not teacher.epoch_done():
        act = teacher.act()
        seen.append((act["text"], act["episode_done"]))
    assert seen == [("1.1", False), ("1.2", True), ("2.1", True)]


def test_after_the_last_example() -> None:
    done = FixedDialogTeacher(episodes(1), datatype="valid", id="t")
    assert texts(done, 1) == ["1.1"]
    padding = done.act()
    assert padding == {"batch_padding": True, "episode_done": True, "id": "t"}
    assert done.epoch_done()
    ordered = FixedDialogTeacher(episodes(1, 1), datatype="train:ordered")
    assert texts(ordered, 3) == ["1.1", "2.1", "1.1"]
    assert not ordered.epoch_done()
    streamed = FixedDialogTeacher(episodes(1, 1), datatype="train:stream:ordered", stream_ends=True)
    assert texts(streamed, 3) == ["1.1", "2.1", None]


def test_training_goes_on_for_ever() -> None:
    stream = FixedDialogTeacher(episodes(1, 2), datatype="train:stream")
    assert texts(stream, 5) == ["1.1", "2.1", "2.2", "1.1", "2.1"]
    drawn = FixedDialogTeacher(episodes(*[2] * 5), datatype="train", seed=3)
    found = texts(drawn, 400)
    assert not drawn.epoch_done()
    assert all(first and second == first[:-1] + "2" for first, second in zip(found[::2], found[1::2], strict=True))
    assert min(Counter(found).values()) > 10
    assert texts(FixedDialogTeacher(episodes(*[2] * 5), seed=3), 400) == found
    assert texts(FixedDialogTeacher(episodes(*[2] * 5), seed=4), 400) != found


def test_reset_begins_again() -> None:
    for datatype in ("train", "train:stream", "valid"):
        teacher = FixedDialogTeacher(episodes(2, 2), datatype=datatype, seed=1)
        first = texts(teacher, 3)
        teacher.observe(Message(text="x"))
        teacher.reset()
        assert teacher.report() == {}
        assert texts(teacher, 3) == first


def test_iterating_moves_nothing() -> None:
    teacher = FixedDialogTeacher(episodes(2, 1), datatype="valid", batchsize=2)
    assert texts(teacher, 1) == ["1.1"]
    assert [act["text"] for act in teacher] == ["1.1", "1.2", "2.1"]
    assert texts(teacher, 1) == ["1.2"]
    assert len(list(islice(FixedDialogTeacher(episodes(1), datatype="train"), 7))) == 7


def test_copies_share_order_and_metrics() -> None:
    root = FixedDialogTeacher(episodes(2, 1, 1), datatype="valid", batchsize=2)
    twins = [root.share(), root.share()]
    seen = []
    for _ in range(3):
        for twin in twins:
            seen.append(twin.act().get("text"))
            twin.observe(Message(text="a1.1"))
    assert seen == ["1.1", "2.1", "1.2", "3.1", None, None]
    assert values(root.report())["exs"] == 4
    assert [twin.epoch_done() for twin in twins] == [True, True]
    twins[0].reset_metrics()
    assert root.report() == {}


def test_a_copy_is_done_when_no_dialogue_is_left_for_it() -> None:
    root = FixedDialogTeacher(episodes(1, 1, 1), datatype="valid", batchsize=2)
    one, two = root.share(), root.share()
    done = []
    for twin in (one, two, one):
        twin.act()
        done.append(twin.epoch_done())
    assert done == [False, True, True]


# ---------------------------------------------------------------------- labels and metrics


@pytest.mark.parametrize(
    ("datatype", "hides", "field"),
    [
        ("train", False, "labels"),
        ("train:ordered", True, "labels"),
        ("train:evalmode", False, "eval_labels"),
        ("valid", False, "eval_labels"),
        ("test", True, None),
    ],
)
def test_where_the_labels_are(datatype: str, hides: bool, field: str | None) -> None:
    teacher = FixedDialogTeacher(episodes(1), datatype=datatype, hide_labels=hides)
    act = teacher.act()
    assert [name for name in act if "labels" in name] == ([field] if field else [])
    teacher.observe(Message(text="A1.1!"))
    assert values(teacher.report())["accuracy"] == 1


def test_metrics_are_noted_in_the_answer() -> None:
    teacher = FixedDialogTeacher(episodes(2), datatype="valid")
    teacher.act()
    reply = Message(text="x", metrics={"loss": 2.0, "f1": 7, "none": None})
    assert teacher.observe(reply) is reply
    assert values(reply["metrics"]) == {
        "exs": 1, "accuracy": 0, "precision": 0, "recall": 0, "f1": 0, "bleu-4": 0, "loss": 2, "USER_f1": 7,
    }  # fmt: skip
    again = Message(text="a1.1", metrics={"mine": 1})
    teacher.observe(again)  # nothing was asked since
    assert again == {"text": "a1.1", "metrics": {"mine": 1}}
    teacher.act()
    teacher.observe(Message())
    assert values(teacher.report())["exs"] == 2
    assert values(teacher.report())["accuracy"] == 0


def test_what_an_agent_does_to_a_message_does_not_last() -> None:
    data = episodes(1)
    teacher = FixedDialogTeacher(data, datatype="train:ordered", id="t")
    teacher.act().force_set("text", "changed")
    assert teacher.act() == {"text": "1.1", "labels": ["a1.1"], "id": "t", "episode_done": True}
    assert data == episodes(1)


def test_examples_without_labels_are_not_measured() -> None:
    teacher = FixedDialogTeacher([[{"text": "hm", "id": "own", "x": 1}]], datatype="valid", id="t")
    assert teacher.act() == {"text": "hm", "id": "t", "x": 1, "episode_done": True}
    assert teacher.observe(Message(text="?")) == {"text": "?"}
    assert teacher.report() == {}


def test_a_teacher_with_measures_of_its_own() -> None:
    class Politeness(FixedDialogTeacher):
        def custom_evaluation(
            self, teacher_action: Message, labels: Sequence[str], model_response: Message
        ) -> Mapping[str, Metric]:
            assert teacher_action["labels"] == labels
            return {"polite": Average("please" in model_response["text"])}

    teacher = Politeness(episodes(1, 1), datatype="valid", metrics=("accuracy", "bleu-1"), tokenize="char")
    for text in ("tea please", "tea"):
        teacher.act()
        reply = teacher.observe(Message(text=text))
        assert "polite" in reply["metrics"]
    assert values(teacher.report())["polite"] == 0.5
    assert "bleu-1" in teacher.report()
    assert "bleu-4" not in teacher.report()


def test_what_a_teacher_refuses() -> None:
    with pytest.raises(ValueError, match='the task "t" has no dialogue for the datatype "valid"'):
        FixedDialogTeacher([[]], id="t", datatype="valid")
    with pytest.raises(ValueError, match='Did you mean "train:ordered"'):
        FixedDialogTeacher(episodes(1), datatype="train:order")


def test_datatypes() -> None:
    def named(what: str) -> set[str]:
        return {name for name in DATATYPES if getattr(Datatype(name), what)}

    assert named("random") == {"train"}
    assert named("shuffles") == {"train"}
    assert named("cycles") == {"train", "train:stream"}
    assert named("training") == {n for n in DATATYPES if n.startswith("train") and "evalmode" not in n}
    assert {Datatype(name).fold for name in DATATYPES} == {"train", "valid", "test"}


# ---------------------------------------------------------------------- several


def two(datatype: str, **options: Any) -> MultiTaskTeacher:
    parts = [
        FixedDialogTeacher(episodes(1, 2, name="x"), id="x", datatype=datatype),
        FixedDialogTeacher(episodes(1, name="y"), id="y", datatype=datatype),
    ]
    return MultiTaskTeacher(parts, datatype=datatype, **options)


def test_tasks_take_turns_by_dialogues() -> None:
    teacher = two("valid")
    assert (teacher.id, teacher.num_examples(), teacher.num_episodes()) == ("x,y", 4, 3)
    seen = []
    while not teacher.epoch_done():
        seen.append(teacher.act()["text"])
        teacher.observe(Message(text="a1.1"))
    assert seen == ["x1.1", "y1.1", "x2.1", "x2.2"]
    assert teacher.act().is_padding()
    report = values(teacher.report())
    assert report["exs"] == 4
    assert report["accuracy"] == pytest.approx((1 / 3 + 1) / 2, abs=EXACT)
    assert (report["x/exs"], report["y/accuracy"]) == (3, 1)
    teacher.reset()
    assert texts(teacher, 2) == ["x1.1", "y1.1"]
    assert [act["text"] for act in teacher] == seen[:2] + seen[2:]


def test_every_example_alike() -> None:
    teacher = two("valid", micro_average=True)
    for _ in range(4):
        teacher.act()
        teacher.observe(Message(text="a1.1"))
    assert values(teacher.report())["accuracy"] == 0.5
    teacher.reset_metrics()
    assert teacher.report() == {}


@pytest.mark.parametrize(
    ("weights", "share"), [((1,), 0.5), ((3,), 0.75), ((0, 1), 0), ("stochastic", 2 / 3), ((1, 3, 9), 0.25)]
)
def test_tasks_are_drawn_by_weight(weights: Any, share: float) -> None:
    teacher = two("train", weights=weights, seed=5)
    seen: list[str] = []
    while len(seen) < 1000:
        act = teacher.act()
        if act["episode_done"]:
            seen.append(act["id"])
    assert seen.count("x") / 1000 == pytest.approx(share, abs=0.05)


def test_copies_of_several() -> None:
    teacher = two("valid")
    twin = teacher.share()
    assert texts(twin, 3) == ["x1.1", "y1.1", "x2.1"]
    twin.observe(Message(text="a2.1"))
    assert values(teacher.report())["accuracy"] == 1
    assert texts(teacher, 1) == [None]


def test_what_several_refuse() -> None:
    teacher = FixedDialogTeacher(episodes(1), id="x")
    with pytest.raises(ValueError, match='two tasks are called "x"'):
        MultiTaskTeacher([teacher, teacher])
    with pytest.raises(ValueError, match="there is no task"):
        MultiTaskTeacher([])


# ---------------------------------------------------------------------- rows


def test_rows_are_dialogues_by_themselves() -> None:
    rows = [{"text": "a", "labels": "b|c", "extra": 1}, {"text": "d", "label": "e", "labels": None}, {"text": "f"}]
    assert row_dialogues(rows) == [
        [{"text": "a", "labels": ["b|c"], "extra": 1}],
        [{"text": "d", "labels": ["e"]}],
        [{"text": "f"}],
    ]


def test_rows_in_dialogues() -> None:
    by_name = row_dialogues({"text": t, "labels": ["x"], "episode": e} for t, e in ("a1", "b1", "c2", "d1"))
    assert [[m["text"] for m in dialogue] for dialogue in by_name] == [["a", "b"], ["c"], ["d"]]
    by_end = row_dialogues([{"text": t, "episode_done": d} for t, d in (("a", False), ("b", "yes"), ("c", None))])
    assert [[m["text"] for m in dialogue] for dialogue in by_end] == [["a", "b"], ["c"]]


def test_a_frame_with_other_names() -> None:
    frame = pd.DataFrame({"question": ["a", "b"], "answer": ["x", None], "text": ["-", "-"], "n": [1.5, None]})
    found = row_dialogues(frame, {"text": "question", "labels": "answer"})
    assert found == [[{"text": "a", "labels": ["x"], "n": 1.5}], [{"text": "b"}]]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "d.csv",
            "text,labels,reward,#note,episode_done\nhi,hello|hey,1,x,FALSE\nbye,see you,,y,TRUE\n\nsolo,a b,,,\n",
        ),
        ("d.csv", "text;labels;reward;episode_done\nhi;hello|hey;1;no\nbye;see you;;yes\nsolo;a b;;\n"),
        ("d.tsv", "text\tlabels\treward\tepisode_done\nhi\thello|hey\t1\t0\nbye\tsee you\t\t1\nsolo\ta b\t\t\n"),
        (
            "d.jsonl",
            '{"text": "hi", "labels": ["hello", "hey"], "reward": 1, "episode_done": false}\n'
            '{"text": "bye", "labels": "see you", "episode_done": true}\n{"text": "solo", "label": "a b"}\n',
        ),
    ],
)
def test_rows_in_files(name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    found = read_row_dialogues(path)
    kept = [[{k: v for k, v in m.items() if k != "episode_done"} for m in dialogue] for dialogue in found]
    assert kept == [
        [{"text": "hi", "labels": ["hello", "hey"], "reward": 1}, {"text": "bye", "labels": ["see you"]}],
        [{"text": "solo", "labels": ["a b"]}],
    ]


def test_rows_in_a_workbook(tmp_path: Path) -> None:
    path = tmp_path / "d.xlsx"
    pd.DataFrame({"text": ["hi"], "labels": ["hello|hey"]}).to_excel(path, sheet_name="faq", index=False)
    for sheet in ("", "faq"):
        assert read_row_dialogues(path, sheet=sheet) == [[{"text": "hi", "labels": ["hello", "hey"]}]]


def test_bad_rows_are_told(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("text,labels,reward,episode_done\n,a,much,\nb,c,,perhaps\n", "utf-8")
    with pytest.raises(DataError) as error:
        read_row_dialogues(path)
    assert [(f.location.row, f.location.column) for f in error.value.faults] == [
        (2, "reward"), (2, "text"), (3, "episode_done"),
    ]  # fmt: skip
    path.write_text("texts,label\na,b\n", "utf-8")
    with pytest.raises(DataError, match=r'no column "text"\. Did you mean "texts"'):
        read_row_dialogues(path)
    with pytest.raises(DataError, match=r'no column "anser" for the field "labels"\. Did you mean "answer"'):
        row_dialogues([{"text": "a", "answer": "b"}], {"labels": "anser"})
    path.write_text("text,labels\na,b,c\n", "utf-8")
    with pytest.raises(DataError, match="row 2: the row has 3 cells but there are 2 columns"):
        read_row_dialogues(path)
    with pytest.raises(DataError, match="there are no rows"):
        row_dialogues([])
    with pytest.raises(DataError, match="eval_labels"):
        row_dialogues([{"text": "a", "eval_labels": ["b"]}])
    for source in (3, "text", [3]):
        with pytest.raises(TypeError):
            row_dialogues(source)
