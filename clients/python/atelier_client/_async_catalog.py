"""The catalog, the account and the description."""

from __future__ import annotations

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
        """All model families, or those that do a task or make a kind of output."""
        query = {"task": task, "outputType": output_type}
        value = await self._caller.call(
            "listFamilies", query=query, timeout_seconds=timeout_seconds
        )
        return read_as(FamilyList, value)

    async def get_family(self, id: str, *, timeout_seconds: float | None = None) -> Family:
        """One model family."""
        value = await self._caller.call("getFamily", id=id, timeout_seconds=timeout_seconds)
        return read_as(Family, value)

    async def usage(
        self,
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        by: Literal["day", "key", "family"] | None = None,
        timeout_seconds: float | None = None,
    ) -> Usage:
        """What the team spent, by day, key or family; days are those of UTC."""
        query = {"from": from_, "to": to, "by": by}
        value = await self._caller.call("getUsage", query=query, timeout_seconds=timeout_seconds)
        return read_as(Usage, value)

    async def get_account(self, *, timeout_seconds: float | None = None) -> Account:
        """What the key may spend and do."""
        value = await self._caller.call("getAccount", timeout_seconds=timeout_seconds)
        return read_as(Account, value)

    async def get_description(self, *, timeout_seconds: float | None = None) -> dict[str, Any]:
        """The OpenAPI document of the service."""
        value = await self._caller.call("getDescription", timeout_seconds=timeout_seconds)
        return dict(value)
