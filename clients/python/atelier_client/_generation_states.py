"""Follows a generation to its end by long polling or by events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

from ._answer import parsed
from ._backend import Limit
from ._caller import Caller, read_answer, read_as
from ._connection_errors import (
    ProtocolError,
    DeadlineExceeded,
    WireError,
    connection_failed,
    timed_out,
)
from ._event_stream import EventReader
from ._network import Answer
from ._retry import backoff_seconds
from .errors import AtelierError, TimedOutError, UnexpectedAnswerError
from .models import Generation
from .refusals import AddressNotFoundError

States = AsyncGenerator[Generation, None]

_HELD_SECONDS_MAX = 60
"""The longest `wait` of one request."""
_POLL_SECONDS = 10
"""The `wait` without events. It is short, to report progress."""
_ERROR_PAUSE_SECONDS = 5.0
"""The delay after a temporary error without Retry-After."""
_IDLE_SECONDS_MAX = 45.0
"""Three missed signs of life: the service sends one every 15 seconds."""


def is_ended(generation: Generation) -> bool:
    """Whether the generation has ended."""
    return generation.state in ("ready", "failed", "cancelled")


def countdown(caller: Caller, seconds: float) -> Callable[[], float]:
    """Returns a function that returns the seconds left of this time."""
    ends_at = caller.backend.now() + seconds
    return lambda: max(0.0, ends_at - caller.backend.now())


def still_running(generation_id: str, seconds: float) -> TimedOutError:
    """Returns the error of a wait that was too short."""
    message = f"The generation {generation_id} has not ended within {seconds:g} seconds."
    return TimedOutError(message, generation_id=generation_id)


async def poll_states(
    caller: Caller,
    generation_id: str,
    left: Callable[[], float],
    wait_seconds: int = _HELD_SECONDS_MAX,
) -> States:
    """Polls until the generation has ended or the time is over. Retries temporary errors."""
    backend = caller.backend
    while True:
        wait = min(wait_seconds, int(left()))
        asked_at = backend.now()
        pause = 1.0
        try:
            query = {"wait": wait} if wait > 0 else {}
            value = await caller.call(
                "getGeneration", id=generation_id, query=query, held_seconds=wait
            )
        except AtelierError as error:
            if not error.retryable or left() <= 0:
                raise
            seconds = error.retry_after_seconds
            pause = _ERROR_PAUSE_SECONDS if seconds is None else seconds
        else:
            generation = read_as(Generation, value)
            yield generation
            if is_ended(generation):
                return
            pause = generation.poll_after_seconds or pause
        if left() <= 0:
            return
        # An early answer, as from a service that shuts down, is not followed by a poll at once.
        if wait == 0 or backend.now() - asked_at < wait:
            await backend.pause(min(pause, left()))


async def follow_states(caller: Caller, generation_id: str, left: Callable[[], float]) -> States:
    """Yields each changed state until the generation has ended.

    A stream that breaks, ends or goes silent is opened again where it stopped. Without streams,
    or with a proxy that buffers them, the states are polled.
    """
    last_state: object = None
    states = _streamed(caller, generation_id, left)
    try:
        async for generation in states:
            # The polling interval is not part of the state.
            state = {**generation.raw, "pollAfterSeconds": None}
            if state != last_state:
                last_state = state
                yield generation
    finally:
        await states.aclose()


async def _streamed(caller: Caller, generation_id: str, left: Callable[[], float]) -> States:
    last_event_id, failures = "", 0
    while True:
        reader = EventReader()
        has_event = False
        failure: AtelierError | None = None
        answer: Answer | None = None
        try:
            answer = await _opened(caller, generation_id, last_event_id, left)
            while piece := await answer.piece(_idle_limit(left)):
                for event in reader.events(piece):
                    if event.type != "generation":
                        continue
                    generation = read_as(Generation, parsed(event.data.encode()))
                    has_event = True
                    yield generation
                    if is_ended(generation):
                        return
        except DeadlineExceeded:
            failure = timed_out(_IDLE_SECONDS_MAX)
        except (WireError, ProtocolError) as error:
            failure = connection_failed(error, caller.address.where)
        except AtelierError as error:
            failure = error
        finally:
            if answer is not None:
                answer.close()
        if left() <= 0:
            return
        is_buffered = isinstance(failure, TimedOutError) and not has_event
        if type(failure) is AddressNotFoundError or is_buffered:
            break
        if failure is not None and not failure.retryable:
            raise failure
        last_event_id = reader.last_event_id or last_event_id
        failures = 1 if has_event else failures + 1
        pause = backoff_seconds(failures, failure, caller.backend.random())
        await caller.backend.pause(min(max(pause, reader.retry_seconds or 0.0), left()))
    async for generation in poll_states(caller, generation_id, left, _POLL_SECONDS):
        yield generation


def _idle_limit(left: Callable[[], float]) -> Limit:
    return Limit(min(_IDLE_SECONDS_MAX, max(0.001, left())))


async def _opened(
    caller: Caller, generation_id: str, last_event_id: str, left: Callable[[], float]
) -> Answer:
    headers = {"Accept": "text/event-stream"}
    if last_event_id.isascii() and last_event_id.isprintable() and last_event_id:
        headers["Last-Event-ID"] = last_event_id
    limit = _idle_limit(left)
    answer = await caller.open("followGeneration", id=generation_id, headers=headers, limit=limit)
    media_type = answer.headers.get("content-type", "").split(";")[0].strip().lower()
    if answer.status == 200 and media_type == "text/event-stream":
        return answer
    try:
        await read_answer(answer, limit)
        message = "The answer is not an event stream."
        raise UnexpectedAnswerError(message, code="unexpected_answer", status=answer.status)
    finally:
        answer.close()
