"""How does an agent of another process, or another language, take part? Over ZeroMQ, a JSON text for each message.

The wire is that of ParlAI's remote agent: one side asks (REQ), the other answers (REP). The observation goes out as
a JSON object, the act comes back as one; the text ``<END>`` ends it, and is not answered. Who answers may be any
program that can do this. Nothing protects the wire: it is meant for one machine.
"""

from __future__ import annotations

import ipaddress
import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from autograph.errors import ModelError
from autograph.evaluation.parlai.agent import Agent, Options, number_of
from autograph.evaluation.parlai.message import Message, checked_act

if TYPE_CHECKING:
    import zmq

__all__ = ["END", "PORT", "RemoteAgent", "decode_message", "encode_message", "serve_agent"]

END = "<END>"
PORT = 5555
TIMEOUT = 30.0
"""Seconds in which the other side should have answered."""
_LONGEST = 86_400.0
_SLICE = 0.1
"""Seconds after which a wait looks whether it was given up."""
_LINGER = 1
"""Milliseconds for which a closed socket tries to send what is left."""
MOST = 10_000_000
"""Bytes of a message; a longer one is refused."""

_ADDRESS = re.compile(r"(?:tcp://)?(\[[^\]]+\]|[^:/]*)(?::(\d+))?/?")


# ---------------------------------------------------------------------- the wire


def encode_message(message: Mapping[str, Any]) -> str:
    """A message as it goes over the wire: sets become lists, metrics numbers; an image that is no text is left out."""
    plain = {name: value for name, value in message.items() if name != "image" or isinstance(value, str)}
    return json.dumps(plain, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=str)
    if hasattr(value, "value"):
        return value.value()
    return str(value)


def decode_message(text: str) -> Message:
    """What came over the wire. Raises ``ValueError`` for what is no message: texts must be texts."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{text[:60]!r} is no JSON") from error
    if not isinstance(data, dict):
        raise ValueError(f"{text[:60]!r} is no JSON object")
    return checked_act(data)


# ---------------------------------------------------------------------- the agent that is elsewhere


class RemoteAgent(Agent):
    """An agent that is elsewhere, at ``tcp://host:port``. ``timeout``: seconds to wait for an answer.

    ``host=True`` waits for the other side to ask (REP, bound) instead of asking it: its first message is its first
    act if nothing was said to it before, else only its greeting. Each copy (``share``) uses the next port, since a
    connection carries one conversation. Everything that goes wrong on the way is a ``ModelError``.
    """

    name = "RemoteAgent"

    def __init__(
        self,
        address: str | Options = f"tcp://127.0.0.1:{PORT}",
        *,
        host: bool = False,
        timeout: float = TIMEOUT,
        anywhere: bool = False,
    ) -> None:
        super().__init__()
        if not isinstance(address, str):
            options = address
            address, host = _from_options(options), bool(options.get("remote_host", host))
            timeout = number_of(options, "timeout", timeout)
        if not 0 < timeout < _LONGEST:
            raise ValueError(f"the timeout is {timeout:g} s; it must be above 0, and no more than a day")
        self.host, self.port = _parts(address)
        if host and not anywhere:
            _refuse_strangers(self.host)
        self._binds, self._anywhere, self._timeout = host, anywhere, timeout
        self._ports = count(self.port + 1)
        self._socket: zmq.Socket[bytes] | None = None
        self._asked = False  # whether the other side has said anything
        self._given_up = Event()

    @property
    def address(self) -> str:
        """Where the other side is."""
        return f"tcp://{self.host}:{self.port}"

    # ------------------------------------------------------------------ talking

    def act(self) -> Message:
        """What the other side does. Raises ``ModelError``."""
        socket = self._connected()
        if self.observation is None:
            return self._answered(socket)
        if self._binds and not self._asked:
            self._answered(socket)  # the other side must ask before it can be told anything
        self._send(socket, encode_message(self.observation))
        return self._answered(socket)

    async def aact(self) -> Message:
        """As ``act``, in a thread of its own, which ends when nobody waits for it any more."""
        import asyncio

        self._given_up.clear()
        thread = asyncio.ensure_future(asyncio.to_thread(self.act))
        try:
            return await asyncio.shield(thread)
        except asyncio.CancelledError:
            self._given_up.set()
            await asyncio.wait([thread])
            thread.exception()  # it has been seen: nobody wants the answer
            raise

    def respond(self, text: str | Mapping[str, Any], **fields: Any) -> str:
        """Its answer to a text alone, over this connection."""
        message = Message({"episode_done": True, **({"text": text} if isinstance(text, str) else text), **fields})
        return self._answer(message)

    def _send(self, socket: Any, text: str) -> None:
        import zmq

        try:
            socket.send_string(text)
        except zmq.Again as error:
            raise self._out_of_reach() from error
        except zmq.ZMQError as error:
            raise ModelError(f"the agent at {self.address} cannot be told anything: {error}") from error

    def _answered(self, socket: Any) -> Message:
        import zmq

        try:
            text = self._received(socket)
        except (zmq.ZMQError, UnicodeDecodeError) as error:
            self._close()
            raise ModelError(f"the agent at {self.address} cannot be understood: {error}") from error
        self._asked = True
        if text == END:
            self._close()
            raise ModelError(f"the agent at {self.address} has ended the connection")
        try:
            act = decode_message(text)
        except ValueError as error:
            raise ModelError(f"the agent at {self.address} sent what is no act: {error}") from error
        return act if "id" in act else Message({"id": self.getID(), **act})

    def _received(self, socket: Any) -> str:
        """What the other side says; the wait for it is in slices, so that it can be given up."""
        end = monotonic() + self._timeout
        while (left := end - monotonic()) > 0 and not self._given_up.is_set():
            if socket.poll(math.ceil(min(left, _SLICE) * 1000)):
                text: str = socket.recv_string()
                return text
        raise self._out_of_reach()

    def _out_of_reach(self) -> ModelError:
        self._close()  # a socket that waits for an answer can do nothing else
        does = "asked" if self._binds else "answered"
        return ModelError(
            f"the agent at {self.address} has not {does} within {self._timeout:g} s. Is it running, and on this port?",
            retryable=True,
        )

    # ------------------------------------------------------------------ the connection

    def _connected(self) -> Any:
        if self._socket is None:
            zmq = _zmq()
            socket = _context().socket(zmq.REP if self._binds else zmq.REQ)
            _bounded(socket, self._timeout)
            try:
                socket.bind(self.address) if self._binds else socket.connect(self.address)
            except zmq.ZMQError as error:
                socket.close()
                verb = "bound" if self._binds else "reached"
                raise ModelError(f"{self.address} cannot be {verb}: {error}. Use another port?") from error
            self._socket = socket
        return self._socket

    def _close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket, self._asked = None, False

    def shutdown(self) -> None:
        """Tell the other side that it is over, and close the connection."""
        if self._socket is None:
            return
        import zmq

        try:
            with suppress(zmq.ZMQError):  # it is not our turn to speak, or nobody is there: then it is only closed
                self._socket.send_string(END, zmq.NOBLOCK)
        finally:
            self._close()

    def share(self) -> Self:
        """A copy on the next port."""
        port = next(self._ports)
        address = f"tcp://{self.host}:{port}"
        copy = type(self)(address, host=self._binds, timeout=self._timeout, anywhere=self._anywhere)
        copy.id = self.id
        return copy


# ---------------------------------------------------------------------- the other side


def serve_agent(
    agent: Agent, address: str = f"tcp://127.0.0.1:{PORT}", *, timeout: float | None = None, anywhere: bool = False
) -> int:
    """Let others talk to an agent, until one says ``<END>``; how many of its acts they got.

    It listens on this machine only, unless ``anywhere`` (whoever reaches the port can then talk to it). ``timeout``:
    seconds without a message after which it ends, too. What is no message is answered with ``{"error": …}``.
    Raises ``ModelError`` where the address cannot be used.
    """
    host, port = _parts(address)
    if not anywhere:
        _refuse_strangers(host)
    acts = 0
    with _bound(f"tcp://{host}:{port}", timeout) as socket:
        for text in _heard(socket):
            try:
                message = decode_message(text)
            except ValueError as error:
                socket.send_string(json.dumps({"error": f"what was sent is no message: {error}"}))
                continue
            agent.observe(message)
            socket.send_string(encode_message(agent.act()))
            acts += 1
    return acts


@contextmanager
def _bound(address: str, timeout: float | None) -> Iterator[Any]:
    zmq = _zmq()
    with _context().socket(zmq.REP) as socket:
        _bounded(socket, timeout)
        try:
            socket.bind(address)
        except zmq.ZMQError as error:
            raise ModelError(f"{address} cannot be bound: {error}. Use another port?") from error
        yield socket


def _heard(socket: Any) -> Iterator[str]:
    """What others say, until the end or until nobody says anything."""
    import zmq

    while True:
        try:
            text = socket.recv().decode("utf-8", errors="replace")
        except zmq.Again:
            return
        if text == END:
            return
        yield text


# ---------------------------------------------------------------------- addresses, sockets


def _parts(address: str) -> tuple[str, int]:
    """Host and port of an address. Raises ``ValueError``."""
    match = _ADDRESS.fullmatch(address.strip())
    if match is None or not 0 < int(match[2] or PORT) < 65536:
        raise ValueError(f'"{address}" is no address. Write tcp://host:port, such as tcp://127.0.0.1:{PORT}.')
    return match[1] or "127.0.0.1", int(match[2] or PORT)


def _from_options(options: Options) -> str:
    """The address of ParlAI's options ``remote_address`` and ``port``."""
    return f"tcp://{options.get('remote_address', '127.0.0.1')}:{options.get('port', PORT)}"


def _refuse_strangers(host: str) -> None:
    """Only this machine may talk to us unless more was asked for."""
    try:
        here = host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        here = False
    if not here:
        raise ValueError(
            f"{host} would let other machines talk to the agent, and nothing protects the connection. "
            "Use 127.0.0.1, or say anywhere=True."
        )


def _zmq() -> Any:
    try:
        import zmq
    except ImportError as error:
        raise ModelError('remote agents need the package pyzmq: pip install "autograph-bots[eval]"') from error
    return zmq


def _context() -> Any:
    return _zmq().Context.instance()


def _bounded(socket: Any, timeout: float | None) -> None:
    zmq = _zmq()
    socket.setsockopt(zmq.LINGER, _LINGER)
    socket.setsockopt(zmq.MAXMSGSIZE, MOST)
    if timeout is not None:
        socket.setsockopt(zmq.RCVTIMEO, int(timeout * 1000))
        socket.setsockopt(zmq.SNDTIMEO, int(timeout * 1000))
