"""Remote agents: the wire, what comes over it, and what can go wrong on the way."""

from __future__ import annotations

import asyncio
import json
import math
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from autograph.errors import ModelError
from autograph.evaluation.agents import Agent, RemoteAgent, RepeatQueryAgent, serve_agent
from autograph.evaluation.metric import Average
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.remote import END, decode_message, encode_message

zmq = pytest.importorskip("zmq")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def other_side(kind: int, port: int, talk: Callable[[Any], None]) -> Iterator[None]:
    """Another process, as it were: a bare socket that talks in a thread."""
    errors: list[BaseException] = []

    def run() -> None:
        with zmq.Context() as context, context.socket(kind) as end:
            end.setsockopt(zmq.LINGER, 1000)
            end.setsockopt(zmq.RCVTIMEO, 10_000)
            end.bind(f"tcp://127.0.0.1:{port}") if kind == zmq.REP else end.connect(f"tcp://127.0.0.1:{port}")
            try:
                talk(end)
            except BaseException as error:
                errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        thread.join(20)
    assert errors == []
    assert not thread.is_alive()


def test_an_observation_goes_out_as_json_and_the_act_comes_back() -> None:
    port = free_port()
    heard: list[str] = []

    def talk(end: Any) -> None:
        for reply in ('{"text": "Hi!", "id": "far"}', '{"text": "é", "extra": [1]}'):
            heard.append(end.recv_string())
            end.send_string(reply)
        heard.append(end.recv_string())

    with other_side(zmq.REP, port, talk):
        agent = RemoteAgent(f"tcp://127.0.0.1:{port}", timeout=10)
        agent.observe({"text": "hello", "label_candidates": {"b", "a"}, "image": object(), "episode_done": False})
        assert agent.act() == {"text": "Hi!", "id": "far"}
        agent.observe({"text": "日本"})
        assert agent.act() == {"id": "RemoteAgent", "text": "é", "extra": [1]}
        agent.shutdown()
    assert json.loads(heard[0]) == {"text": "hello", "label_candidates": ["a", "b"], "episode_done": False}
    assert json.loads(heard[1]) == {"text": "日本"}
    assert heard[2] == END


def test_a_host_waits_to_be_asked() -> None:
    port = free_port()
    heard: list[Any] = []

    def talk(end: Any) -> None:
        end.send_string('{"text": "I begin"}')
        heard.append(json.loads(end.recv_string()))
        end.send_string('{"text": "I go on"}')

    agent = RemoteAgent(f"tcp://127.0.0.1:{port}", host=True, timeout=10)
    with other_side(zmq.REQ, port, talk):
        assert agent.act()["text"] == "I begin"
        agent.observe({"text": "hello"})
        assert agent.act()["text"] == "I go on"
    agent.shutdown()
    assert heard == [{"text": "hello"}]


def test_an_agent_is_served_until_the_end() -> None:
    port = free_port()
    counted: list[int] = []
    thread = threading.Thread(
        target=lambda: counted.append(serve_agent(RepeatQueryAgent(), f"tcp://127.0.0.1:{port}", timeout=10))
    )
    thread.start()
    agent = RemoteAgent({"remote_address": "127.0.0.1", "port": port, "timeout": 10})
    assert agent.respond("tea") == "tea"
    agent.observe({"text": "a\nb"})
    assert agent.act()["text"] == "b"
    agent._send(agent._connected(), "no json")
    assert "error" in agent._answered(agent._connected())
    agent.shutdown()
    thread.join(20)
    assert counted == [2]


def test_nobody_answers() -> None:
    agent = RemoteAgent(f"tcp://127.0.0.1:{free_port()}", timeout=0.05)
    agent.observe({"text": "hello"})
    with pytest.raises(ModelError, match=r"has not answered within 0.05 s\. Is it running") as caught:
        agent.act()
    assert caught.value.retryable
    with pytest.raises(ModelError, match="has not answered"):
        agent.act()  # a new connection was made, which can be asked again


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ("hello", "is no JSON"),
        ("[1]", "is no JSON object"),
        ('{"text": 3}', '"text" is no text'),
        ('{"text_candidates": "ab"}', '"text_candidates" is no list of texts'),
        ('{"metrics": {"x": "y"}}', '"metrics" has something that is no number'),
        (END, "has ended the connection"),
        ("[" * 100_000, "is no JSON"),
    ],
)
def test_what_is_no_act(reply: str, message: str) -> None:
    port = free_port()

    def talk(end: Any) -> None:
        end.recv_string()
        end.send_string(reply)

    with other_side(zmq.REP, port, talk):
        agent = RemoteAgent(f"tcp://127.0.0.1:{port}", timeout=10)
        agent.observe({"text": "hello"})
        with pytest.raises(ModelError, match=message):
            agent.act()
        agent.shutdown()


def test_only_this_machine_is_let_in() -> None:
    for address in ("tcp://0.0.0.0:5555", "tcp://*:5555", "tcp://example.org:5555"):
        with pytest.raises(ValueError, match="would let other machines talk to the agent"):
            serve_agent(RepeatQueryAgent(), address)
        with pytest.raises(ValueError, match="would let other machines"):
            RemoteAgent(address, host=True)
    assert RemoteAgent("tcp://[::1]:5555", host=True).address == "tcp://[::1]:5555"


def test_a_port_that_is_taken() -> None:
    port = free_port()
    with zmq.Context() as context, context.socket(zmq.REP) as taken:
        taken.bind(f"tcp://127.0.0.1:{port}")
        with pytest.raises(ModelError, match="cannot be bound"):
            serve_agent(RepeatQueryAgent(), f"tcp://127.0.0.1:{port}")
        with pytest.raises(ModelError, match="cannot be bound"):
            RemoteAgent(f"tcp://127.0.0.1:{port}", host=True).act()


def test_copies_use_the_next_ports() -> None:
    agent = RemoteAgent("tcp://127.0.0.1:7000")
    assert [agent.share().port for _ in range(3)] == [7001, 7002, 7003]


@pytest.mark.parametrize("address", ["tcp://a:b:c", "tcp://127.0.0.1:0", "tcp://127.0.0.1:70000", "udp://x"])
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(ValueError, match="is no address"):
        RemoteAgent(address)


def test_addresses_in_short() -> None:
    assert RemoteAgent("localhost").address == "tcp://localhost:5555"
    assert RemoteAgent("tcp://:6000").address == "tcp://127.0.0.1:6000"


def test_metrics_go_out_as_numbers_and_nothing_comes_in_without_them() -> None:
    assert json.loads(encode_message(Message(metrics={"f1": Average(1, 2)}, odd=object))) == {
        "metrics": {"f1": 0.5}, "odd": str(object),
    }  # fmt: skip
    assert decode_message('{"text": null, "metrics": {"x": 1, "y": null}}') == {"metrics": {"x": 1, "y": None}}


def test_a_wait_that_is_given_up_ends_at_once() -> None:
    async def give_up() -> None:
        agent = RemoteAgent(f"tcp://127.0.0.1:{free_port()}", timeout=3600)
        agent.observe({"text": "hello?"})
        waiting = asyncio.ensure_future(agent.aact())
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        agent.shutdown()

    asyncio.run(give_up())  # with a thread that went on waiting, this would take an hour


@pytest.mark.parametrize("timeout", [0, -1, math.nan, math.inf])
def test_a_timeout_that_is_none(timeout: float) -> None:
    with pytest.raises(ValueError, match="it must be above 0"):
        RemoteAgent(timeout=timeout)


def test_an_error_of_the_agent_that_is_served_is_its_own() -> None:
    class Broken(Agent):
        def act(self) -> Message:
            raise ValueError("out of tea")

    port = free_port()
    with ThreadPoolExecutor(1) as pool:
        served = pool.submit(serve_agent, Broken(), f"tcp://127.0.0.1:{port}", timeout=5)
        agent = RemoteAgent(f"tcp://127.0.0.1:{port}", timeout=0.2)
        agent.observe({"text": "hello?"})
        with pytest.raises(ModelError):
            agent.act()
        with pytest.raises(ValueError, match="out of tea"):
            served.result()
