"""What would the user say next? A simulated user, told by the sheet's own user instructions.

Source: section 9 of ``docs/language.md``. A transition is drawn by ``transition_probs``, an
interjection by its probability; the model then speaks as the user so that it should follow.
"""

from __future__ import annotations

from collections.abc import Generator
from random import Random
from typing import TYPE_CHECKING, Any

from autograph.errors import ConversationFinished, RunError
from autograph.interpreter.effects import Effect, Generate
from autograph.interpreter.prompts import fill
from autograph.interpreter.trimmers import trimmed
from autograph.memory.turns import Turn, iterate
from autograph.models.base import GenerateRequest, Message, Reply

if TYPE_CHECKING:
    from autograph.interpreter.nodes import Node
    from autograph.interpreter.run import Run

__all__ = ["default_probabilities", "simulate", "user_request"]

_NO_INSTRUCTION = "Answer the last message as a user would, in a sentence or two."


def simulate(run: Run, rng: Random) -> Generator[Effect, Any, None]:
    """Let the simulated user speak: ``run.reply`` is what is said, ``run.result`` the target aimed at."""
    memory = run.memory
    if memory.finished:
        raise ConversationFinished("the conversation has ended; the user has nothing more to say")
    node = run.nodes.get(memory.current or "")
    if node is None:
        raise RunError("the program has not spoken yet: call reply() first, then simulate_user")
    instruction, target = _draw(run, node, rng)
    run.result = target
    if instruction.strip() == run.config.end_signal:
        run.reply = run.config.end_signal
        return
    request = trimmed(user_request(run, node, instruction), run.bot.trimmer, run.append)
    reply: Reply = yield Generate(request, run.bot.model)
    run.add_usage(reply.usage)
    run.reply = reply.text


def user_request(run: Run, node: Node, instruction: str) -> GenerateRequest:
    """What is asked of a model that is to speak as the user, who stands at ``node`` and does as instructed."""
    return GenerateRequest(
        node.name, _messages(run, instruction), "user", instruction, None, "",
        run.config.max_response_tokens, run.time_left, run.config.seed,
    )  # fmt: skip


def default_probabilities(transitions: int, delta: float) -> list[float]:
    """How likely each transition is if the sheet does not say: the first is preferred by ``delta``."""
    share = (1 - delta) / transitions
    return [delta + share, *[share] * (transitions - 1)]


def _draw(run: Run, node: Node, rng: Random) -> tuple[str, str]:
    """An instruction for the user, and the target that should follow."""
    for spec in run.program.interjections:
        if spec.user_interjection is None:
            continue
        chance = spec.probability_interjection
        if rng.random() < (run.config.default_probability_interjection if chance is None else chance):
            text = run.render(spec.user_interjection, run.nodes[spec.name], "user_interjection")[0]
            return text, spec.name
    transitions = node.spec.transitions
    if not transitions:
        return _user_instruction(run, node, 0), ""
    weights = node.spec.transition_probs or default_probabilities(
        len(transitions), run.config.default_primary_prob_delta
    )
    index = rng.choices(range(len(transitions)), weights)[0]
    return _user_instruction(run, node, index), transitions[index].text


def _user_instruction(run: Run, node: Node, index: int) -> str:
    template = (node.spec.user_instructions or {}).get(index)
    if template is None:
        return _NO_INSTRUCTION
    return run.render(template, node, f"user_instruction_transition_{chr(ord('a') + index)}")[0]


def _messages(run: Run, instruction: str) -> tuple[Message, ...]:
    """The conversation seen from the other side: what the agent said comes from the user's user."""
    level, config = run.memory.top, run.config
    spoken = [turn for turn in _recent(level.turn, config.max_prompt_tokens) if turn.spoke]
    messages = [Message("system", level.user_prompt)] if level.user_prompt else []
    said = ""
    for turn in reversed(spoken):
        if turn.user:
            if said:
                messages.append(Message("user", said))
            messages.append(Message("assistant", turn.user))
            said = ""
        said = f"{said}\n\n{turn.agent}" if said else turn.agent
    last = fill(config.user_instruction_template, last_response=said, instruction=instruction, config=config)
    return (*messages, Message("user", last))


def _recent(newest: Turn | None, budget: int) -> list[Turn]:
    """The newest turns within ``budget`` tokens, newest first."""
    kept = []
    for turn in iterate(newest):
        if newest is not None and newest.size - turn.size > budget:
            break
        kept.append(turn)
    return kept
