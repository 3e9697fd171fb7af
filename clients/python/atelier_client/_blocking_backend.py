"""The backend of `Atelier`: blocking sockets."""

from __future__ import annotations

import os
import random
import selectors
import socket
import time
from collections.abc import Callable
from typing import TypeVar

from ._backend import Limit, Peer, Stream
from ._tls import check_tunnel, tls_context

Value = TypeVar("Value")


class BlockingStream:
    """A connection, plain or encrypted."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected

    async def read(self, bytes_max: int, limit: Limit) -> bytes:
        self._socket.settimeout(limit.left())
        return self._socket.recv(bytes_max)

    async def write(self, data: bytes, limit: Limit) -> None:
        self._socket.settimeout(limit.left())
        self._socket.sendall(data)

    def is_fresh(self) -> bool:
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            return not selector.select(0)

    def close(self) -> None:
        self._socket.close()


class BlockingBackend:
    """Each call blocks its thread. Any number of threads may call at the same time."""

    def now(self) -> float:
        return time.monotonic()

    def random(self) -> float:
        return random.random()

    async def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    async def in_background(self, work: Callable[[], Value]) -> Value:
        return work()

    def owner(self) -> object:
        return os.getpid()

    def release(self, stream: Stream) -> None:
        # Closes the descriptor of this process. That of the other process stays open.
        stream.close()

    async def connect(self, peer: Peer, limit: Limit) -> Stream:
        connected = _connect((peer.host, peer.port), limit)
        try:
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if peer.tunnel is not None:
                _open_tunnel(connected, peer.tunnel, limit)
            if peer.tls_name is None:
                return BlockingStream(connected)
            connected.settimeout(limit.left())
            return BlockingStream(
                tls_context().wrap_socket(connected, server_hostname=peer.tls_name)
            )
        except BaseException:
            connected.close()
            raise


def _connect(address: tuple[str, int], limit: Limit) -> socket.socket:
    """Tries each address of the host within the limit."""
    failure: OSError = OSError(f"{address[0]} has no address")
    for family, kind, protocol, _, found in socket.getaddrinfo(*address, type=socket.SOCK_STREAM):
        seconds = limit.left()
        candidate = socket.socket(family, kind, protocol)
        try:
            candidate.settimeout(seconds)
            candidate.connect(found)
            return candidate
        except OSError as error:
            candidate.close()
            failure = error
        except BaseException:
            candidate.close()
            raise
    raise failure


def _open_tunnel(connected: socket.socket, request: bytes, limit: Limit) -> None:
    connected.settimeout(limit.left())
    connected.sendall(request)
    answer = b""
    while check_tunnel(answer) is False:
        connected.settimeout(limit.left())
        # Reads only the head, because the following bytes belong to TLS.
        chunk = connected.recv(1)
        if not chunk:
            raise ConnectionError("the proxy hung up")
        answer += chunk
