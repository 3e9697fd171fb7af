"""Which webhooks are accepted and which are refused."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import unittest
from email.message import Message
from typing import Any

from atelier_client import WebhookNotVerifiedError, verify_webhook

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
OTHER = "whsec_" + base64.b64encode(bytes(range(1, 33))).decode()
NOW = 1_763_640_000
EVENT = {
    "id": "evt_1",
    "event": "generation.completed",
    "createdAt": "2026-11-20T12:00:00.000Z",
    "data": {"generation": {"generationId": "gen_1", "state": "ready", "creditsCharged": 2.5}},
}
BODY = json.dumps(EVENT).encode()


def digest(secret: str = SECRET, body: bytes = BODY, at: int = NOW) -> str:
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()


def standard(secret: str = SECRET, body: bytes = BODY, at: int = NOW) -> str:
    key = base64.b64decode(secret[6:])
    signed = hmac.new(key, f"evt_1.{at}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(signed).decode()


def service(*parts: str) -> dict[str, str]:
    return {"X-Service-Signature": ",".join([f"t={NOW}", *parts])}


def standard_headers(signature: str) -> dict[str, str]:
    identity = {"webhook-id": "evt_1", "webhook-timestamp": str(NOW)}
    return {**identity, "webhook-signature": signature}


class Webhooks(unittest.TestCase):
    def verified(self, headers: Any, secret: Any = SECRET, **options: Any) -> Any:
        return verify_webhook(options.pop("body", BODY), headers, secret, now=NOW, **options)

    def test_a_signed_webhook_is_an_event(self) -> None:
        event = self.verified(service(f"v1={digest()}"))
        self.assertEqual((event.id, event.event), ("evt_1", "generation.completed"))
        self.assertEqual(event.data.generation.generation_id, "gen_1")
        self.assertEqual(str(event.data.generation.credits_charged), "2.5")
        self.assertEqual(event.raw, EVENT)

    def test_while_a_secret_is_replaced_one_matching_signature_is_enough(self) -> None:
        both = service(f"v1={digest(OTHER)}", f"v1={digest()}")
        self.assertEqual(self.verified(both).id, "evt_1")
        self.assertEqual(self.verified(both, OTHER).id, "evt_1")
        self.assertEqual(self.verified(service(f"v1={digest()}"), [OTHER, SECRET]).id, "evt_1")
        rotated = standard_headers(f"{standard(OTHER)} {standard()}")
        self.assertEqual(self.verified(rotated).id, "evt_1")

    def test_the_headers_of_standard_webhooks_are_accepted(self) -> None:
        self.assertEqual(self.verified(standard_headers(standard())).id, "evt_1")

    def test_headers_of_any_framework_are_accepted(self) -> None:
        signature = service(f"v1={digest()}")["X-Service-Signature"]
        message = Message()
        message["x-service-signature"] = signature
        pairs = [(b"host", b"a"), (b"x-service-signature", signature.encode())]
        for headers in [message, pairs, {"X-SERVICE-SIGNATURE": [signature]}]:
            self.assertEqual(self.verified(headers).id, "evt_1")
        for body in [bytearray(BODY), memoryview(BODY), BODY.decode()]:
            self.assertEqual(self.verified(service(f"v1={digest()}"), body=body).id, "evt_1")

    def test_an_unsigned_webhook_is_refused(self) -> None:
        good = f"v1={digest()}"
        for name, headers in [
            ("nothing", {}),
            ("another secret", service(f"v1={digest(OTHER)}")),
            ("another body", service(f"v1={digest(body=b'{}')}")),
            ("another moment", service(f"v1={digest(at=NOW + 1)}")),
            ("another scheme", service(f"v0={digest()}")),
            ("capitals", service(f"v1={digest().upper()}")),
            ("a part of it", service(f"v1={digest()[:32]}")),
            ("two moments", service(f"t={NOW}", good)),
            ("no moment", {"x-service-signature": good}),
            ("an invalid timestamp", {"x-service-signature": f"t=٣,{good}"}),
            ("standard by another", standard_headers(standard(OTHER))),
            ("standard of another scheme", standard_headers(standard().replace("v1,", "v1a,"))),
            ("standard without an id", {"webhook-signature": standard()}),
            (
                "standard beside a wrong one of ours",
                {**standard_headers(standard()), **service(f"v1={digest(OTHER)}")},
            ),
            ("standard that is no base64", standard_headers("v1,***")),
            ("bytes that are no text", {"x-service-signature": f"t=\udcff,{good}"}),
            ("standard of no text", {**standard_headers("v1,\udcff"), "webhook-id": "\udcff"}),
        ]:
            with self.subTest(name), self.assertRaises(WebhookNotVerifiedError):
                self.verified(headers)

    def test_an_old_or_future_webhook_is_refused(self) -> None:
        for age in (-301, 301):
            with self.assertRaises(WebhookNotVerifiedError):
                verify_webhook(BODY, service(f"v1={digest()}"), SECRET, now=NOW + age)
        old = service(f"v1={digest()}")
        self.assertEqual(verify_webhook(BODY, old, SECRET, now=NOW + 300).id, "evt_1")
        with self.assertRaises(WebhookNotVerifiedError):
            self.verified(old, tolerance_seconds=float("nan"))
        with self.assertRaises(WebhookNotVerifiedError):
            verify_webhook(BODY, service(f"v1={digest()}"), SECRET)
        now = int(time.time())
        headers = {"x-service-signature": f"t={now},v1={digest(at=now)}"}
        self.assertEqual(verify_webhook(BODY, headers, SECRET).id, "evt_1")

    def test_a_signed_body_that_is_not_an_event_is_refused(self) -> None:
        for body in [b"", b"[]", b"nothing", b'"\xff"', b'{"createdAt":"soon"}']:
            with self.assertRaises(WebhookNotVerifiedError):
                self.verified(service(f"v1={digest(body=body)}"), body=body)

    def test_an_empty_secret_is_an_error_of_the_receiver(self) -> None:
        for secret in ["", [], [SECRET, ""]]:
            with self.assertRaises(ValueError):
                self.verified(service(f"v1={digest('')}"), secret)
