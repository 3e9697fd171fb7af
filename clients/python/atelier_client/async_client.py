"""The client for asyncio."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from ._async_catalog import AsyncCatalog
from ._async_files import AsyncFiles
from ._async_generations import AsyncGenerations
from ._async_history import AsyncHistory
from ._backend import Backend
from ._caller import Caller
from ._asyncio_backend import AsyncioBackend

if TYPE_CHECKING:
    from typing_extensions import Self


class AsyncAtelier(AsyncGenerations, AsyncHistory, AsyncFiles, AsyncCatalog):
    """A client of one Atelier service, with one key, for asyncio.

    Repeats calls after temporary failures if that is safe, and raises AtelierError otherwise.
    Cancelling a task ends its call and the connection at once. The generation continues.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        key: str | None = None,
        timeout_seconds: float = 60,
        attempts_max: int = 6,
        _backend: Backend | None = None,
    ) -> None:
        """`base_url` defaults to ATELIER_URL, and `key` to ATELIER_KEY."""
        backend = AsyncioBackend() if _backend is None else _backend
        self._caller = Caller(backend, base_url, key, timeout_seconds, attempts_max)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._caller.base_url}>"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the pooled connections."""
        self._caller.network.close()
