"""A model in this process: llama.cpp with a GGUF file, no account and no network."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Generator, Sequence
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import Any

from autograph.errors import ModelError
from autograph.models.base import Choice, GenerateRequest, Question, Reply, Usage
from autograph.models.openai import OpenAIModel

__all__ = ["PATH_VARIABLE", "LocalModel"]

PATH_VARIABLE = "AUTOGRAPH_LOCAL_MODEL"


class LocalModel:
    """Runs a GGUF file with llama.cpp (extra ``[local]``), loaded at the first request.

    ``path``: the file, default the variable ``AUTOGRAPH_LOCAL_MODEL``. ``threads``: one by default,
    since several gain little and collapse when the machine is busy. ``context``: tokens for prompt
    and reply together. ``parallel``: requests at a time, which share the context. ``temperature``
    and ``timeout`` as for ``OpenAIModel``. Raises ``ModelError`` when the package or the file is
    missing.

    llama.cpp's own server does the work, on a loopback port with a random key, so that local and
    remote models go the same way.
    """

    instruction_role = "user"

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        threads: int = 1,
        context: int = 8192,
        parallel: int = 1,
        temperature: float | None = None,
        timeout: float = 300.0,
    ) -> None:
        chosen = path or os.environ.get(PATH_VARIABLE)
        if not chosen:
            raise ModelError(
                f"The model `local` needs a GGUF file. Set {PATH_VARIABLE} to its path, or write `local:PATH`."
            )
        self.path = Path(chosen).expanduser()
        if not self.path.is_file():
            source = "" if path else f" ({PATH_VARIABLE} names it)"
            raise ModelError(
                f"There is no model file {self.path}{source}. Set {PATH_VARIABLE} to the path of a GGUF file."
            )
        self._sizes = (threads, context, parallel)
        self._temperature = temperature
        self._timeout = timeout
        self._lock = Lock()
        self._server: Any = None
        self._client: OpenAIModel | None = None

    @property
    def describe(self) -> str:
        """The model in a few words."""
        return f"{self.path.name} in this process"

    @property
    def usage(self) -> Usage:
        """Tokens of all answered requests so far."""
        return self._client.usage if self._client else Usage(requests=0)

    def generate(self, request: GenerateRequest) -> Reply:
        """Write a text."""
        return self._started().generate(request)

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """Answer the questions of one moment."""
        return self._started().choose(questions)

    def stream(self, request: GenerateRequest) -> Generator[str | Reply, None, None]:
        """The pieces of a text as they come, then the ``Reply``."""
        yield from self._started().stream(request)

    async def agenerate(self, request: GenerateRequest) -> Reply:
        """``generate`` for asynchronous drivers."""
        return await (await self._astarted()).agenerate(request)

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """``choose`` for asynchronous drivers."""
        return await (await self._astarted()).achoose(questions)

    async def astream(self, request: GenerateRequest) -> AsyncGenerator[str | Reply, None]:
        """``stream`` for asynchronous drivers."""
        pieces = (await self._astarted()).astream(request)
        try:
            async for piece in pieces:
                yield piece
        finally:
            await pieces.aclose()

    def close(self) -> None:
        """Unload the model."""
        with self._lock:
            client, self._client, self._server = self._client, None, None
        if client is not None:
            client.close()

    async def _astarted(self) -> OpenAIModel:
        if self._client is not None:
            return self._client
        import asyncio

        return await asyncio.to_thread(self._started)  # loading takes seconds

    def _started(self) -> OpenAIModel:
        with self._lock:
            if self._client is None:
                key = token_hex(16)
                self._server = _serve(self.path, key, *self._sizes)
                self._client = OpenAIModel(
                    self.path.stem,
                    f"{self._server.listening_address}/v1",
                    key,
                    timeout=self._timeout,
                    temperature=self._temperature,
                )
            return self._client


def _serve(path: Path, key: str, threads: int, context: int, parallel: int) -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        if "libgomp" in str(error):
            raise ModelError("llama.cpp needs the system library libgomp: apt-get install libgomp1.") from error
        raise ModelError('The model `local` needs an extra package: pip install "autograph-bots[local]".') from error
    p = xllamacpp.CommonParams()
    p.model.path, p.model_alias = str(path), {path.stem}
    p.hostnames, p.port, p.api_keys = ["127.0.0.1"], 0, [key]
    p.n_ctx, p.n_parallel, p.n_threads_http = context, parallel, 2
    p.cpuparams.n_threads = p.cpuparams_batch.n_threads = threads
    p.offline, p.warmup, p.use_jinja, p.ui, p.verbosity = True, False, True, False, -1
    try:
        return xllamacpp.Server(p)
    except RuntimeError as error:
        raise ModelError(
            f"llama.cpp cannot load {path}: it is no GGUF file, or needs more memory. ({error})"
        ) from error
