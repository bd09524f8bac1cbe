"""A Chat Completions server that answers from a script, for tests of the client."""

from __future__ import annotations

import json
import select
import socket
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """What the server does with one request.

    ``events`` makes it a stream. ``cut``: the connection breaks off at the end. ``hang``: the
    server waits at the end until the client goes away. ``delay``: seconds before anything is sent.
    """

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    events: Sequence[Any] | None = None
    cut: bool = False
    hang: bool = False
    delay: float = 0.0


USAGE = {
    "prompt_tokens": 20,
    "completion_tokens": 7,
    "total_tokens": 27,
    "prompt_tokens_details": {"cached_tokens": 5},
    "completion_tokens_details": {"reasoning_tokens": 3},
}


def text(content: str | None, finish: str = "stop", usage: Any = USAGE, logprobs: Any = None, **message: Any) -> Answer:
    """A whole answer."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
    if logprobs is not None:
        choice["logprobs"] = {"content": logprobs}
    body = {"id": "c1", "object": "chat.completion", "created": 1, "model": "m-2026", "choices": [choice]}
    return Answer(body=body | ({"usage": usage} if usage else {}))


def chunk(content: str | None = None, finish: str | None = None, usage: Any = None) -> dict[str, Any]:
    """One event of a stream."""
    delta = {} if content is None else {"content": content}
    choices = [] if usage else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": choices,
        "usage": usage,
    }


def streamed(*pieces: str, **more: Any) -> Answer:
    """A whole stream, with usage."""
    events = [*(chunk(piece) for piece in pieces), chunk(finish="stop"), chunk(usage=USAGE), "[DONE]"]
    return Answer(events=events, **more)


def error(status: int, message: str, headers: dict[str, str] | None = None, **fields: Any) -> Answer:
    """An error as OpenAI's server words it."""
    return Answer(status, {"error": {"message": message, "type": "invalid_request_error", **fields}}, headers or {})


class FakeServer:
    """Serves ``script`` in order on a loopback port; ``bodies`` and ``keys`` are what came in."""

    def __init__(self, *script: Answer) -> None:
        self.script = list(script)
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.client_left = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> FakeServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _handler(fake: FakeServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            fake.bodies.append(json.loads(self.rfile.read(size)))
            fake.keys.append(self.headers.get("Authorization", ""))
            answer = fake.script.pop(0)
            if answer.delay:
                threading.Event().wait(answer.delay)
            try:
                self._stream(answer) if answer.events is not None else self._whole(answer)
            except OSError:
                fake.client_left.set()
                self.close_connection = True

        def _whole(self, answer: Answer) -> None:
            content = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content) + (100 if answer.cut else 0)))
            self.end_headers()
            self.wfile.write(content)
            self.close_connection = self.close_connection or answer.cut

        def _stream(self, answer: Answer) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for event in answer.events or ():
                data = event if isinstance(event, str) else json.dumps(event)
                line = f"data: {data}\n\n".encode()
                self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
            if answer.hang:
                self._wait_until_client_leaves()
            if answer.cut or answer.hang:
                self.close_connection = True
            else:
                self.wfile.write(b"0\r\n\r\n")

        def _wait_until_client_leaves(self) -> None:
            readable, _, _ = select.select([self.connection], [], [], 10)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                fake.client_left.set()

        def log_message(self, format: str, *args: object) -> None:
            """Keep test output quiet."""

    return Handler
