"""Event streams: parsing and broken connections."""

from __future__ import annotations

import json
import time
import unittest
from unittest import mock

from atelier_client import AtelierError, TimedOutError, UnexpectedAnswerError, _generation_states
from atelier_client._connection_errors import ProtocolError
from atelier_client._event_stream import EventReader

from .clients import Clients
from .scripted_server import Script, answered, gone_after, hang_up, raw, refusal

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
MISSING = refusal(404, "not_found")


def event_bytes(state: str, number: int = 1, **fields: object) -> bytes:
    value = json.dumps({"generationId": "gen_1", "state": state, **fields})
    return f"event: generation\nid: {number}\ndata: {value}\n\n".encode()


def stream(*events: bytes) -> Script:
    return raw(HEAD + b": hello\n\n" + b"".join(events))


class Reading(unittest.TestCase):
    def test_events_are_parsed_by_the_standard(self) -> None:
        for name, text, expected in [
            ("plain", "data: a\n\n", [("message", "a")]),
            ("named", "event: x\ndata: a\n\n", [("x", "a")]),
            ("of several lines", "data: a\ndata:b\ndata\n\n", [("message", "a\nb\n")]),
            (
                "with all ends of lines",
                "data: a\r\rdata: b\r\n\r\n",
                [("message", "a"), ("message", "b")],
            ),
            ("after a mark", "\ufeffdata: a\n\n", [("message", "a")]),
            ("with comments and others", ": c\nother: x\ndata: a\n\n", [("message", "a")]),
            ("without data", "event: x\n\ndata: a\n\n", [("message", "a")]),
            ("broken off", "data: a\n\ndata: b\n", [("message", "a")]),
            ("in letters of all sizes", "data: ü€🐚\n\n", [("message", "ü€🐚")]),
        ]:
            for size in (1, 3, 1000):
                with self.subTest(name, size=size):
                    reader, content = EventReader(), text.encode()
                    cuts = range(0, len(content), size)
                    found = [each for at in cuts for each in reader.events(content[at : at + size])]
                    self.assertEqual([(each.type, each.data) for each in found], expected)

    def test_event_types_and_retry_delays_are_kept(self) -> None:
        reader = EventReader()
        reader.events(b"id: 7\nretry: 1500\ndata: a\n\nid: a\0b\nretry: x\n\n")
        self.assertEqual((reader.last_event_id, reader.retry_seconds), ("7", 1.5))

    def test_an_endless_event_is_refused_and_scanned_once(self) -> None:
        short_lines = (b"data: " + b"x" * 57 + b"\n") * 1024
        for piece in [b"x" * 65_536, b"data: " + b"x" * 65_529 + b"\n", short_lines]:
            reader = EventReader()
            took: list[float] = []
            with self.assertRaises(ProtocolError):
                for _ in range(200):
                    begun = time.process_time()
                    reader.events(piece)
                    took.append(time.process_time() - begun)
            # Scanning the whole line for each piece would make the last pieces ten times as
            # slow as the first.
            self.assertLess(sum(took[-20:]), 5 * sum(took[:20]) + 0.1)

    def test_consecutive_events_are_not_limited_in_total(self) -> None:
        reader = EventReader()
        for _ in range(200):
            self.assertEqual(len(reader.events(b"data: " + b"x" * 65_536 + b"\n\n")), 1)

    def test_an_impossible_retry_delay_is_ignored(self) -> None:
        for digits in (400, 5000):
            reader = EventReader()
            reader.events(b"retry: " + b"9" * digits + b"\n\n")
            self.assertIsNone(reader.retry_seconds)


class BlockingEvents(Clients, unittest.TestCase):
    def test_each_state_is_yielded_once_until_the_end(self) -> None:
        events = [
            event_bytes("queued", pollAfterSeconds=1),
            event_bytes("queued", pollAfterSeconds=2),
            b"event: other\ndata: 1\n\n",
            event_bytes("running", progress=0.5),
            event_bytes("ready"),
        ]
        server = self.scripted(stream(*events))
        found = list(self.client(server.base_url).events("gen_1"))
        self.assertEqual(
            [(each.state, each.progress) for each in found],
            [("queued", None), ("running", 0.5), ("ready", None)],
        )
        self.assertEqual(server.requests[0].target, "/api/v1/generations/gen_1/events")
        self.assertEqual(server.requests[0].headers["accept"], "text/event-stream")

    def test_a_broken_stream_continues_where_it_stopped(self) -> None:
        busy = refusal(503, "service_unavailable", retryable=True, headers={"Retry-After": "9"})
        first = stream(event_bytes("queued", 4), b"event: generation\ndata: {")
        server = self.scripted(first, hang_up, busy, stream(event_bytes("failed", 5)))
        simulated = self.simulated()
        found = list(self.client(server.base_url, simulated=simulated).events("gen_1"))
        self.assertEqual([each.state for each in found], ["queued", "failed"])
        last = [request.headers.get("last-event-id") for request in server.requests]
        self.assertEqual(last, [None, "4", "4", "4"])
        self.assertEqual(simulated.pauses, [0.25, 0.5, 9.0])

    def test_a_service_without_streams_is_polled(self) -> None:
        running = answered(
            200, {"generationId": "gen_1", "state": "running", "pollAfterSeconds": 3}
        )
        ended = answered(200, {"generationId": "gen_1", "state": "ready"})
        server = self.scripted(MISSING, running, ended)
        found = list(self.client(server.base_url, simulated=self.simulated()).events("gen_1"))
        self.assertEqual([each.state for each in found], ["running", "ready"])
        self.assertEqual(server.requests[-1].target, "/api/v1/generations/gen_1?wait=10")

    def test_a_buffered_stream_is_replaced_by_polling(self) -> None:
        ended = answered(200, {"generationId": "gen_1", "state": "ready"})
        server = self.scripted(gone_after(500, HEAD), ended)
        with mock.patch.object(_generation_states, "_IDLE_SECONDS_MAX", 0.05):
            found = list(self.client(server.base_url).events("gen_1"))
        self.assertEqual([each.state for each in found], ["ready"])

    def test_a_permanent_error_ends_the_stream(self) -> None:
        for answer, expected in [
            (refusal(404, "generation_not_found"), AtelierError),
            (answered(200, {}), UnexpectedAnswerError),
            (stream(b"event: generation\ndata: nothing\n\n"), UnexpectedAnswerError),
        ]:
            server = self.scripted(answer)
            with self.assertRaises(expected):
                list(self.client(server.base_url, simulated=self.simulated()).events("gen_1"))
            self.assertEqual(len(server.requests), 1)

    def test_a_stream_ends_at_its_time_limit(self) -> None:
        server = self.scripted(stream(event_bytes("running")))
        found: list[str] = []
        with self.assertRaises(TimedOutError):
            for each in self.client(server.base_url, simulated=self.simulated()).events(
                "gen_1", timeout_seconds=30
            ):
                found.append(each.state)
        self.assertEqual(found, ["running"])

    def test_a_run_reports_its_progress(self) -> None:
        started = answered(201, {"generationId": "gen_1", "state": "queued", "replayed": False})
        states = stream(event_bytes("running", progress=0.2), event_bytes("ready"))
        server = self.scripted(started, states)
        progress: list[float | None] = []
        ended = self.client(server.base_url).run(
            family_id="sandbox-image", on_progress=lambda each: progress.append(each.progress)
        )
        self.assertEqual((ended.state, progress), ("ready", [0.2, None]))


class AsyncEvents(BlockingEvents):
    is_async = True
