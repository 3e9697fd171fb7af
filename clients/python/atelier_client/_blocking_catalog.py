"""The catalog, the account and the description."""

from __future__ import annotations

from collections.abc import Generator
from datetime import date
from typing import Any, Literal

from ._backend import iterated, run
from .async_client import AsyncAtelier
from .models import Account, Family, FamilyList, OutputType, Task, Usage


class Catalog:
    """A part of `Atelier`."""

    _atelier: AsyncAtelier

    def list_families(
        self,
        *,
        task: Task | None = None,
        output_type: OutputType | None = None,
        timeout_seconds: float | None = None,
    ) -> FamilyList:
        """Returns the model families, filtered by task and output type."""
        return run(
            self._atelier.list_families(
                task=task, output_type=output_type, timeout_seconds=timeout_seconds
            )
        )

    def families(
        self,
        *,
        task: Task | None = None,
        output_type: OutputType | None = None,
        timeout_seconds: float | None = None,
    ) -> Generator[Family, None, None]:
        """Yields the model families, filtered by task and output type."""
        return iterated(
            self._atelier.families(
                task=task, output_type=output_type, timeout_seconds=timeout_seconds
            )
        )

    def get_family(self, id: str, *, timeout_seconds: float | None = None) -> Family:
        """Returns one model family."""
        return run(self._atelier.get_family(id, timeout_seconds=timeout_seconds))

    def usage(
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
        return run(
            self._atelier.usage(
                from_=from_,
                to=to,
                by=by,
                name=name,
                key_id=key_id,
                family_id=family_id,
                timeout_seconds=timeout_seconds,
            )
        )

    def get_account(self, *, timeout_seconds: float | None = None) -> Account:
        """Returns the credits and permissions of the key."""
        return run(self._atelier.get_account(timeout_seconds=timeout_seconds))

    def get_description(self, *, timeout_seconds: float | None = None) -> dict[str, Any]:
        """Returns the OpenAPI document of the service."""
        return run(self._atelier.get_description(timeout_seconds=timeout_seconds))
