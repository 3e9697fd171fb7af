"""Reads an answer: the JSON of a success, or the error."""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Mapping
from typing import Any

from .errors import BY_KIND, AtelierError, UnexpectedAnswerError, kind_of
from .models import RefusalDetails
from .refusals import BY_CODE


def parsed(text: bytes) -> Any:
    """Returns the JSON, or None for invalid JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def error_of(status: int, headers: Mapping[str, str], value: Any) -> AtelierError:
    """Returns the error of an unsuccessful answer. `value` is its JSON, if any."""
    error = value.get("error") if isinstance(value, Mapping) and status >= 400 else None
    request_id = headers.get("x-request-id")
    retry_after_seconds = _retry_after(headers.get("retry-after"))
    if not isinstance(error, Mapping) or not _is_refusal(error):
        return UnexpectedAnswerError(
            f"Something other than the service answered with {status}.",
            code="unexpected_answer",
            status=status,
            retryable=status in (408, 429) or status >= 500,
            request_id=request_id,
            retry_after_seconds=retry_after_seconds,
        )
    return BY_CODE.get(error["code"], BY_KIND[kind_of(status, error["code"])])(
        error["message"],
        code=error["code"],
        status=status,
        retryable=error["retryable"],
        details=_details(error.get("details")),
        doc_url=error.get("docUrl"),
        request_id=request_id,
        retry_after_seconds=retry_after_seconds,
    )


def is_from_service(error: AtelierError) -> bool:
    """Whether the service itself refused the request, so that nothing was done."""
    return error.status != 0 and error.code != "unexpected_answer"


def _is_refusal(error: Mapping[str, Any]) -> bool:
    kinds = {"code": str, "message": str, "retryable": bool}
    return all(isinstance(error.get(name), kind) for name, kind in kinds.items())


def _details(value: Any) -> RefusalDetails:
    if not isinstance(value, Mapping):
        return RefusalDetails()
    try:
        return RefusalDetails.from_json(value)
    except (ArithmeticError, TypeError, ValueError):
        return RefusalDetails(raw=value)


def _retry_after(value: str | None) -> float | None:
    """Reads seconds or a date, and returns seconds."""
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
