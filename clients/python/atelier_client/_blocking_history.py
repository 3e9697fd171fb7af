"""What was run, and what it made."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path
from typing import overload

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
        timeout_seconds: float | None = None,
    ) -> GenerationList:
        """A page of the history, the newest first."""
        return run(
            self._atelier.list_generations(
                cursor=cursor,
                limit=limit,
                status=status,
                reference=reference,
                timeout_seconds=timeout_seconds,
            )
        )

    def history(
        self,
        *,
        status: HistoryStatus | None = None,
        reference: str | None = None,
        page_items: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Generator[Generation, None, None]:
        """The whole history, the newest first, a page at a time as it is read."""
        return iterated(
            self._atelier.history(
                status=status,
                reference=reference,
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
        """The file of a ready generation: its bytes, or where it was written.

        With `to` it is written beside that path and put there when it is whole. It may take as
        long as it goes on coming, unless `timeout_seconds` says otherwise.
        """
        if to is None:
            return run(self._atelier.download(generation, timeout_seconds=timeout_seconds))
        return run(self._atelier.download(generation, to, timeout_seconds=timeout_seconds))

    def delete_result(self, id: str, *, timeout_seconds: float | None = None) -> None:
        """Deletes the file of a generation; its record stays."""
        run(self._atelier.delete_result(id, timeout_seconds=timeout_seconds))
