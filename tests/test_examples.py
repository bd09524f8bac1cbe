"""Do the examples run, and say what they promise? The service also when a client goes away in mid-reply."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import autograph
from autograph.models.base import Choice, GenerateRequest, Question, Reply

EXAMPLES = Path(__file__).parent.parent / "examples"


def example(name: str) -> ModuleType:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def output(name: str, said: str = "") -> str:
    """What an example prints when it is run as a script."""
    command = [sys.executable, "-W", "error", str(EXAMPLES / f"{name}.py")]
    done = subprocess.run(command, input=said, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_embed() -> None:
    said = output("embed", "Ada\nyes\nok\nstop\n")
    assert said.startswith("Hello! I am Fia")
    assert "Nice to meet you, Ada!" in said
    assert said.endswith("Goodbye, Ada, and thank you for working with me!\n")


def test_async_many() -> None:
    said = output("async_many")
    assert "first: red 0 is lovely.  last: blue 99 is lovely." in said
    assert "Up to 100 waited for the model at the same time." in said


def test_host_functions() -> None:
    lines = output("host_functions").splitlines()
    assert lines == [
        "ada: Order 17 is on its way. It costs 48.00 euros. Another one?",
        "bo: I know of no order 17 of yours. Which one do you mean?",
    ]


def test_dataframe_in() -> None:
    said = output("dataframe_in")
    assert "1 of 2 right." in said
    assert said.endswith("2 of 2 right.\n")


def test_every_example_is_in_the_readme() -> None:
    readme = (EXAMPLES / "README.md").read_text("utf-8")
    assert [file.name for file in EXAMPLES.glob("*.py") if f"`{file.name}`" not in readme] == []


# ---------------------------------------------------------------------- the service


class Pieces:
    """A model that streams its words one by one, and stops before the third until it may go on."""

    def __init__(self) -> None:
        self.may_go_on = asyncio.Event()
        self.closed = 0

    async def astream(self, request: GenerateRequest) -> AsyncIterator[str | Reply]:
        try:
            for number, word in enumerate(("That ", "is ", "lovely.")):
                if number == 2:
                    await self.may_go_on.wait()
                yield word
            yield Reply("That is lovely.")
        finally:
            self.closed += 1

    def generate(self, request: GenerateRequest) -> Reply:
        return Reply("That is lovely.")

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        raise NotImplementedError


PROGRAM = [
    {"name": "start1", "action": "chat_exact", "transitions": "kind", "instruction": "Tell me something."},
    {"name": "kind", "action": "chat", "transitions": "kind", "instruction": "Say something kind."},
]


@pytest.fixture(scope="module")
def service() -> ModuleType:
    return example("fastapi_service")


def client_of(app: Any) -> Any:
    from fastapi.testclient import TestClient

    return TestClient(app)


def events_in(text: str) -> list[tuple[str, Any]]:
    """Kind and data of the server-sent events in a text."""
    blocks = [block.split("\n") for block in text.strip().split("\n\n")]
    return [(kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for kind, data in blocks]


def test_the_service_talks(service: ModuleType) -> None:
    client = client_of(service.app)
    begun = client.post("/sessions").json()
    assert begun["reply"].startswith("Hello! I am Fia")
    url = f"/sessions/{begun['session']}"
    response = client.post(f"{url}/turns", json={"text": "Ada"})
    assert response.headers["content-type"].startswith("text/event-stream")
    *pieces, last = events_in(response.text)
    assert "".join(data for _, data in pieces).startswith("Nice to meet you, Ada!")
    assert last == ("done", {"finished": False})
    assert events_in(client.post(f"{url}/turns", json={"text": "stop"}).text)[-1][0] == "done"
    client.post(f"{url}/turns", json={"text": "stop"})
    assert client.get(url).json()["finished"]
    assert client.post(f"{url}/turns", json={"text": "more"}).status_code == 409


def test_the_service_refuses_what_it_does_not_know(service: ModuleType) -> None:
    client = client_of(service.app)
    assert client.get("/sessions/none").status_code == 404
    assert client.post("/sessions/none/turns", json={"text": "hi"}).status_code == 404
    session = client.post("/sessions").json()["session"]
    assert client.post(f"/sessions/{session}/turns", json={"text": "x" * 5000}).status_code == 422


def test_a_failing_turn_leaves_the_session_as_it_was(service: ModuleType) -> None:
    rows = [
        {"name": "start1", "action": "chat_exact", "transitions": "divide", "instruction": "A number?"},
        {
            "name": "divide",
            "action": "python_function",
            "transitions": "tell",
            "instruction": "x = 8 / int(_last_user_reply)",
        },
        {"name": "tell", "action": "chat_exact", "transitions": "divide", "instruction": "$x"},
    ]
    client = client_of(service.create_app(autograph.load(rows, model="offline")))
    url = f"/sessions/{client.post('/sessions').json()['session']}"
    failed = events_in(client.post(f"{url}/turns", json={"text": "0"}).text)
    assert failed == [("error", "This turn failed; say it again.")]
    assert client.get(url).json()["nodes"] == 1
    assert events_in(client.post(f"{url}/turns", json={"text": "4"}).text)[0] == ("piece", "2.0")


async def call(
    app: Any, method: str, path: str, body: Any, *, leaves_after: int | None = None, how: str = "2.3"
) -> bytes:
    """One request to an ASGI application; the client goes away after so many pieces of the answer.

    ``how`` is the version of the protocol: before 2.4 a server reports that the client has gone, from
    2.4 on sending fails.
    """
    answer, gone = b"", asyncio.Event()
    pieces, sent_body = 0, False

    async def receive() -> dict[str, Any]:
        nonlocal sent_body
        if not sent_body:
            sent_body = True
            return {"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        nonlocal answer, pieces
        if gone.is_set() and how >= "2.4":
            raise OSError("the client has gone")
        answer += message.get("body", b"")
        pieces += bool(message.get("body"))
        if pieces == leaves_after:
            gone.set()

    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": how}, "http_version": "1.1", "method": method,
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "scheme": "http",
        "headers": [(b"content-type", b"application/json")], "server": ("test", 80), "client": ("test", 1), "state": {},
    }  # fmt: skip
    await app(scope, receive, send)
    return answer


@pytest.mark.parametrize("how", ["2.3", "2.4"])
def test_a_client_that_goes_away_does_no_harm(service: ModuleType, how: str) -> None:
    async def scenario() -> None:
        model = Pieces()
        app = service.create_app(autograph.load(PROGRAM, model=model))
        session = json.loads(await call(app, "POST", "/sessions", {}))["session"]
        before = app.state.sessions.get(session)

        if how == "2.4":
            model.may_go_on.set()  # so that there is a further piece, whose sending fails
        turn = call(app, "POST", f"/sessions/{session}/turns", {"text": "roses"}, leaves_after=1, how=how)
        if how == "2.4":
            from starlette.requests import ClientDisconnect

            with pytest.raises(ClientDisconnect):
                await asyncio.wait_for(turn, 10)
        else:
            await asyncio.wait_for(turn, 10)
        assert model.closed == 1
        assert app.state.sessions.get(session) is before
        assert [level.last_state for level in before.stack] == ["start1"]

        model.may_go_on.set()
        answer = await call(app, "POST", f"/sessions/{session}/turns", {"text": "roses"})
        found = events_in(answer.decode())
        assert "".join(data for kind, data in found if kind == "piece") == "That is lovely."
        assert found[-1] == ("done", {"finished": False})
        after = app.state.sessions.get(session)
        assert after is not before
        assert after.last_turn.user_reply == "roses"
        assert list(after.trajectory) == ["start1", "kind"]

    asyncio.run(scenario())


def test_two_turns_at_once_never_lose_one(service: ModuleType) -> None:
    async def scenario() -> None:
        model = Pieces()
        app = service.create_app(autograph.load(PROGRAM, model=model))
        session = json.loads(await call(app, "POST", "/sessions", {}))["session"]
        turns = [call(app, "POST", f"/sessions/{session}/turns", {"text": text}) for text in ("one", "two")]
        model_goes_on = asyncio.get_running_loop().call_later(0.05, model.may_go_on.set)
        answers = [events_in(answer.decode())[-1][0] for answer in await asyncio.gather(*turns)]
        model_goes_on.cancel()
        assert sorted(answers) == ["done", "error"]
        assert len(app.state.sessions.get(session).trajectory) == 2

    asyncio.run(scenario())
