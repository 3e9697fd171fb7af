"""Follows a generation to its end: by held requests, or by the events of the service."""

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
from .errors import AtelierError, TimedOut, UnexpectedAnswer
from .models import Generation, RefusalDetails
from .refusals import NotFound

States = AsyncGenerator[Generation, None]

_HELD_SECONDS_MAX = 60
"""The longest that one request is held."""
_POLL_SECONDS = 10
"""How long each answer is held where there are no events: short enough to tell progress."""
_ERROR_PAUSE_SECONDS = 5.0
"""Pause after an error that may pass, where the service names none."""
_IDLE_SECONDS_MAX = 45.0
"""The service sends something every 15 seconds; three of them have failed to come."""


def is_ended(generation: Generation) -> bool:
    """Whether it has come to one of its three ends."""
    return generation.state in ("ready", "failed", "cancelled")


def countdown(caller: Caller, seconds: float) -> Callable[[], float]:
    """How many of so many seconds, counted from now, are left."""
    ends_at = caller.backend.now() + seconds
    return lambda: max(0.0, ends_at - caller.backend.now())


def still_running(generation_id: str, seconds: float) -> TimedOut:
    """What ends a wait for a generation that goes on."""
    said = f"The generation {generation_id} has not ended within {seconds:g} seconds."
    error = TimedOut(said)
    error.details = RefusalDetails(raw={"generationId": generation_id})
    return error


async def poll_states(
    caller: Caller,
    generation_id: str,
    left: Callable[[], float],
    wait_seconds: int = _HELD_SECONDS_MAX,
) -> States:
    """Looks again and again, until it has ended or time is over; waits out what passes."""
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
        # An answer that came early, as from a service that shuts down, is not asked for at once.
        if wait == 0 or backend.now() - asked_at < wait:
            await backend.pause(min(pause, left()))


async def follow_states(caller: Caller, generation_id: str, left: Callable[[], float]) -> States:
    """The states as the service tells them, no two equal ones in a row, until the end.

    A stream that breaks, ends or falls silent is opened again where it stopped. A service without
    streams, and one behind something that holds them back, is asked by held requests.
    """
    told: object = None
    states = _streamed(caller, generation_id, left)
    try:
        async for generation in states:
            # When to ask again says nothing about the generation.
            state = {**generation.raw, "pollAfterSeconds": None}
            if state != told:
                told = state
                yield generation
    finally:
        await states.aclose()


async def _streamed(caller: Caller, generation_id: str, left: Callable[[], float]) -> States:
    last_event_id, failures = "", 0
    while True:
        reader = EventReader()
        was_told = False
        failure: AtelierError | None = None
        answer: Answer | None = None
        try:
            answer = await _opened(caller, generation_id, last_event_id, left)
            while piece := await answer.piece(_idle_limit(left)):
                for event in reader.events(piece):
                    if event.type != "generation":
                        continue
                    generation = read_as(Generation, parsed(event.data.encode()))
                    was_told = True
                    yield generation
                    if is_ended(generation):
                        return
        except DeadlineExceeded:
            failure = timed_out(_IDLE_SECONDS_MAX)
        except (WireError, ProtocolError) as error:
            failure = connection_failed(error)
        except AtelierError as error:
            failure = error
        finally:
            if answer is not None:
                answer.close()
        if left() <= 0:
            return
        is_held_back = isinstance(failure, TimedOut) and not was_told
        if type(failure) is NotFound or is_held_back:
            break
        if failure is not None and not failure.retryable:
            raise failure
        last_event_id = reader.last_event_id or last_event_id
        failures = 1 if was_told else failures + 1
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
        said = "Something answered that is not a stream of events."
        raise UnexpectedAnswer(said, code="unexpected_answer", status=answer.status)
    finally:
        answer.close()
