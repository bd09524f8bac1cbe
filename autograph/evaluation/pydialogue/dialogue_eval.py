"""Does an agent reach the goal of a dialogue? Dialogues of a world like pydialogue's, once with its own policies, then
with the policy that is tested.

What is needed of the objects is their interface only; the package pydialogue is not imported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["eval_dialogue", "eval_dialogues", "generate_dialogue", "saved_policy"]


def generate_dialogue(dia_generator: Any, agent: Any, users: Sequence[Any], agent_prob: float | None = None) -> Any:
    """A dialogue in which a random user asks something of somebody; None if the generator has none just now.

    With the probability ``agent_prob`` it is the ``agent`` who is asked, else one of the ``users``; None gives all of
    them the same chance. All draws are made with the generator's ``random_gen``, in the order of pydialogue, so the
    same seed gives the same dialogues.
    """
    draw = dia_generator.random_gen
    chance = 1 / (len(users) + 1) if agent_prob is None else agent_prob
    is_asked = draw.choices([0, 1], weights=[1 - chance, chance], k=1)[0] == 1
    asked = agent if is_asked else draw.choice(users)
    user = draw.choice(users)
    template = draw.choice(dia_generator.primitive_templates)
    return dia_generator.generate_dialogue(
        structure_list=[("primitive", template)], default_args_list=[{"agent": asked, "user": user}]
    )


def eval_dialogue(agent_policy: Any, dialogue: Any) -> int | None:
    """Whether ``agent_policy`` reaches the dialogue's goal: 1, or -1 (0 if it was not decided).

    The dialogue first runs with its own policies, to see that the goal can be reached and in how many steps; then
    ``agent_policy`` takes the place of its player and has as many steps (``dialogue.max_episode_length``). None if the
    player takes no part, or if the goal cannot be reached; the dialogue is then as it was. Else it stays as it ended,
    with ``agent_policy`` in it.
    """
    player = agent_policy.player
    if player not in dialogue.get_players():
        return None
    state = dialogue.save_state()
    dialogue.run()
    if dialogue.evaluate_goal() != 1:
        dialogue.recover_state(state)
        return None
    steps = dialogue.counter
    dialogue.recover_state(state)
    dialogue.max_episode_length = steps
    dialogue.replace_player_policies([agent_policy] * len(dialogue.get_player_policies(player)))
    dialogue.run()
    result: int | None = dialogue.evaluate_goal()
    return result


def eval_dialogues(agent_policy: Any, dialogues: Sequence[Any], save_state: bool = True) -> list[int | None]:
    """The results of ``eval_dialogue``, one for each dialogue.

    Each sees what the ones before it have said. With ``save_state`` all of them, the world and the policy are in the
    end as they were; without, everything stays as it ended. (In pydialogue 0.2.0 it works the other way round.)
    """
    if not save_state:
        return [eval_dialogue(agent_policy, dialogue) for dialogue in dialogues]
    restore_policy = saved_policy(agent_policy)
    saved: list[tuple[Any, Any]] = []
    results = []
    try:
        for dialogue in dialogues:
            saved.append((dialogue, dialogue.save_state()))
            results.append(eval_dialogue(agent_policy, dialogue))
    finally:
        for dialogue, state in reversed(saved):
            dialogue.recover_state(state)
        restore_policy()
    return results


def saved_policy(policy: Any) -> Callable[[], None]:
    """What brings a policy back to its present state; nothing where it has no state to save."""
    save, recover = getattr(policy, "save_state", None), getattr(policy, "recover_state", None)
    if save is None or recover is None:
        return lambda: None
    state = save()
    return lambda: recover(state)
