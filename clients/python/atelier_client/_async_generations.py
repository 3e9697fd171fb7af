"""Starting generations, and following them."""

from __future__ import annotations

import inspect
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TYPE_CHECKING, TypeAlias

from ._caller import Caller, read_as
from ._requests import generation_body
from ._generation_states import countdown, is_ended, poll_states, still_running, follow_states
from .errors import AtelierError
from .models import CancelledGeneration, Estimate, Generation, StartedGeneration

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .models import GenerationRequest

AsyncProgress: TypeAlias = "Callable[[Generation], Awaitable[object] | object]"


class AsyncGenerations:
    """A part of `AsyncAtelier`."""

    _caller: Caller

    async def estimate(
        self, *, timeout_seconds: float | None = None, **request: Unpack[GenerationRequest]
    ) -> Estimate:
        """What a start would cost, and whether it could start now. Nothing is spent."""
        value = await self._caller.call(
            "estimateGeneration", body=generation_body(request), timeout_seconds=timeout_seconds
        )
        return read_as(Estimate, value)

    async def start(
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
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        try:
            value = await self._caller.call(
                "startGeneration",
                body=generation_body(request),
                query={"wait": wait},
                headers={"Idempotency-Key": key},
                timeout_seconds=timeout_seconds,
                held_seconds=min(wait or 0, 60),
            )
            return read_as(StartedGeneration, value)
        except AtelierError as error:
            error.idempotency_key = key
            raise

    async def run(
        self,
        *,
        idempotency_key: str | None = None,
        on_progress: AsyncProgress | None = None,
        timeout_seconds: float = 3600,
        **request: Unpack[GenerationRequest],
    ) -> Generation:
        """Starts a generation and waits for its end, whatever that is; see `expect_ready`.

        `timeout_seconds` is how long to wait; `on_progress` is called with each state and each
        progress, the first and the last included.
        """
        started = await self.start(idempotency_key=idempotency_key, **request)
        return await self.wait_until_done(
            started.generation_id, on_progress=on_progress, timeout_seconds=timeout_seconds
        )

    async def get_generation(
        self, id: str, *, wait: int | None = None, timeout_seconds: float | None = None
    ) -> Generation:
        """A generation as it stands; with `wait` at its end, or after so many seconds."""
        value = await self._caller.call(
            "getGeneration",
            id=id,
            query={"wait": wait},
            timeout_seconds=timeout_seconds,
            held_seconds=min(wait or 0, 60),
        )
        return read_as(Generation, value)

    async def wait_until_done(
        self,
        id: str,
        *,
        on_progress: AsyncProgress | None = None,
        timeout_seconds: float = 3600,
    ) -> Generation:
        """Waits for the end of a generation. Raises TimedOut when it goes on for longer.

        Errors that may pass are waited out.
        """
        left = countdown(self._caller, timeout_seconds)
        states = (follow_states if on_progress is not None else poll_states)(self._caller, id, left)
        try:
            async for generation in states:
                if on_progress is not None:
                    heard = on_progress(generation)
                    if inspect.isawaitable(heard):
                        await heard
                if is_ended(generation):
                    return generation
        finally:
            await states.aclose()
        raise still_running(id, timeout_seconds)

    async def events(
        self, id: str, *, timeout_seconds: float = 3600
    ) -> AsyncGenerator[Generation, None]:
        """The generation as it stands and at each change of its state or progress, to its end.

        What breaks on the way is opened again. Raises TimedOut when it goes on for longer.
        """
        states = follow_states(self._caller, id, countdown(self._caller, timeout_seconds))
        try:
            async for generation in states:
                yield generation
                if is_ended(generation):
                    return
        finally:
            await states.aclose()
        raise still_running(id, timeout_seconds)

    async def cancel(self, id: str, *, timeout_seconds: float | None = None) -> CancelledGeneration:
        """Cancels a generation; `cancelled` says whether this call did."""
        value = await self._caller.call(
            "cancelGeneration", id=id, body={}, timeout_seconds=timeout_seconds
        )
        return read_as(CancelledGeneration, value)
