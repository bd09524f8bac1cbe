"""How often does an agent succeed? Counts for each type and each number of steps, shares of them, and how they print.

The names and the printed forms are those of pydialogue, so that results can be laid side by side.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, MutableMapping, Sequence
from typing import Any, TypeVar

from autograph.errors import AutographError

__all__ = [
    "MissingResultError",
    "NoDialoguesError",
    "accuracy_dia_type",
    "joined_counts",
    "percentages",
    "pretty_print_acc_per_step",
    "pretty_print_eval",
    "type_of",
    "update_acc_table",
]

Key = TypeVar("Key", bound=Hashable)

_WIDTH = 40
_CELL = 15
_LAST = 10


class NoDialoguesError(AutographError, ZeroDivisionError):
    """There is nothing of which a share could be computed."""


class MissingResultError(AutographError, IndexError):
    """A dialogue has no result."""


def type_of(dialogue: Any) -> str:
    """The type of a dialogue: the class name of the policy that opens it, up to ``Policy``."""
    return type(dialogue.policies[0]).__name__.split("Policy")[0]


def update_acc_table(
    dia_type_success: MutableMapping[str, int],
    dia_type_total: MutableMapping[str, int],
    dia_type: str,
    eval_result: int | None,
    num_steps: int,
    success_per_step: MutableMapping[int, int],
    total_per_step: MutableMapping[int, int],
) -> None:
    """Count one dialogue in all four tables, in place. Only the result 1 is a success.

    ``num_steps`` is the number of steps that the dialogue takes when all goes well.
    """
    success = int(eval_result == 1)
    for table, key, more in (
        (dia_type_total, dia_type, 1),
        (dia_type_success, dia_type, success),
        (success_per_step, num_steps, success),
        (total_per_step, num_steps, 1),
    ):
        _add(table, key, more)


def _add(table: MutableMapping[Any, int], key: Hashable, more: int) -> None:
    table[key] = table.get(key, 0) + more


def percentages(counts: Mapping[Key, tuple[int, int]]) -> dict[Key, float]:
    """The share of successes of each key, in percent. Raises ``NoDialoguesError`` where a key counts no dialogue."""
    for key, (_, total) in counts.items():
        if not total:
            raise NoDialoguesError(f"there are no dialogues of {key!r} of which a share could succeed. Leave it out.")
    return {key: 100 * success / total for key, (success, total) in counts.items()}


def joined_counts(success: Mapping[Key, int], total: Mapping[Key, int]) -> dict[Key, tuple[int, int]]:
    """For each key how many succeeded, and of how many, in the order of ``success``."""
    return {key: (count, total[key]) for key, count in success.items()}


def accuracy_dia_type(
    main_player: Any, dias: Sequence[Any], eval_results: Sequence[int | None]
) -> list[tuple[str, str]]:
    """The share of successes of each type of dialogue, as a text like ``1/2=0.5``.

    Only dialogues in which ``main_player`` takes part count; ``eval_results`` has a result for each of ``dias``, and 1
    is a success. Raises ``NoDialoguesError`` for a type in which the player never takes part (a ``ZeroDivisionError``),
    ``MissingResultError`` (an ``IndexError``) for too few results.
    """
    success: dict[str, int] = {}
    total: dict[str, int] = {}
    for index, dialogue in enumerate(dias):
        kind, takes_part = type_of(dialogue), main_player in dialogue.get_players()
        if takes_part and index >= len(eval_results):
            raise MissingResultError(
                f"there are {len(dias)} dialogues but {len(eval_results)} results. Give one for each."
            )
        _add(total, kind, int(takes_part))
        _add(success, kind, int(takes_part and eval_results[index] == 1))
    absent = next((kind for kind, count in total.items() if not count), None)
    if absent is not None:
        raise NoDialoguesError(
            f'the player takes part in no dialogue of the type "{absent}". Leave these dialogues out.'
        )
    return [(kind, f"{count}/{total[kind]}={count / total[kind]}") for kind, count in success.items()]


def pretty_print_eval(
    sol_name: str,
    individual_accuracies: Mapping[str, float],
    total_accuracy: float,
    succ_total: Mapping[str, Sequence[int]],
    num_agent_dias: int,
) -> None:
    """Print the accuracy of each type in percent with its number of dialogues, and that of all of them."""
    _print_head(sol_name, "Type")
    print("-" * _WIDTH)
    for name, accuracy in individual_accuracies.items():
        _print_row(name, accuracy, succ_total[name][1])
    print(f"The total accuracy (%): {total_accuracy:.2f}")
    print(f"The total number of dialogues:  {num_agent_dias}")


def pretty_print_acc_per_step(
    sol_name: str, acc_per_step: Mapping[int, float], total_per_step: Mapping[int, Sequence[int]]
) -> None:
    """Print the accuracy for each number of steps in percent, the fewest first, with its number of dialogues."""
    _print_head(sol_name, "Num. Steps")
    for steps in sorted(acc_per_step):
        _print_row(steps, acc_per_step[steps], total_per_step[steps][1])


def _print_head(name: str, first: str) -> None:
    print(f"{name:^{_WIDTH}}")
    print("=" * _WIDTH)
    print(f"{first:<{_CELL}}{'Accuracy (%)':<{_CELL}}{'Num. Dialogues':<{_LAST}}")


def _print_row(name: str | int, accuracy: float, count: int) -> None:
    print(f"{name:<{_CELL}}{accuracy:<{_CELL}.2f}{count:<{_LAST}}")
