"""Streams of events: how they are read, and what happens when they break."""

from __future__ import annotations

import json
import time
import unittest
from unittest import mock

from atelier_client import AtelierError, TimedOut, UnexpectedAnswer, _generation_states
from atelier_client._connection_errors import ProtocolError
from atelier_client._event_stream import EventReader

from .clients import Clients
from .scripted_server import Script, answered, gone_after, hang_up, raw, refusal

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
MISSING = refusal(404, "not_found")


def told(state: str, number: int = 1, **fields: object) -> bytes:
    value = json.dumps({"generationId": "gen_1", "state": state, **fields})
    return f"event: generation\nid: {number}\ndata: {value}\n\n".encode()


def stream(*events: bytes) -> Script:
    return raw(HEAD + b": hello\n\n" + b"".join(events))


class Reading(unittest.TestCase):
    def test_events_are_read_by_the_rules_of_the_standard(self) -> None:
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

    def test_names_of_events_and_pauses_are_kept(self) -> None:
        reader = EventReader()
        reader.events(b"id: 7\nretry: 1500\ndata: a\n\nid: a\0b\nretry: x\n\n")
        self.assertEqual((reader.last_event_id, reader.retry_seconds), ("7", 1.5))

    def test_an_event_without_an_end_is_given_up_and_looked_through_once(self) -> None:
        short_lines = (b"data: " + b"x" * 57 + b"\n") * 1024
        for piece in [b"x" * 65_536, b"data: " + b"x" * 65_529 + b"\n", short_lines]:
            reader = EventReader()
            took: list[float] = []
            with self.assertRaises(ProtocolError):
                for _ in range(200):
                    begun = time.process_time()
                    reader.events(piece)
                    took.append(time.process_time() - begun)
            # Whoever looks through all that has come, for each piece, takes ten times as long
            # for the last as for those at the beginning.
            self.assertLess(sum(took[-20:]), 5 * sum(took[:20]) + 0.1)

    def test_events_that_follow_one_another_are_never_too_large_together(self) -> None:
        reader = EventReader()
        for _ in range(200):
            self.assertEqual(len(reader.events(b"data: " + b"x" * 65_536 + b"\n\n")), 1)

    def test_a_pause_that_no_clock_can_wait_for_is_passed_over(self) -> None:
        for digits in (400, 5000):
            reader = EventReader()
            reader.events(b"retry: " + b"9" * digits + b"\n\n")
            self.assertIsNone(reader.retry_seconds)


class BlockingEvents(Clients, unittest.TestCase):
    def test_states_are_told_once_each_to_the_end(self) -> None:
        events = [
            told("queued", pollAfterSeconds=1),
            told("queued", pollAfterSeconds=2),
            b"event: other\ndata: 1\n\n",
            told("running", progress=0.5),
            told("ready"),
        ]
        server = self.scripted(stream(*events))
        found = list(self.client(server.base_url).events("gen_1"))
        self.assertEqual(
            [(each.state, each.progress) for each in found],
            [("queued", None), ("running", 0.5), ("ready", None)],
        )
        self.assertEqual(server.heard[0].target, "/api/v1/generations/gen_1/events")
        self.assertEqual(server.heard[0].headers["accept"], "text/event-stream")

    def test_a_stream_that_breaks_is_opened_again_where_it_stopped(self) -> None:
        busy = refusal(503, "service_unavailable", retryable=True, headers={"Retry-After": "9"})
        first = stream(told("queued", 4), b"event: generation\ndata: {")
        server = self.scripted(first, hang_up, busy, stream(told("failed", 5)))
        played = self.played()
        found = list(self.client(server.base_url, played=played).events("gen_1"))
        self.assertEqual([each.state for each in found], ["queued", "failed"])
        last = [heard.headers.get("last-event-id") for heard in server.heard]
        self.assertEqual(last, [None, "4", "4", "4"])
        self.assertEqual(played.pauses, [0.25, 0.5, 9.0])

    def test_a_service_without_streams_is_asked_by_held_requests(self) -> None:
        running = answered(
            200, {"generationId": "gen_1", "state": "running", "pollAfterSeconds": 3}
        )
        ended = answered(200, {"generationId": "gen_1", "state": "ready"})
        server = self.scripted(MISSING, running, ended)
        found = list(self.client(server.base_url, played=self.played()).events("gen_1"))
        self.assertEqual([each.state for each in found], ["running", "ready"])
        self.assertEqual(server.heard[-1].target, "/api/v1/generations/gen_1?wait=10")

    def test_a_stream_that_something_holds_back_is_left(self) -> None:
        ended = answered(200, {"generationId": "gen_1", "state": "ready"})
        server = self.scripted(gone_after(500, HEAD), ended)
        with mock.patch.object(_generation_states, "_IDLE_SECONDS_MAX", 0.05):
            found = list(self.client(server.base_url).events("gen_1"))
        self.assertEqual([each.state for each in found], ["ready"])

    def test_what_stays_ends_the_stream(self) -> None:
        for answer, expected in [
            (refusal(404, "generation_not_found"), AtelierError),
            (answered(200, {}), UnexpectedAnswer),
            (stream(b"event: generation\ndata: nothing\n\n"), UnexpectedAnswer),
        ]:
            server = self.scripted(answer)
            with self.assertRaises(expected):
                list(self.client(server.base_url, played=self.played()).events("gen_1"))
            self.assertEqual(len(server.heard), 1)

    def test_a_stream_has_an_end_in_time(self) -> None:
        server = self.scripted(stream(told("running")))
        found: list[str] = []
        with self.assertRaises(TimedOut):
            for each in self.client(server.base_url, played=self.played()).events(
                "gen_1", timeout_seconds=30
            ):
                found.append(each.state)
        self.assertEqual(found, ["running"])

    def test_a_run_tells_its_progress(self) -> None:
        started = answered(201, {"generationId": "gen_1", "state": "queued", "replayed": False})
        server = self.scripted(started, stream(told("running", progress=0.2), told("ready")))
        heard: list[float | None] = []
        ended = self.client(server.base_url).run(
            family_id="sandbox-image", on_progress=lambda each: heard.append(each.progress)
        )
        self.assertEqual((ended.state, heard), ("ready", [0.2, None]))


class AsyncEvents(BlockingEvents):
    is_async = True
