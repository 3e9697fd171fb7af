"""Repeats requests: number of attempts, time limits and delays."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from ._answer import is_from_service
from ._backend import Backend, Limit
from ._connection_errors import (
    ProtocolError,
    DeadlineExceeded,
    WireError,
    connection_failed,
    timed_out,
)
from .errors import AtelierError

Value = TypeVar("Value")

_log = logging.getLogger("atelier_client")

_LEFT_TO_CALLER = frozenset({"insufficient_credits", "spend_limit_exceeded"})
"""These end with other work or at midnight, so the caller decides how long to wait."""

_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 8.0
_SPREAD_SECONDS = 0.5


@dataclass(frozen=True)
class Attempts:
    """The limits of one call."""

    attempts_max: int
    total_seconds: float | None
    """The time limit of all attempts and delays."""
    attempt_seconds: float | None
    idle_seconds: float | None = None
    """The time limit without data during an attempt."""
    repeatable: bool = True
    """Whether a second request is safe if the outcome of the first is unknown."""


async def with_retries(
    backend: Backend,
    attempts: Attempts,
    try_once: Callable[[Limit], Awaitable[Value]],
    where: str,
) -> Value:
    """Tries until success, a permanent error or a limit. Raises the last error.

    `where` names the address in errors.
    """
    total = attempts.total_seconds
    ends_at = None if total is None else backend.now() + total
    attempt = 0
    while True:
        attempt += 1
        left = None if ends_at is None else max(0.0, ends_at - backend.now())
        try:
            return await _attempt(try_once, attempts, left, where)
        except AtelierError as error:
            pause = _pause_seconds(error, attempts, attempt, backend.random())
            if pause is None or attempt >= attempts.attempts_max:
                raise
            if ends_at is not None and backend.now() + pause >= ends_at:
                raise
            _log.debug("attempt %d: %s; retry in %.1f s", attempt, error, pause)
        await backend.pause(pause)


async def _attempt(
    try_once: Callable[[Limit], Awaitable[Value]],
    attempts: Attempts,
    left: float | None,
    where: str,
) -> Value:
    limits = [each for each in (attempts.attempt_seconds, left) if each is not None]
    seconds = min(limits, default=None)
    try:
        return await try_once(Limit(seconds, attempts.idle_seconds))
    except DeadlineExceeded as error:
        waited = min([*limits, *filter(None, [attempts.idle_seconds])])
        raise timed_out(waited) from error
    except (WireError, ProtocolError) as error:
        raise connection_failed(error, where) from error


def _pause_seconds(
    error: AtelierError, attempts: Attempts, attempt: int, chance: float
) -> float | None:
    """Returns the delay before the next attempt, or None for no attempt."""
    if not error.retryable or error.code in _LEFT_TO_CALLER:
        return None
    if not attempts.repeatable and not is_from_service(error):
        return None
    return backoff_seconds(attempt, error, chance)


def backoff_seconds(failures: int, error: AtelierError | None, chance: float) -> float:
    """Returns the delay after this many consecutive failures.

    It is the Retry-After of the last error, or a delay that doubles each time. A random part
    spreads clients that were refused at the same time.
    """
    backoff = min(_LONGEST_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2.0 ** min(failures - 1, 9))
    retry_after_seconds = error.retry_after_seconds if error is not None else None
    asked = (retry_after_seconds or 0.0) + _SPREAD_SECONDS * chance
    return max(backoff * (0.5 + chance / 2), asked)
