"""Both clients behind one interface, in simulated or real time."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from typing import Any

from atelier_client import AsyncAtelier, Atelier
from atelier_client._blocking_backend import BlockingBackend
from atelier_client._asyncio_backend import AsyncioBackend

from .scripted_server import Script, ScriptedServer

KEY = "atl_secretsecretsecret"


class SimulatedTime:
    """A clock that moves only during a pause or on request."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []
        self.moment = 0.0

    def now(self) -> float:
        return self.moment

    def random(self) -> float:
        return 0.0

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.moment += seconds


class SimulatedBlockingBackend(SimulatedTime, BlockingBackend):
    """The simulated time for `Atelier`."""


class SimulatedAsyncioBackend(SimulatedTime, AsyncioBackend):
    """The simulated time for `AsyncAtelier`."""


class BlockingWrapper:
    """`AsyncAtelier` with the interface of `Atelier`: each call runs the event loop to its end."""

    def __init__(self, inner: AsyncAtelier) -> None:
        self._inner = inner
        self._loop = asyncio.new_event_loop()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            outcome = method(*args, **kwargs)
            if inspect.isasyncgen(outcome):
                return self._iterated(outcome)
            return self._loop.run_until_complete(outcome)

        return call

    def _iterated(self, items: Any) -> Iterator[Any]:
        try:
            while True:
                try:
                    yield self._loop.run_until_complete(items.__anext__())
                except StopAsyncIteration:
                    return
        finally:
            self._loop.run_until_complete(items.aclose())

    def end(self) -> None:
        """Closes the client and the event loop."""
        self._loop.run_until_complete(self._inner.close())
        # The loop closes aborted connections in its next round.
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()


class Clients:
    """A mixin for test cases. `client` creates a client that is closed after the test."""

    is_async = False

    def client(self, base_url: str, *, simulated: Any = None, **options: Any) -> Any:
        backend = simulated if simulated is not None else self.real()
        inner = AsyncAtelier(base_url=base_url, key=KEY, _backend=backend, **options)
        if self.is_async:
            wrapper = BlockingWrapper(inner)
            self.addCleanup(wrapper.end)  # type: ignore[attr-defined]
            return wrapper
        client = Atelier(base_url=base_url, key=KEY, **options)
        client._atelier = inner
        self.addCleanup(client.close)  # type: ignore[attr-defined]
        return client

    def scripted(self, *answers: Script) -> ScriptedServer:
        """Starts a server that is closed after the test."""
        server = ScriptedServer(*answers)
        self.addCleanup(server.__exit__)  # type: ignore[attr-defined]
        return server

    def simulated(self) -> Any:
        """Returns a backend with simulated time."""
        return SimulatedAsyncioBackend() if self.is_async else SimulatedBlockingBackend()

    def real(self) -> Any:
        """Returns a backend with real time."""
        return AsyncioBackend() if self.is_async else BlockingBackend()
