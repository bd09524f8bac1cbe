"""How does a conversation go to DeepPavlov Agent's dialogue state, and back?

    state = export_state(memory, "clinic", fingerprint=bot.program.fingerprint)    # a dict, for json.dumps
    dialog = import_state(state)                                                   # export_state(dialog) == state
    memory = memory_from_state(dialog, "clinic", fingerprint=bot.program.fingerprint)

The program's memory travels in ``human.attributes["clinic_state"]`` (``state_program``), so that the conversation goes
on elsewhere as if nothing had happened. A state of another system has no such thing; then the words go over, and the
conversation stands at a node that the caller names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from autograph.dialogue.messages import memory_of, spoken
from autograph.dialogue.state_dates import Ids, moment, upstream_date
from autograph.dialogue.state_json import json_object
from autograph.dialogue.state_model import Bot, BotUtterance, Dialog, Human, HumanUtterance, Hypothesis, Utterance
from autograph.dialogue.state_program import MAX_BYTES, pack_memory, state_key, unpack_memory
from autograph.dialogue.state_update import hypothesis_of, save_dialog
from autograph.dialogue.state_validate import listed, validate_state
from autograph.errors import StorageError, did_you_mean
from autograph.memory import MemoryObject, Turn

__all__ = ["export_state", "import_state", "memory_from_state", "state_messages", "validate_state"]

_EPOCH = datetime(1970, 1, 1)
_PAUSE = timedelta(seconds=1)


def export_state(
    conversation: MemoryObject | Dialog,
    program: str = "autograph",
    *,
    fingerprint: str = "",
    user: str = "user",
    channel: str = "autograph",
    candidates: Mapping[int, Sequence[Mapping[str, Any]]] | None = None,
    persona: Mapping[str, Any] | None = None,
    started: datetime | None = None,
    seed: str | None = None,
    key: bytes | None = None,
) -> dict[str, Any]:
    """A conversation as a dialogue state; a ``Dialog``, as the state that it is.

    ``program`` is the name of the skill, and ``fingerprint`` its program's, so that nobody goes on with another
    version of it unawares. ``user`` is the human's external id. ``candidates``: the replies that were possible where
    there were several, by the number of the program's reply (from 0): mappings with ``text`` and ``confidence``.
    ``persona`` is the bot's. Memories know no times: the utterances get those from ``started`` (now) on, one second
    apart. With ``seed`` the ids are always the same, and ``started`` is 1970 if it is not given.
    ``key`` signs the program's state.
    """
    if isinstance(conversation, Dialog):
        return conversation.to_dict()
    ids = Ids(seed)
    began = moment(str(started)) or (datetime.now() if seed is None else _EPOCH)
    dialog_id, human_id, bot_id = ids.next(), ids.next(), ids.next()
    human, bot = Human(human_id, user), Bot(bot_id, json_object(persona or {}, "persona"))
    said: list[Utterance] = []
    for number, turn in enumerate(spoken(conversation)):
        proposed = _proposed(turn, (candidates or {}).get(number, ()), program)
        confidence = next(hypothesis["confidence"] for hypothesis in proposed if hypothesis["text"] == turn.agent)
        if turn.user is not None:
            said.append(HumanUtterance(ids.next(), turn.user, human, str(began), hypotheses=proposed))
            began += _PAUSE
        attributes = {"node": turn.node}
        said.append(BotUtterance(ids.next(), turn.agent, bot, str(began), program, confidence, attributes=attributes))
        began += _PAUSE
    packed = pack_memory(conversation, program, fingerprint, key=key, user=user)
    human = replace(human, attributes={state_key(program): packed})
    return save_dialog(Dialog(dialog_id, human, bot, tuple(said), channel)).to_dict()


def _proposed(turn: Turn, candidates: Sequence[Mapping[str, Any]], program: str) -> tuple[Hypothesis, ...]:
    """The replies that were possible, the one that was given among them."""
    found = [
        hypothesis_of({"confidence": 1.0, **candidate}, program, f"candidates/{index}")
        for index, candidate in enumerate(candidates)
    ]
    if not any(candidate["text"] == turn.agent for candidate in found):
        found.insert(0, {"skill_name": program, "annotations": {}, "text": turn.agent, "confidence": 1.0})
    return tuple(found)


def import_state(data: Mapping[str, Any]) -> Dialog:
    """The dialog of a state; dates of other forms (``T``, offsets) are put into that of the original.

    Raises ``StorageError`` with all that is wrong (``validate_state``).
    """
    problems = validate_state(data)
    if problems:
        raise StorageError(f"this is no dialogue state: {listed(problems)}")
    return _with_plain_dates(Dialog.from_dict(data))


def _with_plain_dates(dialog: Dialog) -> Dialog:
    said = []
    for utterance in dialog.utterances:
        attributes = _plain_ratings(utterance.attributes)
        said.append(replace(utterance, date_time=upstream_date(utterance.date_time), attributes=attributes))
    start, finish = upstream_date(dialog.date_start), upstream_date(dialog.date_finish)
    rated = None if dialog.attributes is None else _plain_ratings(dialog.attributes)
    return replace(dialog, utterances=tuple(said), date_start=start, date_finish=finish, attributes=rated)


def _plain_ratings(attributes: Mapping[str, Any]) -> Mapping[str, Any]:
    if "ratings" not in attributes:
        return attributes
    ratings = [{**rating, "datetime": upstream_date(rating["datetime"])} for rating in attributes["ratings"]]
    return {**attributes, "ratings": ratings}


def state_messages(dialog: Dialog) -> list[dict[str, Any]]:
    """What was said in a dialog, as messages of the OpenAI API."""
    return [
        {"role": "user" if isinstance(utterance, HumanUtterance) else "assistant", "content": utterance.text}
        for utterance in dialog.utterances
    ]


@dataclass(frozen=True, slots=True)
class _Found:
    """A program whose state is in a dialog, and the state."""

    program: str
    state: Any


def memory_from_state(
    dialog: Dialog,
    program: str | None = None,
    *,
    fingerprint: str | None = None,
    nodes: Collection[str] | None = None,
    node: str | None = None,
    key: bytes | None = None,
    max_bytes: int = MAX_BYTES,
) -> MemoryObject:
    """The memory with which a program goes on with a dialog.

    The program's own state, if it is there; ``program`` may be None if it is the only one. Otherwise a memory in which
    the same words were said, and which stands at ``node``. For the other arguments see ``unpack_memory``.
    Raises ``StorageError``, ``ProgramChanged``.
    """
    found = _state_of(dialog, program)
    if found is not None:
        return unpack_memory(
            found.state, found.program, fingerprint=fingerprint, nodes=nodes, key=key,
            user=dialog.human.user_external_id, max_bytes=max_bytes,
        )  # fmt: skip
    if node is None:
        whose = f'the program "{program}"' if program else "a program"
        raise StorageError(f"the dialog holds no state of {whose}. Name the node at which the conversation stands.")
    if nodes is not None and node not in nodes:
        raise StorageError(f'there is no node "{node}". {did_you_mean(node, nodes)}'.rstrip())
    if not dialog.utterances:
        raise StorageError("nothing was said in the dialog. Begin a new conversation instead.")
    try:
        return memory_of(state_messages(dialog), node)
    except ValueError as error:
        raise StorageError(f"the dialog cannot be taken over: {error}") from None


def _state_of(dialog: Dialog, program: str | None) -> _Found | None:
    attributes = dialog.human.attributes
    if program is not None:
        name = state_key(program)
        return _Found(program, attributes[name]) if name in attributes else None
    ours = [
        _Found(str(value.get("program")), value)
        for value in attributes.values()
        if isinstance(value, Mapping) and value.get("autograph") == "state"
    ]
    if len(ours) > 1:
        names = ", ".join(found.program for found in ours)
        raise StorageError(f"the dialog holds the states of several programs: {names}. Name one.")
    return ours[0] if ours else None
