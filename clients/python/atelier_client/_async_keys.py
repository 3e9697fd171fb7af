"""Keys of the team."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from ._caller import Caller, read_as
from ._model import moment_text
from .models import (
    Key,
    KeyList,
    KeyWithValue,
)


class AsyncKeys:
    """A part of `AsyncAtelier`."""

    _caller: Caller

    async def list_keys(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        state: Literal["live", "expired", "revoked"] | None = None,
        search: str | None = None,
        timeout_seconds: float | None = None,
    ) -> KeyList:
        """Returns a page of the keys of the team, newest first. Needs the scope keys:write."""
        query = {"cursor": cursor, "limit": limit, "state": state, "search": search}
        value = await self._caller.call(
            "listKeys",
            query=query,
            timeout_seconds=timeout_seconds,
        )
        return read_as(KeyList, value)

    async def issue_key(
        self,
        name: str,
        scopes: Sequence[str],
        *,
        daily_limit_credits: Decimal | float | None = None,
        monthly_limit_credits: Decimal | float | None = None,
        single_limit_credits: Decimal | float | None = None,
        confirm_above_credits: Decimal | float | None = None,
        expires_at: datetime | str | None = None,
        timeout_seconds: float | None = None,
    ) -> KeyWithValue:
        """Issues a key within the rights of this one. Its value is returned only here."""
        body = {
            "name": name,
            "scopes": list(scopes),
            "dailyLimitCredits": daily_limit_credits,
            "monthlyLimitCredits": monthly_limit_credits,
            "singleLimitCredits": single_limit_credits,
            "confirmAboveCredits": confirm_above_credits,
            "expiresAt": moment_text(expires_at),
        }
        value = await self._caller.call(
            "issueKey",
            body=body,
            repeatable=False,
            timeout_seconds=timeout_seconds,
        )
        return read_as(KeyWithValue, value)

    async def get_key(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> Key:
        """Returns a key of the team, without its value."""
        value = await self._caller.call(
            "getKey",
            id=id,
            timeout_seconds=timeout_seconds,
        )
        return read_as(Key, value)

    async def update_key(
        self,
        id: str,
        changes: Mapping[str, Any],
        *,
        timeout_seconds: float | None = None,
    ) -> Key:
        """Changes the given settings of a key, named as in REST. None removes a ceiling or the end.
        """
        body = dict(changes)
        value = await self._caller.call(
            "updateKey",
            id=id,
            body=body,
            timeout_seconds=timeout_seconds,
        )
        return read_as(Key, value)

    async def revoke_key(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Ends a key and its result links at once."""
        await self._caller.call(
            "revokeKey",
            id=id,
            timeout_seconds=timeout_seconds,
        )

    async def rotate_key(
        self,
        id: str,
        *,
        overlap_hours: int = 0,
        timeout_seconds: float | None = None,
    ) -> KeyWithValue:
        """Gives a key a new value, which is returned only here."""
        body = {"overlapHours": overlap_hours}
        value = await self._caller.call(
            "rotateKey",
            id=id,
            body=body,
            repeatable=False,
            timeout_seconds=timeout_seconds,
        )
        return read_as(KeyWithValue, value)
