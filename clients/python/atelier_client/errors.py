"""What the client raises."""

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
"""A coarse reading of the status, for codes that this release does not know."""

_KINDS: dict[int, ErrorKind] = {
    401: "key",
    402: "credits",
    403: "permission",
    404: "not_found",
    409: "conflict",
    429: "rate",
}


class AtelierError(Exception):
    """A request that was refused, or that got no answer.

    Each code has a class of its own, named after it (`InsufficientCredits`), below one for its
    kind (`CreditsError`). Program against those or `code`; meet a code that you do not know by
    `kind` and `retryable`.
    """

    code: str
    """What to program against."""
    message: str
    status: int
    """Of the answer; 0 when there was none."""
    retryable: bool
    """Whether the same request may pass when repeated later."""
    details: RefusalDetails
    """Machine diagnostics; which of them stand there goes with the code."""
    request_id: str | None
    """Names the request in the logs of the service."""
    doc_url: str | None
    """Where the code is explained."""
    retry_after_seconds: float | None
    idempotency_key: str | None
    """Of the start that failed: a start with the same arguments and this key continues it, and
    never starts a second time.
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
        """What sort of error it is, by its status."""
        return kind_of(self.status)

    def __str__(self) -> str:
        named = f" ({self.request_id})" if self.request_id else ""
        return f"{self.code}: {self.message}{named}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (type(self), self.__dict__))


def kind_of(status: int) -> ErrorKind:
    """The kind of everything that is answered with this status."""
    if status in _KINDS:
        return _KINDS[status]
    if status >= 500:
        return "service"
    return "request" if status >= 300 else "connection"


class RequestError(AtelierError):
    """The request itself is at fault: a repeat says the same."""


class ApiKeyError(AtelierError):
    """No key, or one that does not exist, is revoked or has expired."""


class CreditsError(AtelierError):
    """Credits stand in the way."""


class NotPermittedError(AtelierError):
    """The key, its team or its owner may not do this."""


class NotFoundError(AtelierError):
    """There is no such thing, or it is somebody else's."""


class ConflictError(AtelierError):
    """Something else happened to it first, or happens to it right now."""


class RateError(AtelierError):
    """Too much at once."""


class ServiceError(AtelierError):
    """The service, or what it depends on, has a fault."""


class NoAnswerError(AtelierError):
    """No answer came."""


class ConnectionFailed(NoAnswerError):
    """The service could not be reached, or hung up before the whole answer was there."""

    def __init__(self, message: str, *, retryable: bool = True) -> None:
        super().__init__(message, code="connection_failed", retryable=retryable)


class TimedOut(NoAnswerError):
    """What was asked for did not come, or what was waited for did not happen, in time."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="timed_out", retryable=True)


class UnexpectedAnswer(AtelierError):
    """Something answered that is not the service, such as a proxy on the way."""


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
"""What a refusal with a code of a later release is."""


def _restored(kind: type[AtelierError], fields: dict[str, Any]) -> AtelierError:
    error = kind.__new__(kind)
    error.__dict__.update(fields)
    error.args = (fields["message"],)
    return error
