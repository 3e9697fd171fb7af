"""The backend of `AsyncAtelier`: connections of the running event loop."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ._backend import Limit, Peer, Stream
from ._tls import check_tunnel, tls_context

Value = TypeVar("Value")
Opened = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class AsyncioStream:
    """A connection. The deadline closes it, which ends every pending operation."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self, bytes_max: int, limit: Limit) -> bytes:
        with self._cut_after(limit.left()):
            return await self._reader.read(bytes_max)

    async def write(self, data: bytes, limit: Limit) -> None:
        with self._cut_after(limit.left()):
            self._writer.write(data)
            await self._writer.drain()

    def is_fresh(self) -> bool:
        return not self._reader.at_eof() and not self._writer.is_closing()

    def close(self) -> None:
        self._writer.transport.abort()

    @contextmanager
    def _cut_after(self, seconds: float | None) -> Iterator[None]:
        if seconds is None:
            yield
            return
        is_over = False

        def cut() -> None:
            nonlocal is_over
            is_over = True
            self.close()

        timer = asyncio.get_running_loop().call_later(seconds, cut)
        try:
            yield
        except OSError:
            if not is_over:
                raise
        finally:
            timer.cancel()
        if is_over:
            raise TimeoutError


class AsyncioBackend:
    """Never blocks the event loop, and uses no thread to wait."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def random(self) -> float:
        return random.random()

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def in_background(self, work: Callable[[], Value]) -> Value:
        return await asyncio.to_thread(work)

    def owner(self) -> object:
        return asyncio.get_running_loop()

    def release(self, stream: Stream) -> None:
        # Only its own event loop may close it, and that loop has usually ended.
        pass

    async def connect(self, peer: Peer, limit: Limit) -> Stream:
        opening = asyncio.ensure_future(_open(peer))
        try:
            await asyncio.wait({opening}, timeout=limit.left())
            if not opening.done():
                raise TimeoutError
            return AsyncioStream(*opening.result())
        except BaseException:
            opening.add_done_callback(_close_unused)
            opening.cancel()
            raise


async def _open(peer: Peer) -> Opened:
    tls = tls_context() if peer.tls_name is not None else None
    if peer.tunnel is None:
        return await asyncio.open_connection(
            peer.host, peer.port, ssl=tls, server_hostname=peer.tls_name
        )
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(peer.host, peer.port, type=socket.SOCK_STREAM)
    family, kind, protocol, _, address = found[0]
    tunnel = socket.socket(family, kind, protocol)
    try:
        tunnel.setblocking(False)
        await loop.sock_connect(tunnel, address)
        await loop.sock_sendall(tunnel, peer.tunnel)
        answer = b""
        while check_tunnel(answer) is False:
            chunk = await loop.sock_recv(tunnel, 1)
            if not chunk:
                raise ConnectionError("the proxy hung up")
            answer += chunk
        return await asyncio.open_connection(sock=tunnel, ssl=tls, server_hostname=peer.tls_name)
    except BaseException:
        tunnel.close()
        raise


def _close_unused(opening: asyncio.Future[Opened]) -> None:
    """Closes a connection that was opened too late, and ignores a late error."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result()[1].transport.abort()
