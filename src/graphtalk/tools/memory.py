"""Working memory: results of recent calls (Graph-ToolFormer, section 4.7.5)."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass
class WorkingMemory(Generic[T]):
    """Results by the canonical text of their call, at most `capacity` bytes; the oldest go first.

    Shared by the runs of a conversation. A result that is larger than the whole is not kept.
    """

    capacity: int = 256 << 20
    used: int = 0
    _kept: "OrderedDict[tuple[Hashable, str], tuple[T, int]]" = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def get(self, graph: Hashable, call: str) -> T | None:
        """What was kept for this call on this graph (itself, or its checksum), or None."""
        found = self._kept.get((graph, call))
        return found[0] if found else None

    def put(self, graph: Hashable, call: str, result: T, size: int) -> None:
        """Keep a result of `size` bytes, and forget the oldest until there is room."""
        with self._lock:
            self._forget((graph, call))
            if size > self.capacity:
                return
            self._kept[graph, call] = (result, size)
            self.used += size
            while self.used > self.capacity:
                self._forget(next(iter(self._kept)))

    def _forget(self, key: tuple[Hashable, str]) -> None:
        _, size = self._kept.pop(key, (None, 0))
        self.used -= size

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self.used = 0

    def __len__(self) -> int:
        return len(self._kept)
