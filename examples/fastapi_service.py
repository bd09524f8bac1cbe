"""A small web service around a program, with replies that are streamed.

    uvicorn fastapi_service:app
    curl -X POST localhost:8000/sessions                                  -> {"session": "…", "reply": "Hello! …"}
    curl -N localhost:8000/sessions/ID/turns --json '{"text": "Ada"}'     -> server-sent events

Each session's memory is kept in a dict behind a lock. A memory never changes: a turn makes a new
one, and the service puts it in the place of the old one when the last piece has been sent. So a
client that goes away in the middle of a reply does no harm; it may say the same again.
"""

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import uuid4

from fastapi import FastAPI, HTTPException
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field
from starlette.types import Receive, Scope, Send

import autograph

TUTOR = Path(__file__).parent.parent / "programs" / "tutor.csv"


class Said(BaseModel):
    """What the user says."""

    text: str = Field(max_length=4000)


class Sessions:
    """The memories of all sessions. Every look and every change happens under one lock."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._memories: dict[str, autograph.MemoryObject] = {}

    def add(self, memory: autograph.MemoryObject) -> str:
        """Keep a new session; its id."""
        session = uuid4().hex
        with self._lock:
            self._memories[session] = memory
        return session

    def get(self, session: str) -> autograph.MemoryObject:
        """The memory of a session; 404 if there is none."""
        with self._lock:
            memory = self._memories.get(session)
        if memory is None:
            raise HTTPException(404, "There is no such session.")
        return memory

    def replace(self, session: str, before: autograph.MemoryObject, after: autograph.MemoryObject) -> bool:
        """Keep the memory after a turn, unless another turn of the session was faster."""
        with self._lock:
            if self._memories.get(session) is not before:
                return False
            self._memories[session] = after
            return True


class Events(StreamingResponse):
    """Server-sent events whose source is closed at once when the client goes away."""

    media_type = "text/event-stream"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self.body_iterator.aclose()  # type: ignore[attr-defined]


def create_app(bot: autograph.Autograph) -> FastAPI:
    """The service for a loaded program."""
    app = FastAPI(title="A chatbot")
    app.state.sessions = sessions = Sessions()

    @app.post("/sessions")
    async def begin() -> dict[str, str]:
        reply, memory = await bot.areply()
        return {"session": sessions.add(memory), "reply": reply}

    @app.get("/sessions/{session}")
    async def look(session: str) -> dict[str, Any]:
        memory = sessions.get(session)
        return {"nodes": len(memory.trajectory), "finished": memory.finished}

    @app.post("/sessions/{session}/turns")
    async def turn(session: str, said: Said) -> Events:
        memory = sessions.get(session)
        if memory.finished:
            raise HTTPException(409, "This conversation has ended.")
        return Events(events(session, said.text, memory))

    async def events(session: str, text: str, memory: autograph.MemoryObject) -> AsyncGenerator[str, None]:
        stream = bot.astream(text, memory)
        try:
            async for piece in stream:
                yield event("piece", piece)
            if sessions.replace(session, memory, stream.memory):
                yield event("done", {"finished": stream.memory.finished})
            else:
                yield event("error", "Another turn of this session came in between; say it again.")
        except autograph.AutographError:
            # What went wrong is for the log of the service; the memory is as it was.
            yield event("error", "This turn failed; say it again.")
        finally:
            await stream.aclose()  # a client that went away: the model's stream is closed as well

    return app


def event(kind: str, data: Any) -> str:
    """One server-sent event, with its data as JSON (so that line breaks do no harm)."""
    return f"event: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


app = create_app(autograph.load(TUTOR, model="offline"))
