"""The errors of the client."""

from __future__ import annotations

from ._base_error import AtelierError, ErrorKind
from ._base_error import kind_of as kind_of
from .models import RefusalDetails

__all__ = [
    "ApiKeyError",
    "AtelierError",
    "ConflictError",
    "ConnectionFailed",
    "ConnectionFailedError",
    "CreditsError",
    "ErrorKind",
    "NoAnswerError",
    "NotFoundError",
    "NotPermittedError",
    "RateError",
    "RequestError",
    "ServiceError",
    "TimedOut",
    "TimedOutError",
    "UnexpectedAnswer",
    "UnexpectedAnswerError",
]


class RequestError(AtelierError):
    """The request is wrong. A repeat fails in the same way."""


class ApiKeyError(AtelierError):
    """The key is missing, unknown, revoked or expired."""


class CreditsError(AtelierError):
    """There are too few credits, or a ceiling is exceeded."""


class NotPermittedError(AtelierError):
    """The key, its team or its owner may not do this."""


class NotFoundError(AtelierError):
    """The object does not exist, or belongs to another team."""


class ConflictError(AtelierError):
    """The request conflicts with another change."""


class RateError(AtelierError):
    """There are too many requests."""


class ServiceError(AtelierError):
    """The service or one of its dependencies has an error."""


class NoAnswerError(AtelierError):
    """There was no answer."""


class ConnectionFailedError(NoAnswerError):
    """The service could not be reached, or the answer was incomplete."""

    def __init__(self, message: str, *, retryable: bool = True) -> None:
        super().__init__(message, code="connection_failed", retryable=retryable)


class TimedOutError(NoAnswerError):
    """The time limit of a call or a wait is over."""

    generation_id: str | None
    """The generation that has not ended yet, or None if the start has no answer."""

    def __init__(self, message: str, *, generation_id: str | None = None) -> None:
        details = None
        if generation_id is not None:
            details = RefusalDetails(raw={"generationId": generation_id})
        super().__init__(message, code="timed_out", retryable=True, details=details)
        self.generation_id = generation_id


class UnexpectedAnswerError(AtelierError):
    """Something other than the service answered, such as a proxy."""


# The names before 1.0.0.
ConnectionFailed = ConnectionFailedError
TimedOut = TimedOutError
UnexpectedAnswer = UnexpectedAnswerError


BY_KIND: dict[ErrorKind, type[AtelierError]] = {
    "request": RequestError,
    "key": ApiKeyError,
    "credits": CreditsError,
    "permission": NotPermittedError,
    "not_found": NotFoundError,
    "conflict": ConflictError,
    "rate": RateError,
    "service": ServiceError,
    "connection": NoAnswerError,
}
"""The classes for codes that this release does not define."""
