"""How is an agent evaluated in dialogues? pydialogue's names for it, in one place.

What differs from pydialogue 0.2.0 on purpose: ``eval_dialogues`` restores everything when it is told to, a
``forgetful`` run isolates its dialogues, results are JSON, and ``plot_acc`` shows a true sliding window.
"""

from __future__ import annotations

from autograph.dialogue.tags import extract_from_tags
from autograph.evaluation.pydialogue.accuracy_tables import (
    accuracy_dia_type,
    pretty_print_acc_per_step,
    pretty_print_eval,
    update_acc_table,
)
from autograph.evaluation.pydialogue.dialogue_eval import eval_dialogue, eval_dialogues, generate_dialogue
from autograph.evaluation.pydialogue.dialogue_runs import generate_and_eval
from autograph.evaluation.pydialogue.plots import plot_acc, plot_acc_individual, plot_context_sizes
from autograph.evaluation.pydialogue.results_file import load_and_merge_results, save_results

__all__ = [
    "accuracy_dia_type",
    "eval_dialogue",
    "eval_dialogues",
    "extract_from_tags",
    "generate_and_eval",
    "generate_dialogue",
    "load_and_merge_results",
    "plot_acc",
    "plot_acc_individual",
    "plot_context_sizes",
    "pretty_print_acc_per_step",
    "pretty_print_eval",
    "save_results",
    "update_acc_table",
]
