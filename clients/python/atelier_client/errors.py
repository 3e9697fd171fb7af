"""The errors of the client."""

from __future__ import annotations

from typing import Any, Literal

from .models import RefusalDetails

__all__ = [
    "ApiKeyError",
    "AtelierError",
    "ConflictError",
    "ConnectionFailed",
    "CreditsError",
    "ErrorKind",
    "NoAnswerError",
    "NotFoundError",
    "NotPermittedError",
    "RateError",
    "RequestError",
    "ServiceError",
    "TimedOut",
    "UnexpectedAnswer",
]

ErrorKind = Literal[
    "request",
    "key",
    "credits",
    "permission",
    "not_found",
    "conflict",
    "rate",
    "service",
    "connection",
]
"""The category of an error by its status, also for unknown codes."""

_KINDS: dict[int, ErrorKind] = {
    401: "key",
    402: "credits",
    403: "permission",
    404: "not_found",
    409: "conflict",
    429: "rate",
}


class AtelierError(Exception):
    """A request that was refused or got no answer.

    Each code has its own class (`InsufficientCredits`), which extends the class of its kind
    (`CreditsError`). Check the class or `code`. For an unknown code, check `kind` and
    `retryable`.
    """

    code: str
    """The stable name of the error."""
    message: str
    status: int
    """The status of the answer, or 0 without an answer."""
    retryable: bool
    """Whether the same request may succeed later."""
    details: RefusalDetails
    """Data about the error. The fields depend on the code."""
    request_id: str | None
    """Identifies the request in the logs of the service."""
    doc_url: str | None
    """The link to the explanation of the code."""
    retry_after_seconds: float | None
    idempotency_key: str | None
    """The key of the failed start. A start with the same arguments and this key continues it,
    and never starts a second generation.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        retryable: bool = False,
        details: RefusalDetails | None = None,
        request_id: str | None = None,
        doc_url: str | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.retryable = retryable
        self.details = details if details is not None else RefusalDetails()
        self.request_id = request_id
        self.doc_url = doc_url
        self.retry_after_seconds = retry_after_seconds
        self.idempotency_key = None

    @property
    def kind(self) -> ErrorKind:
        """The category of the error, by its status."""
        return kind_of(self.status)

    def __str__(self) -> str:
        request = f" ({self.request_id})" if self.request_id else ""
        return f"{self.code}: {self.message}{request}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (type(self), self.__dict__))


def kind_of(status: int) -> ErrorKind:
    """Returns the kind of an error with this status."""
    if status in _KINDS:
        return _KINDS[status]
    if status >= 500:
        return "service"
    return "request" if status >= 300 else "connection"


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


class ConnectionFailed(NoAnswerError):
    """The service could not be reached, or the answer was incomplete."""

    def __init__(self, message: str, *, retryable: bool = True) -> None:
        super().__init__(message, code="connection_failed", retryable=retryable)


class TimedOut(NoAnswerError):
    """The time limit of a call or a wait is over."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="timed_out", retryable=True)


class UnexpectedAnswer(AtelierError):
    """Something other than the service answered, such as a proxy."""


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
"""The classes for codes that this release does not know."""


def _restored(kind: type[AtelierError], fields: dict[str, Any]) -> AtelierError:
    error = kind.__new__(kind)
    error.__dict__.update(fields)
    error.args = (fields["message"],)
    return error
