"""How do several programs and services make one agent? ``Pipeline``: dialog and text in, dialog and reply out.

    pipeline = load_pipeline("agent.yaml")
    dialog = pipeline.new_dialog("ann")
    answer = pipeline.respond("I want a coffee", dialog)        # answer.reply, .active_skill, .services, .dialog

The pipeline keeps nothing: the dialog has it all, and ``dialog.to_dict()`` is DeepPavlov Agent's dialogue state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from autograph.dialogue.state_dates import Ids
from autograph.dialogue.state_model import Bot, BotUtterance, Dialog, Human, HumanUtterance, Hypothesis
from autograph.errors import RunError
from autograph.evaluation.pipeline.config import PipelineConfig
from autograph.evaluation.pipeline.connectors import Connected, connected
from autograph.evaluation.pipeline.file import read_pipeline
from autograph.evaluation.pipeline.links import Links, Status
from autograph.evaluation.pipeline.read import configured
from autograph.evaluation.pipeline.turn import PipelineTurn
from autograph.evaluation.running import run_now

__all__ = ["Answer", "Pipeline", "load_pipeline"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a turn. ``services``: what became of each service; ``errors``: what went wrong with which."""

    dialog: Dialog
    services: Mapping[str, Status]
    errors: Mapping[str, str]

    @property
    def utterance(self) -> BotUtterance:
        """What the bot said."""
        return self.dialog.bot_utterances[-1]

    @property
    def reply(self) -> str:
        """The text of it."""
        return self.utterance.text

    @property
    def active_skill(self) -> str:
        """Whose text it is."""
        return self.utterance.active_skill

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """What the skills have proposed."""
        asked = [said for said in self.dialog.utterances if isinstance(said, HumanUtterance)]
        return asked[-1].hypotheses

    def http_response(self) -> dict[str, Any]:
        """The answer as DeepPavlov Agent's HTTP interface gives it."""
        return {
            "dialog_id": self.dialog.dialog_id,
            "utt_id": self.utterance.utt_id,
            "user_id": self.dialog.human.user_external_id,
            "response": self.reply,
        }

    def debug_response(self) -> dict[str, Any]:
        """The same with the skill that was selected, and all hypotheses."""
        proposed = self.dialog.human_utterances[-1].to_dict()["hypotheses"]
        return {**self.http_response(), "active_skill": self.active_skill, "debug_output": proposed}


class Pipeline:
    """An agent of several services; safe to share between dialogs, one turn at a time in each.

    ``ids`` and ``clock`` give the ids and dates of utterances.
    """

    def __init__(
        self,
        config: PipelineConfig,
        services: Mapping[str, Connected],
        *,
        ids: Ids | None = None,
        clock: Callable[[], datetime] = datetime.now,
    ) -> None:
        self.config = config
        self._services = services
        self._links = Links.of(
            {service.name: service.previous for service in config.services},
            {service.name: service.required for service in config.services},
        )
        self._ids, self._clock = ids or Ids(), clock
        self._at_work: dict[str, object] = {}

    def new_dialog(self, user: str | Human = "user", *, channel: str = "autograph") -> Dialog:
        """A dialog in which nothing was said. ``user``: the human's external id, or the human from an earlier one."""
        human = user if isinstance(user, Human) else Human(self._ids.next(), user)
        return Dialog(self._ids.next(), human, Bot(self._ids.next()), channel_type=channel)

    def respond(self, text: str, dialog: Dialog, *, attributes: Mapping[str, Any] | None = None) -> Answer:
        """What the agent says to ``text``; ``dialog`` is left as it was. ``attributes`` come with the text.

        Raises ``RunError`` if nobody answers, or if the dialog is in a turn already.
        """
        return run_now(lambda: self.arespond(text, dialog, attributes=attributes))

    async def arespond(self, text: str, dialog: Dialog, *, attributes: Mapping[str, Any] | None = None) -> Answer:
        """As ``respond``, for asynchronous programs."""
        turn_at_work = object()
        if self._at_work.setdefault(dialog.dialog_id, turn_at_work) is not turn_at_work:  # one step, also for threads
            raise RunError(f"the dialog {dialog.dialog_id} is in a turn already. Wait until it is over.")
        try:
            turn = PipelineTurn(self.config, self._services, self._links, dialog, self._ids, self._clock)
            await turn.run(text, attributes or {})
        finally:
            del self._at_work[dialog.dialog_id]
        return Answer(turn.dialog, MappingProxyType(turn.statuses), MappingProxyType(turn.errors))


def load_pipeline(
    source: Any,
    *,
    allow_code: bool = False,
    model: Any = None,
    classifier: Any = None,
    timeout: float | None = None,
    ids: Ids | None = None,
    clock: Callable[[], datetime] = datetime.now,
) -> Pipeline:
    """Make an agent of a pipeline: a file (.yaml .json), or a mapping; see ``pipeline_config`` for its two forms.

    ``allow_code``: Python code that the pipeline names may be imported and run, with all the rights of the caller.
    ``model`` and ``classifier`` are for programs whose entries name none. ``timeout``: seconds for a turn, in place
    of what the pipeline says. Raises ``PipelineError`` with everything that is wrong, and where.
    """
    config = configured(read_pipeline(source))
    if timeout is not None:
        config = replace(config, timeout=timeout)
    services = connected(config, allow_code=allow_code, model=model, classifier=classifier)
    return Pipeline(config, services, ids=ids, clock=clock)
