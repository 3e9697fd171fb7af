"""What was run, and what it made."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import overload

from ._caller import Caller, read_as
from ._download import download_bytes, download_to
from .models import Generation, GenerationList, HistoryStatus


class AsyncHistory:
    """A part of `AsyncAtelier`."""

    _caller: Caller

    async def list_generations(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        status: HistoryStatus | None = None,
        reference: str | None = None,
        timeout_seconds: float | None = None,
    ) -> GenerationList:
        """A page of the history, the newest first."""
        query = {"cursor": cursor, "limit": limit, "status": status, "reference": reference}
        value = await self._caller.call(
            "listGenerations", query=query, timeout_seconds=timeout_seconds
        )
        return read_as(GenerationList, value)

    async def history(
        self,
        *,
        status: HistoryStatus | None = None,
        reference: str | None = None,
        page_items: int | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncGenerator[Generation, None]:
        """The whole history, the newest first, a page at a time as it is read."""
        cursor: str | None = None
        while True:
            page = await self.list_generations(
                cursor=cursor,
                limit=page_items,
                status=status,
                reference=reference,
                timeout_seconds=timeout_seconds,
            )
            for generation in page.items:
                yield generation
            cursor = page.next_cursor
            if not cursor:
                return

    @overload
    async def download(
        self, generation: Generation, *, timeout_seconds: float | None = None
    ) -> bytes: ...

    @overload
    async def download(
        self,
        generation: Generation,
        to: str | os.PathLike[str],
        *,
        timeout_seconds: float | None = None,
    ) -> Path: ...

    async def download(
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
            return await download_bytes(self._caller, generation, timeout_seconds)
        return await download_to(self._caller, generation, to, timeout_seconds)

    async def delete_result(self, id: str, *, timeout_seconds: float | None = None) -> None:
        """Deletes the file of a generation; its record stays."""
        await self._caller.call("deleteResult", id=id, timeout_seconds=timeout_seconds)
