"""Webhooks of the team."""

from __future__ import annotations

from collections.abc import Sequence

from ._caller import Caller, read_as
from .models import (
    WebhookDelivery,
    WebhookSubscription,
    WebhookSubscriptionList,
    WebhookSubscriptionWithSecret,
)


class AsyncWebhooks:
    """A part of `AsyncAtelier`."""

    _caller: Caller

    async def list_webhooks(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = None,
    ) -> WebhookSubscriptionList:
        """Returns a page of the webhooks of the team. Needs the scope webhooks:write."""
        query = {"cursor": cursor, "limit": limit}
        value = await self._caller.call(
            "listWebhooks",
            query=query,
            timeout_seconds=timeout_seconds,
        )
        return read_as(WebhookSubscriptionList, value)

    async def create_webhook(
        self,
        address: str,
        events: Sequence[str],
        *,
        timeout_seconds: float | None = None,
    ) -> WebhookSubscriptionWithSecret:
        """Creates a webhook. Its signing secret is returned only here."""
        body = {"address": address, "events": list(events)}
        value = await self._caller.call(
            "createWebhook",
            body=body,
            repeatable=False,
            timeout_seconds=timeout_seconds,
        )
        return read_as(WebhookSubscriptionWithSecret, value)

    async def get_webhook(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> WebhookSubscription:
        """Returns a webhook of the team, without its secret."""
        value = await self._caller.call(
            "getWebhook",
            id=id,
            timeout_seconds=timeout_seconds,
        )
        return read_as(WebhookSubscription, value)

    async def update_webhook(
        self,
        id: str,
        *,
        events: Sequence[str] | None = None,
        paused: bool | None = None,
        timeout_seconds: float | None = None,
    ) -> WebhookSubscription:
        """Changes the events of a webhook, pauses or resumes it."""
        body = {"events": None if events is None else list(events), "paused": paused}
        value = await self._caller.call(
            "updateWebhook",
            id=id,
            body=body,
            timeout_seconds=timeout_seconds,
        )
        return read_as(WebhookSubscription, value)

    async def delete_webhook(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Deletes a webhook."""
        await self._caller.call(
            "deleteWebhook",
            id=id,
            timeout_seconds=timeout_seconds,
        )

    async def rotate_webhook_secret(
        self,
        id: str,
        *,
        overlap_hours: int = 0,
        timeout_seconds: float | None = None,
    ) -> WebhookSubscriptionWithSecret:
        """Gives a webhook a new secret, which is returned only here."""
        body = {"overlapHours": overlap_hours}
        value = await self._caller.call(
            "rotateWebhookSecret",
            id=id,
            body=body,
            repeatable=False,
            timeout_seconds=timeout_seconds,
        )
        return read_as(WebhookSubscriptionWithSecret, value)

    async def send_test_event(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> WebhookDelivery:
        """Sends a test event to a webhook."""
        value = await self._caller.call(
            "sendTestEvent",
            id=id,
            repeatable=False,
            timeout_seconds=timeout_seconds,
        )
        return read_as(WebhookDelivery, value)
