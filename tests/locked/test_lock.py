"""The lock holds without the language layer: raw code with all builtins gets at nothing and ends at its limits."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograph.locked import Limits
from autograph.locked.frames import pack, read_frame
from autograph.locked.nursery import Birth, Nursery
from locked_support import HERE, needs_lock

pytestmark = needs_lock

MEGABYTE = 1 << 20
LIMITS = Limits(memory_mb=64)


@pytest.fixture(scope="module")
def nest() -> Iterator[Nursery]:
    nursery = Nursery(entry="raw_worker:serve", path=[str(HERE)])
    yield nursery
    nursery.close()


class Raw:
    """A locked process that runs any code."""

    def __init__(self, nursery: Nursery, limits: Limits = LIMITS) -> None:
        self.nursery = nursery
        self.birth: Birth = nursery.bear(limits)
        self.birth.pipe.settimeout(20)
        assert self._read() == {"is": "ready"}

    def _read(self) -> dict[str, str] | None:
        return read_frame(self.birth.pipe.recv, MEGABYTE)

    def run(self, code: str) -> dict[str, str] | None:
        """The answer; None if the process has died."""
        try:
            self.birth.pipe.sendall(pack({"code": code}, MEGABYTE))
            return self._read()
        except ConnectionError:
            return None

    def close(self) -> None:
        self.nursery.kill(self.birth)


@pytest.fixture
def raw(nest: Nursery) -> Iterator[Raw]:
    worker = Raw(nest)
    yield worker
    worker.close()


ATTACKS = {
    "open for reading": "result = open('/etc/passwd').read()",
    "open for writing": "open('/tmp/autograph-was-here', 'w')",
    "os.open": "import os; result = os.open('/', os.O_RDONLY)",
    "listdir": "import os; result = os.listdir('/')",
    "stat": "import os; result = os.stat('/etc/passwd')",
    "readlink": "import os; result = os.readlink('/proc/self/exe')",
    "getcwd": "import os; result = os.getcwd()",
    "chdir": "import os; result = os.chdir('/')",
    "mkdir": "import os; os.mkdir('/tmp/autograph-was-here')",
    "unlink": "import os; os.unlink('/autograph/not/there')",
    "own maps": "result = open('/proc/self/maps').read()",
    "own environment": "result = open('/proc/self/environ').read()",
    "parent's memory": "import os; result = open(f'/proc/{os.getppid()}/mem', 'rb')",
    "parent's number": "import os; result = os.getppid()",
    "socket": "import socket; result = socket.socket()",
    "unix socket": "import socket; result = socket.socket(socket.AF_UNIX)",
    "socketpair": "import socket; result = socket.socketpair()",
    "name lookup": "import socket; result = socket.getaddrinfo('example.org', 80)",
    "socket of the pipe": "import socket; result = socket.socket(fileno=0)",
    "fork": "import os; result = os.fork()",
    "exec": "import os; os.execv('/autograph/not/there', ['x'])",
    "system": "import os; result = 1 / (os.system('true') == 0)",
    "subprocess": "import subprocess; result = subprocess.run(['true'])",
    "posix_spawn": "import os; result = os.posix_spawn('/bin/true', ['true'], {})",
    "thread": "import threading; threading.Thread(target=print).start()",
    "kill the parent": "import os; os.kill(1, 0)",
    "kill itself": "import os; os.kill(os.getpid(), 0)",
    "kill all": "import os; os.kill(-1, 0)",
    "pipe": "import os; result = os.pipe()",
    "dup": "import os; result = os.dup(0)",
    "memfd": "import os; result = os.memfd_create('x')",
    "write to stderr": "import os; result = os.write(2, b'x')",
    "write to stdin": "import os; result = os.write(0, b'x')",
    "write to another descriptor": "import os; result = os.write(3, b'x')",
    "read from stdout": "import os; result = os.read(1, 1)",
    "setuid": "import os; os.setuid(65534)",
    "nice": "import os; os.nice(1)",
    "raise a limit": "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "import from a file": "import wave",
    "executable memory": "import mmap; result = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)",
    "a callback": "import ctypes; result = ctypes.CFUNCTYPE(None)(lambda: None)()",
}

REFUSALS = (
    "Operation not permitted", "can't start new thread", "ModuleNotFoundError", "ZeroDivisionError",
    "not allowed to raise", "MemoryError", "unknown encoding",
)  # fmt: skip

LIBC = "import ctypes; libc = ctypes.CDLL(None, use_errno=True)\n"
CALLS = {
    "socket": "libc.socket(2, 1, 0)",
    "open": "libc.open(b'/etc/passwd', 0)",
    "openat by number": "libc.syscall(257, -100, b'/etc/passwd', 0)",
    "fork": "libc.fork()",
    "vfork by number": "libc.syscall(58)",
    "clone by number": "libc.syscall(56, 17, 0, 0, 0, 0)",
    "clone3 by number": "libc.syscall(435, 0, 0)",
    "execve": "libc.execve(b'/autograph/not/there', None, None)",
    "ptrace": "libc.ptrace(0, 0, 0, 0)",
    "kill": "libc.kill(1, 0)",
    "tgkill by number": "libc.syscall(234, 1, 1, 0)",
    "prctl dumpable": "libc.prctl(4, 1, 0, 0, 0)",
    "prctl death signal": "libc.prctl(1, 0, 0, 0, 0)",
    "another filter": "libc.syscall(317, 0, 0, None)",
    "io_uring_setup": "libc.syscall(425, 1, None)",
    "process_vm_readv": "libc.syscall(310, 1, None, 0, None, 0, 0)",
    "pidfd_open": "libc.syscall(434, 1, 0)",
    "mount": "libc.mount(b'none', b'/autograph/not/there', b'tmpfs', 0, None)",
    "bpf": "libc.syscall(321, 0, None, 0)",
    "keyctl": "libc.syscall(250, 0, 0, 0)",
    "sendmsg on the pipe": "libc.sendmsg(1, None, 0)",
    "recvmsg on the pipe": "libc.recvmsg(0, None, 0)",
    "shmget": "libc.shmget(0, 4096, 0o1600)",
    "executable memory": "libc.mprotect(ctypes.c_void_p(id(libc) & ~4095), 4096, 7)",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_python_is_refused(raw: Raw, attack: str) -> None:
    answer = raw.run(ATTACKS[attack])
    assert answer is not None
    if attack == "parent's number":
        assert answer == {"result": "-1"}
    else:
        assert any(words in answer["error"] for words in REFUSALS), answer
    assert raw.run("result = 6 * 7") == {"result": "42"}


@pytest.mark.parametrize("call", CALLS)
def test_calls_of_the_kernel_are_refused(raw: Raw, call: str) -> None:
    answer = raw.run(f"{LIBC}done = {CALLS[call]}\nresult = (done < 0, ctypes.get_errno())")
    assert answer is not None
    assert answer.get("result") in ("(True, 1)", "(True, 13)"), answer
    assert raw.run("result = 6 * 7") == {"result": "42"}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers of another architecture's calls")
@pytest.mark.parametrize("number", [0x40000000 | 1, 0x40000000 | 59])
def test_another_abi_ends_the_process(raw: Raw, number: int) -> None:
    assert raw.run(f"{LIBC}libc.syscall({number}, 0, 0, 0)") is None


def test_nothing_is_left_of_the_environment(raw: Raw) -> None:
    assert raw.run("import os; result = dict(os.environ)") == {"result": "{}"}
    assert raw.run(f"{LIBC}libc.getenv.restype = ctypes.c_char_p; result = libc.getenv(b'PATH')") == {"result": "None"}


def test_every_descriptor_but_two_is_closed(raw: Raw) -> None:
    tries = "  try: os.write(n, b''); result.append(n)\n  except OSError: pass"
    assert raw.run(f"import os\nresult = []\nfor n in range(3000):\n{tries}") == {"result": "[1]"}


BOMBS = {
    "one large thing": "x = b'x' * (1 << 30)",
    "doubling": "x = [0]\nwhile True: x += x",
    "many small things": "x = []\nwhile True: x.append(object())",
    "a large number": "x = 1 << (1 << 34)",
    "mapped": "import mmap; x = mmap.mmap(-1, 1 << 30)",
    "by hand": f"{LIBC}libc.malloc.restype = ctypes.c_void_p\nx = libc.malloc(1 << 30)\nif not x: raise MemoryError",
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_memory_ends(raw: Raw, bomb: str) -> None:
    answer = raw.run(BOMBS[bomb])
    assert answer is None or "Memory" in answer["error"] or "allocate" in answer["error"], answer


def test_the_memory_that_is_allowed_is_there(nest: Nursery) -> None:
    worker = Raw(nest, Limits(memory_mb=200))
    assert worker.run("x = b'x' * (150 << 20); result = len(x) >> 20") == {"result": "150"}
    worker.close()


def test_recursion_ends(raw: Raw) -> None:
    assert "RecursionError" in (raw.run("def f(): f()\nf()") or {}).get("error", "")
    raw.run("import sys; sys.setrecursionlimit(10**8)\ndef f(): return [f() for _ in 'a']\nf()")  # may well die


@pytest.mark.parametrize("loop", ["while True: pass", "import re; re.match('(a+)+$', 'a' * 60 + 'b')"])
def test_endless_computing_can_be_ended(nest: Nursery, loop: str) -> None:
    worker = Raw(nest)
    worker.birth.pipe.sendall(pack({"code": loop}, MEGABYTE))
    worker.birth.pipe.settimeout(0.3)
    with pytest.raises(TimeoutError):
        worker._read()
    worker.close()
    assert ended(worker.birth.pid)


def test_an_ignored_signal_does_not_help(nest: Nursery) -> None:
    worker = Raw(nest)
    code = "import signal\nfor n in range(1, 65):\n  try: signal.signal(n, signal.SIG_IGN)\n  except Exception: pass\n"
    assert worker.run(code) == {"result": "None"}
    worker.close()
    assert ended(worker.birth.pid)


def test_time_of_the_processor_ends(nest: Nursery) -> None:
    worker = Raw(nest, Limits(memory_mb=64, cpu_seconds=1))
    begun = time.monotonic()
    assert worker.run("while True: pass") is None
    assert time.monotonic() - begun < 15
    worker.close()


def test_the_workers_end_with_the_nursery() -> None:
    nursery = Nursery(entry="raw_worker:serve", path=[str(HERE)])
    workers = [Raw(nursery) for _ in range(3)]
    workers[0].birth.pipe.sendall(pack({"code": "while True: pass"}, MEGABYTE))
    nursery.close()
    assert all(ended(worker.birth.pid) for worker in workers)
    assert workers[1].run("result = 1") is None
    for worker in workers:
        worker.birth.pipe.close()


PARENT = """
import os, signal, sys
sys.path[:0] = {path!r}
from autograph.locked import Limits
from autograph.locked.frames import pack, read_frame
from autograph.locked.nursery import Nursery
nursery = Nursery(entry="raw_worker:serve", path=[{here!r}])
birth = nursery.bear(Limits(memory_mb=64))
assert read_frame(birth.pipe.recv, 1000) == {{"is": "ready"}}
birth.pipe.sendall(pack({{"code": "while True: pass"}}, 1000))
print(nursery._process.pid, birth.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_nursery_and_its_workers_end_with_the_parent() -> None:
    code = PARENT.format(path=sys.path, here=str(HERE))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) == 2, done
    assert all(ended(pid) for pid in pids)


def ended(pid: int) -> bool:
    """Whether the process is gone, or soon is."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state in "ZX":
            return True
        time.sleep(0.05)
    return False
