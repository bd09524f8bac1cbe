"""A model behind an OpenAI-compatible Chat Completions server, OpenAI's own or any other."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from threading import Lock
from typing import Any

from autograph.errors import ModelError
from autograph.models.base import Choice, GenerateRequest, Question, Reply, Usage
from autograph.models.exchange import Call, Deadline, adrive, drive
from autograph.models.loop_clients import LoopClients
from autograph.models.openai_errors import Peer, explained, timed_out
from autograph.models.openai_payload import Settings, StreamReader
from autograph.models.openai_steps import Requests

__all__ = ["OpenAIModel"]


class OpenAIModel:
    """Asks a Chat Completions server.

    ``model``: its name there. ``base_url``: default ``OPENAI_BASE_URL``, else OpenAI's own.
    ``api_key``: default ``OPENAI_API_KEY``; a server of your own needs none. ``timeout``: seconds
    for one try (a request's own ``timeout`` bounds all tries together). ``max_retries``: how often
    a passing failure is repeated. ``temperature``, ``max_tokens``, ``reasoning_effort``: as the API
    has them; ``question_effort``: the effort for questions. ``logprobs``: ask for the confidence
    of choices. ``prompt_cache_key``: one per program. ``extra_body``: further fields for local
    servers. ``prices``: per million tokens, ``{"prompt": 0.25, "completion": 2.0, "cached": 0.025}``.

    A parameter that the server refuses by name is left out from then on. All methods raise
    ``ModelError``. Safe to share between threads and event loops; ``close`` and ``aclose`` release
    the connections.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        temperature: float | None = None,
        prices: Mapping[str, float] | None = None,
        *,
        max_tokens: int | None = None,
        reasoning_effort: str | None = None,
        question_effort: str | None = None,
        logprobs: bool = False,
        prompt_cache_key: str | None = None,
        extra_body: Mapping[str, Any] | None = None,
    ) -> None:
        base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        key = api_key or os.environ.get("OPENAI_API_KEY") or ("unused" if base_url else "")
        settings = Settings(
            model,
            temperature=temperature,
            max_tokens=max_tokens,
            reasoning_effort=reasoning_effort,
            question_effort=question_effort,
            logprobs=logprobs,
            prompt_cache_key=prompt_cache_key,
            extra_body=dict(extra_body or {}),
        )
        self.model = model
        self.prices = dict(prices) if prices else None
        self._peer = Peer(model, base_url, key, timeout)
        self._requests = Requests(settings, self._peer, max_retries)
        self._lock = Lock()
        self._sync_client: Any = None
        self._async_clients = LoopClients(lambda: self._new_client("AsyncOpenAI"))

    def __repr__(self) -> str:
        return f"OpenAIModel({self.model!r} at {self._peer.where})"

    @property
    def describe(self) -> str:
        """The model and where it is, in a few words."""
        return f"{self.model} at {self._peer.where}"

    @property
    def instruction_role(self) -> str:
        """The role instructions are best given in: ``developer`` at OpenAI's own server, else ``user``."""
        return "developer" if self._peer.is_openai else "user"

    @property
    def usage(self) -> Usage:
        """Tokens of all answered requests so far."""
        return self._requests.total

    @property
    def cost(self) -> float | None:
        """The price of ``usage``, or ``None`` without ``prices``."""
        if self.prices is None:
            return None
        used, prompt_price = self.usage, self.prices.get("prompt", 0.0)
        prompt = (used.prompt - used.cached) * prompt_price + used.cached * self.prices.get("cached", prompt_price)
        return (prompt + used.completion * self.prices.get("completion", 0.0)) / 1_000_000

    def generate(self, request: GenerateRequest) -> Reply:
        """Write a text."""
        return drive(self._requests.text(request), self._call)

    async def agenerate(self, request: GenerateRequest) -> Reply:
        """``generate`` for asynchronous drivers."""
        return await adrive(self._requests.text(request), self._acall)

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """Answer the questions of one moment, all in one request.

        An answer that is no choice is asked for once more, with the bad answer quoted; then it is
        unclear. ``usage`` of them all is on the first answer.
        """
        return drive(self._requests.answers(questions), self._call)

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """``choose`` for asynchronous drivers."""
        return await adrive(self._requests.answers(questions), self._acall)

    def stream(self, request: GenerateRequest) -> Generator[str | Reply, None, None]:
        """The pieces of a text as they come, then the ``Reply``. Closing the iterator ends the request."""
        deadline = self._requests.deadline(request.timeout)
        chunks = drive(self._requests.opened(request, deadline), self._call)
        reader = StreamReader(self._peer)
        try:
            while (chunk := self._next_chunk(chunks, deadline)) is not None:
                if piece := reader.feed(chunk):
                    yield piece
        finally:
            chunks.close()
        yield self._finished(reader)

    async def astream(self, request: GenerateRequest) -> AsyncGenerator[str | Reply, None]:
        """``stream`` for asynchronous drivers. Closing or cancelling it ends the request."""
        deadline = self._requests.deadline(request.timeout)
        chunks = await adrive(self._requests.opened(request, deadline), self._acall)
        reader = StreamReader(self._peer)
        try:
            while (chunk := await self._anext_chunk(chunks, deadline)) is not None:
                if piece := reader.feed(chunk):
                    yield piece
        finally:
            await chunks.close()
        yield self._finished(reader)

    def close(self) -> None:
        """Release the connections of the synchronous methods."""
        with self._lock:
            client, self._sync_client = self._sync_client, None
        if client is not None:
            client.close()

    async def aclose(self) -> None:
        """Release the connections of the running event loop, and those of the synchronous methods."""
        self.close()
        await self._async_clients.aclose()

    def _call(self, call: Call) -> Any:
        with self._lock:
            if self._sync_client is None:
                self._sync_client = self._new_client("OpenAI")
            client = self._sync_client
        return client.chat.completions.create(**call.payload, timeout=call.timeout)

    async def _acall(self, call: Call) -> Any:
        import asyncio

        client = await self._async_clients.get()
        async with asyncio.timeout(call.timeout):  # the client's own limit is for each read, not for the whole
            if call.payload.get("stream"):
                return await client.chat.completions.create(**call.payload, timeout=call.timeout)
            from openai.types.chat import ChatCompletion

            # As `create` does, without its walk over the types of every message, which costs more than all the rest.
            body = {**call.payload, **call.payload.get("extra_body", {})}
            body.pop("extra_body", None)
            options = {"timeout": call.timeout}
            return await client.post("/chat/completions", body=body, cast_to=ChatCompletion, options=options)

    def _new_client(self, kind: str) -> Any:
        if not self._peer.key:
            raise ModelError(
                f'The model "{self.model}" needs an API key. Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server '
                "of your own, or use the model `offline`."
            )
        import openai

        return getattr(openai, kind)(api_key=self._peer.key, base_url=self._peer.url, max_retries=0)

    def _next_chunk(self, chunks: Any, deadline: Deadline) -> Any:
        if deadline.left() <= 0:
            raise timed_out(self._peer, deadline.span)
        try:
            return next(chunks, None)
        except Exception as error:
            raise (explained(error, self._peer, deadline.span) or error) from None

    async def _anext_chunk(self, chunks: Any, deadline: Deadline) -> Any:
        import asyncio

        try:
            async with asyncio.timeout(deadline.left()):
                return await anext(chunks, None)
        except Exception as error:
            raise (explained(error, self._peer, deadline.span) or error) from None

    def _finished(self, reader: StreamReader) -> Reply:
        reply = reader.finish()
        self._requests.count(reply.usage)
        return reply
