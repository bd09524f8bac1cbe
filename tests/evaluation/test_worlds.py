"""Worlds: who acts and observes when, when dialogues and data end, and what is reported."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

import autograph
from autograph.evaluation.agents import Agent, ProgramAgent, RepeatLabelAgent, RepeatQueryAgent
from autograph.evaluation.metric import Average, Metric, Sum
from autograph.evaluation.metrics import values
from autograph.evaluation.parlai.examined_model import examine
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.paired_models import paired_metrics
from autograph.evaluation.parlai.teachers import FixedDialogTeacher
from autograph.evaluation.parlai.worlds import (
    BatchWorld,
    ConcurrentWorld,
    DialogPartnerWorld,
    InteractiveWorld,
    MultiAgentDialogWorld,
    MultiWorld,
    SelfChatWorld,
)
from autograph.models import ScriptedModel


def teacher(name: str, *lengths: int, **options: Any) -> FixedDialogTeacher:
    """A teacher with dialogues of these lengths; the answer to ``a.0`` is ``A.0``."""
    episodes = [
        [{"text": f"{name}{e}.{i}", "labels": [f"{name}{e}.{i}".upper()]} for i in range(length)]
        for e, length in enumerate(lengths)
    ]
    return FixedDialogTeacher(episodes, id=name, datatype=options.pop("datatype", "valid"), **options)


class Recorder(Agent):
    """Notes what happens to it."""

    def __init__(self, opt: Mapping[str, Any] | None = None, *, log: list[str] | None = None) -> None:
        super().__init__(opt)
        self.id = self.opt.get("id", "r")
        self.log = log if log is not None else []

    def observe(self, observation: Mapping[str, Any]) -> Message:
        self.log.append(f"{self.id} hears {observation.get('text')}")
        return super().observe(observation)

    def act(self) -> Message:
        self.log.append(f"{self.id} acts")
        return self._reply(text=self.id, episode_done=bool(self.opt.get("ends")))

    def report(self) -> Mapping[str, Metric]:
        return self.opt.get("report", {})

    def share(self) -> Recorder:
        return Recorder(self.opt, log=self.log)


# ---------------------------------------------------------------------- two, and many


def test_two_agents_in_turn() -> None:
    log: list[str] = []
    first = Recorder({"id": "x", "report": {"accuracy": Average(1, 2), "exs": Sum(2)}}, log=log)
    second = Recorder({"id": "y", "report": {"accuracy": Average(1, 1), "own": Sum(3)}}, log=log)
    with DialogPartnerWorld([first, second]) as world:
        world.parley()
        assert log == ["x acts", "y hears x", "y acts", "x hears y"]
        assert [act["text"] for act in world.get_acts()] == ["x", "y"]
        assert values(world.report()) == {"accuracy": 0.5, "exs": 2, "own": 3}  # the first agent wins
        assert (world.getID(), world.total_parleys, world.total_exs) == ("x", 1, 2)
        assert world.get_task_agent() is first
        assert world.get_model_agent() is second
        assert world.display() == "[x]: x\n[y]: y"
    with pytest.raises(ValueError, match="was given 1 agents"):
        DialogPartnerWorld([first])


def test_only_the_first_agent_ends_a_dialogue_of_two() -> None:
    for first, second in ((True, False), (False, True)):
        world = DialogPartnerWorld([Recorder({"ends": first}), Recorder({"ends": second})])
        assert not world.episode_done()
        world.parley()
        assert world.episode_done() is first


def test_an_act_is_a_message() -> None:
    class Odd(Agent):
        def act(self) -> Any:
            return "hello"

    with pytest.raises(TypeError, match="not with 'hello'"):
        DialogPartnerWorld([Odd(), Odd()]).parley()


def test_a_pass_over_the_data() -> None:
    world = DialogPartnerWorld([teacher("a", 2, 1), RepeatLabelAgent()])
    ends = []
    while not world.epoch_done():
        world.parley()
        ends.append(world.episode_done())
    assert ends == [False, True, True]
    assert (world.total_epochs, world.num_examples(), world.num_episodes()) == (1.0, 3, 2)
    assert values(world.report())["accuracy"] == 1.0
    world.reset_metrics()
    assert world.report() == {}
    world.reset()
    assert (world.total_parleys, world.epoch_done()) == (0, False)


def test_many_agents_hear_all_others() -> None:
    log: list[str] = []
    world = MultiAgentDialogWorld([Recorder({"id": name, "ends": name == "z"}, log=log) for name in "xyz"])
    world.parley()
    assert log == [
        "x acts", "y hears x", "z hears x",
        "y acts", "x hears y", "z hears y",
        "z acts", "x hears z", "y hears z",
    ]  # fmt: skip
    assert world.episode_done()  # any of the last acts may end it
    assert not world.epoch_done()


# ---------------------------------------------------------------------- several tasks


def multi(**options: Any) -> MultiWorld:
    agent = RepeatQueryAgent()
    worlds = [DialogPartnerWorld([t, agent]) for t in (teacher("a", 2, 1), teacher("b", 1), teacher("c", 2))]
    return MultiWorld(worlds, **options)


def test_tasks_take_turns_by_dialogues() -> None:
    world = multi()
    asked = []
    while not world.epoch_done():
        world.parley()
        asked.append(world.get_acts()[0]["text"])
    assert asked == ["a0.0", "a0.1", "b0.0", "c0.0", "c0.1", "a1.0"]
    assert (world.num_examples(), world.num_episodes(), world.total_epochs) == (6, 4, 1.0)
    assert world.display().startswith("[world 0: a]\n[a]: a1.0")


def test_the_figure_over_tasks_is_macro_or_micro() -> None:
    for micro, accuracy in ((False, (1 + 0 + 0) / 3), (True, 1 / 4)):
        agent = RepeatQueryAgent()
        teachers = [FixedDialogTeacher([[{"text": t, "labels": [t]}]], id="right", datatype="valid") for t in "x"] + [
            FixedDialogTeacher([[{"text": "x", "labels": ["y"]}]] * n, id=f"wrong{n}", datatype="valid") for n in (1, 2)
        ]
        world = MultiWorld([DialogPartnerWorld([t, agent]) for t in teachers], micro_average=micro)
        while not world.epoch_done():
            world.parley()
        report = values(world.report())
        assert (report["accuracy"], report["exs"], report["right/accuracy"]) == (accuracy, 4, 1.0)


def test_in_training_tasks_are_drawn_by_their_weights() -> None:
    agent = RepeatQueryAgent()
    worlds = [DialogPartnerWorld([teacher(name, 1, datatype="train"), agent]) for name in "ab"]
    world = MultiWorld(worlds, datatype="train", weights=[0, 1], seed=1)
    for _ in range(5):
        world.parley()
        assert world.get_acts()[0]["id"] == "b"


def test_two_tasks_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match='two worlds are called "a"'):
        MultiWorld([DialogPartnerWorld([teacher("a", 1), Agent()]) for _ in range(2)])


# ---------------------------------------------------------------------- side by side


def test_a_batch_is_in_step_and_ends_no_dialogue() -> None:
    world = BatchWorld(DialogPartnerWorld([teacher("a", 2, 2, 2, batchsize=2), RepeatLabelAgent()]), 2)
    seen = []
    while not world.epoch_done():
        world.parley()
        seen.append([act.get("text") for act in world.batch_acts[0]])
        assert not world.episode_done()
    assert seen == [["a0.0", "a1.0"], ["a0.1", "a1.1"], ["a2.0", None], ["a2.1", None]]
    assert values(world.report())["accuracy"] == 1.0
    assert values(world.report())["exs"] == 6
    assert (world.getID(), world.num_examples(), world.total_epochs) == ("a", 6, 8 / 6)


def test_an_agent_may_answer_for_the_whole_batch() -> None:
    class Together(RepeatQueryAgent):
        calls: list[list[Any]] = []  # noqa: RUF012 - of the test

        def batch_act(self, observations: list[Any]) -> list[Message]:
            self.calls.append([seen["text"] for seen in observations])
            return [Message(id=self.id, text=seen["text"].upper()) for seen in observations]

    world = BatchWorld(DialogPartnerWorld([teacher("a", 1, 1, batchsize=2), Together()]), 2)
    world.parley()
    assert Together.calls == [["a0.0", "a1.0"]]
    assert values(world.report())["accuracy"] == 1.0


def test_a_batch_needs_agents_that_return_what_they_observe() -> None:
    class Forgetful(RepeatQueryAgent):
        def observe(self, observation: Any) -> Any:
            super().observe(observation)

    with pytest.raises(ValueError, match="must return what it observed"):
        BatchWorld(DialogPartnerWorld([teacher("a", 1), Forgetful()]), 1).parley()


def test_a_batch_of_several_tasks() -> None:
    agent = RepeatQueryAgent()
    tasks = [teacher("a", 2, 2, batchsize=2), teacher("b", 1, 1, batchsize=2)]
    world = BatchWorld(MultiWorld([DialogPartnerWorld([t, agent]) for t in tasks]), 2)
    while not world.epoch_done():
        world.parley()
    assert values(world.report())["exs"] == 6


class Slow(Agent):
    """Waits until so many others wait too: only then were the requests sent together."""

    def __init__(self, opt: Mapping[str, Any] | None = None) -> None:
        super().__init__(opt)
        self.waiting: list[asyncio.Event] = self.opt["waiting"]

    async def aact(self) -> Message:
        event = asyncio.Event()
        self.waiting.append(event)
        if len(self.waiting) == self.opt["together"]:
            for each in self.waiting:
                each.set()
            self.waiting.clear()
        await event.wait()
        return self._reply(text=str((self.observation or {})["text"]).upper())


@pytest.mark.parametrize("world", ["batch", "concurrent"])
def test_many_conversations_ask_their_models_together(world: str) -> None:
    agent = Slow({"waiting": [], "together": 3})
    two = DialogPartnerWorld([teacher("a", 2, 2, 2, batchsize=3 if world == "batch" else 1), agent])
    if world == "batch":
        batch = BatchWorld(two, 3)
        batch.parley()
        batch.parley()
    else:
        ConcurrentWorld(two, 3).run()
    assert values(two.report())["accuracy"] == 1.0
    assert values(two.report())["exs"] == 6


@pytest.mark.parametrize("at_once", [1, 2, 5])
@pytest.mark.parametrize("most", [None, 1, 3, 4, 99])
def test_concurrent_conversations_pose_what_one_after_the_other_would(at_once: int, most: int | None) -> None:
    two = DialogPartnerWorld([teacher("a", 2, 1, 3), RepeatLabelAgent()])
    world = ConcurrentWorld(two, at_once)
    told: list[Any] = []
    rounds = world.run(most=most, each=told.append)
    places = [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1), (2, 2)][:most]
    assert [(held.episode, held.turn) for held in rounds] == places
    assert [held.acts[0]["text"] for held in rounds] == [f"a{episode}.{turn}" for episode, turn in places]
    assert values(world.report())["exs"] == len(places) == len(told)
    assert world.epoch_done() is (len(places) == 6)


def test_an_agent_that_never_waits_holds_nobody_up() -> None:
    held: list[int] = []
    world = ConcurrentWorld(DialogPartnerWorld([teacher("a", 3, 3), RepeatQueryAgent()]), 2)
    world.run(each=lambda one: held.append(one.episode))
    assert held == [0, 1] * 3


def test_an_error_ends_all_conversations() -> None:
    class Failing(RepeatQueryAgent):
        async def aact(self) -> Message:
            raise RuntimeError("no")

        act = None  # type: ignore[assignment]

    world = ConcurrentWorld(DialogPartnerWorld([teacher("a", 1, 1), Failing()]), 2)
    with pytest.raises(RuntimeError, match="no"):
        world.run()


def test_what_goes_on_for_ever_needs_an_end() -> None:
    world = ConcurrentWorld(DialogPartnerWorld([teacher("a", 1, datatype="train"), RepeatLabelAgent()]), 1)
    with pytest.raises(ValueError, match="go on for ever"):
        world.run()
    assert len(world.run(most=5)) == 5


def test_programs_in_many_conversations_at_once() -> None:
    rows = [
        {"name": "one", "action": "chat", "instruction": "Greet.", "transitions": "two"},
        {"name": "two", "action": "chat", "instruction": "Go on.", "transitions": "two"},
    ]
    model = ScriptedModel(replies=["A0.0"] * 4 + ["x"] * 4)
    agent = ProgramAgent(autograph.load(rows, model=model))
    result = examine(agent, [teacher("a", 2, 2, 2, 2)], at_once=4)
    assert [example.answer["node"] for example in result.examples] == ["one", "two"] * 4
    assert result.coverage == (8, 8)


# ---------------------------------------------------------------------- figures


def test_results_have_intervals_and_count_silence() -> None:
    class Shy(RepeatLabelAgent):
        def act(self) -> Message:
            act = super().act()
            return act if ".0" in act["text"] else Message(id=self.id)

    result = examine(Shy(), [teacher("a", 2, 2), teacher("b", 1, 1)])
    assert result.coverage == (4, 6)
    report = values(result.report())
    assert (report["exs"], report["accuracy"], report["a/accuracy"]) == (6, 1.0, 1.0)
    intervals = result.intervals()
    assert (intervals["a/f1"].low, intervals["a/f1"].high) == (1.0, 1.0)
    assert intervals["accuracy"].value == 1.0
    assert result.to_dict()["answered"] == 4


def test_the_interval_over_tasks_fits_the_figure() -> None:
    tasks = [
        FixedDialogTeacher([[{"text": t, "labels": ["x"]}] for t in texts], id=texts, datatype="valid")
        for texts in ("xxxyyyxy", "xxyy")
    ]
    for micro in (False, True):
        result = examine(RepeatQueryAgent(), tasks, micro=micro)
        for task in tasks:
            task.reset()
        interval, report = result.intervals()["accuracy"], values(result.report())
        assert interval.value == pytest.approx(report["accuracy"], abs=1e-12)
        assert 0 <= interval.low < interval.value < interval.high <= 1


def test_two_agents_are_compared_pair_by_pair() -> None:
    task = teacher("a", 2, 2)
    first = examine(RepeatLabelAgent(), [task])
    task.reset()
    other = examine(Recorder({"id": "A0.0"}), [task])
    found = {pair.metric: pair for pair in paired_metrics(first, other)}
    accuracy = found["accuracy"]
    assert (accuracy.n, accuracy.first, accuracy.other) == (4, 1.0, 0.25)
    assert (accuracy.only_first, accuracy.only_other, accuracy.test) == (3, 0, "McNemar")
    assert accuracy.p == 0.25
    assert accuracy.difference.value == -0.75
    assert found["bleu-4"].test == "sign test"


def test_silence_is_wrong_where_two_are_compared() -> None:
    class Silent(Agent):
        def act(self) -> Message:
            return self._reply()

    task = teacher("a", 1, 1)
    first = examine(RepeatLabelAgent(), [task])
    task.reset()
    other = examine(Silent(), [task])
    (accuracy,) = [pair for pair in paired_metrics(first, other) if pair.metric == "accuracy"]
    assert (accuracy.n, accuracy.first, accuracy.other) == (2, 1.0, 0.0)


def test_two_tasks_of_one_name_are_not_mixed() -> None:
    with pytest.raises(ValueError, match='two tasks are called "a"'):
        examine(Agent(), [teacher("a", 1), teacher("a", 1)])


# ---------------------------------------------------------------------- talking


class Person(Agent):
    def __init__(self, *lines: str) -> None:
        super().__init__()
        self.id = "person"
        self.lines = list(lines)
        self.heard: list[Any] = []

    def observe(self, observation: Mapping[str, Any]) -> Message:
        self.heard.append(observation.get("text"))
        return super().observe(observation)

    def act(self) -> Message:
        line = self.lines.pop(0)
        return self._reply(episode_done=True) if line == "end" else self._reply(text=line, episode_done=False)

    def epoch_done(self) -> bool:
        return not self.lines


def tea(**options: Any) -> ProgramAgent:
    rows = [
        {"name": "welcome", "action": "chat_exact", "instruction": "Tea?", "transitions": "served"},
        {"name": "served", "action": "chat_exact", "instruction": "Here.", "transitions": "quit"},
    ]
    return ProgramAgent(autograph.load(rows, model=ScriptedModel()), id="tea", **options)


def test_a_person_talks_to_a_program() -> None:
    person = Person("hi", "yes", "hi", "end", "hello")
    world = InteractiveWorld([person, tea()])
    ends = []
    while not world.epoch_done():
        world.parley()
        ends.append(world.episode_done())
    assert person.heard == ["Tea?", "Here.", "Tea?", "Tea?"]
    assert ends == [False, True, False, True, False]  # the program quits; the person ends it


def test_a_program_may_speak_first() -> None:
    person = Person("yes", "end")
    world = InteractiveWorld([person, tea(opening="skip")], opens=True, contexts=("You are thirsty.", ""))
    world.parley()
    assert person.heard == ["You are thirsty.", "Tea?", "Here."]


def test_an_agent_talks_to_itself() -> None:
    agents = [Recorder({"id": "x"}), Recorder({"id": "y"})]
    world = SelfChatWorld(agents, max_turns=3)
    said = []
    for _ in range(4):
        world.parley()
        said.append([(act["id"], act["text"]) for act in world.acts])
    told = [("context", "Hi!"), ("context", "")]
    assert said == [told, [("x", "x"), ("y", "y")], [("x", "x"), ("y", "y")], told]
    assert (world.episode_cnt, world.turn_cnt) == (1, 1)


def test_a_talk_may_begin_with_an_opener() -> None:
    agents = [RepeatQueryAgent(), RepeatQueryAgent()]
    world = SelfChatWorld(agents, contexts=None, openers=["tea"], max_turns=2)
    world.parley()
    assert [act["text"] for act in world.acts] == ["tea", "tea"]
    assert not world.episode_done()
    world.parley()
    assert world.episode_done()


def test_a_talk_ends_when_a_program_does() -> None:
    world = SelfChatWorld([tea(), tea()], max_turns=9)
    while not world.episode_done():
        world.parley()
    assert world.turn_cnt == 3
    assert [act["text"] for act in world.acts] == ["Here.", "Here."]
