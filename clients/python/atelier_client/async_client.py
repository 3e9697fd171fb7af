"""The client for asyncio."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING

from ._async_catalog import AsyncCatalog
from ._async_deliveries import AsyncDeliveries
from ._async_files import AsyncFiles
from ._async_generations import AsyncGenerations
from ._async_history import AsyncHistory
from ._async_keys import AsyncKeys
from ._async_webhooks import AsyncWebhooks
from ._backend import Backend
from ._caller import Caller
from ._asyncio_backend import AsyncioBackend

if TYPE_CHECKING:
    from typing_extensions import Self


class AsyncAtelier(
    AsyncGenerations,
    AsyncHistory,
    AsyncFiles,
    AsyncCatalog,
    AsyncKeys,
    AsyncWebhooks,
    AsyncDeliveries,
):
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
        """`base_url` defaults to ATELIER_URL, and `key` to ATELIER_KEY.

        `base_url` is the address of the service, with or without `/api/v1`.
        """
        backend = AsyncioBackend() if _backend is None else _backend
        self._caller = Caller(backend, base_url, key, timeout_seconds, attempts_max)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._caller.base_url}>"

    def with_options(
        self,
        *,
        timeout_seconds: float | None = None,
        attempts_max: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Self:
        """Returns a client with these options for its requests, and the same connections.

        Use it for a single call: `atelier.with_options(attempts_max=1).get_account()`. `headers`
        are added to each request to the service.
        """
        changed = copy.copy(self)
        changed._caller = self._caller.with_options(timeout_seconds, attempts_max, headers)
        return changed

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
