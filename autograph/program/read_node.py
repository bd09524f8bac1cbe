"""How does a row become a node? Its cells are read by what the action makes of them."""

from __future__ import annotations

from typing import Any

from autograph.language.assignments import split_assignment
from autograph.language.names import NodeName, normalise, parse_target
from autograph.language.text import Template, TextError
from autograph.program.cells import CellReader
from autograph.program.node import NodeSpec, Transition
from autograph.tables import Row
from autograph.vocabulary import Action, letter

__all__ = ["read_node", "read_transition"]

_LISTS = ("conv_scope",)
_STATE_LISTS = (
    "prerequisite_states",
    "blocking_states",
    "up_weight_states",
    "down_weight_states",
    "required_revisit",
)
_TEMPLATES = (
    "question_prompt",
    "condition_interjection",
    "example_interjection",
    "user_interjection",
    "reply_start",
)
_WORDS = ("state_category", "instruction_template", "model")


def read_node(reader: CellReader, row: Row, name: NodeName, action: Action) -> NodeSpec:
    """The node of a row; what is wrong with its cells goes to ``reader.problems``."""
    filled = {field: text for field, text in row.fields.items() if text}
    found: dict[str, Any] = {}
    found.update(_instruction(reader, row, action))
    if "transitions" in filled:
        found["transitions"] = tuple(
            t for item in reader.items(row, "transitions") if (t := read_transition(reader, row, item))
        )
    for field in filled:
        if field in _STATE_LISTS:
            found[field] = tuple(reader.state_name(item) for item in reader.items(row, field))
        elif field == "allowed_targets":
            found[field] = tuple(reader.node_name(item) for item in reader.items(row, field))
        elif field == "formerly":
            found[field] = tuple(_former_name(item, name) for item in reader.items(row, field))
        elif field in _TEMPLATES:
            found[field] = reader.template(row, field)
        elif field in _WORDS:
            found[field] = filled[field]
        elif field in _LISTS:
            found[field] = reader.items(row, field)
    if "boolean_condition" in filled:
        found["boolean_condition"] = reader.expression(row, "boolean_condition", reader.code(row, "boolean_condition"))
    found["transition_context"] = reader.whole_number(row, "transition_context")
    found["probability_interjection"] = reader.number(row, "probability_interjection", 0, 1)
    _question(reader, row, filled, found)
    _simulation(reader, row, filled, found)
    return NodeSpec(name=name.name, action=action, row=row, parameters=name.parameters, **found)


def _former_name(item: str, name: NodeName) -> str:
    """An earlier name as memories hold it: a function's ends in ``()``, whether or not it is written so."""
    former = normalise(item)
    return former if name.parameters is None else f"{former.partition('(')[0].rstrip()}()"


# ---------------------------------------------------------------------- instruction


def _instruction(reader: CellReader, row: Row, action: Action) -> dict[str, Any]:
    """What the instruction is, by the action."""
    source = row.fields.get("instruction", "")
    if action.instruction == "statement":
        source = reader.code(row, "instruction")
        if not source.strip():
            reader.note(
                "missing-instruction", row, "instruction", f"the action {action.name} needs a statement",
                "Write one, or use the action transition.",
            )  # fmt: skip
            return {"instruction": source}
        statements, plan = reader.statements(row, "instruction", source)
        return {"instruction": source, "statements": statements, "plan": plan}
    if action.instruction == "call":
        source = reader.code(row, "instruction")
        if not source.strip():
            reader.note(
                "no-call", row, "instruction", f"the action {action.name} needs a call such as x = f(1)",
                "Write the call.",
            )  # fmt: skip
            return {"instruction": source}
        plan = reader.call(row, "instruction", source)
        return {"instruction": source, "plan": plan, "assign": plan.target if plan else None}
    try:
        assign, rest = split_assignment(source)
    except TextError as error:
        reader.note("empty-assignment", row, "instruction", str(error), "Write the text after the =.")
        return {"instruction": source}
    text: Template | None = None
    if action.instruction != "ignored":
        text = reader.template(row, "instruction", rest)
    return {"instruction": source, "assign": assign, "text": text}


# ---------------------------------------------------------------------- transitions and questions


def read_transition(reader: CellReader, row: Row, item: str) -> Transition | None:
    """One item of the transitions cell."""
    target = parse_target(item)
    if target.kind != "return_value":
        name = reader.node_name(target.name) if target.kind == "node" else target.name
        return Transition(target.kind, name, item)
    source = target.expression if target.expression.isascii() else _repaired(target.expression)
    expression = reader.expression(row, "transitions", source)
    return Transition("return", "", item, expression) if expression else None


def _repaired(source: str) -> str:
    from autograph.tables.typography import repair_code

    return repair_code(source)[0]


def _question(reader: CellReader, row: Row, filled: dict[str, str], found: dict[str, Any]) -> None:
    transitions = found.get("transitions", ())
    columns = reader.lettered(row, "transition_choice")
    question = reader.template(row, "transition_question")
    found["question"] = question
    found["choices"] = tuple(c for i in sorted(columns) if (c := reader.template(row, columns[i])))
    _check_choices(reader, row, len(transitions), columns, "transition_question" in filled)
    if "min_confidence" in filled:
        found["min_confidence"] = reader.number(row, "min_confidence", 0, 1)
        if "on_unclear" not in filled:
            reader.note(
                "missing-on-unclear", row, "min_confidence", "min_confidence needs on_unclear",
                "Say in on_unclear what happens below it: error, a node, or a choice letter.",
            )  # fmt: skip
    if "on_unclear" in filled:
        found["on_unclear"] = reader.node_name(filled["on_unclear"])


def _check_choices(reader: CellReader, row: Row, transitions: int, columns: dict[int, str], asked: bool) -> None:
    if "transitions" in row.fields and not transitions and row.fields["transitions"]:
        return  # the list itself is malformed; that was said already
    for position, index in enumerate(sorted(columns)):
        if index != position:
            missing = f"transition_choice_{letter(position).lower()}"
            reader.note(
                "choice-gap", row, columns[index], f"{missing} is missing before {columns[index]}", "Fill it in."
            )
            return
    if transitions > 1:
        if not asked:
            column = "transition_question" if "transition_question" in row.fields else "transitions"
            reader.note(
                "missing-question", row, column,
                f"{transitions} transitions need a transition_question that chooses among them",
                "Write the question, or leave one transition.",
            )  # fmt: skip
        if len(columns) != transitions:
            remedy = f"Fill in transition_choice_a to transition_choice_{letter(transitions - 1).lower()}"
            reader.note(
                "choices-mismatch", row, "transitions",
                f"there are {transitions} transitions but {len(columns) or 'no'} choice{'s'[: len(columns) != 1]}",
                f"{remedy} only, or add transitions." if len(columns) > transitions else f"{remedy}.",
            )  # fmt: skip
    elif len(columns) > 1:
        reader.note(
            "choices-mismatch", row, "transitions",
            f"there are {len(columns)} choices but {'one transition' if transitions else 'no transition'}",
            "Give a transition for each choice.",
        )  # fmt: skip
    elif asked and transitions:
        reader.note(
            "lone-question", row, "transition_question", "with one transition the question is never asked",
            "Delete the question, or add transitions.",
        )  # fmt: skip


# ---------------------------------------------------------------------- simulated users


def _simulation(reader: CellReader, row: Row, filled: dict[str, str], found: dict[str, Any]) -> None:
    columns = reader.lettered(row, "user_instruction_transition")
    if columns:
        found["user_instructions"] = {i: t for i in sorted(columns) if (t := reader.template(row, columns[i]))}
    if "transition_probs" not in filled:
        return
    probabilities = reader.numbers(row, "transition_probs")
    found["transition_probs"] = probabilities
    transitions = len(found.get("transitions", ()))
    if len(probabilities) != transitions:
        reader.note(
            "bad-probabilities", row, "transition_probs",
            f"there are {transitions} transitions but {len(probabilities)} probabilities",
            "Give one for each transition.",
        )  # fmt: skip
    elif abs(sum(probabilities) - 1) > 0.01:
        reader.note(
            "bad-probabilities", row, "transition_probs", f"the probabilities add up to {sum(probabilities):g}, not 1",
            "Change them so that they add up to 1.",
        )  # fmt: skip
