"""Starts generations and follows them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ._backend import iterated, run
from .async_client import AsyncAtelier
from .models import CancelledGeneration, Estimate, Generation, StartedBatch, StartedGeneration

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._requests import StartRequest
    from .models import GenerationRequest

Progress: TypeAlias = Callable[[Generation], object]


class Generations:
    """A part of `Atelier`."""

    _atelier: AsyncAtelier

    def estimate(
        self, *, timeout_seconds: float | None = None, **request: Unpack[StartRequest]
    ) -> Estimate:
        """Returns the cost of a start, and whether it could start now. Spends nothing.

        Files of the request are uploaded.
        """
        return run(self._atelier.estimate(timeout_seconds=timeout_seconds, **request))

    def start(
        self,
        *,
        idempotency_key: str | None = None,
        wait: int | None = None,
        timeout_seconds: float | None = None,
        **request: Unpack[StartRequest],
    ) -> StartedGeneration:
        """Starts a generation exactly once, even if the request is repeated.

        Files of the request are uploaded before. `idempotency_key` identifies this start. The
        default is a random key. Pass your own key if the start must survive a restart of this
        process, and upload its files before, because a new upload is another request. A raised
        error has the key and the request to continue with. With `wait` the answer comes when the
        generation ends, or after this many seconds.
        """
        return run(
            self._atelier.start(
                idempotency_key=idempotency_key,
                wait=wait,
                timeout_seconds=timeout_seconds,
                **request,
            )
        )

    def start_batch(
        self,
        items: Sequence[GenerationRequest],
        *,
        max_credits: float | None = None,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> StartedBatch:
        """Starts up to 50 generations: the arguments of `start`, as mappings.

        The answer has the start or refusal of each item, in order. `max_credits` limits the sum. A
        repeat with the same `idempotency_key`, by default random, starts only what is missing.
        """
        return run(
            self._atelier.start_batch(
                items,
                max_credits=max_credits,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )

    def run(
        self,
        *,
        idempotency_key: str | None = None,
        on_progress: Progress | None = None,
        timeout_seconds: float = 3600,
        **request: Unpack[StartRequest],
    ) -> Generation:
        """Starts a generation and waits until it has ended. See `expect_ready`.

        Files of the request are uploaded before. `timeout_seconds` limits all of this. Raises
        TimedOutError with the `generation_id` when the generation runs longer. `on_progress` is
        called with each change of the state or progress, including the first and the last.
        """
        return run(
            self._atelier.run(
                idempotency_key=idempotency_key,
                on_progress=on_progress,
                timeout_seconds=timeout_seconds,
                **request,
            )
        )

    def get_generation(
        self, id: str, *, wait: int | None = None, timeout_seconds: float | None = None
    ) -> Generation:
        """Returns a generation: now, or with `wait` when it ends or after this many seconds."""
        return run(self._atelier.get_generation(id, wait=wait, timeout_seconds=timeout_seconds))

    def wait_until_done(
        self,
        id: str,
        *,
        on_progress: Progress | None = None,
        timeout_seconds: float = 3600,
    ) -> Generation:
        """Waits until a generation has ended. Raises TimedOutError after `timeout_seconds`.

        Retries temporary errors.
        """
        return run(
            self._atelier.wait_until_done(
                id, on_progress=on_progress, timeout_seconds=timeout_seconds
            )
        )

    def events(
        self, id: str, *, timeout_seconds: float = 3600
    ) -> Generator[Generation, None, None]:
        """Yields the generation now and after each change of its state or progress.

        Ends with the generation. Opens a broken stream again. Raises TimedOutError after the limit.
        """
        return iterated(self._atelier.events(id, timeout_seconds=timeout_seconds))

    def cancel(self, id: str, *, timeout_seconds: float | None = None) -> CancelledGeneration:
        """Cancels a generation. `cancelled` says whether this call cancelled it."""
        return run(self._atelier.cancel(id, timeout_seconds=timeout_seconds))
