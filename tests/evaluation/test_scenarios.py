"""Scenarios: files and what is wrong with them, users of three kinds, goals, limits, pairs, one memory for all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autograph.config import AutographConfig
from autograph.errors import ModelError
from autograph.evaluation.fault import DataError
from autograph.evaluation.pydialogue.results_data import ResultsError
from autograph.evaluation.pydialogue.results_file import load_and_merge_results, write_results
from autograph.evaluation.scenarios.bots import scenario_bot
from autograph.evaluation.scenarios.files import read_scenarios
from autograph.evaluation.scenarios.plot import plot_scenarios
from autograph.evaluation.scenarios.result import Held, compared, counts_by, held_of, run_of, summary_of, total_of
from autograph.evaluation.scenarios.run import Rounds, Terms, rounds_of, run_scenarios, seed_of
from autograph.evaluation.scenarios.scenario import Goal, Persona, ProgramUser, Scenario, Script
from autograph.evaluation.scenarios.users import END
from autograph.memory import MemoryObject
from autograph.models import ScriptedModel
from autograph.models.base import Reply, Usage
from scenarios_support import cafe


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cafe(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def load(path: Any) -> Any:
    return scenario_bot(str(path), model="offline")


def held(program: str, *scenarios: Scenario, terms: Terms | None = None, **rounds: Any) -> tuple[Held, ...]:
    return run_scenarios(load(program), rounds_of(scenarios, **rounds), terms or Terms(load=load))


def order(*texts: str, **fields: Any) -> Scenario:
    return Scenario(fields.pop("name", "order"), Script(texts), **fields)


# ---------------------------------------------------------------------- files


def written(text: str, name: str = "s.yaml") -> Path:
    path = Path(name)
    path.write_text(text, "utf-8")
    return path


def test_scenarios_in_yaml() -> None:
    found = read_scenarios(
        written("""\
- name: a
  type: booking
  user: [one, 2, "3"]
  goal: finished and n == 1
  steps: 4
  variables: {n: 1, who: Ada, t: 10:30, z: 007, on: true, none: ~, list: [1.5, "2"]}
  start: ask
  first: user
- {name: b, user: {program: guest.yaml}, steps: {reference: shop.csv}}
- {name: c, user: {persona: {goal: wants tea, name: Bob, traits: in a hurry}}, note: for people}
- {name: d, user: {persona: wants coffee}}
- {name: e, user: hello}
- {name: f, user: {says: [x, y]}}
""")
    )
    a, b, c, d, e, f = found
    assert a.user == Script(("one", "2", "3"))
    assert (a.kind, a.goal, a.steps, a.start, a.first) == ("booking", "finished and n == 1", 4, "ask", "user")
    assert a.variables == {
        "n": 1, "who": "Ada", "t": "10:30", "z": "007", "on": True, "none": None, "list": [1.5, "2"]
    }  # fmt: skip
    assert (b.user, b.reference, b.steps) == (ProgramUser(Path("guest.yaml")), Path("shop.csv"), None)
    assert (b.kind, b.goal, b.first, b.start, dict(b.variables)) == ("other", "finished", "program", None, {})
    assert c.user == Persona("wants tea", "Bob", "in a hurry")
    assert d.user == Persona("wants coffee")
    assert (e.user, f.user) == (Script(("hello",)), Script(("x", "y")))
    assert str(b.location) == "s.yaml, line 9"


def test_scenarios_in_a_table() -> None:
    table = 'name,type,user,goal,steps,variables,start\na,x,"tea\n2",cups == 2,3,"{""k"": 1}",ask\n'
    table += "b,,persona: wants tea,,,,\nc,,program: guest.yaml,,reference: shop.csv,,\n"
    a, b, c = read_scenarios(written(table, "s.csv"))
    assert a == Scenario("a", Script(("tea", "2")), "x", "cups == 2", 3, None, {"k": 1}, "ask")
    assert b == Scenario("b", Persona("wants tea"))
    assert c == Scenario("c", ProgramUser(Path("guest.yaml")), reference=Path("shop.csv"))


def test_scenarios_in_json_lines() -> None:
    (found,) = read_scenarios(written('{"name": "a", "user": ["x"], "steps": 2}\n', "s.jsonl"))
    assert found == Scenario("a", Script(("x",)), steps=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {name: x, usr: a, user: b}", 'line 1: there is no key "usr" in a scenario. Did you mean "user"?'),
        ("- {name: x, user: a, goal: 1 +}", 'line 1: the goal "1 +" is no expression'),
        ("- {name: x, user: a, steps: 0}", "steps is a whole number above 0, or reference: FILE."),
        ("- {name: x, user: a, steps: true}", "steps is a whole number above 0"),
        ("- {name: x}", "the user is missing, or is none."),
        ("- {user: x}", '"name" is missing or empty.'),
        ("- {name: x, user: {program: no.csv}}", 'there is no program "no.csv" beside this file.'),
        ("- {name: x, user: {persona: {traits: nice}}}", "the persona has no goal."),
        ("- {name: x, user: {prgram: a}}", 'there is no key "prgram" in a user. Did you mean "program"?'),
        ("- {name: x, user: a, variables: [1]}", "variables are a mapping of names and values."),
        ("- {name: x, user: a, variables: {a b: 1}}", "variables are a mapping of names and values."),
        ("- {name: x, user: a, first: both}", 'first is program or user, not "both".'),
        ("- {name: x, user: a}\n- {name: x, user: a}", 'line 2: two scenarios are called "x".'),
        ("[]", "there is no scenario in the file."),
        ("x: 1", "a list of scenarios is expected."),
        ("- 3", "a scenario is a mapping."),
        ("- [", "s.yaml"),
        ("- {name: [a], user: b}", '"name" must be a text.'),
    ],
)
def test_what_is_wrong_with_scenarios(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read_scenarios(written(text))
    assert message in str(caught.value)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(DataError) as caught:
        read_scenarios(written("- {name: a, steps: -1}\n- {name: b, user: c, goal: (}\n"))
    assert [fault.location.line for fault in caught.value.faults] == [1, 1, 2]


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read_scenarios("no.yaml")


# ---------------------------------------------------------------------- conversations


def test_a_scripted_user() -> None:
    (found,) = held("shop.csv", order("tea", "2", "yes", goal='finished and order == "tea" and cups == 2'))
    assert found.exchanges == (
        ("", "What may I bring you?"),
        ("tea", "How many?"),
        ("2", "2 tea, right?"),
        ("yes", "It comes at once."),
    )
    assert (found.success, found.steps, found.limit, found.ended) == (True, 3, 20, "program")
    assert found.words > 0
    assert found.tokens > found.words


def test_a_user_who_has_nothing_more_to_say() -> None:
    (found,) = held("shop.csv", order("tea", goal='order == "tea" and not finished and ended == "user"'))
    assert (found.success, found.steps, found.ended) == (True, 1, "user")
    assert (found.words, found.tokens) == (0, 0)  # no model was asked


def test_the_limit_of_steps() -> None:
    (found,) = held("shop.csv", order("tea", "2", "no", "tea", "2", "yes", steps=3))
    assert (found.success, found.steps, found.limit, found.ended) == (False, 3, 3, "limit")


def test_what_a_goal_may_use() -> None:
    goal = (
        'steps == 2 and turns == 3 and reply == "2 tea, right?" and replies[0] == "What may I bring you?" '
        'and last_node == "sure" and path[0] == "start1" and "count" in path and ended == "limit"'
    )
    (found,) = held("shop.csv", order("tea", "2", "yes", steps=2, goal=goal))
    assert (found.success, found.note) == (True, "")


def test_a_goal_that_cannot_be_told_is_not_reached() -> None:
    (found,) = held("shop.csv", order("tea", goal="milk == 3"))
    assert found.success is False
    assert found.note == "the goal cannot be told: 'milk' is not defined"


def test_a_goal_is_run_in_the_sandbox() -> None:
    with pytest.raises(DataError, match="no expression"):
        Goal("__import__('os')")


def test_variables_a_node_to_start_at_and_a_user_who_speaks_first() -> None:
    (found,) = held("shop.csv", order("7", variables={"order": "tea"}, start="count", first="user", goal="cups == 7"))
    assert found.exchanges == (("7", "7 tea, right?"),)
    assert found.success is True


def test_a_user_who_is_a_program() -> None:
    scenario = Scenario("guest", ProgramUser(Path("guest.yaml")), goal='order == "coffee" and cups == 2')
    (found,) = held("shop.csv", scenario)
    assert [said for said, _ in found.exchanges] == ["", "coffee", "2", "yes please"]
    assert found.success is True


def test_a_user_who_is_played_by_a_model() -> None:
    model = ScriptedModel(replies=["tea", "3", f"yes {END}"])
    scenario = Scenario("bob", Persona("wants three teas", "Bob", "brief"), goal="cups == 3 and finished")
    (found,) = held("shop.csv", scenario, terms=Terms(user_model=model, at_once=1, load=load))
    assert found.success is True
    asked = model.requests[1]
    assert asked.seed == seed_of(0, 0)
    assert [message.content for message in asked.messages[1:]] == ["What may I bring you?", "tea", "How many?"]
    assert "You are Bob" in asked.messages[0].content
    assert "brief" in asked.messages[0].content
    assert "wants three teas" in asked.messages[0].content


def test_a_persona_leaves() -> None:
    model = ScriptedModel(replies=[END])
    (found,) = held("shop.csv", Scenario("bob", Persona("nothing")), terms=Terms(user_model=model, load=load))
    assert (found.ended, found.steps) == ("user", 0)


def test_a_program_that_fails() -> None:
    Path("bad.csv").write_text(
        "name,action,instruction,transitions\na,chat_exact,Hi,b\nb,python_function,x = 1 / 0,a\n", "utf-8"
    )
    (found,) = held("bad.csv", order("x", goal="True"))
    assert (found.success, found.ended) == (False, "error")
    assert "C3" in found.note


def test_a_model_out_of_reach_stops_the_run_and_keeps_what_was_held() -> None:
    bot = scenario_bot("shop.csv", model=ScriptedModel(answers=["yes"]))
    kept: list[int] = []
    scenario = order("tea", "2", "yes")
    with pytest.raises(ModelError) as caught:
        run_scenarios(
            bot, rounds_of([scenario], repeat=3), Terms(at_once=1), keep=lambda each, memory: kept.append(each.index)
        )
    assert kept == [0]
    assert 'asked in the scenario "order"' in caught.value.__notes__


# ---------------------------------------------------------------------- references


def test_as_many_steps_as_the_reference_takes() -> None:
    scenario = order("tea", "2", "yes", reference=Path("shop.csv"), goal="finished")
    (found,) = held("lenient.csv", scenario)
    assert (found.success, found.steps, found.limit) == (True, 3, 3)


def test_what_the_reference_cannot_do_does_not_count() -> None:
    scenario = order("tea", "two", "yes", reference=Path("shop.csv"), goal="cups == 1")
    (found,) = held("lenient.csv", scenario)
    assert (found.success, found.exchanges) == (None, ())
    assert found.note == "the reference shop.csv does not reach the goal"
    assert counts_by([found], lambda each: each.kind) == {}


# ---------------------------------------------------------------------- many conversations


def test_the_conversations_are_the_same_for_every_program() -> None:
    scenarios = read_scenarios("shop.scenarios.yaml")
    rounds = rounds_of(scenarios, seed=3, repeat=2, shuffle=True)
    assert rounds == rounds_of(scenarios, seed=3, repeat=2, shuffle=True)
    assert rounds != rounds_of(scenarios, seed=4, repeat=2, shuffle=True)
    assert [each.index for each in rounds.counted] == list(range(6))
    assert [each.seed for each in rounds.counted] == [seed_of(3, index) for index in range(6)]
    assert sorted(each.scenario.name for each in rounds.counted) == sorted(2 * [each.name for each in scenarios])


def test_both_programs_get_the_seed_of_the_conversation() -> None:
    Path("dice.csv").write_text(
        "name,action,instruction,transitions\na,python_function,\"n = random.randint(1, 10**9)\",b\n"
        "b,chat_exact,$n,quit\n", "utf-8",
    )  # fmt: skip
    rounds, config = rounds_of([order("x")], repeat=4), AutographConfig(python_imports=("random",))
    bots = [scenario_bot("dice.csv", model="offline", config=config) for _ in range(2)]
    said = [[each.exchanges for each in run_scenarios(bot, rounds, Terms())] for bot in bots]
    assert said[0] == said[1]
    assert len(set(said[0])) == 4


def test_two_programs_compared() -> None:
    scenarios = read_scenarios("shop.scenarios.yaml")
    programs = {name: held(name, *scenarios, repeat=2) for name in ("shop.csv", "lenient.csv")}
    assert [each.success for each in programs["shop.csv"]] == [True, False, True] * 2
    assert [each.success for each in programs["lenient.csv"]] == [True] * 6
    (found,) = compared(programs)
    assert (found.first, found.other) == ("shop.csv", "lenient.csv")
    assert (found.pairs.both, found.pairs.only_a, found.pairs.only_b, found.pairs.neither) == (4, 0, 2, 0)
    assert found.difference.value == pytest.approx(1 / 3)
    assert found.p == 0.5
    assert found.to_dict()["only_other"] == 2


def test_counts_and_shares() -> None:
    found = held("shop.csv", *read_scenarios("shop.scenarios.yaml"), repeat=2)
    assert counts_by(found, lambda each: each.kind) == {"ordering": (2, 4), "changing": (2, 2)}
    assert counts_by(found, lambda each: each.limit) == {20: (2, 2), 4: (0, 2), 6: (2, 2)}
    assert total_of(found).value == pytest.approx(4 / 6)
    summary = summary_of(found)
    assert summary["types"]["ordering"]["value"] == 0.5
    assert summary["steps"]["4"]["value"] == 0.0
    assert summary["not_counted"] == 0


def test_each_conversation_begins_afresh_unless_told_otherwise() -> None:
    texts = ("tea", "2", "no")
    scenario = order(*texts, goal="True", steps=3)
    asking = Path("shop.csv").read_text("utf-8").replace("ask,chat_exact,What", "ask,chat,Ask what")
    Path("asking.csv").write_text(asking, "utf-8")
    forgetful = held("asking.csv", scenario, repeat=4)
    assert len({each.words for each in forgetful}) == 1
    continuous = held("asking.csv", scenario, repeat=4, terms=Terms(forgetful=False, load=load))
    words = [each.words for each in continuous]
    assert words == sorted(set(words))
    assert words[0] == forgetful[0].words


def test_one_memory_goes_on_after_the_program_has_ended() -> None:
    first = order("tea", "2", "yes", name="first", goal="finished")
    second = order(name="second", goal='order == "tea" and cups == 2 and path[0] == "start1"')
    found = held("shop.csv", first, second, terms=Terms(forgetful=False, load=load))
    assert [each.success for each in found] == [True, True]
    assert found[1].exchanges == (("", "What may I bring you?"),)
    assert [each.success for each in held("shop.csv", first, second)] == [True, False]


def test_the_warm_up_counts_for_nothing_but_is_known() -> None:
    first = order("tea", "2", "yes", name="first")
    second = order("milk", name="second", goal="cups == 2")
    found = held("shop.csv", first, second, warm_up=1)
    assert [(each.index, each.scenario, each.success) for each in found] == [(1, "second", True)]
    rounds = rounds_of([first, second], warm_up=9)
    assert (len(rounds.warm_up), len(rounds.counted)) == (1, 1)


def test_a_run_goes_on_where_it_stopped() -> None:
    scenario, terms = order("tea", "2", "no", goal="True", steps=3), Terms(forgetful=False, load=load)
    rounds = rounds_of([scenario], repeat=4)
    left: list[MemoryObject | None] = []
    half = run_scenarios(
        load("shop.csv"), Rounds((), rounds.counted[:2]), terms, keep=lambda each, memory: left.append(memory)
    )
    assert left[-1] is not None
    stored = MemoryObject.from_json(left[-1].to_json())
    done = {each.index: each for each in half}
    told: list[tuple[int, int]] = []
    rest = run_scenarios(
        load("shop.csv"), rounds, terms, done=done, memory=stored, progress=lambda n, total: told.append((n, total))
    )
    assert rest == run_scenarios(load("shop.csv"), rounds, terms)
    assert rest[:2] == half
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_tokens_as_the_model_counts_them() -> None:
    class Counting(ScriptedModel):
        def generate(self, request: Any) -> Reply:
            assert request.seed == seed_of(0, 0)
            return Reply("Hi", Usage(prompt=321, completion=2))

    Path("chat.csv").write_text("name,action,instruction,transitions\na,chat,Say hello to them.,quit\n", "utf-8")
    bot = scenario_bot("chat.csv", model=Counting())
    (found,) = run_scenarios(bot, rounds_of([order("x")]), Terms())
    assert found.tokens == 321
    assert found.words >= 4


# ---------------------------------------------------------------------- results


def test_results_in_the_file_of_results(tmp_path: Path) -> None:
    found = held("shop.csv", *read_scenarios("shop.scenarios.yaml"))
    run = run_of(found, "abc", {"program": "shop.csv"})
    write_results("r.json", [run])
    individual, total, number, points, of_types, per_step, of_steps = load_and_merge_results(["r.json"])
    assert (individual, number) == ({"ordering": 50.0, "changing": 100.0}, 3)
    assert total == pytest.approx(200 / 3)
    assert [point[:2] for point in points] == [("ordering", 1), ("ordering", 0), ("changing", 1)]
    assert [point[2] for point in points] == [each.words for each in found]
    assert (of_types, per_step) == ({"ordering": (1, 2), "changing": (1, 1)}, {20: 100.0, 4: 0.0, 6: 100.0})
    assert of_steps == {20: (1, 1), 4: (0, 1), 6: (1, 1)}
    assert held_of(run) == found


@pytest.mark.parametrize(
    "change", [{"index": "1"}, {"success": 3}, {"exchanges": [["a"]]}, {"note": 3}, {"steps": True}]
)
def test_conversations_that_autograph_did_not_write(change: dict[str, Any]) -> None:
    data = Held(1, "a", "b", 2, True, 3, 4).to_dict()
    assert Held.from_dict(data) == Held(1, "a", "b", 2, True, 3, 4)
    with pytest.raises(ResultsError, match="not as autograph writes it"):
        Held.from_dict({**data, **change})


def test_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = [Held(n, "a", "xy"[n % 2], 1, n % 3 > 0, 2, 4, "user", 10 * n, 15 * n) for n in range(40)]
    figure = plot_scenarios({"one.csv": found}, tmp_path / "a.png")
    above, types, context = figure.axes
    assert [line.get_label() for line in types.get_lines()] == ["x", "y"]
    assert list(context.get_lines()[0].get_ydata()) == [15 * n for n in range(40)]
    assert above.get_title() == "accuracy of the last 8 conversations"
    assert len(plot_scenarios({"one.csv": found, "two.csv": found[:1]}, tmp_path / "b.png").axes) == 2


def test_names_stand_in_the_picture_as_they_are(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = [Held(n, "a", "_$x_{$", 1, True, 2, 4, "user", 10, 15) for n in range(3)]
    figure = plot_scenarios({"_茶$a$.csv": found, "b.csv": found}, tmp_path / "a.svg")  # a letter without a font, too
    above, context = figure.axes
    assert [text.get_text() for text in above.get_legend().get_texts()] == [r" _茶\$a\$.csv", "b.csv"]
    assert context.get_ylim()[1] > 15  # the curve does not lie on the frame
    assert all(place == int(place) for place in context.get_xticks())
    kinds = plot_scenarios({"b.csv": found}, tmp_path / "b.png").axes[1]
    assert [text.get_text() for text in kinds.get_legend().get_texts()] == [r" _\$x_{\$"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.yaml", "- name: a\n  user: [1.50, true, 007, yes]\n"),
        ("s.jsonl", '{"name": "a", "user": ["1.50", true, "007", "yes"]}\n'),
    ],
)
def test_what_a_user_says_stays_as_it_is_written(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    (scenario,) = read_scenarios(tmp_path / name)
    assert scenario.user == Script(("1.50", "true", "007", "yes"))
