"""What the client needs from its environment. One backend blocks, the other uses asyncio.

The rest of the client is written once, as coroutines. With the blocking backend they never
suspend, so `run` executes a coroutine like a function.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Protocol, TypeVar

Value = TypeVar("Value")


class Limit:
    """A time limit in total, and for waiting without data."""

    def __init__(self, total_seconds: float | None, idle_seconds: float | None = None) -> None:
        self._ends_at = None if total_seconds is None else time.monotonic() + total_seconds
        self._idle_seconds = idle_seconds

    def left(self) -> float | None:
        """Returns the seconds left for the next step. Raises TimeoutError after the limit."""
        if self._ends_at is None:
            return self._idle_seconds
        left = self._ends_at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left if self._idle_seconds is None else min(left, self._idle_seconds)


@dataclass(frozen=True)
class Peer:
    """The host to connect to, and the way there."""

    host: str
    port: int
    tls_name: str | None
    """The name that its certificate must have; None for plain HTTP."""
    tunnel: bytes | None
    """The request that opens a tunnel through a proxy."""


class Stream(Protocol):
    """A connection. Reading and writing raise OSError, and TimeoutError after the limit."""

    async def read(self, bytes_max: int, limit: Limit) -> bytes:
        """Returns received bytes, or no bytes at the end."""

    async def write(self, data: bytes, limit: Limit) -> None:
        """Sends all the data."""

    def is_fresh(self) -> bool:
        """Whether the connection is open and has no unexpected data."""

    def close(self) -> None:
        """Closes the connection at once."""


class Backend(Protocol):
    """Time, random numbers, connections and slow files."""

    def now(self) -> float:
        """Returns the seconds of a monotonic clock."""

    def random(self) -> float:
        """Returns a number from 0 to 1, without 1."""

    async def pause(self, seconds: float) -> None:
        """Waits this many seconds."""

    async def connect(self, peer: Peer, limit: Limit) -> Stream:
        """Opens a connection. Raises OSError, and TimeoutError after the limit."""

    async def in_background(self, work: Callable[[], Value]) -> Value:
        """Runs blocking work, such as reading a file."""

    def owner(self) -> object:
        """Returns the owner of new connections. Only the owner may use them."""

    def release(self, stream: Stream) -> None:
        """Releases a connection of another owner, who may still use it."""


def run(work: Awaitable[Value]) -> Value:
    """Runs a coroutine that never suspends, and returns its value."""
    steps = work.__await__()
    try:
        next(steps)
    except StopIteration as ended:
        value: Value = ended.value
        return value
    steps.close()
    raise RuntimeError("a coroutine of the blocking client was suspended")


def iterated(items: AsyncGenerator[Value, None]) -> Generator[Value, None, None]:
    """Converts an async generator that never suspends. Leaving the loop closes it."""
    try:
        while True:
            try:
                yield run(items.__anext__())
            except StopAsyncIteration:
                return
    finally:
        run(items.aclose())
