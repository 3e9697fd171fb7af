"""One client in many threads and processes, and how it is closed."""

from __future__ import annotations

import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

from .clients import Clients
from .scripted_server import answered, raw, silence

ACCOUNT = answered(200, {"creditsAvailable": 5})


class Sharing(Clients, unittest.TestCase):
    def test_threads_share_a_client_and_its_connections(self) -> None:
        server = self.scripted(ACCOUNT)
        client = self.client(server.base_url)
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda _: client.get_account().credits_available, range(80)))
        self.assertEqual(set(found), {5})
        self.assertLessEqual(server.connections, 16)

    def test_a_child_process_uses_no_connection_of_its_parent(self) -> None:
        server = self.scripted(ACCOUNT)
        client = self.client(server.base_url)
        client.get_account()
        with mock.patch("os.getpid", return_value=-1):
            client.get_account()
        self.assertEqual(server.connections, 2)

    def test_close_closes_the_pooled_connections(self) -> None:
        server = self.scripted(ACCOUNT)
        with self.client(server.base_url) as client:
            client.get_account()
        ended = threading.Event()
        for _ in range(200):
            if server.open_connections == 0:
                ended.set()
                break
            time.sleep(0.005)
        self.assertTrue(ended.is_set())

    def test_leaving_the_loop_of_a_stream_closes_its_connection(self) -> None:
        state = b'event: generation\ndata: {"generationId":"gen_1","state":"running"}\n\n'
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

        def stream(connected: object) -> bool:
            raw(head + state)(connected)  # type: ignore[arg-type]
            return silence(connected)  # type: ignore[arg-type]

        server = self.scripted(stream)
        for generation in self.client(server.base_url).events("gen_1"):
            self.assertEqual(generation.state, "running")
            break
        while server.open_connections > 0:
            time.sleep(0.001)
