"""The history and its results."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Literal, overload

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
        family_id: str | None = None,
        key_id: str | None = None,
        source: Literal["rest", "mcp", "editor"] | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        metadata: Mapping[str, str] | None = None,
        timeout_seconds: float | None = None,
    ) -> GenerationList:
        """Returns a page of the history, newest first."""
        query = {
            "cursor": cursor,
            "limit": limit,
            "status": status,
            "reference": reference,
            "familyId": family_id,
            "keyId": key_id,
            "source": source,
            "createdAfter": created_after,
            "createdBefore": created_before,
            "metadata": metadata,
        }
        value = await self._caller.call(
            "listGenerations", query=query, timeout_seconds=timeout_seconds
        )
        return read_as(GenerationList, value)

    async def history(
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
    ) -> AsyncGenerator[Generation, None]:
        """Yields the whole history, newest first. Reads a page when it is needed."""
        cursor: str | None = None
        while True:
            page = await self.list_generations(
                cursor=cursor,
                limit=page_items,
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
        """Downloads the file of a ready generation. Returns its bytes, or its path.

        With `to` the file is written beside that path and moved there when it is complete.
        Unless `timeout_seconds` is given, only a stalled download ends.
        """
        if to is None:
            return await download_bytes(self._caller, generation, timeout_seconds)
        return await download_to(self._caller, generation, to, timeout_seconds)

    async def delete_result(self, id: str, *, timeout_seconds: float | None = None) -> None:
        """Deletes the result of a generation. The generation stays in the history."""
        await self._caller.call("deleteResult", id=id, timeout_seconds=timeout_seconds)
