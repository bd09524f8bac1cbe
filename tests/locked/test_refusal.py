"""Where no process can be locked, a stranger's program does not run. Who is a stranger, and may not choose what?"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import autograph
from autograph.cli.main import cli, run
from autograph.interpreter import loading
from autograph.interpreter.trust import trust_of
from autograph.locked import Limits, can_lock, nursery, process
from autograph.locked.lock import LockError, why_not_here
from autograph.models import ScriptedModel
from locked_support import HERE, linux_only, needs_lock

ROWS = [{"name": "start1", "action": "chat_exact", "instruction": "hello", "transitions": "start1"}]


@pytest.fixture
def no_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(tables: bool) -> Any:
        raise LockError("the moon is full")

    monkeypatch.setattr(process, "nursery", refuse)
    monkeypatch.setattr(nursery, "nursery", refuse)


@pytest.mark.usefixtures("no_lock")
def test_it_refuses_to_run_and_names_reason_and_remedy() -> None:
    assert can_lock() == "the moon is full"
    with pytest.raises(autograph.AutographError) as caught:
        autograph.load(ROWS, trust="untrusted")
    for words in ("the moon is full", "x86_64 or aarch64", 'trust="own"'):
        assert words in str(caught.value)
    assert autograph.load(ROWS, trust="own").reply()[0] == "hello"


@pytest.mark.usefixtures("no_lock")
def test_the_command_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.csv"
    file.write_text("name,action,instruction\nstart1,chat_exact,hello\n")
    assert run(cli, "autograph", ["chat", str(file), "--untrusted", "--script", os.devnull]) == 70
    assert "the moon is full" in " ".join(capsys.readouterr().err.split())


@needs_lock
@pytest.mark.parametrize("option", ["--untrusted", "--own"])
def test_the_command_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    file = tmp_path / "x.csv"
    file.write_text("name,action,instruction\nstart1,chat_exact,hello ${6*7}\n")
    assert run(cli, "autograph", ["chat", str(file), option, "--script", os.devnull]) == 0
    assert capsys.readouterr().out == "hello 42\n"


@pytest.mark.parametrize(
    ("source", "trust", "word"),
    [
        ("https://docs.google.com/spreadsheets/d/x", None, "untrusted"),
        ("HTTP://example.org/x.csv", None, "untrusted"),
        ("https://example.org/x.csv", "own", "own"),
        ("x.csv", None, "own"),
        (Path("x.csv"), None, "own"),
        ("x.csv", "untrusted", "untrusted"),
        (ROWS, None, "own"),
    ],
)
def test_who_is_a_stranger(source: Any, trust: Any, word: str) -> None:
    assert trust_of(source, trust) == word


@needs_lock
def test_a_link_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    read = loading.read_rows
    monkeypatch.setattr(loading, "read_rows", lambda source, sheet: read(ROWS))
    assert autograph.load("https://example.org/x.csv").trust == "untrusted"
    assert autograph.load("https://example.org/x.csv", trust="own").trust == "own"


@pytest.mark.parametrize("trust", ["yes", "", 1, True, object()])
def test_an_unknown_trust(trust: Any) -> None:
    if not trust:
        assert autograph.Autograph(trust=trust or None).trust == "own"
        return
    with pytest.raises(autograph.RunError, match=r'it must be "own", "untrusted" or autograph.locked.Limits'):
        autograph.Autograph(trust=trust)


@pytest.mark.parametrize("name", ["memory_mb", "seconds", "requests", "calls", "frame_mb", "workers", "idle_seconds"])
def test_limits_are_positive(name: str) -> None:
    with pytest.raises(autograph.RunError, match=f"the limit {name} must be a positive number, not 0"):
        Limits(**{name: 0})


@needs_lock
def test_a_program_built_in_python() -> None:
    bot = autograph.Autograph(trust="untrusted")
    bot.add_node(name="start1", action="chat_exact", instruction="one", transitions="start1")
    assert bot.update().reply()[0] == "one"
    bot.add_node(name="b", action="chat_exact", instruction="two ${1+1}", transitions="quit")
    assert bot.update().reply(set_state="b")[0] == "two 2"
    assert autograph.reply.__name__ == "reply"


@needs_lock
def test_a_python_file_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nnodes = []\n")
    with pytest.raises(autograph.AutographError, match="is a Python file, which is run when it is loaded"):
        autograph.load(file, trust="untrusted")
    assert not (tmp_path / "ran").exists()


@needs_lock
def test_custom_actions_are_not_there() -> None:
    from autograph.interpreter.nodes import Node
    from autograph.vocabulary import Action

    class Shout(Node):
        action = Action("shout", "says it loudly", "text")

    rows = [{"name": "start1", "action": "shout", "instruction": "hello"}]
    with pytest.raises(autograph.AutographError, match=r"its locked worker cannot compile it.*shout"):
        autograph.load(rows, actions=(Shout,), trust="untrusted")


@needs_lock
@pytest.mark.parametrize(
    "spec", ["scripted:/etc/passwd", "recorded:/tmp/x", "local:/tmp/x.gguf", "openai:x@http://example.org/v1"]
)
@pytest.mark.parametrize("where", ["config", "node"])
def test_a_stranger_chooses_no_files_and_no_servers(spec: str, where: str) -> None:
    node = {"name": "start1", "action": "chat", "instruction": "hello", "transitions": "start1"}
    source = {"config": {"chatbot": spec} if where == "config" else {}, "nodes": [node]}
    if where == "node":
        node["model"] = spec
    bot = autograph.load(source, trust="untrusted")
    with pytest.raises(autograph.ModelError, match=r"the program chooses the model .* and it is not trusted"):
        bot.reply()
    if where == "config":
        assert autograph.load(source, model=ScriptedModel(["hi"]), trust="untrusted").reply()[0] == "hi"


@needs_lock
def test_a_stranger_may_choose_the_offline_rules() -> None:
    source = {"config": {"chatbot": "offline"}, "nodes": [{"name": "a", "action": "chat", "instruction": "Say hello."}]}
    assert autograph.load(source, trust="untrusted").reply()[0]


# ---------------------------------------------------------------------- systems


@linux_only
def test_a_helper_that_does_not_start() -> None:
    with pytest.raises(LockError, match="the helper process does not start: ModuleNotFoundError"):
        nursery.Nursery(entry="no_such_module:serve")


@needs_lock
def test_a_helper_that_answers_too_late_answers_no_more() -> None:
    helper = nursery.Nursery(entry="raw_worker:serve", path=[str(HERE)])
    os.kill(helper._process.pid, signal.SIGSTOP)
    helper._control.settimeout(0.05)
    with pytest.raises(LockError, match="the helper process has ended"):
        helper.bear(Limits())
    helper._process.wait(10)
    assert not helper.alive
    helper.close()


FORBIDDING = """
import ctypes, struct, sys
sys.path[:0] = {path!r}
from autograph.locked import can_lock
from autograph.locked.seccomp import abi, install_filter
libc = ctypes.CDLL(None, use_errno=True)
lines = [(0x20, 0, 0, 0), (0x15, 0, 1, {number}), (6, 0, 0, 0x00050000 | {errno}), (6, 0, 0, 0x7fff0000)]
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert install_filter(libc, abi(), b"".join(struct.pack("=HBBI", *line) for line in lines)) == 0
print(can_lock())
"""


@needs_lock
@pytest.mark.parametrize(
    ("number", "errno", "said"),
    [
        (317, 1, "the kernel or the container does not allow a seccomp filter (EPERM: Operation not permitted)"),
        (317, 38, "the kernel or the container does not allow a seccomp filter (ENOSYS: Function not implemented)"),
        (444, 38, "None"),  # a kernel without landlock: seccomp alone will do
        (126, 1, "the capabilities cannot be dropped (EPERM: Operation not permitted)"),
    ],
)
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers of another architecture's calls")
def test_containers_that_forbid_it(number: int, errno: int, said: str) -> None:
    code = FORBIDDING.format(path=sys.path, number=number, errno=errno)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == (said, "")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("platform", "darwin", "processes can be locked on Linux only, and this is darwin"),
        ("platform", "win32", "processes can be locked on Linux only, and this is win32"),
        ("executable", "", "there is no Python interpreter that could be started"),
    ],
)
def test_other_platforms(monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str) -> None:
    monkeypatch.setattr(sys, name, value)
    if name == "platform" or sys.platform == "linux":
        assert why_not_here() == said


def test_other_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    monkeypatch.setattr(sys, "platform", "linux")
    assert "x86_64 and aarch64 only" in str(why_not_here())


ELSEWHERE = """
import os, signal, socket, subprocess, selectors, ctypes, sys
sys.path[:0] = {path!r}
for name in ("resource", "fcntl", "pwd", "grp", "termios", "_posixsubprocess"):
    sys.modules[name] = None
del os.fork, os.uname, signal.SIGKILL, signal.setitimer, signal.SIGALRM, socket.AF_UNIX, socket.send_fds
sys.platform = "win32"
import autograph.locked.engine, autograph.locked.turn
from autograph.locked import can_lock
import autograph
print(can_lock())
try:
    autograph.load([{{"name": "a", "action": "chat_exact", "instruction": "x"}}], trust="untrusted")
except autograph.AutographError as error:
    print("refused" if "this is win32" in str(error) else error)
print(autograph.load([{{"name": "a", "action": "chat_exact", "instruction": "x"}}]).reply()[0])
"""


def test_nothing_of_posix_is_needed_to_import_it() -> None:
    code = ELSEWHERE.format(path=sys.path)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == ["processes can be locked on Linux only, and this is win32", "refused", "x"], (
        done
    )
