"""Which conversations does a side still have? A turn that goes on from one of them need not send it again.

The worker keeps the memories that it has made, by the number of their turn; the parent knows which memory of its own
has which number in which worker. Both forget the oldest: what is missing is sent whole.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

from autograph.memory import MemoryObject

if TYPE_CHECKING:
    from autograph.locked.process import Worker

__all__ = ["KeptHere", "KeptThere"]


class KeptHere:
    """The memories that a worker keeps, up to ``most`` bytes of their JSON text."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = 0
        self._memories: OrderedDict[int, tuple[MemoryObject, int]] = OrderedDict()

    def put(self, number: int, memory: MemoryObject, size: int) -> None:
        """Keep a memory of about ``size`` bytes; older ones go."""
        self._memories[number] = (memory, size)
        self._bytes += size
        while self._bytes > self._most and self._memories:
            self._bytes -= self._memories.popitem(last=False)[1][1]

    def get(self, number: int) -> tuple[MemoryObject, int] | None:
        """The memory of this number, and its size."""
        found = self._memories.get(number)
        if found is not None:
            self._memories.move_to_end(number)
        return found

    def clear(self) -> None:
        """Forget all."""
        self._memories.clear()
        self._bytes = 0


class KeptThere:
    """The newest ``most`` memories of the parent that a worker keeps, each with that worker and its number there.

    A memory that was handed out never changes, so it is known by identity; it is held here, so that no other
    object gets its place.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._places: OrderedDict[int, tuple[MemoryObject, Worker, int]] = OrderedDict()

    def put(self, memory: MemoryObject, worker: Worker, number: int) -> None:
        """Note where a memory is kept."""
        with self._lock:
            self._places[id(memory)] = (memory, worker, number)
            while len(self._places) > self._most:
                self._places.popitem(last=False)

    def get(self, memory: MemoryObject) -> tuple[Worker, int] | None:
        """The worker that keeps a memory, and the number there."""
        with self._lock:
            found = self._places.get(id(memory))
            return None if found is None else found[1:]
