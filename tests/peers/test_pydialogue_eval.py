"""The evaluation functions against pydialogue's own, in its own world: the same tables from the same seeds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograph.evaluation import dialogues
from autograph.evaluation.pydialogue.nltk_shim import import_pydialogue

easy: Any = import_pydialogue("pydialogue.environments.easy")
theirs: Any = import_pydialogue("pydialogue.baseline.evaluation")
base: Any = import_pydialogue("pydialogue.policies.base_policies")
SimpleBaseline: Any = import_pydialogue("pydialogue.baseline.simple_baseline").SimpleBaseline
DialogueGenerator: Any = import_pydialogue().DialogueGenerator


class Silent(base.Policy):  # type: ignore[misc]
    """Says nothing."""

    def execute(self, include_goal: bool = False, **params: Any) -> None:
        return None

    def get_steps(self, **params: Any) -> None:
        return None

    def get_goal(self, **params: Any) -> None:
        return None


Make = Callable[[int], Any]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A generator of the easy world with a seed."""

    def made(seed: int) -> Any:
        world = easy.build_world(random_gen=seed)
        return DialogueGenerator(world, str(tmp_path / "err.log"), str(tmp_path / "ctx.log"))

    return made


def run(module: Any, make: Make, policy: Any, seed: int, number: int, **options: Any) -> tuple[Any, ...]:
    generator = make(seed)
    found = module.generate_and_eval(generator, number, None, policy(generator.world.player), **options)
    return (*found[1:], len(found[0]), len(generator.context_strings), generator.random_gen.random())


@pytest.mark.parametrize(("seed", "total"), [(7, 39.2157), (8, 33.3333)])
def test_the_baseline(make: Make, seed: int, total: float) -> None:
    found = run(dialogues, make, SimpleBaseline, seed, 60, agent_prob=1.0)
    assert found[1] == pytest.approx(total, abs=1e-4)
    assert found == run(theirs, make, SimpleBaseline, seed, 60, agent_prob=1.0)


def test_the_recorded_tables(make: Make) -> None:
    _, _, _, points, of_types, _, of_steps, *_ = run(dialogues, make, SimpleBaseline, 7, 60, agent_prob=1.0)
    assert of_types == {
        "DropItem": (7, 13),
        "GetItem": (1, 6),
        "GoDirection": (4, 8),
        "LookItem": (4, 11),
        "GoLocation": (4, 13),
    }
    assert of_steps == {1: (20, 47), 2: (0, 4)}
    assert points[-1] == ("LookItem", 0, 2442)


@pytest.mark.parametrize("seed", [7, 11])
@pytest.mark.parametrize("policy", [SimpleBaseline, Silent])
@pytest.mark.parametrize(
    "options", [{}, {"agent_prob": 0.5, "warm_up": 3, "flush_after": 20, "return_dias": True}], ids=str
)
def test_the_same_tables(make: Make, seed: int, policy: Any, options: dict[str, Any]) -> None:
    assert run(dialogues, make, policy, seed, 20, **options) == run(theirs, make, policy, seed, 20, **options)


def test_forgetful_dialogues_do_not_know_of_each_other(make: Make) -> None:
    def points(skip: bool) -> list[Any]:
        generator = make(7)

        def generate(*arguments: Any) -> Any:
            if skip:
                dialogues.generate_dialogue(*arguments)
            return dialogues.generate_dialogue(*arguments)

        policy = SimpleBaseline(generator.world.player)
        found = dialogues.generate_and_eval(
            generator, 10 if skip else 20, None, policy, agent_prob=1.0, forgetful=True,
            generate_dialogue_func=generate, warm_up=5,
        )  # fmt: skip
        assert (len(generator.context_strings), len(generator.context), len(generator.meta_context)) == (0, 0, 0)
        return found[4]

    every = iter(points(skip=False))
    assert all(point in every for point in points(skip=True))  # every second dialogue, the same without the others


def test_dialogues_are_restored(make: Make) -> None:
    generator = make(7)
    policy = SimpleBaseline(generator.world.player)
    players = [player for player in generator.world.players if player != policy.player]
    made = [dialogues.generate_dialogue(generator, policy.player, players, 1.0) for _ in range(8)]
    first = dialogues.eval_dialogues(policy, made)
    assert len(generator.context_strings) == 0
    assert dialogues.eval_dialogues(policy, made) == first
    assert theirs.eval_dialogues(policy, made, save_state=False) == first
