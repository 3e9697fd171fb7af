"""Deliveries of webhooks, callbacks and alerts."""

from __future__ import annotations

from datetime import datetime

from ._caller import Caller, read_as
from ._model import moment_text
from .models import (
    CallbackSecret,
    DeliveryKind,
    DeliveryState,
    WebhookDelivery,
    WebhookDeliveryList,
)


class AsyncDeliveries:
    """A part of `AsyncAtelier`."""

    _caller: Caller

    async def list_deliveries(
        self,
        id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        state: DeliveryState | None = None,
        event: str | None = None,
        since: datetime | str | None = None,
        timeout_seconds: float | None = None,
    ) -> WebhookDeliveryList:
        """Returns a page of the deliveries of a webhook, newest event first."""
        query = {
            "cursor": cursor,
            "limit": limit,
            "state": state,
            "event": event,
            "since": moment_text(since),
        }
        value = await self._caller.call(
            "listDeliveries",
            id=id,
            query=query,
            timeout_seconds=timeout_seconds,
        )
        return read_as(WebhookDeliveryList, value)

    async def list_team_deliveries(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        state: DeliveryState | None = None,
        event: str | None = None,
        since: datetime | str | None = None,
        kind: DeliveryKind | None = None,
        callbacks: bool = False,
        timeout_seconds: float | None = None,
    ) -> WebhookDeliveryList:
        """Returns a page of the deliveries of the team, newest event first.

        Alerts and callbacks of starts are included; with `kind` the page has only that
        kind. `callbacks` is the kind `callback`.
        """
        query = {
            "cursor": cursor,
            "limit": limit,
            "state": state,
            "event": event,
            "since": moment_text(since),
            "kind": kind,
            "callbacks": "true" if callbacks else None,
        }
        value = await self._caller.call(
            "listTeamDeliveries",
            query=query,
            timeout_seconds=timeout_seconds,
        )
        return read_as(WebhookDeliveryList, value)

    async def get_delivery(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> WebhookDelivery:
        """Returns a delivery."""
        value = await self._caller.call(
            "getDelivery",
            id=id,
            timeout_seconds=timeout_seconds,
        )
        return read_as(WebhookDelivery, value)

    async def redeliver(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> WebhookDelivery:
        """Sends the event of a delivery again."""
        value = await self._caller.call(
            "redeliver",
            id=id,
            repeatable=False,
            timeout_seconds=timeout_seconds,
        )
        return read_as(WebhookDelivery, value)

    async def get_callback_secret(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> CallbackSecret:
        """Returns the secret that signs the callbacks of starts."""
        value = await self._caller.call(
            "getCallbackSecret",
            timeout_seconds=timeout_seconds,
        )
        return read_as(CallbackSecret, value)

    async def rotate_callback_secret(
        self,
        *,
        overlap_hours: int = 0,
        timeout_seconds: float | None = None,
    ) -> CallbackSecret:
        """Gives callbacks a new secret."""
        value = await self._caller.call(
            "rotateCallbackSecret",
            body={"overlapHours": overlap_hours},
            repeatable=False,
            timeout_seconds=timeout_seconds,
        )
        return read_as(CallbackSecret, value)
