"""Cancelled tasks, waits and many simultaneous tasks."""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
import time
import unittest
import warnings

from atelier_client import AsyncAtelier, TimedOutError
from atelier_client._backend import Limit, Peer
from atelier_client._asyncio_backend import AsyncioBackend

from .clients import KEY
from .scripted_server import ScriptedServer, answered, gone_after, raw, silence

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
RUNNING = b'event: generation\ndata: {"generationId":"gen_1","state":"running"}\n\n'


async def until(is_true: object, *, seconds: float = 2) -> None:
    """Waits until another thread makes the condition true."""
    ends_at = time.monotonic() + seconds
    while not is_true():  # type: ignore[operator]
        if time.monotonic() > ends_at:
            raise AssertionError("it did not come")
        await asyncio.sleep(0.002)


class EventLoop(unittest.IsolatedAsyncioTestCase):
    def scripted(self, *answers: object) -> ScriptedServer:
        server = ScriptedServer(*answers)  # type: ignore[arg-type]
        self.addCleanup(server.__exit__)
        return server

    def client(self, server: ScriptedServer, timeout_seconds: float = 60) -> AsyncAtelier:
        client = AsyncAtelier(base_url=server.base_url, key=KEY, timeout_seconds=timeout_seconds)
        self.addAsyncCleanup(client.close)
        return client

    async def test_a_cancelled_task_ends_at_once_and_closes_its_connection(self) -> None:
        server = self.scripted(silence)
        waiting = asyncio.create_task(self.client(server).get_generation("gen_1", wait=60))
        await until(lambda: server.requests)
        began = time.monotonic()
        waiting.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await waiting
        await until(lambda: server.open_connections == 0)
        self.assertLess(time.monotonic() - began, 2)

    async def test_a_cancelled_stream_ends_at_once_and_closes_its_connection(self) -> None:
        server = self.scripted(gone_after(5000, STREAM + RUNNING))
        states: list[str] = []

        async def follow() -> None:
            async for generation in self.client(server).events("gen_1"):
                states.append(generation.state)

        following = asyncio.create_task(follow())
        await until(lambda: states)
        following.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await following
        self.assertEqual(states, ["running"])

    async def test_a_cancel_between_attempts_ends_the_call(self) -> None:
        server = self.scripted(answered(503, {}, {"Retry-After": "50"}))
        asking = asyncio.create_task(self.client(server).get_account())
        await until(lambda: server.requests)
        await asyncio.sleep(0.01)
        asking.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await asking

    async def test_a_timeout_of_the_caller_ends_the_call(self) -> None:
        server = self.scripted(silence)
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(self.client(server).get_account(), 0.05)
        await until(lambda: server.open_connections == 0)

    async def test_two_hundred_waits_use_no_threads(self) -> None:
        gate = threading.Event()
        self.addCleanup(gate.set)
        ended = answered(200, {"generationId": "gen_1", "state": "ready"})

        def held(connected: object) -> bool:
            gate.wait(5)
            return ended(connected)  # type: ignore[arg-type]

        server = self.scripted(held)
        client = self.client(server)
        waits = [asyncio.create_task(client.wait_until_done(f"gen_{n}")) for n in range(200)]
        await until(lambda: len(server.requests) == 200, seconds=4)
        self.assertEqual(await asyncio.wait_for(asyncio.to_thread(lambda: "free"), 1), "free")
        ours = [each.name for each in threading.enumerate() if each.name.startswith("asyncio_")]
        self.assertLess(len(ours), 40)
        gate.set()
        found = await asyncio.gather(*waits)
        self.assertEqual({generation.state for generation in found}, {"ready"})

    async def test_the_time_limit_of_a_call_includes_connecting(self) -> None:
        server = self.scripted(silence)
        with self.assertRaises(TimedOutError):
            await self.client(server, timeout_seconds=0.05).get_account()
        with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
            address = full.getsockname()
            with socket.create_connection(address), self.assertRaises(TimeoutError):
                peer = Peer(address[0], address[1], None, None)
                await AsyncioBackend().connect(peer, Limit(0.05))

    async def test_progress_can_be_a_function_or_a_coroutine_function(self) -> None:
        ended = b'event: generation\ndata: {"generationId":"gen_1","state":"ready"}\n\n'
        server = self.scripted(raw(STREAM + RUNNING + RUNNING + ended))
        states: list[str] = []

        async def hear(generation: object) -> None:
            await asyncio.sleep(0)
            states.append(generation.state)  # type: ignore[attr-defined]

        client = self.client(server)
        await client.wait_until_done("gen_1", on_progress=hear)
        await client.wait_until_done("gen_1", on_progress=lambda each: states.append(each.state))
        self.assertEqual(states, ["running", "ready"] * 2)


class TwoLoops(unittest.TestCase):
    def test_a_client_works_in_a_second_event_loop(self) -> None:
        with ScriptedServer(answered(200, {"creditsAvailable": 5})) as server:
            client = AsyncAtelier(base_url=server.base_url, key=KEY)
            with warnings.catch_warnings():
                # The client was not closed in the first loop.
                warnings.simplefilter("ignore", ResourceWarning)
                for _ in range(2):
                    account = asyncio.run(client.get_account())
                    self.assertEqual(account.credits_available, 5)
                del client
                gc.collect()
            self.assertEqual(server.connections, 2)
