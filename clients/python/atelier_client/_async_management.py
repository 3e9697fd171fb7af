"""Keys and webhooks of the team."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, Literal

from ._caller import Caller, read_as
from .models import (
    ApiKey,
    ApiKeyList,
    ApiKeyWithValue,
    DeliveryState,
    WebhookDelivery,
    WebhookDeliveryList,
    WebhookSubscription,
    WebhookSubscriptionList,
    WebhookSubscriptionWithSecret,
)


class AsyncManagement:
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
    ) -> ApiKeyList:
        """Returns a page of the keys of the team, newest first. Needs the scope keys:write."""
        query = {"cursor": cursor, "limit": limit, "state": state, "search": search}
        value = await self._caller.call(
            "listKeys", query=query,
            timeout_seconds=timeout_seconds,
        )
        return read_as(ApiKeyList, value)

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
    ) -> ApiKeyWithValue:
        """Issues a key within the rights of this one. Its value is returned only here."""
        body = {
            "name": name,
            "scopes": list(scopes),
            "dailyLimitCredits": daily_limit_credits,
            "monthlyLimitCredits": monthly_limit_credits,
            "singleLimitCredits": single_limit_credits,
            "confirmAboveCredits": confirm_above_credits,
            "expiresAt": _text(expires_at),
        }
        value = await self._caller.call(
            "issueKey", body=body, repeatable=False,
            timeout_seconds=timeout_seconds,
        )
        return read_as(ApiKeyWithValue, value)

    async def get_key(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> ApiKey:
        """Returns a key of the team, without its value."""
        value = await self._caller.call(
            "getKey", id=id,
            timeout_seconds=timeout_seconds,
        )
        return read_as(ApiKey, value)

    async def update_key(
        self,
        id: str,
        changes: Mapping[str, Any],
        *,
        timeout_seconds: float | None = None,
    ) -> ApiKey:
        """Changes the given settings of a key, named as in REST; None removes a ceiling or the end."""
        body = dict(changes)
        value = await self._caller.call(
            "updateKey", id=id, body=body,
            timeout_seconds=timeout_seconds,
        )
        return read_as(ApiKey, value)

    async def revoke_key(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Ends a key and its result links at once."""
        await self._caller.call(
            "revokeKey", id=id,
            timeout_seconds=timeout_seconds,
        )

    async def rotate_key(
        self,
        id: str,
        *,
        overlap_hours: int = 0,
        timeout_seconds: float | None = None,
    ) -> ApiKeyWithValue:
        """Gives a key a new value, which is returned only here."""
        body = {"overlapHours": overlap_hours}
        value = await self._caller.call(
            "rotateKey", id=id, body=body, repeatable=False,
            timeout_seconds=timeout_seconds,
        )
        return read_as(ApiKeyWithValue, value)

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
            "listWebhooks", query=query,
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
            "createWebhook", body=body, repeatable=False,
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
            "getWebhook", id=id,
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
            "updateWebhook", id=id, body=body,
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
            "deleteWebhook", id=id,
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
            "rotateWebhookSecret", id=id, body=body, repeatable=False,
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
            "sendTestEvent", id=id, repeatable=False,
            timeout_seconds=timeout_seconds,
        )
        return read_as(WebhookDelivery, value)

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
        query = {"cursor": cursor, "limit": limit, "state": state, "event": event, "since": _text(since)}
        value = await self._caller.call(
            "listDeliveries", id=id, query=query,
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
            "getDelivery", id=id,
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
            "redeliver", id=id, repeatable=False,
            timeout_seconds=timeout_seconds,
        )
        return read_as(WebhookDelivery, value)


def _text(moment: datetime | str | None) -> str | None:
    """The moment in UTC; a moment without a time zone is local time."""
    if isinstance(moment, datetime):
        return moment.astimezone(timezone.utc).isoformat()
    return moment
