"""Converts errors of the standard library to errors of the client."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from .errors import ConnectionFailedError, TimedOutError


class WireError(Exception):
    """The connection failed. `cause` is the original error."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class ProtocolError(Exception):
    """The answer is not HTTP, or is incomplete."""


class DeadlineExceeded(Exception):
    """No data arrived in time."""


class StaleConnection(Exception):
    """The service had closed a pooled connection before the answer began."""


@contextmanager
def wire_errors() -> Iterator[None]:
    """Marks errors of the network, because files raise the same types."""
    try:
        yield
    except TimeoutError as error:
        raise DeadlineExceeded from error
    except OSError as error:
        raise WireError(error) from error


def timed_out(seconds: float) -> TimedOutError:
    """Returns the error for no answer in this time."""
    return TimedOutError(f"There was no answer within {round(seconds, 1):g} seconds.")


def connection_failed(error: WireError | ProtocolError, where: str) -> ConnectionFailedError:
    """Returns the error of a failed connection. An untrusted certificate is permanent."""
    cause = error.cause if isinstance(error, WireError) else error
    is_untrusted = isinstance(cause, ssl.SSLCertVerificationError)
    reason = str(cause) or type(cause).__name__
    if isinstance(cause, ssl.SSLCertVerificationError):
        reason = f"its certificate is not trusted: {cause.verify_message}"
    message = f"The service could not be reached{where} ({reason})."
    return ConnectionFailedError(message, retryable=not is_untrusted)
