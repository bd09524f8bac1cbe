"""Turns of a stranger's program: streamed, asynchronous, cancelled, many at once, and when their worker dies."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import autograph
from autograph.locked import Limits, LockedTurns
from autograph.models import ScriptedModel
from autograph.models.base import GenerateRequest, Reply
from conversations import Conversation, program_conversations
from locked_support import needs_lock
from slow_model import ECHO, Slow

pytestmark = needs_lock


@pytest.fixture(scope="module")
def bot() -> autograph.Autograph:
    return autograph.load(ECHO, model=Slow(), trust="untrusted")


def workers(bot: autograph.Autograph) -> list[Any]:
    begins = bot._turns
    assert isinstance(begins, LockedTurns)
    return begins._workers


EXPECTED = ["Hello, {}", "<Answer {}, 1>", "<Answer {}, 2>", "Bye: ['a', 'b']"]


def expected(who: str) -> list[str]:
    return [text.format(who) for text in EXPECTED]


def talk(bot: autograph.Autograph, who: str) -> list[str]:
    memory: Any = bot.start(variables={"who": who})
    replies = []
    for text in ("", "a", "b", "no"):
        reply, memory = bot.reply(text, memory)
        replies.append(reply)
    assert memory.finished
    return replies


async def atalk(bot: autograph.Autograph, who: str) -> list[str]:
    memory: Any = bot.start(variables={"who": who})
    replies = []
    for text in ("", "a", "b", "no"):
        reply, memory = await bot.areply(text, memory)
        replies.append(reply)
    return replies


# ---------------------------------------------------------------------- the same as with trust


def transcript(conversation: Conversation, trust: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    load = autograph.load
    with monkeypatch.context() as patch:
        patch.setattr(autograph, "load", lambda *args, **options: load(*args, **options, trust=trust))
        bot = conversation.bot(conversation.model())
    memory = conversation.start(bot)
    said = []
    for step in conversation.steps:
        reply, memory = bot.reply(step.say, memory, **step.options)
        said += [reply, memory.to_json()]
        if memory.finished:
            break
    return said


@pytest.mark.parametrize("conversation", program_conversations(), ids=lambda one: one.name)
def test_the_shipped_programs_talk_alike(conversation: Conversation, monkeypatch: pytest.MonkeyPatch) -> None:
    own = transcript(conversation, "own", monkeypatch)
    assert len(own) > 4
    assert transcript(conversation, "untrusted", monkeypatch) == own


def test_streams(bot: autograph.Autograph) -> None:
    memory = bot.reply("", bot.start(variables={"who": "Ada"}))[1]
    stream = bot.stream("a", memory)
    pieces = list(stream)
    assert len(pieces) > 5
    assert "".join(pieces) == stream.reply == "<Answer Ada, 1>"
    assert stream.memory == bot.reply("a", memory)[1]


def test_streams_asynchronously(bot: autograph.Autograph) -> None:
    async def main() -> tuple[list[str], str]:
        memory = (await bot.areply("", bot.start(variables={"who": "Ada"})))[1]
        stream = bot.astream("a", memory)
        return [piece async for piece in stream], stream.reply

    pieces, reply = asyncio.run(main())
    assert "".join(pieces) == reply == "<Answer Ada, 1>"


def test_events_come_while_the_turn_runs() -> None:
    seen: list[str] = []

    class Watching(Slow):
        def generate(self, request: GenerateRequest) -> Reply:
            seen.append("request")
            return super().generate(request)

    bot = autograph.load(ECHO, model=Watching(), trust="untrusted")
    memory = bot.reply("", bot.start(variables={"who": "x"}))[1]
    _, after = bot.reply("a", memory, on_event=lambda event: seen.append(event.kind))
    assert seen == ["value", "entered", "value", "entered", "request", "generated", "said"]
    assert after.last_turn is not None
    assert [event.kind for event in after.last_turn.trace] == [kind for kind in seen if kind != "request"]


def test_a_listener_that_fails_ends_the_turn(bot: autograph.Autograph) -> None:
    def fail(event: Any) -> None:
        raise KeyError("listener")

    with pytest.raises(KeyError):
        bot.reply("", bot.start(variables={"who": "x"}), on_event=fail)
    assert talk(bot, "Eve") == expected("Eve")


def test_simulated_users_are_the_same() -> None:
    rows = [*ECHO[:4], {**ECHO[4], "transitions": "quit"}]
    rows[3] = {**rows[3], "user_instruction_transition_a": "Say more", "user_instruction_transition_b": "Say no, $who"}
    said = []
    for trust in ("own", "untrusted"):
        bot = autograph.load(rows, model=Slow(), trust=trust)
        memory = bot.reply("", bot.start(variables={"who": "x"}))[1]
        memory = bot.reply("a", memory)[1]
        said.append([bot.simulate_user(memory, seed=seed) for seed in range(6)])
    assert said[0] == said[1]
    assert len(set(said[0])) == 2


def test_a_conversation_that_the_worker_has_forgotten_is_sent_again() -> None:
    rows = [{"name": "start1", "action": "chat_exact", "instruction": "${len(big)} $name", "transitions": "start1"}]
    bot = autograph.load(rows, trust=Limits(workers=1))
    memories: list[Any] = [bot.start(variables={"big": "x" * 500_000, "name": f"n{n}"}) for n in range(12)]
    for _ in range(3):
        for number, memory in enumerate(memories):
            reply, memories[number] = bot.reply("go on", memory)
            assert reply == f"500000 n{number}"
    assert bot.reply("again", memories[0])[0] == bot.reply("again", memories[0])[0] == "500000 n0"
    assert bot.reply("older", memories[0])[1].trajectory == ["start1"] * 4


def test_a_long_conversation_stays_the_same(bot: autograph.Autograph) -> None:
    own = autograph.load(ECHO, model=Slow())
    texts = [f"text {number}" for number in range(30)]
    memories: list[Any] = [bot.start(variables={"who": "Ada"}), own.start(variables={"who": "Ada"})]
    for text in ("", *texts):
        memories = [one.reply(text, memory)[1] for one, memory in zip((bot, own), memories, strict=True)]
        assert memories[0] == memories[1]
        assert [memories[0].visits(name) for name in bot.nodes] == [memories[1].visits(name) for name in bot.nodes]
    back = own.reply("back here", memories[0])[1]
    assert back == own.reply("back here", memories[1])[1]
    assert bot.reply("and there", back)[1] == own.reply("and there", back)[1]


# ---------------------------------------------------------------------- many at once


def test_twenty_conversations_in_threads(bot: autograph.Autograph) -> None:
    names = [f"n{number}" for number in range(20)]
    with ThreadPoolExecutor(20) as pool:
        assert list(pool.map(lambda who: talk(bot, who), names)) == [expected(who) for who in names]
    assert len(workers(bot)) <= Limits().workers


def test_twenty_conversations_in_one_loop(bot: autograph.Autograph) -> None:
    names = [f"n{number}" for number in range(20)]

    async def main() -> list[list[str]]:
        return list(await asyncio.gather(*(atalk(bot, who) for who in names)))

    assert asyncio.run(main()) == [expected(who) for who in names]


def test_the_event_loop_goes_on_while_the_worker_computes() -> None:
    rows = [{"name": "start1", "action": "python_function", "instruction": "n = 1", "transitions": "start1"}]
    config = autograph.AutographConfig(max_steps=10**9)
    bot = autograph.load(rows, config=config, trust=Limits(seconds=0.6))
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    async def main() -> None:
        ticking = asyncio.create_task(tick())
        with pytest.raises(autograph.LimitError, match=r"computed longer than 0\.6 s"):
            await bot.areply()
        ticking.cancel()

    asyncio.run(main())
    assert ticks > 10


def test_cancelling_leaves_the_worker_for_others() -> None:
    class Sleepy(Slow):
        seconds = 30.0

    model = Sleepy()
    bot = autograph.load(ECHO, model=model, trust=Limits(workers=1))
    memory = bot.reply("", bot.start(variables={"who": "x"}))[1]

    async def main() -> None:
        task = asyncio.create_task(bot.areply("a", memory))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    model.seconds = 0.0
    assert talk(bot, "Ada") == expected("Ada")
    assert workers(bot)[0].turns == 0


def test_a_stream_that_is_closed_leaves_the_worker_for_others(bot: autograph.Autograph) -> None:
    memory = bot.reply("", bot.start(variables={"who": "x"}))[1]
    before = memory.to_json()
    stream = bot.stream("a", memory)
    assert next(stream) == "<"
    stream.close()
    del stream
    assert memory.to_json() == before
    assert talk(bot, "Ada") == expected("Ada")
    assert all(worker.turns == 0 for worker in workers(bot))


# ---------------------------------------------------------------------- when it goes wrong


def test_a_worker_that_is_killed_while_a_model_is_asked() -> None:
    class Killer(Slow):
        armed = False

        def generate(self, request: GenerateRequest) -> Reply:
            if self.armed:
                os.kill(workers(bot)[0].pid, signal.SIGKILL)
                self.armed = False
            return super().generate(request)

    model = Killer()
    bot = autograph.load(ECHO, model=model, trust=Limits(workers=1))
    memory = bot.reply("", bot.start(variables={"who": "x"}))[1]
    before = memory.to_json()
    model.armed = True
    with pytest.raises(autograph.RunError, match=r"has ended: it has died. Nothing has changed; say the same again"):
        bot.reply("a", memory)
    assert memory.to_json() == before
    assert bot.reply("a", memory)[0] == "<Answer x, 1>"


def test_a_worker_that_is_killed_while_it_computes() -> None:
    rows = [{"name": "start1", "action": "python_function", "instruction": "n = 1", "transitions": "start1"}]
    bot = autograph.load(rows, config=autograph.AutographConfig(max_steps=10**9), trust="untrusted")
    threading.Timer(0.3, lambda: os.kill(workers(bot)[0].pid, signal.SIGKILL)).start()
    with pytest.raises(autograph.RunError, match="it has died"):
        bot.reply()


def test_a_worker_that_is_killed_while_it_waits(bot: autograph.Autograph) -> None:
    talk(bot, "x")
    for worker in workers(bot):
        os.kill(worker.pid, signal.SIGKILL)
    said = []
    for _ in range(4):
        try:
            said.append(talk(bot, "Ada"))
        except autograph.RunError as error:
            said.append([str(error)])
    assert said[-1] == expected("Ada")
    assert all(one == expected("Ada") or "say the same again" in one[0] for one in said)


def test_the_time_out_of_a_turn() -> None:
    rows = [
        {"name": "start1", "action": "python_function", "transitions": "start1",
         "instruction": "n = sum([i * i for i in range(20000)])"},
    ]  # fmt: skip
    errors = []
    for trust in ("own", "untrusted"):
        bot = autograph.load(rows, config=autograph.AutographConfig(max_steps=10**9), trust=trust)
        begun = time.monotonic()
        with pytest.raises(autograph.LimitError) as caught:
            bot.reply(timeout=0.2)
        errors.append(caught.value.message)
        assert time.monotonic() - begun < 5
    assert errors[0] == errors[1]


def test_a_statement_that_takes_too_long() -> None:
    rows = [{"name": "start1", "action": "chat_exact", "transitions": "",
             "instruction": "${sum([1 for i in range(200000) for j in range(200000)])}"}]  # fmt: skip
    config = autograph.AutographConfig(statement_fuel=10**15, statement_seconds=0.2)
    errors = []
    for trust in ("own", "untrusted"):
        bot = autograph.load(rows, config=config, trust=trust)
        for _ in range(2):
            with pytest.raises(autograph.LimitError) as caught:
                bot.reply()
            errors.append(str(caught.value))
    assert len(set(errors)) == 1
    assert "0.2 s" in errors[0]


def test_memory_ends() -> None:
    rows = [
        {"name": "start1", "action": "python_function", "instruction": "xs = []", "transitions": "more"},
        {"name": "more", "action": "python_function", "transitions": "more",
         "instruction": "xs.append(str(visits('more')) + 'x' * 900000)"},
    ]  # fmt: skip
    bot = autograph.load(rows, trust=Limits(memory_mb=64))
    with pytest.raises(autograph.LimitError, match="memory"):
        bot.reply()


def test_a_conversation_that_grows_too_large() -> None:
    rows = [
        {"name": "start1", "action": "python_function", "instruction": "xs = ['x' * 900000, 'y' * 900000]",
         "transitions": "say"},
        {"name": "say", "action": "chat_exact", "instruction": "hi", "transitions": "say"},
    ]  # fmt: skip
    bot = autograph.load(rows, trust=Limits(frame_mb=1))
    with pytest.raises(autograph.LimitError, match="too large for a program that is not trusted"):
        bot.reply()
    with pytest.raises(autograph.LimitError, match="too large for a program that is not trusted"):
        bot.reply("x", bot.start(variables={"big": "x" * 2_000_000}))
    with pytest.raises(autograph.LimitError, match="program is too large"):
        autograph.load(
            [{"name": "a", "action": "chat_exact", "instruction": "x" * 2_000_000}], trust=Limits(frame_mb=1)
        )


def test_a_turn_goes_on_while_the_program_changes() -> None:
    class Changing(Slow):
        def generate(self, request: GenerateRequest) -> Reply:
            bot.add_node(name=f"more{len(bot.nodes)}", action="chat_exact", instruction="new")
            bot.update()
            return super().generate(request)

    bot = autograph.load(ECHO, model=Changing(), trust=Limits(workers=1))
    memory = bot.reply("", bot.start(variables={"who": "x"}))[1]
    before = workers(bot)[0]
    assert bot.reply("a", memory)[0] == "<Answer x, 1>"
    assert workers(bot)[0] is not before
    assert len(bot.nodes) == 6


def test_a_table_that_comes_from_a_host_function() -> None:
    import pandas

    rows = [{"name": "start1", "action": "chat_exact", "instruction": "${len(table())}", "transitions": "start1"}]
    code = f"""if True:
        import sys
        sys.path[:0] = {sys.path!r}
        import autograph

        def table():
            import pandas
            return pandas.DataFrame({{"a": [1, 2, 3]}})

        bot = autograph.load({rows!r}, modules={{"table": table}}, trust="untrusted")
        assert "pandas" not in sys.modules
        try:
            print(bot.reply()[0])
        except autograph.RunError as error:
            print(str(error)[-40:])
        print(bot.reply()[0])
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.stdout.splitlines() == ["Nothing has changed; say the same again.", "3"], done
    assert (
        autograph.load(rows, modules={"table": lambda: pandas.DataFrame({"a": [1]})}, trust="untrusted").reply()[0]
        == "1"
    )


def test_a_worker_with_nothing_to_do_ends_and_comes_again() -> None:
    bot = autograph.load(ECHO, model=Slow(), trust=Limits(idle_seconds=0.2))
    assert talk(bot, "Ada") == expected("Ada")
    time.sleep(0.6)
    assert all(worker.ended is not None for worker in workers(bot))
    assert talk(bot, "Ada") == expected("Ada")


def test_the_workers_end_with_the_bot() -> None:
    bot = autograph.load(ECHO, model=Slow(), trust="untrusted")
    (worker,) = workers(bot)
    del bot
    import gc

    gc.collect()
    for _ in range(100):
        if worker.ended is not None:
            return
        time.sleep(0.02)
    raise AssertionError("the worker goes on")


def test_errors_of_models_keep_their_identity() -> None:
    class Special(autograph.ModelError):
        pass

    class Failing(Slow):
        def generate(self, request: GenerateRequest) -> Reply:
            raise Special("no power", retryable=True) from OSError("cable")

    notes = []
    for trust in ("own", "untrusted"):
        bot = autograph.load(ECHO, model=Failing(), trust=trust)
        memory = bot.reply("", bot.start(variables={"who": "x"}))[1]
        with pytest.raises(Special, match="no power") as caught:
            bot.reply("a", memory)
        assert caught.value.retryable
        assert isinstance(caught.value.__cause__, OSError)
        notes.append((str(caught.value), getattr(caught.value, "__notes__", [])))
    assert notes[0] == notes[1]
    assert 'asked by node "answer"' in notes[0][1][0]


def test_tables_cross() -> None:
    import pandas

    rows = [
        {"name": "start1", "action": "chat_exact", "instruction": "${df.shape} ${len(df)}", "transitions": "start1"}
    ]
    frame = pandas.DataFrame({"a": [1, 2, 3], "b": ["x", "y", None]})
    said = []
    for trust in ("own", "untrusted"):
        bot = autograph.load(rows, trust=trust)
        reply, memory = bot.reply("", bot.start(variables={"df": frame}))
        said.append(reply)
        pandas.testing.assert_frame_equal(memory.variables["df"], frame)
    assert said[0] == said[1] == "(3, 2) 3"


def test_requests_are_limited() -> None:
    rows = [{"name": "start1", "action": "thought", "instruction": "think", "transitions": "start1"}]
    model = ScriptedModel(replies=["x"] * 20)
    with pytest.raises(autograph.LimitError, match="more than 7 requests"):
        autograph.load(rows, model=model, trust=Limits(requests=7)).reply()
    assert len(model.requests) == 7


def test_a_fork_has_workers_of_its_own(bot: autograph.Autograph) -> None:
    if sys.version_info >= (3, 12):
        pytest.skip("forking a process with threads is warned of")
    talk(bot, "x")
    child = os.fork()
    if child == 0:
        os._exit(0 if talk(bot, "Ada") == expected("Ada") else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert talk(bot, "Eve") == expected("Eve")
