"""The errors of this side of the wire, from what the standard library raises."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from .errors import ConnectionFailed, TimedOut


class WireError(Exception):
    """The connection could not be made, or broke; `cause` says how."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class ProtocolError(Exception):
    """What came is not HTTP, or broke off."""


class DeadlineExceeded(Exception):
    """Nothing came in time."""


class StaleConnection(Exception):
    """A kept connection ended before the answer began; the service closed it in the meantime."""


@contextmanager
def wire_errors() -> Iterator[None]:
    """Tells what the network raises from what files raise, which is the same otherwise."""
    try:
        yield
    except TimeoutError as error:
        raise DeadlineExceeded from error
    except OSError as error:
        raise WireError(error) from error


def timed_out(seconds: float) -> TimedOut:
    """No answer came within so many seconds."""
    return TimedOut(f"No answer came within {round(seconds, 1):g} seconds.")


def connection_failed(error: WireError | ProtocolError) -> ConnectionFailed:
    """The connection could not be made, or broke. A certificate that is not trusted stays so."""
    cause = error.cause if isinstance(error, WireError) else error
    if isinstance(cause, ssl.SSLCertVerificationError):
        said = f"its certificate is not trusted ({cause.verify_message})"
        return ConnectionFailed(f"The service could not be reached: {said}.", retryable=False)
    said = str(cause) or type(cause).__name__
    return ConnectionFailed(f"The service could not be reached: {said}.")
