"""pydialogue's names: recorded tables and printouts, and dialogues of a small world, with all that a run may do."""

from __future__ import annotations

import json
import math
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from autograph.errors import AutographError
from autograph.evaluation import dialogues
from autograph.evaluation.pydialogue.dialogue_runs import GenerationError
from dialogue_world import CountPolicy, Dialogue, Generator, Learner, NamePolicy, Oracle

VECTORS = json.loads((Path(__file__).parent.parent / "data" / "pydialogue.json").read_text("utf-8"))
ERRORS = {"ZeroDivisionError": ZeroDivisionError, "IndexError": IndexError}


# ---------------------------------------------------------------------- recorded values


@pytest.mark.parametrize("case", VECTORS["extract_from_tags"], ids=lambda case: case["text"])
def test_text_between_tags(case: dict[str, Any]) -> None:
    assert dialogues.extract_from_tags(case["tag"], case["text"]) == case["value"]


def test_a_tag_that_matches_without_anything_between() -> None:
    assert dialogues.extract_from_tags("a|b", "<a b>") == ""
    assert dialogues.extract_from_tags("a|b", "ab") is None
    assert dialogues.extract_from_tags("(a|b)", "<a>1</b>") == "1"


@pytest.mark.parametrize("case", VECTORS["update_acc_table"], ids=lambda case: str(case["call"]))
def test_recorded_updates_of_the_tables(case: dict[str, Any]) -> None:
    kind, result, steps = case["call"]
    of_steps = {int(k): v for k, v in case["success_per_step"].items()}
    all_steps = {int(k): v for k, v in case["total_per_step"].items()}
    success, total = dict(case["dia_type_success"]), dict(case["dia_type_total"])
    before = (success[kind], total[kind], of_steps[steps], all_steps[steps])
    worked = int(result == 1)
    dialogues.update_acc_table(success, total, kind, result, steps, of_steps, all_steps)
    after = (success[kind], total[kind], of_steps[steps], all_steps[steps])
    assert after == (before[0] + worked, before[1] + 1, before[2] + worked, before[3] + 1)


def test_tables_begin_at_nothing() -> None:
    tables: tuple[dict[Any, int], ...] = ({}, {}, {}, {})
    dialogues.update_acc_table(tables[0], tables[1], "Get", -1, 2, tables[2], tables[3])
    dialogues.update_acc_table(tables[0], tables[1], "Get", True, 3, tables[2], tables[3])
    dialogues.update_acc_table(tables[0], tables[1], "Look", None, 2, tables[2], tables[3])
    assert tables == ({"Get": 1, "Look": 0}, {"Get": 2, "Look": 1}, {2: 0, 3: 1}, {2: 2, 3: 1})


@pytest.mark.parametrize("case", VECTORS["pretty_print"], ids=lambda case: f"{case['fn']} {case['args'][0]}")
def test_printed_tables(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    args = case["args"]
    if case["fn"] == "pretty_print_acc_per_step":
        args = [args[0], *({int(k): v for k, v in table.items()} for table in args[1:])]
    getattr(dialogues, case["fn"])(*args)
    assert capsys.readouterr().out == case["stdout"]


@pytest.mark.parametrize("case", VECTORS["accuracy_dia_type"], ids=lambda case: str(case["dialogues"]))
def test_accuracy_of_each_type(case: dict[str, Any]) -> None:
    found = [
        SimpleNamespace(policies=[type(name, (), {})()], get_players=lambda players=players: players)
        for name, players in case["dialogues"]
    ]
    if "error" in case:
        with pytest.raises(ERRORS[case["error"]["type"]]) as caught:
            dialogues.accuracy_dia_type(case["main_player"], found, case["eval_results"])
        assert isinstance(caught.value, AutographError)
        return
    value = dialogues.accuracy_dia_type(case["main_player"], found, case["eval_results"])
    assert value == [tuple(pair) for pair in case["value"]]


# ---------------------------------------------------------------------- one dialogue


def dialogue(wanted: int, agent: str = "me", generator: Generator | None = None) -> Dialogue:
    return Dialogue(generator or Generator(), CountPolicy, "ann", agent, wanted)


def test_the_agent_has_as_many_steps_as_the_oracle() -> None:
    made = dialogue(3)
    policy = Learner("me")
    assert dialogues.eval_dialogue(policy, made) == 1
    assert (made.max_episode_length, made.counter, made.runs) == (3, 3, 2)
    assert made.policies[1] is policy
    assert made.generator.context_strings == ["ann says count to 3", "1", "2", "3"]


def test_an_agent_that_fails() -> None:
    assert dialogues.eval_dialogue(Learner("me"), dialogue(2)) == -1


def test_what_cannot_be_reached_is_not_evaluated() -> None:
    made = dialogue(4)
    assert dialogues.eval_dialogue(Learner("me"), made) is None
    assert (made.counter, made.max_episode_length, made.generator.context_strings) == (0, None, [])
    assert isinstance(made.policies[1], Oracle)


def test_somebody_elses_dialogue_is_not_even_run() -> None:
    made = dialogue(1, agent="bob")
    assert dialogues.eval_dialogue(Learner("me"), made) is None
    assert made.runs == 0


def test_several_dialogues_are_restored() -> None:
    generator, policy = Generator(), Learner("me")
    made = [dialogue(wanted, generator=generator) for wanted in (1, 2, 3, 4)]
    assert dialogues.eval_dialogues(policy, made) == [1, -1, 1, None]
    assert [d.counter for d in made] == [0, 0, 0, 0]
    assert all(isinstance(d.policies[1], Oracle) for d in made)
    assert (generator.context_strings, policy.heard) == ([], [])


def test_several_dialogues_stay_as_they_ended() -> None:
    generator, policy = Generator(), Learner("me")
    made = [dialogue(wanted, generator=generator) for wanted in (1, 2)]
    assert dialogues.eval_dialogues(policy, made, save_state=False) == [1, -1]
    assert [d.counter for d in made] == [1, 2]
    assert len(generator.context_strings) == 5
    assert policy.heard == [1, 3, 4]  # the second dialogue came after the first


def test_dialogues_are_restored_when_one_fails() -> None:
    class Broken(Learner):
        def speak(self, dialogue: Dialogue) -> str | None:
            raise OSError("gone")

    generator = Generator()
    made = [dialogue(1, generator=generator)]
    with pytest.raises(OSError, match="gone"):
        dialogues.eval_dialogues(Broken("me"), made)
    assert generator.context_strings == []
    assert isinstance(made[0].policies[1], Oracle)


# ---------------------------------------------------------------------- dialogues that are made up


def test_the_draws_are_those_of_pydialogue() -> None:
    generator, other = Generator(5), Random(5)
    made = [dialogues.generate_dialogue(generator, "me", ["ann", "bob"]) for _ in range(30)]
    for each in made:
        asked = "me" if other.choices([0, 1], weights=[1 - 1 / 3, 1 / 3])[0] else other.choice(["ann", "bob"])
        user = other.choice(["ann", "bob"])
        kind = other.choice([CountPolicy, NamePolicy])
        assert (each.policies[0].player, each.policies[1].player, type(each.policies[0])) == (user, asked, kind)
        assert each.wanted == other.randint(1, 4)
    assert {each.policies[1].player for each in made} == {"me", "ann", "bob"}


def test_how_likely_the_agent_is_asked() -> None:
    generator = Generator()
    for chance in (0.0, 1.0):
        for _ in range(10):
            dialogues.generate_dialogue(generator, "me", ["ann", "bob"], chance)
    assert "me" not in generator.asked[:10]
    assert set(generator.asked[10:]) == {"me"}


def test_a_run() -> None:
    generator, policy = Generator(), Learner("me")
    found = dialogues.generate_and_eval(generator, 40, None, policy, agent_prob=1.0)
    dias, individual, total, number, points, of_types, per_step, of_steps = found
    assert dias == []
    assert list(of_steps) == list(per_step)
    assert of_steps[2] == (0, of_steps[2][1])
    assert per_step == {1: 100.0, 2: 0.0, 3: 100.0}
    assert sum(n for _, n in of_types.values()) == number == len(points) == sum(n for _, n in of_steps.values())
    assert total == 100 * sum(s for s, _ in of_types.values()) / number
    assert individual == {kind: 100 * s / n for kind, (s, n) in of_types.items()}
    assert {kind for kind, _, _ in points} == {"Count", "Name"}
    words = [words for _, _, words in points]
    assert words == sorted(words)
    assert words[-1] <= sum(len(line.split()) for line in generator.context_strings)


def test_the_dialogues_are_given_if_wanted() -> None:
    found = dialogues.generate_and_eval(Generator(), 10, 0, Learner("me"), return_dias=True, warm_up=2)
    assert len(found[0]) == 12


def test_so_many_with_the_agent() -> None:
    generator = Generator()
    found = dialogues.generate_and_eval(generator, None, 5, Learner("me"), agent_prob=0.3)
    assert found[3] == 5
    assert len(generator.asked) > 5


def test_words_of_the_warm_up_are_in_the_first_point() -> None:
    plain = dialogues.generate_and_eval(Generator(1), 1, 1, Learner("me"), agent_prob=1.0)
    generator = Generator(1)
    warm = dialogues.generate_and_eval(generator, 1, 1, Learner("me"), agent_prob=1.0, warm_up=3)
    assert warm[4][0][2] > plain[4][0][2]
    assert warm[4][-1][2] == sum(len(line.split()) for line in generator.context_strings)


def test_flushing_changes_nothing() -> None:
    plain, flushed = Generator(3), Generator(3)
    found = dialogues.generate_and_eval(plain, 20, None, Learner("me"))
    again = dialogues.generate_and_eval(flushed, 20, None, Learner("me"), flush_after=6)
    assert found == again
    assert (plain.flushed, flushed.flushed > 0) == (0, True)


def test_forgetful_dialogues_do_not_see_each_other() -> None:
    generator, policy = Generator(), Learner("me")
    policy.heard.append(99)
    seen: list[tuple[int, int]] = []

    def make(*arguments: Any) -> Any:
        seen.append((len(generator.context_strings), len(policy.heard)))
        return dialogues.generate_dialogue(*arguments)

    found = dialogues.generate_and_eval(
        generator, 15, None, policy, forgetful=True, agent_prob=0.7, generate_dialogue_func=make, flush_after=1
    )
    assert set(seen) == {(0, 1)}
    assert (generator.context_strings, policy.heard, generator.flushed) == ([], [99], 0)
    assert found[0] == []
    assert {words for _, _, words in found[4]} <= {6, 7, 8, 9}


def test_forgetful_dialogues_begin_after_the_warm_up() -> None:
    generator = Generator()
    seen = set()

    def make(*arguments: Any) -> Any:
        seen.add(tuple(generator.context_strings))
        return dialogues.generate_dialogue(*arguments)

    found = dialogues.generate_and_eval(
        generator, 8, None, Learner("me"), forgetful=True, generate_dialogue_func=make, warm_up=3, return_dias=True
    )
    assert len(seen) == 1
    assert seen.pop() != ()
    assert generator.context_strings == []
    assert len(found[0]) == 11
    assert all(made.counter == 0 and isinstance(made.policies[1], Oracle) for made in found[0])


def test_forgetful_agents_meet_the_same_dialogues() -> None:
    class Wordy(Learner):
        def speak(self, dialogue: Dialogue) -> str | None:
            dialogue.generator.random_gen.random()
            return "er"

    runs = [
        dialogues.generate_and_eval(Generator(), 12, None, policy, forgetful=True, return_dias=True)
        for policy in (Learner("me"), Wordy("me"))
    ]
    asked = [[(type(d.policies[0]), d.get_players(), d.wanted) for d in run[0]] for run in runs]
    assert asked[0] == asked[1]


def test_without_any_dialogue_of_the_agent_nothing_is_known() -> None:
    found = dialogues.generate_and_eval(Generator(), 4, None, Learner("me"), agent_prob=0.0)
    assert math.isnan(found[2])
    assert (found[1], *found[3:]) == ({}, 0, [], {}, {}, {})


def test_a_generator_may_have_nothing_at_times() -> None:
    generator = Generator(nothing=50)
    assert dialogues.generate_and_eval(generator, 1, 1, Learner("me"), agent_prob=1.0, warm_up=1)[3] == 1


def test_a_generator_that_never_has_anything() -> None:
    with pytest.raises(GenerationError, match=r"gave no dialogue 10,000 times in a row"):
        dialogues.generate_and_eval(Generator(nothing=10**9), 1, None, Learner("me"))


def test_a_probability_that_is_none() -> None:
    with pytest.raises(GenerationError, match="between 0 and 1"):
        dialogues.generate_and_eval(Generator(), 1, None, Learner("me"), agent_prob=1.5)


def test_progress_is_shown_in_notebooks(capsys: pytest.CaptureFixture[str]) -> None:
    dialogues.generate_and_eval(Generator(), 2, 1, Learner("me"), agent_prob=1.0)
    assert capsys.readouterr().err == ""
    dialogues.generate_and_eval(Generator(), 2, 1, Learner("me"), agent_prob=1.0, notebook_run=True)
    shown = capsys.readouterr()
    assert shown.err.startswith("\r1/2 dialogues, 1/1 with the agent")
    assert shown.out == ""
