"""Do names lead to tasks, and do the tasks that ship ask what can be answered?"""

from __future__ import annotations

import re
import sys
from importlib.metadata import EntryPoint
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.evaluation.fault import DataError
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.parlai_text import read_parlai_text
from autograph.evaluation.parlai.task_spec import TaskItem, flag_value, parse_item, split_tasks
from autograph.evaluation.parlai.tasks import Task, known_tasks, packages, teacher_for, teachers_for
from autograph.evaluation.parlai.tasks.generated import ask, generate
from autograph.evaluation.parlai.tasks.registry import expand_tags
from autograph.evaluation.parlai.teachers import FixedDialogTeacher, Teacher

SHIPPED = ["stories", "questions", "booking", "smalltalk", "cloze"]
TEXT = "text:hi\tlabels:hello|hey\ntext:bye\tlabels:see you\tepisode_done:True\ntext:x\tlabels:y\n"


def ids(spec: str, **more: Any) -> list[str]:
    return [teacher.id for teacher in teachers_for(spec, **more)]


def refusal(spec: str, **more: Any) -> str:
    with pytest.raises(DataError) as error:
        teachers_for(spec, **more)
    return str(error.value)


# ---------------------------------------------------------------------- the grammar


@pytest.mark.parametrize(
    ("text", "item", "teacher_class"),
    [
        ("babi", TaskItem("babi", "babi", "", (), {}), "DefaultTeacher"),
        ("babi:task10k:1", TaskItem("babi:task10k:1", "babi", "task10k", ("1",), {}), "Task10kTeacher"),
        ("babi:two_words", TaskItem("babi:two_words", "babi", "two_words", (), {}), "TwoWordsTeacher"),
        ("x:MyTeacher", TaskItem("x:MyTeacher", "x", "MyTeacher", (), {}), "MyTeacher"),
        ("pkg.mod.agents:cls", TaskItem("pkg.mod.agents:cls", "pkg.mod.agents", "cls", (), {}), "Cls"),
        (
            " f:g:a-b=1:c=x;y:d=TRUE:e=.5:g= ",
            TaskItem("f:g", "f", "g", (), {"a_b": 1, "c": "x:y", "d": True, "e": 0.5, "g": ""}),
            "GTeacher",
        ),
        ("f:path=a=b", TaskItem("f", "f", "", (), {"path": "a=b"}), "DefaultTeacher"),
    ],
)
def test_one_task(text: str, item: TaskItem, teacher_class: str) -> None:
    assert parse_item(text) == item
    assert parse_item(text).teacher_class == teacher_class


def test_lists_and_values() -> None:
    assert split_tasks("a, b:c=1,, #qa,") == ["a", "b:c=1", "#qa"]
    assert [flag_value(text) for text in ("False", "12", "-1e3", "none", "1.2.3")] == [
        False, 12, -1000.0, "none", "1.2.3",
    ]  # fmt: skip


@given(st.text(st.sampled_from("ab:=,;#-_ .")))
def test_every_text_is_a_spec(text: str) -> None:
    for item in split_tasks(text):
        found = parse_item(item)
        assert ":".join([found.name, *([found.teacher] if ":" in found.id else []), *found.arguments]) == found.id
        assert isinstance(found.teacher_class, str)


# ---------------------------------------------------------------------- names and tags


def test_tags() -> None:
    assert expand_tags(["#QA"]) == ["stories", "questions"]
    assert expand_tags(["#chit-chat", "x:y", "#Cloze"]) == ["smalltalk", "x:y", "cloze"]
    assert expand_tags(["#goal", "#reasoning"]) == ["booking", "stories", "cloze"]
    assert expand_tags(["#all"]) == SHIPPED
    assert expand_tags(["#Small-Talk"]) == ["smalltalk"]
    with pytest.raises(DataError, match=r'no tag or task "#rezoning"\. Did you mean "#reasoning"'):
        expand_tags(["#rezoning"])


def test_teachers_of_a_task() -> None:
    small = {"size": 2}
    assert ids("stories", options=small) == [
        f"stories:{kind}" for kind in ("where", "thing", "before", "yesno", "count", "carries")
    ]
    assert ids("Stories:Where,booking:plain", options=small) == ["Stories:Where", "booking:plain"]
    assert ids("cloze:room:1:size=3") == ["cloze:room:1"]
    several = teacher_for("questions,#goal", options=small, datatype="valid")
    assert (several.id, several.num_episodes()) == ("questions,#goal", 8)
    assert [act["id"] for act in several if act["episode_done"]][:4] == [
        "questions:single", "questions:several", "booking:plain", "booking:changing",
    ]  # fmt: skip
    assert isinstance(teacher_for("cloze:room", options=small), FixedDialogTeacher)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("storys", 'there is no task "storys". Did you mean "stories"?'),
        ("stories:were", 'the task "stories" has no teacher "were". Did you mean "where"?'),
        ("jsonfile:size=1", "--jsonfile-datapath FILE, or as jsonfile:jsonfile_datapath=FILE."),
        ("", "no task is named. Name one with -t"),
        ("stories:size=many", "\"size\" is 'many'"),
        ("cloze:room:size=2,cloze:room:size=2", 'two tasks are called "cloze:room"'),
        ("no/such.txt", 'there is no file or folder "no/such.txt".'),
        ("no.such.module:Teacher", 'the module "no.such.module" cannot be imported'),
    ],
)
def test_what_is_not_there(spec: str, message: str) -> None:
    with pytest.raises(DataError) as error:
        teacher_for(spec)
    assert message in str(error.value)


def test_an_unknown_datatype() -> None:
    for spec in ("stories", "stories:datatype=x"):
        with pytest.raises(ValueError, match="there is no datatype"):
            teachers_for(spec, datatype="valid" if ":" in spec else "validd")


# ---------------------------------------------------------------------- files


def test_files_by_option_and_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "t.txt").write_text(TEXT, "utf-8")
    (folder / "n.txt").write_text("1 hi\thello\n1 x\ty\n", "utf-8")
    (folder / "c.jsonl").write_text('{"dialog": [[{"id": "a", "text": "x"}, {"id": "b", "text": "y"}]]}\n', "utf-8")
    (folder / "r.jsonl").write_text('{"text": "x", "labels": ["y"]}\n', "utf-8")
    (folder / "r.csv").write_text("question,answer\nx,y\n", "utf-8")
    sizes = {
        "data/t.txt": ("data/t.txt", 3, 2),
        "data/n.txt:cloze=true": ("data/n.txt", 2, 2),
        "data/c.jsonl:label_turns=both": ("data/c.jsonl", 2, 2),
        "data/r.jsonl": ("data/r.jsonl", 1, 1),
        "data/r.csv:text_column=question:labels_column=answer": ("data/r.csv", 1, 1),
        f"{folder / 't.txt'}": (f"{folder / 't.txt'}", 3, 2),
        "fromfile:fromfile_datapath=data/t.txt": ("data/t.txt", 3, 2),
        "fromfile:parlaiformat2:fromfile_datapath2=data/t.txt": ("data/t.txt", 3, 2),
        "fromfile:fbformat:fromfile_datapath=data/n.txt": ("fromfile:fbformat", 2, 2),
        "jsonfile:jsonfile-datapath=data/c.jsonl": ("data/c.jsonl", 1, 1),
        "rows:rows_datapath=data/r.jsonl": ("data/r.jsonl", 1, 1),
    }
    for spec, expected in sizes.items():
        teacher = teacher_for(spec, datatype="valid")
        assert (teacher.id, teacher.num_examples(), teacher.num_episodes()) == expected
    (folder / "t.txt").rename(folder / "s_valid.txt")
    options = {"fromfile_datapath": "data/s", "fromfile_datatype_extension": True}
    assert ids("fromfile", datatype="valid", options=options) == ["data/s_valid.txt"]
    assert "s_train.txt" in refusal("fromfile", options=options)
    assert 'Did you mean "n.txt"' in refusal("data/nn.txt")
    assert "secondspeaker" in refusal("data/c.jsonl:label_turns=neither")


# ---------------------------------------------------------------------- folders


def task_folder(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "task.yaml").write_text(text, "utf-8")
    (folder / "train.txt").write_text(TEXT, "utf-8")
    (folder / "hard.txt").write_text("1 hi\thello\n", "utf-8")
    return folder


CAFE = """\
name: cafe
description: What one says in a café
tags: [QA, Drinks]
files: {train: train.txt}
teachers:
  very_hard:
    format: fbdialog
    files: hard.txt
    options: {cloze: true}
"""


def test_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = task_folder(tmp_path / "my-cafe", CAFE)
    assert ids(f"{folder}") == [str(folder)]
    assert ids("cafe", folders=[tmp_path]) == ["cafe"]
    assert ids("#drinks", folders=[tmp_path]) == ["cafe"]
    hard = teacher_for("cafe:very_hard", datatype="test", folders=[tmp_path])
    assert hard.act()["text"] == "Fill in the blank in the last sentence.\nhi"
    plain = teacher_for("cafe:very_hard:cloze=false", datatype="test", folders=[tmp_path])
    assert plain.act()["text"] == "hi"
    assert "cafe" in [task.name for task in known_tasks([tmp_path])]
    assert 'the task "cafe" has no data for "valid". It has train' in refusal(
        "cafe", datatype="valid", folders=[tmp_path]
    )
    monkeypatch.chdir(tmp_path)
    assert ids("my-cafe:very_hard", datatype="valid") == ["my-cafe:very_hard"]


def test_what_is_wrong_in_a_folder(tmp_path: Path) -> None:
    bad = "name: x\ntag: [a]\nformat: parlay\nfiles: {trian: a.txt, test: ../b.txt}\nteachers: {hard: {}, easy: 3}\n"
    text = refusal(str(task_folder(tmp_path / "x", bad)))
    for part in (
        'task.yaml, line 2: "tag" is no field of a task. Did you mean "tags"?',
        'line 3: "format" is "parlay". Did you mean "parlai"?',
        'line 4: "files.trian" is no part of the data. Did you mean "train"?',
        '"files.test" is "../b.txt", outside of the folder.',
        'line 5: "teachers.hard.files" names no file.',
        'line 5: "teachers.easy" is no mapping.',
    ):
        assert part in text
    assert "task.yaml, line 2" in refusal(str(task_folder(tmp_path / "y", "name: [")))
    assert "holds no mapping" in refusal(str(task_folder(tmp_path / "y", "- a\n")))
    assert '"files" is missing' in refusal(str(task_folder(tmp_path / "y", "name: y\n")))


def test_python_in_a_folder_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "agents.py").write_text("raise SystemExit('run')\n", "utf-8")
    assert "Python in a folder is not run" in refusal(str(tmp_path))


# ---------------------------------------------------------------------- packages

AGENTS = """\
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.teachers import FixedDialogTeacher

class DefaultTeacher(FixedDialogTeacher):
    def __init__(self, opt):
        super().__init__([[Message(text=opt.get("say", "hi"), labels=["x"])]], id=opt["task"], datatype=opt["datatype"])

class TwinsTeacher:
    def __new__(cls, opt):
        return [DefaultTeacher({**opt, "task": name}) for name in ("a", "b")]
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of an installed package with a task."""
    folder = tmp_path / "tasks_of_ours"
    folder.mkdir()
    (folder / "__init__.py").write_text('TAGS = ("QA",)\nDESCRIPTION = "ours"\n', "utf-8")
    (folder / "agents.py").write_text(AGENTS, "utf-8")
    (folder / "build.py").write_text("def build(folder):\n    return folder / 'ours'\n", "utf-8")
    (folder / "worlds.py").write_text("class DefaultWorld:\n    pass\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield "tasks_of_ours"
    for name in [name for name in sys.modules if name.startswith("tasks_of_ours")]:
        del sys.modules[name]


def test_modules_named_in_full(package: str) -> None:
    (teacher,) = teachers_for(f"{package}.agents:DefaultTeacher:say=ho")
    assert teacher.act() == {
        "text": "ho", "labels": ["x"], "id": f"{package}.agents:DefaultTeacher", "episode_done": True,
    }  # fmt: skip
    assert ids(f"{package}.agents") == [f"{package}.agents"]
    assert ids(f"{package}.agents:TwinsTeacher") == ["a", "b"]
    assert 'has no teacher "Other"' in refusal(f"{package}.agents:Other")


def test_entry_points(package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def entries(**values: str) -> None:
        found = [EntryPoint(name, value, packages.GROUP) for name, value in values.items()]
        monkeypatch.setattr(packages, "entry_points", lambda group: found)

    entries(ours=package)
    assert ids("ours,ours:twins") == ["ours", "a", "b"]
    assert expand_tags(["#qa"])[-1] == "ours"
    task = next(task for task in known_tasks() if task.name == "ours")
    assert (task.tags, task.description) == (("QA",), "ours")
    assert task.build is not None
    assert task.build(tmp_path) == tmp_path / "ours"
    assert list(task.worlds or ()) == ["DefaultWorld"]
    entries(broken="no_such_package", odd="math:pi")
    assert 'the installed task "broken" (no_such_package) cannot be loaded' in refusal("broken")
    assert 'the installed task "odd" is a float, not a task' in refusal("odd")


# ---------------------------------------------------------------------- what ships


class Reader:
    """Reads a story about a house, sentence by sentence."""

    def __init__(self) -> None:
        self.where: dict[str, str] = {}
        self.has: dict[str, str] = {}
        self.seen: dict[str, list[str]] = {}

    def read(self, sentence: str) -> None:
        match re.sub(r"\b(the|up|down|to)\b", "", sentence.rstrip(".")).split():
            case [who, "went" | "walked" | "moved" | "ran", room]:
                self.where[who] = room
                for thing in self.carried(who):
                    self._note(thing, room)
            case [who, "picked" | "took" | "grabbed", thing]:
                assert thing not in self.has
                assert self.seen.get(thing, [self.where[who]])[-1] == self.where[who]
                self.has[thing] = who
                self._note(thing, self.where[who])
            case [who, "put" | "left" | "dropped", thing]:
                assert self.has.pop(thing) == who
            case [who, "gave", thing, other]:
                assert self.has[thing] == who
                assert self.where[who] == self.where[other]
                self.has[thing] = other
            case words:
                raise AssertionError(words)

    def carried(self, who: str) -> list[str]:
        return [thing for thing, holder in self.has.items() if holder == who]

    def _note(self, thing: str, room: str) -> None:
        rooms = self.seen.setdefault(thing, [])
        if rooms[-1:] != [room]:
            rooms.append(room)

    def answers(self, question: str) -> set[str]:
        words = re.sub(r"[?.]|\bthe\b", "", question).split()
        match words:
            case ["Where", "is", name]:
                return {self.where[name] if name in self.where else self.seen[name][-1]}
            case ["Where", "was", thing, "before", _, _, "in", room]:
                assert self.seen[thing][-1] == room
                return {self.seen[thing][-2]}
            case ["Is", who, "in", room]:
                return {"yes" if self.where[who] == room else "no"}
            case ["How", "many", "things", "is", who, "carrying"]:
                return {["none", "one", "two", "three"][len(self.carried(who))]}
            case ["What", "is", who, "carrying"]:
                return {" ".join(order) for order in permutations(self.carried(who))} - {""} or {"nothing"}
            case ["Now", "_____", "has", thing]:
                return {self.has[thing]}
            case ["Now", who, "has", "_____"]:
                return set(self.carried(who))
            case ["Now", thing, "is", "in", "_____"]:
                return {self.seen[thing][-1]}
        raise AssertionError(words)


@pytest.mark.parametrize("spec", ["stories", "cloze"])
def test_stories_can_be_answered(spec: str) -> None:
    for teacher in teachers_for(spec, datatype="valid"):
        reader = Reader()
        for act in teacher:
            *sentences, question = act["text"].split("\n")
            for sentence in sentences:
                reader.read(sentence)
            assert set(act["eval_labels"]) == reader.answers(question)
            assert act["eval_labels"][0] in act["label_candidates"]
            if act["episode_done"]:
                reader = Reader()


def test_answers_stand_in_the_paragraph() -> None:
    for teacher in teachers_for("questions", datatype="valid"):
        paragraph = ""
        for act in teacher:
            before, _, question = act["text"].rpartition("\n")
            paragraph = before or paragraph
            assert act["eval_labels"][0] in paragraph
            assert question.endswith("?")
            if act["episode_done"]:
                paragraph = ""


def test_a_booking_is_what_was_wished() -> None:
    for teacher in teachers_for("booking", datatype="test"):
        heard, calls = "", 0
        for act in teacher:
            heard += " " + act["text"]
            (label,) = act["eval_labels"]
            assert label in act["label_candidates"]
            if label.startswith("book_table"):
                calls += 1
                for word in label.split()[1:]:
                    assert re.search(rf"\b{word}\b", heard)
                assert act["label_candidates"].count(label) == 1
            if act["episode_done"]:
                assert label == "You are welcome. Goodbye!"
                assert calls >= (2 if teacher.id.endswith("changing") else 1)
                heard, calls = "", 0


def test_small_talk_is_about_what_was_told() -> None:
    persona, listening = teachers_for("smalltalk", datatype="valid")
    told = ""
    for act in persona:
        told = act["text"] if "your persona" in act["text"] else told
        for label in act["eval_labels"][:1]:
            assert label in act["label_candidates"]
            assert label.startswith("I am fine") or any(word in told for word in label.rstrip(".").split()[-1:])
    for act in listening:
        assert len(set(act["label_candidates"]) & set(act["eval_labels"])) == 1


def dialogues(teacher: Teacher) -> list[str]:
    """Each dialogue of one pass as a text."""
    found, current = [], ""
    for act in teacher:
        current += f"{act['text']}|{act.get('labels', act.get('eval_labels'))}\n"
        if act["episode_done"]:
            found.append(current)
            current = ""
    return found


@pytest.mark.parametrize("name", SHIPPED)
def test_folds_have_nothing_in_common(name: str) -> None:
    folds = ("train:ordered", "valid", "test")
    for data_seed in (0, 1):
        parts = [teachers_for(name, datatype=fold, options={"size": 40, "data_seed": data_seed}) for fold in folds]
        for same in zip(*parts, strict=True):
            train, valid, test = (dialogues(teacher) for teacher in same)
            assert [len(set(fold)) for fold in (train, valid, test)] == [40, 40, 40]
            assert not {*train} & {*valid}
            assert not {*train} & {*test}
            assert not {*valid} & {*test}


def test_the_same_seed_gives_the_same_dialogues() -> None:
    (one,), (same,), (other,) = (
        teachers_for("booking:plain", datatype="valid", options={"data_seed": seed}) for seed in (0, 0, 7)
    )
    assert dialogues(one) == dialogues(same)
    assert dialogues(one) != dialogues(other)
    sizes = {fold: teacher_for("booking:plain", datatype=fold).num_episodes() for fold in ("train", "valid", "test")}
    assert sizes == {"train": 400, "valid": 50, "test": 50}


def test_too_few_dialogues() -> None:
    with pytest.raises(DataError, match=r'"t" has only \d different dialogues for train, not 9'):
        generate("t", lambda rng: [ask(rng.choice("ab"), ["x"])], "train", size=9)


def test_the_place_of_the_right_candidate_tells_nothing() -> None:
    assert ask("q", ["b"], ["a", "c"])["label_candidates"] == ["a", "b", "c"]
    assert ask("q", ["b"], ["c", "b"]) == Message(text="q", labels=["b"], label_candidates=["c", "b"])
    assert "label_candidates" not in ask("q", ["b"])


@pytest.mark.parametrize("name", ["cloze", "questions"])
def test_a_task_is_built_as_a_folder(name: str, tmp_path: Path) -> None:
    task = next(task for task in known_tasks() if task.name == name)
    assert isinstance(task, Task)
    assert task.build is not None
    folder = task.build(tmp_path)
    assert folder == tmp_path / name
    kinds = [teacher.id.partition(":")[2] for teacher in teachers_for(name, options={"size": 1})]
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        ["task.yaml", *(f"{kind}_{fold}.txt" for kind in kinds for fold in ("train", "valid", "test"))]
    )
    for kind in kinds:
        assert len(read_parlai_text(folder / f"{kind}_valid.txt", strict=True)) == 50
        built = teacher_for(f"{folder}:{kind}", datatype="test")
        assert dialogues(built) == dialogues(teacher_for(f"{name}:{kind}", datatype="test"))


def test_a_folder_that_is_no_task_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cafe").mkdir()
    with pytest.raises(DataError, match=r'the folder "cafe" has no task\.yaml'):
        teacher_for("cafe")


def test_modules_of_the_working_folder_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("night_tasks").mkdir()
    code = (
        "from autograph.evaluation.parlai.teachers import FixedDialogTeacher\n"
        "class NightTeacher(FixedDialogTeacher):\n"
        "    def __init__(self, opt):\n"
        "        super().__init__([[{'text': opt['greeting'], 'labels': ['yes']}]], id=opt['task'])\n"
    )
    Path("night_tasks/agents.py").write_text(code, "utf-8")
    spec = "night_tasks.agents:NightTeacher"
    assert teacher_for(spec, options={"greeting": "open?"}).act()["text"] == "open?"
    with pytest.raises(DataError, match=r"NightTeacher cannot be made \(KeyError: 'greeting'\)"):
        teacher_for(spec)
