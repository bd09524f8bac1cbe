"""How does a program run within a real DeepPavlov Agent? As a connector of the protocol ``python``.

In its ``pipeline_conf.json``:

    "skills": {"clinic": {
        "connector": {"protocol": "python", "class_name": "autograph.evaluation.pipeline.connector:ProgramConnector",
                      "program": "clinic.yaml", "name": "clinic", "model": "offline"},
        "state_manager_method": "add_hypothesis"}}
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from autograph.evaluation.pipeline.skill import Policy, ProgramSkill
from autograph.interpreter.loading import load

__all__ = ["ProgramConnector"]


class ProgramConnector:
    """A skill for DeepPavlov Agent. ``name`` should be the label of the service: the state is kept under it.

    ``policy`` maps what is in ``skill.Policy`` to what is to be done. ``key`` signs the state, by its UTF-8 bytes.
    ``connector_name`` comes from the agent where the connector stands under ``connectors``. ``options`` are further
    ones of ``ProgramSkill``.
    """

    def __init__(
        self,
        program: str,
        name: str,
        model: str | None = None,
        classifier: str | None = None,
        policy: Mapping[str, Any] | None = None,
        key: str | None = None,
        connector_name: str | None = None,
        **options: Any,
    ) -> None:
        bot = load(program, model=model, classifier=classifier)
        signing = None if key is None else key.encode("utf-8")
        self._skill = ProgramSkill(bot, name, policy=Policy(**(policy or {})), key=signing, **options)

    async def send(self, payload: Mapping[str, Any], callback: Callable[..., Awaitable[Any]]) -> None:
        """Answer the dialog in ``payload``; the callback gets the hypotheses, or the exception."""
        response: Any
        try:
            [response] = await self._skill.answer([payload["payload"]])
        except Exception as error:  # the agent goes on without this skill, and waits for ever if it hears nothing
            response = error
        await callback(task_id=payload["task_id"], response=response)
