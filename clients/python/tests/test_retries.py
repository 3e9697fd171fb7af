"""Which requests are repeated."""

from __future__ import annotations

import time
import unittest
from typing import Any

from atelier_client import (
    AtelierError,
    ConnectionFailedError,
    InsufficientCredits,
    ServiceUnavailable,
    TimedOutError,
    UnexpectedAnswerError,
)

from .clients import Clients
from .scripted_server import (
    answered,
    break_off,
    gone_after,
    hang_up,
    raw,
    refusal,
    silence,
    started,
)

PICTURE: dict[str, Any] = {"family_id": "sandbox-image", "prompt": "A door"}
BUSY = refusal(503, "service_unavailable", retryable=True, headers={"Retry-After": "7"})
FILE = answered(201, {"fileId": "file_1", "state": "ready"})
GATEWAY = raw(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 4\r\n\r\nnope")


class BlockingRetries(Clients, unittest.TestCase):

    def test_a_start_keeps_one_key_through_all_its_attempts(self) -> None:
        server = self.scripted(hang_up, break_off, BUSY, GATEWAY, started)
        simulated = self.simulated()
        made = self.client(server.base_url, simulated=simulated).start(**PICTURE)
        self.assertEqual(made.generation_id, "gen_1")
        keys = {request.headers["idempotency-key"] for request in server.requests}
        self.assertEqual((len(server.requests), len(keys)), (5, 1))
        self.assertEqual(len({request.body for request in server.requests}), 1)
        self.assertEqual(simulated.pauses, [0.25, 0.5, 7.0, 2.0])

    def test_two_starts_have_two_keys_and_a_failure_has_its_key(self) -> None:
        server = self.scripted(hang_up)
        client = self.client(server.base_url, simulated=self.simulated(), attempts_max=1)
        keys: set[str | None] = set()
        for _ in range(2):
            with self.assertRaises(ConnectionFailedError) as caught:
                client.start(**PICTURE)
            keys.add(caught.exception.idempotency_key)
        self.assertEqual(keys, {request.headers["idempotency-key"] for request in server.requests})
        self.assertEqual(len(keys), 2)

    def test_attempts_and_their_total_time_are_limited(self) -> None:
        server, simulated = self.scripted(hang_up), self.simulated()
        with self.assertRaises(ConnectionFailedError):
            self.client(server.base_url, simulated=simulated).get_account()
        self.assertEqual(len(server.requests), 6)
        late = refusal(429, "rate_limited", retryable=True, headers={"Retry-After": "59"})
        server, simulated = self.scripted(late), self.simulated()
        with self.assertRaises(AtelierError):
            self.client(server.base_url, simulated=simulated).get_account()
        self.assertEqual(simulated.pauses, [59.0])

    def test_a_permanent_refusal_is_not_repeated(self) -> None:
        for status, code, retryable in [
            (400, "invalid_request", False),
            (402, "insufficient_credits", True),
            (402, "spend_limit_exceeded", True),
        ]:
            with self.subTest(code):
                server = self.scripted(refusal(status, code, retryable=retryable))
                with self.assertRaises(AtelierError) as caught:
                    self.client(server.base_url, simulated=self.simulated()).start(**PICTURE)
                self.assertEqual((caught.exception.code, len(server.requests)), (code, 1))

    def test_an_upload_is_repeated_only_after_a_refusal(self) -> None:
        server = self.scripted(BUSY, FILE)
        file = self.client(server.base_url, simulated=self.simulated()).upload_file(b"content")
        self.assertEqual((file.file_id, len(server.requests)), ("file_1", 2))
        for fault, expected in [
            (hang_up, ConnectionFailedError),
            (break_off, ConnectionFailedError),
            (GATEWAY, UnexpectedAnswerError),
        ]:
            server = self.scripted(fault, FILE)
            with self.assertRaises(expected):
                self.client(server.base_url, simulated=self.simulated()).upload_file(b"content")
            self.assertEqual(len(server.requests), 1)

    def test_a_call_without_an_answer_ends_at_its_time_limit(self) -> None:
        slow = gone_after(9000, b"HTTP/1.1 200 OK\r\nContent-Length: 9")
        for fault in [silence, slow]:
            server = self.scripted(fault)
            began = time.monotonic()
            with self.assertRaises(TimedOutError):
                self.client(server.base_url).get_account(timeout_seconds=0.15)
            self.assertLess(time.monotonic() - began, 5)
            self.assertLessEqual(len(server.requests), 1)

    def test_a_slow_answer_ends_at_the_time_limit_of_the_call(self) -> None:
        def drip(connected: Any) -> bool:
            connected.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
            for _ in range(20):
                connected.sendall(b" ")
                time.sleep(0.03)
            return False

        server = self.scripted(drip)
        with self.assertRaises(TimedOutError):
            self.client(server.base_url).get_account(timeout_seconds=0.15)

    def test_a_refusal_arrives_unchanged(self) -> None:
        details = {"credits": 8, "creditsAvailable": 0.3, "more": [1]}
        server = self.scripted(refusal(402, "insufficient_credits", details=details))
        with self.assertRaises(InsufficientCredits) as caught:
            self.client(server.base_url, simulated=self.simulated()).start(**PICTURE)
        error = caught.exception
        self.assertEqual((error.status, error.kind, error.request_id), (402, "credits", "req_1"))
        self.assertEqual(str(error.details.credits_available), "0.3")
        self.assertEqual(error.details.raw["more"], [1])
        self.assertEqual(error.doc_url, "https://docs.example/insufficient_credits")

    def test_a_wait_retries_temporary_errors(self) -> None:
        running = answered(
            200, {"generationId": "gen_1", "state": "running", "pollAfterSeconds": 3}
        )
        ended = answered(200, {"generationId": "gen_1", "state": "failed"})
        server, simulated = self.scripted(running, *[BUSY] * 7, ended), self.simulated()
        client = self.client(server.base_url, simulated=simulated)
        self.assertEqual(client.wait_until_done("gen_1").state, "failed")
        self.assertEqual(
            {request.target for request in server.requests}, {"/api/v1/generations/gen_1?wait=60"}
        )

    def test_a_wait_times_out_and_asks_for_at_most_the_remaining_time(self) -> None:
        running = answered(
            200, {"generationId": "gen_1", "state": "running", "pollAfterSeconds": 30}
        )
        server = self.scripted(running)
        with self.assertRaises(TimedOutError) as caught:
            self.client(server.base_url, simulated=self.simulated()).wait_until_done(
                "gen_1", timeout_seconds=70
            )
        self.assertEqual(caught.exception.details.raw, {"generationId": "gen_1"})
        asked = [request.target.partition("wait=")[2] for request in server.requests]
        self.assertEqual(asked, ["60", "40", "10", ""])

    def test_a_permanent_error_ends_a_wait(self) -> None:
        server = self.scripted(refusal(404, "generation_not_found"))
        with self.assertRaises(AtelierError):
            self.client(server.base_url, simulated=self.simulated()).wait_until_done("gen_1")
        self.assertEqual(len(server.requests), 1)

    def test_service_unavailable_has_its_own_class(self) -> None:
        server = self.scripted(BUSY)
        with self.assertRaises(ServiceUnavailable) as caught:
            self.client(server.base_url, simulated=self.simulated(), attempts_max=1).get_account()
        self.assertEqual(caught.exception.retry_after_seconds, 7)


class AsyncRetries(BlockingRetries):
    is_async = True
