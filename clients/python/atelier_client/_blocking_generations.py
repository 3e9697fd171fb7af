"""Starting generations, and following them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, TypeAlias

from ._backend import iterated, run
from .async_client import AsyncAtelier
from .models import CancelledGeneration, Estimate, Generation, StartedGeneration

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .models import GenerationRequest

Progress: TypeAlias = Callable[[Generation], object]


class Generations:
    """A part of `Atelier`."""

    _atelier: AsyncAtelier

    def estimate(
        self, *, timeout_seconds: float | None = None, **request: Unpack[GenerationRequest]
    ) -> Estimate:
        """What a start would cost, and whether it could start now. Nothing is spent."""
        return run(self._atelier.estimate(timeout_seconds=timeout_seconds, **request))

    def start(
        self,
        *,
        idempotency_key: str | None = None,
        wait: int | None = None,
        timeout_seconds: float | None = None,
        **request: Unpack[GenerationRequest],
    ) -> StartedGeneration:
        """Starts a generation, once, however often it has to be sent.

        `idempotency_key` names this logical start; one is made when none is given. Give your own
        where a start is to survive the end of this process. What is raised holds the key with
        which to go on. With `wait` the answer comes at the end, or after so many seconds.
        """
        return run(
            self._atelier.start(
                idempotency_key=idempotency_key,
                wait=wait,
                timeout_seconds=timeout_seconds,
                **request,
            )
        )

    def run(
        self,
        *,
        idempotency_key: str | None = None,
        on_progress: Progress | None = None,
        timeout_seconds: float = 3600,
        **request: Unpack[GenerationRequest],
    ) -> Generation:
        """Starts a generation and waits for its end, whatever that is; see `expect_ready`.

        `timeout_seconds` is how long to wait; `on_progress` is called with each state and each
        progress, the first and the last included.
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
        """A generation as it stands; with `wait` at its end, or after so many seconds."""
        return run(self._atelier.get_generation(id, wait=wait, timeout_seconds=timeout_seconds))

    def wait_until_done(
        self,
        id: str,
        *,
        on_progress: Progress | None = None,
        timeout_seconds: float = 3600,
    ) -> Generation:
        """Waits for the end of a generation. Raises TimedOut when it goes on for longer.

        Errors that may pass are waited out.
        """
        return run(
            self._atelier.wait_until_done(
                id, on_progress=on_progress, timeout_seconds=timeout_seconds
            )
        )

    def events(
        self, id: str, *, timeout_seconds: float = 3600
    ) -> Generator[Generation, None, None]:
        """The generation as it stands and at each change of its state or progress, to its end.

        What breaks on the way is opened again. Raises TimedOut when it goes on for longer.
        """
        return iterated(self._atelier.events(id, timeout_seconds=timeout_seconds))

    def cancel(self, id: str, *, timeout_seconds: float | None = None) -> CancelledGeneration:
        """Cancels a generation; `cancelled` says whether this call did."""
        return run(self._atelier.cancel(id, timeout_seconds=timeout_seconds))
