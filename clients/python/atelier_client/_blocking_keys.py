"""Keys of the team."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from ._backend import run
from .async_client import AsyncAtelier
from .models import (
    Key,
    KeyList,
    KeyWithValue,
)


class Keys:
    """A part of `Atelier`."""

    _atelier: AsyncAtelier

    def list_keys(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        state: Literal["live", "expired", "revoked"] | None = None,
        search: str | None = None,
        timeout_seconds: float | None = None,
    ) -> KeyList:
        """Returns a page of the keys of the team, newest first. Needs the scope keys:write."""
        return run(
            self._atelier.list_keys(
                cursor=cursor,
                limit=limit,
                state=state,
                search=search,
                timeout_seconds=timeout_seconds,
            )
        )

    def issue_key(
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
        return run(
            self._atelier.issue_key(
                name,
                scopes,
                daily_limit_credits=daily_limit_credits,
                monthly_limit_credits=monthly_limit_credits,
                single_limit_credits=single_limit_credits,
                confirm_above_credits=confirm_above_credits,
                expires_at=expires_at,
                timeout_seconds=timeout_seconds,
            )
        )

    def get_key(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> Key:
        """Returns a key of the team, without its value."""
        return run(self._atelier.get_key(id, timeout_seconds=timeout_seconds))

    def update_key(
        self,
        id: str,
        changes: Mapping[str, Any],
        *,
        timeout_seconds: float | None = None,
    ) -> Key:
        """Changes the given settings of a key, named as in REST. None removes a ceiling or the end.
        """
        return run(self._atelier.update_key(id, changes, timeout_seconds=timeout_seconds))

    def revoke_key(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Ends a key and its result links at once."""
        run(self._atelier.revoke_key(id, timeout_seconds=timeout_seconds))

    def rotate_key(
        self,
        id: str,
        *,
        overlap_hours: int = 0,
        timeout_seconds: float | None = None,
    ) -> KeyWithValue:
        """Gives a key a new value, which is returned only here."""
        return run(
            self._atelier.rotate_key(
                id, overlap_hours=overlap_hours, timeout_seconds=timeout_seconds
            )
        )
