"""The catalog, the account and the description."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import date
from typing import Any, Literal

from ._caller import Caller, read_as
from .models import Account, Family, FamilyList, OutputType, Task, Usage


class AsyncCatalog:
    """A part of `AsyncAtelier`."""

    _caller: Caller

    async def list_families(
        self,
        *,
        task: Task | None = None,
        output_type: OutputType | None = None,
        timeout_seconds: float | None = None,
    ) -> FamilyList:
        """Returns the model families, filtered by task and output type."""
        query = {"task": task, "outputType": output_type}
        value = await self._caller.call(
            "listFamilies", query=query, timeout_seconds=timeout_seconds
        )
        return read_as(FamilyList, value)

    async def families(
        self,
        *,
        task: Task | None = None,
        output_type: OutputType | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncGenerator[Family, None]:
        """Yields the model families, filtered by task and output type."""
        query = {"task": task, "outputType": output_type}
        cursor: str | None = None
        while True:
            value = await self._caller.call(
                "listFamilies", query={**query, "cursor": cursor}, timeout_seconds=timeout_seconds
            )
            page = read_as(FamilyList, value)
            for family in page.items:
                yield family
            cursor = page.next_cursor
            if not cursor:
                return

    async def get_family(self, id: str, *, timeout_seconds: float | None = None) -> Family:
        """Returns one model family."""
        value = await self._caller.call("getFamily", id=id, timeout_seconds=timeout_seconds)
        return read_as(Family, value)

    async def usage(
        self,
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        by: Literal["day", "key", "family", "reference", "metadata"] | None = None,
        name: str | None = None,
        key_id: str | None = None,
        family_id: str | None = None,
        timeout_seconds: float | None = None,
    ) -> Usage:
        """Returns the usage of the team, or the days of one key or family.

        `by="metadata"` takes the `name` of an entry.
        """
        query = {"from": from_, "to": to, "by": by, "name": name}
        query |= {"keyId": key_id, "familyId": family_id}
        value = await self._caller.call("getUsage", query=query, timeout_seconds=timeout_seconds)
        return read_as(Usage, value)

    async def get_account(self, *, timeout_seconds: float | None = None) -> Account:
        """Returns the credits and permissions of the key."""
        value = await self._caller.call("getAccount", timeout_seconds=timeout_seconds)
        return read_as(Account, value)

    async def get_description(self, *, timeout_seconds: float | None = None) -> dict[str, Any]:
        """Returns the OpenAPI document of the service."""
        value = await self._caller.call("getDescription", timeout_seconds=timeout_seconds)
        return dict(value)
