"""Webhooks of the team."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ._backend import run
from .async_client import AsyncAtelier
from .models import (
    CallbackSecret,
    DeliveryKind,
    DeliveryState,
    WebhookDelivery,
    WebhookDeliveryList,
    WebhookSubscription,
    WebhookSubscriptionList,
    WebhookSubscriptionWithSecret,
)


class Webhooks:
    """A part of `Atelier`."""

    _atelier: AsyncAtelier

    def list_webhooks(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = None,
    ) -> WebhookSubscriptionList:
        """Returns a page of the webhooks of the team. Needs the scope webhooks:write."""
        return run(
            self._atelier.list_webhooks(cursor=cursor, limit=limit, timeout_seconds=timeout_seconds)
        )

    def create_webhook(
        self,
        address: str,
        events: Sequence[str],
        *,
        timeout_seconds: float | None = None,
    ) -> WebhookSubscriptionWithSecret:
        """Creates a webhook. Its signing secret is returned only here."""
        return run(self._atelier.create_webhook(address, events, timeout_seconds=timeout_seconds))

    def get_webhook(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> WebhookSubscription:
        """Returns a webhook of the team, without its secret."""
        return run(self._atelier.get_webhook(id, timeout_seconds=timeout_seconds))

    def update_webhook(
        self,
        id: str,
        *,
        events: Sequence[str] | None = None,
        paused: bool | None = None,
        timeout_seconds: float | None = None,
    ) -> WebhookSubscription:
        """Changes the events of a webhook, pauses or resumes it."""
        return run(
            self._atelier.update_webhook(
                id, events=events, paused=paused, timeout_seconds=timeout_seconds
            )
        )

    def delete_webhook(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Deletes a webhook."""
        run(self._atelier.delete_webhook(id, timeout_seconds=timeout_seconds))

    def rotate_webhook_secret(
        self,
        id: str,
        *,
        overlap_hours: int = 0,
        timeout_seconds: float | None = None,
    ) -> WebhookSubscriptionWithSecret:
        """Gives a webhook a new secret, which is returned only here."""
        return run(
            self._atelier.rotate_webhook_secret(
                id, overlap_hours=overlap_hours, timeout_seconds=timeout_seconds
            )
        )

    def send_test_event(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> WebhookDelivery:
        """Sends a test event to a webhook."""
        return run(self._atelier.send_test_event(id, timeout_seconds=timeout_seconds))

    def list_deliveries(
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
        return run(
            self._atelier.list_deliveries(
                id,
                cursor=cursor,
                limit=limit,
                state=state,
                event=event,
                since=since,
                timeout_seconds=timeout_seconds,
            )
        )

    def list_team_deliveries(
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
        return run(
            self._atelier.list_team_deliveries(
                cursor=cursor,
                limit=limit,
                state=state,
                event=event,
                since=since,
                kind=kind,
                callbacks=callbacks,
                timeout_seconds=timeout_seconds,
            )
        )

    def get_delivery(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> WebhookDelivery:
        """Returns a delivery."""
        return run(self._atelier.get_delivery(id, timeout_seconds=timeout_seconds))

    def redeliver(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> WebhookDelivery:
        """Sends the event of a delivery again."""
        return run(self._atelier.redeliver(id, timeout_seconds=timeout_seconds))

    def get_callback_secret(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> CallbackSecret:
        """Returns the secret that signs the callbacks of starts."""
        return run(self._atelier.get_callback_secret(timeout_seconds=timeout_seconds))

    def rotate_callback_secret(
        self,
        *,
        overlap_hours: int = 0,
        timeout_seconds: float | None = None,
    ) -> CallbackSecret:
        """Gives callbacks a new secret."""
        return run(
            self._atelier.rotate_callback_secret(
                overlap_hours=overlap_hours,
                timeout_seconds=timeout_seconds,
            )
        )
