"""The base class of all errors of the service and of the connection."""

from __future__ import annotations

from typing import Any, Literal

from .models import RefusalDetails

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
"""The category of an error, also for unknown codes."""

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

    Each code has its own class (`InsufficientCreditsError`), which extends the class of its kind
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
    request: dict[str, Any] | None
    """The arguments of the failed start, with the identifiers of its uploads. Pass them again
    with `idempotency_key`.
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
        self.request = None

    @property
    def kind(self) -> ErrorKind:
        """The category of the error."""
        return kind_of(self.status, self.code)

    def __str__(self) -> str:
        request = f" ({self.request_id})" if self.request_id else ""
        return f"{self.code}: {self.message}{request}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (type(self), self.__dict__))


def kind_of(status: int, code: str) -> ErrorKind:
    """Returns the kind of an error. An exceeded ceiling is about credits, despite its status."""
    if code == "spend_limit_exceeded":
        return "credits"
    if status in _KINDS:
        return _KINDS[status]
    if status >= 500:
        return "service"
    return "request" if status >= 300 else "connection"


def _restored(kind: type[AtelierError], fields: dict[str, Any]) -> AtelierError:
    error = kind.__new__(kind)
    error.__dict__.update(fields)
    error.args = (fields["message"],)
    return error
