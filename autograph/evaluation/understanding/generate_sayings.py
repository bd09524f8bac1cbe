"""What could a user say for each choice? Sayings that a model makes up by the sheet's own user instructions.

Each is asked for as a simulated user's text is, at the node where it will be said, in changing manners: people are
brief, indirect, in a hurry, and they mistype.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from autograph.errors import AutographError, RunError
from autograph.evaluation.fault import DataError, Fault
from autograph.evaluation.many import AT_ONCE, Count, in_order
from autograph.evaluation.understanding.asked import (
    Subject,
    Wanted,
    interjection_subject,
    node_named,
    own_subject,
    wanted,
)
from autograph.evaluation.understanding.result import NotAsked
from autograph.evaluation.understanding.sayings import Saying
from autograph.evaluation.understanding.standing import Stage, Standing, Unreached
from autograph.interpreter.bot import Autograph
from autograph.interpreter.drivers import perform_async
from autograph.interpreter.effects import Generate
from autograph.interpreter.userbot import user_request
from autograph.language.text import Template
from autograph.models.base import GenerateRequest, Reply
from autograph.program import NodeSpec, Program

__all__ = ["MANNERS", "Generated", "generate_sayings"]

MANNERS = (
    "",
    "Use at most four words.",
    "Say it indirectly, without the obvious word.",
    "Write as people type on a phone, with a typing mistake.",
    "Give a reason for it in a second sentence.",
    "Be in a hurry.",
    "Be very polite.",
    "Be a little annoyed.",
)
"""How the same thing is said differently: one of these is added to the instruction, in turn."""

_TRIES = 2
"""How many texts are asked for at most, for each that is wanted: models repeat themselves."""

_FROM_LABEL = "generated from the choice (the sheet has no instruction for it)"


@dataclass(frozen=True, slots=True)
class Generated:
    """New sayings; ``from_label`` are the choices (node and key) without an instruction in the sheet, ``left_out``
    those for which nothing could be made, and why.
    """

    sayings: tuple[Saying, ...]
    from_label: tuple[tuple[str, str], ...] = ()
    left_out: tuple[NotAsked, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """A choice, the node at which its sayings are made, and what the user is told (None: the sheet says nothing)."""

    aim: Wanted
    choice: str
    instruction: Template | None
    given: Saying | None


def generate_sayings(
    bot: Autograph,
    model: Any,
    per_choice: int,
    *,
    present: Sequence[Saying] = (),
    seed: int = 0,
    at_once: int = AT_ONCE,
) -> Generated:
    """Sayings made by ``model`` until each choice has ``per_choice`` with those that are ``present``.

    The node's ``user_instruction_transition_x`` and the interjection's ``user_interjection`` say what the user is to
    do; without one the choice itself does. Interjections are said at nodes drawn by ``seed`` among those that can be
    entered. ``present`` also tells
    the variables with which a node is entered. Raises ``ModelError``, ``AutographError`` for a program that is not
    trusted, ``DataError`` if ``present`` does not fit the program.
    """
    if bot.trust != "own":
        raise AutographError("sayings are generated only for a program of your own: its texts are filled in here.")
    stage, rng = Stage(bot), Random(seed)
    known, found = _known(bot, present), list[Saying]()
    notes: dict[tuple[str, str], None] = {}
    left: list[NotAsked] = []
    for place in _places(bot, stage, present, rng):
        missing = per_choice - len(known.get((place.aim.subject.name, place.aim.key), ()))
        if missing <= 0:
            continue
        made = _made(bot, stage, model, place, missing, seed, at_once, known)
        if isinstance(made, NotAsked):
            left.append(made)
            continue
        if place.instruction is None and made:
            notes[place.aim.node.name, place.aim.key] = None
        found.extend(made)
    return Generated(tuple(found), tuple(notes), tuple(left))


Known = dict[tuple[str, str], set[str]]
"""Question and choice, to the texts that are there already, as they are compared."""


def _known(bot: Autograph, present: Sequence[Saying]) -> Known:
    aims = [(saying, wanted(saying, bot.program)) for saying in present]
    faults = [aim for _, aim in aims if isinstance(aim, Fault)]
    if faults:
        raise DataError(faults)
    known: Known = {}
    for saying, aim in aims:
        assert isinstance(aim, Wanted)
        known.setdefault((aim.subject.name, aim.key), set()).add(_plain(saying.text))
    return known


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!?")


# ---------------------------------------------------------------------- for which choices, and where


def _places(bot: Autograph, stage: Stage, present: Sequence[Saying], rng: Random) -> Iterator[_Place]:
    program = bot.program
    given = {node.name: saying for saying in present if (node := node_named(program, saying.node)) is not None}
    for spec in program.nodes.values():
        own = own_subject(spec)
        for index in range(len(own.labels) if own else 0):
            assert own is not None
            instruction = (spec.user_instructions or {}).get(index)
            aim = Wanted(spec, own, index)
            yield _Place(aim, _written(program, aim), instruction, given.get(spec.name))
    about = interjection_subject(program)
    if about is None:
        return
    nodes = [spec for spec in program.nodes.values() if _can_be_interrupted(spec)]
    for index in range(len(about.labels) if nodes else 0):
        drawn = rng.sample(nodes, len(nodes))
        node = next((node for node in drawn if _can_stand(stage, node, given.get(node.name))), drawn[0])
        aim = Wanted(node, about, index)
        yield _Place(aim, _written(program, aim), _about_instruction(program, node, index), given.get(node.name))


def _written(program: Program, aim: Wanted) -> str:
    """How the choice is written in a table: its label if short, else its letter or node; what cannot be mistaken."""
    subject, index = aim.subject, aim.index
    label = subject.labels[index]
    short = not subject.interjects and "$" not in label and len(label) <= 40
    forms = [label, aim.key] if short else [aim.key, label]
    meant = (form for form in forms if wanted(Saying(aim.node.name, form, "…"), program) == aim)
    return next(meant, forms[0])


def _can_be_interrupted(spec: NodeSpec) -> bool:
    """Whether somebody answers the node: it speaks, and the conversation goes on."""
    ends = all(transition.kind == "quit" for transition in spec.transitions)
    return spec.action.speaks and bool(spec.transitions) and not ends


def _can_stand(stage: Stage, node: NodeSpec, given: Saying | None) -> bool:
    before, variables = (given.before, given.variables) if given else ("", {})
    return isinstance(stage.stand(node.name, before, variables), Standing)


def _about_instruction(program: Program, node: NodeSpec, index: int) -> Template | None:
    """What the user is told for an interjection; for "none of them" what the node's first transition wants."""
    if index < len(program.interjections):
        return program.interjections[index].user_interjection
    return (node.user_instructions or {}).get(0)


# ---------------------------------------------------------------------- the texts


def _made(
    bot: Autograph, stage: Stage, model: Any, place: _Place, missing: int, seed: int, at_once: int, known: Known
) -> list[Saying] | NotAsked:
    given, node = place.given, place.aim.node
    before, variables = (given.before, given.variables) if given else ("", {})
    standing = stage.stand(node.name, before, variables)
    if isinstance(standing, Unreached):
        return NotAsked(-1, node.name, f"(choice {place.choice})", standing.reason)
    requests = _requests(bot, place, standing, missing * _TRIES, seed)
    if isinstance(requests, NotAsked):
        return requests
    seen = known.setdefault((place.aim.subject.name, place.aim.key), set())
    note = _FROM_LABEL if place.instruction is None else "generated"
    sayings: list[Saying] = []
    for start in range(0, len(requests), missing):  # a second round only for what the first one repeated
        batch = requests[start : start + missing - len(sayings)]
        for text in _texts(model, batch, at_once):
            if text and _plain(text) not in seen:
                seen.add(_plain(text))
                sayings.append(Saying(node.name, place.choice, text, before, variables, note))
        if len(sayings) >= missing:
            break
    return sayings


def _requests(
    bot: Autograph, place: _Place, standing: Standing, count: int, seed: int
) -> list[GenerateRequest] | NotAsked:
    """What the model is asked, with changing manners and seeds; nothing for a user who says nothing more."""
    run = bot.start_run(standing.memory)
    node = bot.nodes[place.aim.node.name]
    try:
        told = run.render(place.instruction, node, "user_instruction")[0] if place.instruction else _by_label(place)
    except RunError as error:
        return NotAsked(-1, node.name, f"(choice {place.choice})", error.message)
    if told.strip() == bot.config.end_signal:
        return []
    result = []
    for number in range(count):
        request = user_request(run, node, f"{told} {MANNERS[number % len(MANNERS)]}".strip())
        result.append(replace(request, instruction=told, seed=seed * 10_000 + number))
    return result


def _by_label(place: _Place) -> str:
    subject: Subject = place.aim.subject
    label = subject.labels[place.aim.index]
    if not subject.interjects:
        return f'Answer the last message so that the answer to the question "{subject.question}" is: {label}.'
    if place.aim.index == len(subject.labels) - 1:
        return "Answer the last message as a user would, in a sentence or two."
    return f"Say something of which this is true: {label}"


def _texts(model: Any, requests: Sequence[GenerateRequest], at_once: int) -> list[str]:
    async def ask(request: GenerateRequest) -> str:
        reply: Reply = await perform_async(Generate(request, model))
        return " ".join(reply.text.split())

    return in_order([partial(ask, request) for request in requests], at_once, Count(None, len(requests)))
