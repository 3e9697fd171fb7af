"""The blocking client."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING

from ._backend import run
from ._blocking_backend import BlockingBackend
from ._blocking_catalog import Catalog
from ._blocking_files import Files
from ._blocking_generations import Generations
from ._blocking_history import History
from ._blocking_keys import Keys
from ._blocking_webhooks import Webhooks
from .async_client import AsyncAtelier

if TYPE_CHECKING:
    from typing_extensions import Self


class Atelier(Generations, History, Files, Catalog, Keys, Webhooks):
    """A client of one Atelier service with one key. Threads can share it.

    Repeats calls after temporary failures if that is safe, and raises AtelierError otherwise.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        key: str | None = None,
        timeout_seconds: float = 60,
        attempts_max: int = 6,
    ) -> None:
        """`base_url` defaults to ATELIER_URL, and `key` to ATELIER_KEY.

        `base_url` is the address of the service, with or without `/api/v1`.
        """
        self._atelier = AsyncAtelier(
            base_url=base_url,
            key=key,
            timeout_seconds=timeout_seconds,
            attempts_max=attempts_max,
            _backend=BlockingBackend(),
        )

    def __repr__(self) -> str:
        return repr(self._atelier).replace("<Async", "<", 1)

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
        changed._atelier = self._atelier.with_options(
            timeout_seconds=timeout_seconds, attempts_max=attempts_max, headers=headers
        )
        return changed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the pooled connections."""
        run(self._atelier.close())
