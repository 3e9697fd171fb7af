"""The history and its results."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Literal, overload

from ._backend import iterated, run
from .async_client import AsyncAtelier
from .models import Generation, GenerationList, HistoryStatus


class History:
    """A part of `Atelier`."""

    _atelier: AsyncAtelier

    def list_generations(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        status: HistoryStatus | None = None,
        reference: str | None = None,
        family_id: str | None = None,
        key_id: str | None = None,
        source: Literal["rest", "mcp", "editor"] | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        metadata: Mapping[str, str] | None = None,
        timeout_seconds: float | None = None,
    ) -> GenerationList:
        """Returns a page of the history, newest first."""
        return run(
            self._atelier.list_generations(
                cursor=cursor,
                limit=limit,
                status=status,
                reference=reference,
                family_id=family_id,
                key_id=key_id,
                source=source,
                created_after=created_after,
                created_before=created_before,
                metadata=metadata,
                timeout_seconds=timeout_seconds,
            )
        )

    def history(
        self,
        *,
        status: HistoryStatus | None = None,
        reference: str | None = None,
        family_id: str | None = None,
        key_id: str | None = None,
        source: Literal["rest", "mcp", "editor"] | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        metadata: Mapping[str, str] | None = None,
        page_items: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Generator[Generation, None, None]:
        """Yields the whole history, newest first. Reads a page when it is needed."""
        return iterated(
            self._atelier.history(
                status=status,
                reference=reference,
                family_id=family_id,
                key_id=key_id,
                source=source,
                created_after=created_after,
                created_before=created_before,
                metadata=metadata,
                page_items=page_items,
                timeout_seconds=timeout_seconds,
            )
        )

    @overload
    def download(
        self, generation: Generation, *, timeout_seconds: float | None = None
    ) -> bytes: ...

    @overload
    def download(
        self,
        generation: Generation,
        to: str | os.PathLike[str],
        *,
        timeout_seconds: float | None = None,
    ) -> Path: ...

    def download(
        self,
        generation: Generation,
        to: str | os.PathLike[str] | None = None,
        *,
        timeout_seconds: float | None = None,
    ) -> bytes | Path:
        """Downloads the file of a ready generation. Returns its bytes, or its path.

        With `to` the file is written beside that path and moved there when it is complete.
        Unless `timeout_seconds` is given, only a stalled download ends.
        """
        if to is None:
            return run(self._atelier.download(generation, timeout_seconds=timeout_seconds))
        return run(self._atelier.download(generation, to, timeout_seconds=timeout_seconds))

    def delete_result(self, id: str, *, timeout_seconds: float | None = None) -> None:
        """Deletes the result of a generation. The generation stays in the history."""
        run(self._atelier.delete_result(id, timeout_seconds=timeout_seconds))
