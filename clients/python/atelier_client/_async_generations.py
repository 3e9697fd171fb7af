"""Starts generations and follows them."""

from __future__ import annotations

import inspect
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ._caller import Caller, read_as
from ._requests import generation_body, upload_inputs
from ._generation_states import countdown, is_ended, poll_states, still_running, follow_states
from .errors import AtelierError
from .models import CancelledGeneration, Estimate, Generation, StartedBatch, StartedGeneration

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._requests import StartRequest
    from .models import GenerationRequest

_ANSWER_SECONDS = 1.0
"""The answer of a start, which has the identifier, may come this much after the time limit."""

AsyncProgress: TypeAlias = "Callable[[Generation], Awaitable[object] | object]"


class AsyncGenerations:
    """A part of `AsyncAtelier`."""

    _caller: Caller

    async def estimate(
        self, *, timeout_seconds: float | None = None, **request: Unpack[StartRequest]
    ) -> Estimate:
        """Returns the cost of a start, and whether it could start now. Spends nothing.

        Files of the request are uploaded.
        """
        body = generation_body(await upload_inputs(self._caller, request))
        call = self._caller.call("estimateGeneration", body=body, timeout_seconds=timeout_seconds)
        return read_as(Estimate, await call)

    async def start(
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
        resolved = await upload_inputs(self._caller, request)
        return await self._start(resolved, idempotency_key, wait, timeout_seconds)

    async def _start(
        self,
        request: dict[str, Any],
        idempotency_key: str | None,
        wait: int | None,
        timeout_seconds: float | None,
    ) -> StartedGeneration:
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
            error.request = request
            raise

    async def start_batch(
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
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        body: dict[str, Any] = {"items": [generation_body(item) for item in items]}
        body |= {} if max_credits is None else {"maxCredits": max_credits}
        try:
            sent: dict[str, Any] = {"headers": {"Idempotency-Key": key}}
            sent["timeout_seconds"] = timeout_seconds
            value = await self._caller.call("startBatch", body=body, **sent)
            return read_as(StartedBatch, value)
        except AtelierError as error:
            error.idempotency_key = key
            raise

    async def run(
        self,
        *,
        idempotency_key: str | None = None,
        on_progress: AsyncProgress | None = None,
        timeout_seconds: float = 3600,
        **request: Unpack[StartRequest],
    ) -> Generation:
        """Starts a generation and waits until it has ended. See `expect_ready`.

        Files of the request are uploaded before. `timeout_seconds` limits all of this. Raises
        TimedOutError with the `generation_id` when the generation runs longer. `on_progress` is
        called with each change of the state or progress, including the first and the last.
        """
        left = countdown(self._caller, timeout_seconds)
        resolved = await upload_inputs(self._caller, request, left)
        start_seconds = min(self._caller.timeout_seconds, left() + _ANSWER_SECONDS)
        started = await self._start(resolved, idempotency_key, None, start_seconds)
        return await self._until_done(started.generation_id, on_progress, timeout_seconds, left)

    async def get_generation(
        self, id: str, *, wait: int | None = None, timeout_seconds: float | None = None
    ) -> Generation:
        """Returns a generation: now, or with `wait` when it ends or after this many seconds."""
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
        """Waits until a generation has ended. Raises TimedOutError after `timeout_seconds`.

        Retries temporary errors.
        """
        left = countdown(self._caller, timeout_seconds)
        return await self._until_done(id, on_progress, timeout_seconds, left)

    async def _until_done(
        self,
        id: str,
        on_progress: AsyncProgress | None,
        timeout_seconds: float,
        left: Callable[[], float],
    ) -> Generation:
        states = (follow_states if on_progress is not None else poll_states)(self._caller, id, left)
        try:
            async for generation in states:
                if on_progress is not None:
                    outcome = on_progress(generation)
                    if inspect.isawaitable(outcome):
                        await outcome
                if is_ended(generation):
                    return generation
        finally:
            await states.aclose()
        raise still_running(id, timeout_seconds)

    async def events(
        self, id: str, *, timeout_seconds: float = 3600
    ) -> AsyncGenerator[Generation, None]:
        """Yields the generation now and after each change of its state or progress.

        Ends with the generation. Opens a broken stream again. Raises TimedOutError after the limit.
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
        """Cancels a generation. `cancelled` says whether this call cancelled it."""
        value = await self._caller.call(
            "cancelGeneration", id=id, body={}, timeout_seconds=timeout_seconds
        )
        return read_as(CancelledGeneration, value)
