"""What the client needs of the world; one such backend blocks, the other runs in an event loop.

All the rest of the client is written once, as coroutines. Those of the blocking backend never
suspend, so that `run` drives a coroutine to its end like a function.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Protocol, TypeVar

Value = TypeVar("Value")


class Limit:
    """How long something may take altogether, and how long nothing may come meanwhile."""

    def __init__(self, total_seconds: float | None, idle_seconds: float | None = None) -> None:
        self._ends_at = None if total_seconds is None else time.monotonic() + total_seconds
        self._idle_seconds = idle_seconds

    def left(self) -> float | None:
        """Seconds until the next step must be done. Raises TimeoutError when time is over."""
        if self._ends_at is None:
            return self._idle_seconds
        left = self._ends_at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left if self._idle_seconds is None else min(left, self._idle_seconds)


@dataclass(frozen=True)
class Peer:
    """Whom to connect to, through what."""

    host: str
    port: int
    tls_name: str | None
    """Whose certificate it must show; none for plain HTTP."""
    tunnel: bytes | None
    """What to ask of a proxy first."""


class Stream(Protocol):
    """One connection. Reading and writing raise OSError, and TimeoutError within the limit."""

    async def read(self, bytes_max: int, limit: Limit) -> bytes:
        """What has come; nothing at the end."""

    async def write(self, data: bytes, limit: Limit) -> None:
        """Sends it all."""

    def is_fresh(self) -> bool:
        """Whether the other side has neither hung up nor said anything unasked."""

    def close(self) -> None:
        """Ends it at once."""


class Backend(Protocol):
    """Time, chance, connections and slow files."""

    def now(self) -> float:
        """Seconds on a clock that never goes back."""

    def random(self) -> float:
        """From 0 up to, and without, 1."""

    async def pause(self, seconds: float) -> None:
        """Waits."""

    async def connect(self, peer: Peer, limit: Limit) -> Stream:
        """Opens a connection. Raises OSError, and TimeoutError within the limit."""

    async def in_background(self, work: Callable[[], Value]) -> Value:
        """Does what blocks, such as reading a file."""

    def owner(self) -> object:
        """Whose its connections are: nobody else may use them."""

    def give_up(self, stream: Stream) -> None:
        """Lets go of a connection of another owner, who may still use it."""


def run(work: Awaitable[Value]) -> Value:
    """Runs what never suspends to its end."""
    steps = work.__await__()
    try:
        next(steps)
    except StopIteration as ended:
        value: Value = ended.value
        return value
    steps.close()
    raise RuntimeError("a blocking client was made to wait by an event loop")


def iterated(items: AsyncGenerator[Value, None]) -> Generator[Value, None, None]:
    """What never suspends, as a generator that blocks; leaving the loop ends it."""
    try:
        while True:
            try:
                yield run(items.__anext__())
            except StopAsyncIteration:
                return
    finally:
        run(items.aclose())
