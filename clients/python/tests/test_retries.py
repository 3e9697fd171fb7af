"""What is sent again, and what is not."""

from __future__ import annotations

import time
import unittest
from typing import Any

from atelier_client import (
    AtelierError,
    ConnectionFailed,
    InsufficientCredits,
    ServiceUnavailable,
    TimedOut,
    UnexpectedAnswer,
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
        server, played = self.scripted(hang_up, break_off, BUSY, GATEWAY, started), self.played()
        made = self.client(server.base_url, played=played).start(**PICTURE)
        self.assertEqual(made.generation_id, "gen_1")
        keys = {heard.headers["idempotency-key"] for heard in server.heard}
        self.assertEqual((len(server.heard), len(keys)), (5, 1))
        self.assertEqual(len({heard.body for heard in server.heard}), 1)
        self.assertEqual(played.pauses, [0.25, 0.5, 7.0, 2.0])

    def test_two_starts_have_two_keys_and_what_fails_tells_its_own(self) -> None:
        server = self.scripted(hang_up)
        client = self.client(server.base_url, played=self.played(), attempts_max=1)
        told = set()
        for _ in range(2):
            with self.assertRaises(ConnectionFailed) as caught:
                client.start(**PICTURE)
            told.add(caught.exception.idempotency_key)
        self.assertEqual(told, {heard.headers["idempotency-key"] for heard in server.heard})
        self.assertEqual(len(told), 2)

    def test_attempts_and_their_time_are_bounded(self) -> None:
        server, played = self.scripted(hang_up), self.played()
        with self.assertRaises(ConnectionFailed):
            self.client(server.base_url, played=played).get_account()
        self.assertEqual(len(server.heard), 6)
        late = refusal(429, "rate_limited", retryable=True, headers={"Retry-After": "59"})
        server, played = self.scripted(late), self.played()
        with self.assertRaises(AtelierError):
            self.client(server.base_url, played=played).get_account()
        self.assertEqual(played.pauses, [59.0])

    def test_what_does_not_pass_is_asked_once(self) -> None:
        for status, code, retryable in [
            (400, "invalid_request", False),
            (402, "insufficient_credits", True),
            (402, "spend_limit_exceeded", True),
        ]:
            with self.subTest(code):
                server = self.scripted(refusal(status, code, retryable=retryable))
                with self.assertRaises(AtelierError) as caught:
                    self.client(server.base_url, played=self.played()).start(**PICTURE)
                self.assertEqual((caught.exception.code, len(server.heard)), (code, 1))

    def test_an_upload_is_sent_again_only_when_the_service_said_no(self) -> None:
        server = self.scripted(BUSY, FILE)
        file = self.client(server.base_url, played=self.played()).upload_file(b"content")
        self.assertEqual((file.file_id, len(server.heard)), ("file_1", 2))
        for fault, expected in [
            (hang_up, ConnectionFailed),
            (break_off, ConnectionFailed),
            (GATEWAY, UnexpectedAnswer),
        ]:
            server = self.scripted(fault, FILE)
            with self.assertRaises(expected):
                self.client(server.base_url, played=self.played()).upload_file(b"content")
            self.assertEqual(len(server.heard), 1)

    def test_silence_ends_with_the_time_of_the_call(self) -> None:
        slow = gone_after(9000, b"HTTP/1.1 200 OK\r\nContent-Length: 9")
        for fault in [silence, slow]:
            server = self.scripted(fault)
            began = time.monotonic()
            with self.assertRaises(TimedOut):
                self.client(server.base_url).get_account(timeout_seconds=0.15)
            self.assertLess(time.monotonic() - began, 5)
            self.assertLessEqual(len(server.heard), 1)

    def test_an_answer_that_drips_does_not_outlast_the_time_of_the_call(self) -> None:
        def drip(connected: Any) -> bool:
            connected.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
            for _ in range(20):
                connected.sendall(b" ")
                time.sleep(0.03)
            return False

        server = self.scripted(drip)
        with self.assertRaises(TimedOut):
            self.client(server.base_url).get_account(timeout_seconds=0.15)

    def test_a_refusal_arrives_as_it_was_said(self) -> None:
        details = {"credits": 8, "creditsAvailable": 0.3, "more": [1]}
        server = self.scripted(refusal(402, "insufficient_credits", details=details))
        with self.assertRaises(InsufficientCredits) as caught:
            self.client(server.base_url, played=self.played()).start(**PICTURE)
        error = caught.exception
        self.assertEqual((error.status, error.kind, error.request_id), (402, "credits", "req_1"))
        self.assertEqual(str(error.details.credits_available), "0.3")
        self.assertEqual(error.details.raw["more"], [1])
        self.assertEqual(error.doc_url, "https://docs.example/insufficient_credits")

    def test_a_wait_goes_on_where_errors_pass(self) -> None:
        running = answered(
            200, {"generationId": "gen_1", "state": "running", "pollAfterSeconds": 3}
        )
        ended = answered(200, {"generationId": "gen_1", "state": "failed"})
        server, played = self.scripted(running, *[BUSY] * 7, ended), self.played()
        client = self.client(server.base_url, played=played)
        self.assertEqual(client.wait_until_done("gen_1").state, "failed")
        self.assertEqual(
            {heard.target for heard in server.heard}, {"/api/v1/generations/gen_1?wait=60"}
        )

    def test_a_wait_that_is_over_says_so_and_asks_for_no_more_time_than_is_left(self) -> None:
        running = answered(
            200, {"generationId": "gen_1", "state": "running", "pollAfterSeconds": 30}
        )
        server = self.scripted(running)
        with self.assertRaises(TimedOut) as caught:
            self.client(server.base_url, played=self.played()).wait_until_done(
                "gen_1", timeout_seconds=70
            )
        self.assertEqual(caught.exception.details.raw, {"generationId": "gen_1"})
        asked = [heard.target.partition("wait=")[2] for heard in server.heard]
        self.assertEqual(asked, ["60", "40", "10", ""])

    def test_an_error_that_stays_ends_a_wait(self) -> None:
        server = self.scripted(refusal(404, "generation_not_found"))
        with self.assertRaises(AtelierError):
            self.client(server.base_url, played=self.played()).wait_until_done("gen_1")
        self.assertEqual(len(server.heard), 1)

    def test_service_unavailable_is_a_class_of_its_own(self) -> None:
        server = self.scripted(BUSY)
        with self.assertRaises(ServiceUnavailable) as caught:
            self.client(server.base_url, played=self.played(), attempts_max=1).get_account()
        self.assertEqual(caught.exception.retry_after_seconds, 7)


class AsyncRetries(BlockingRetries):
    is_async = True
