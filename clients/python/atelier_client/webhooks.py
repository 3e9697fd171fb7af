"""Verifies webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from .models import WebhookBody


class WebhookNotVerifiedError(Exception):
    """The request must not be processed: it is not proven to be genuine and new."""


class HeaderItems(Protocol):
    """Headers with `items`, such as a mapping or those of `http.server`."""

    def items(self) -> Iterable[tuple[Any, Any]]:
        """Returns names and values."""


Headers = HeaderItems | Iterable[tuple[str | bytes, str | bytes]]
"""Headers of any framework: a mapping, or pairs as in ASGI."""


def verify_webhook(
    body: bytes | bytearray | memoryview | str,
    headers: Headers,
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookBody:
    """Checks that a webhook is genuine and new, and returns its event.

    `body` is the exact received body, before JSON parsing. `secret` is the whole printed
    secret, `whsec_…`. Pass both secrets while one is replaced. `X-Service-Signature` is
    checked, or without it the signature of Standard Webhooks. Digests are
    compared in constant time. Raises WebhookNotVerifiedError.

    The same event can arrive again. Ignore an `id` that you have already handled.
    """
    content = body.encode() if isinstance(body, str) else bytes(body)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not all(secrets) or not secrets:
        raise ValueError("a secret is empty")
    given = _named(headers)
    is_ours = "x-service-signature" in given
    timestamp, is_signed = (_service if is_ours else _standard)(content, given, secrets)
    age = (time.time() if now is None else now) - timestamp
    if not abs(age) <= tolerance_seconds:
        raise WebhookNotVerifiedError("The signature is too old or in the future.")
    if not is_signed:
        raise WebhookNotVerifiedError("No signature fits the body.")
    try:
        return WebhookBody.from_json(json.loads(content))
    except (ArithmeticError, AttributeError, TypeError, ValueError, RecursionError) as error:
        raise WebhookNotVerifiedError("The body is not an event.") from error


def _service(content: bytes, headers: Mapping[str, str], secrets: list[str]) -> tuple[int, bool]:
    """Reads `t=<unix seconds>,v1=<hex>`, with several `v1` while a secret is replaced."""
    parts = [part.strip().partition("=") for part in headers["x-service-signature"].split(",")]
    timestamps = [value for name, _, value in parts if name == "t"]
    digests = [value for name, _, value in parts if name == "v1"]
    if len(timestamps) != 1:
        raise WebhookNotVerifiedError("The signature is invalid.")
    moment = _moment(timestamps[0])
    signed = timestamps[0].encode() + b"." + content
    keys = [secret.encode() for secret in secrets]
    read = [bytes.fromhex(each) for each in digests if re.fullmatch("[0-9a-f]{64}", each)]
    return moment, _is_any(signed, read, keys)


def _standard(content: bytes, headers: Mapping[str, str], secrets: list[str]) -> tuple[int, bool]:
    """Reads the headers of Standard Webhooks. Their key is the decoded secret."""
    try:
        identifier, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
        signatures = headers["webhook-signature"].split()
    except KeyError:
        raise WebhookNotVerifiedError("The request has no signature.") from None
    # Frameworks replace bytes that are not text by surrogates.
    signed = f"{identifier}.{timestamp}.".encode(errors="surrogateescape") + content
    keys = [key for secret in secrets if (key := _decoded(secret.removeprefix("whsec_")))]
    digests = [_decoded(each[3:]) for each in signatures if each.startswith("v1,")]
    return _moment(timestamp), _is_any(signed, digests, keys)


def _is_any(signed: bytes, digests: Iterable[bytes], keys: list[bytes]) -> bool:
    """Compares every digest with every key, even after a match."""
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    return any([hmac.compare_digest(each, one) for each in digests for one in expected])


def _moment(text: str) -> int:
    if not re.fullmatch("[0-9]{1,12}", text):
        raise WebhookNotVerifiedError("The signature is invalid.")
    return int(text)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _named(headers: Headers) -> dict[str, str]:
    pairs = headers.items() if hasattr(headers, "items") else headers
    named: dict[str, str] = {}
    for name, value in pairs:
        key = _decoded_header(name).lower()
        values = value if isinstance(value, (list, tuple)) else [value]
        text = ",".join(_decoded_header(each) for each in values)
        named[key] = f"{named[key]},{text}" if key in named else text
    return named


def _decoded_header(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
