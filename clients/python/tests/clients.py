"""Both clients behind one face, in played or in real time."""

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


class Played:
    """A clock that moves only when somebody pauses, or is told to."""

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


class PlayedBlocking(Played, BlockingBackend):
    """For `Atelier`."""


class PlayedLooped(Played, AsyncioBackend):
    """For `AsyncAtelier`."""


class Awaited:
    """`AsyncAtelier` with the face of `Atelier`: each call runs its event loop until it is done."""

    def __init__(self, inner: AsyncAtelier) -> None:
        self._inner = inner
        self._loop = asyncio.new_event_loop()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            made = method(*args, **kwargs)
            if inspect.isasyncgen(made):
                return self._iterated(made)
            return self._loop.run_until_complete(made)

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
        """Ends the event loop as well."""
        self._loop.run_until_complete(self._inner.close())
        # What was cut is closed by the loop in its next round.
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()


class Clients:
    """For test cases: `client` makes one of the kind that the case is for, until its end."""

    is_async = False

    def client(self, base_url: str, *, played: Any = None, **options: Any) -> Any:
        backend = played if played is not None else self.real()
        inner = AsyncAtelier(base_url=base_url, key=KEY, _backend=backend, **options)
        if self.is_async:
            awaited = Awaited(inner)
            self.addCleanup(awaited.end)  # type: ignore[attr-defined]
            return awaited
        client = Atelier(base_url=base_url, key=KEY, **options)
        client._atelier = inner
        self.addCleanup(client.close)  # type: ignore[attr-defined]
        return client

    def scripted(self, *answers: Script) -> ScriptedServer:
        """A server that ends with the test."""
        server = ScriptedServer(*answers)
        self.addCleanup(server.__exit__)  # type: ignore[attr-defined]
        return server

    def played(self) -> Any:
        """Time that passes only in pauses."""
        return PlayedLooped() if self.is_async else PlayedBlocking()

    def real(self) -> Any:
        """Time as it is."""
        return AsyncioBackend() if self.is_async else BlockingBackend()
