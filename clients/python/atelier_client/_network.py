"""Sends requests over pooled connections and reads the answers."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain

from ._backend import Backend, Limit, Stream
from ._connection_errors import (
    ProtocolError,
    StaleConnection,
    WireError,
    wire_errors,
)
from ._http import Body, Head, Incoming, request_head
from ._proxy import Origin, Route, split_url, route_to

_POOL_MAX = 16
_POOL_SECONDS = 4.0
"""Less than the five seconds after which many servers close connections."""


@dataclass(frozen=True)
class Request:
    """`content` creates the content for each attempt. `headers` have its length."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    """Contain the key, so they are hidden from error reports."""
    content: Callable[[], AsyncGenerator[bytes, None]] | None = None
    repeatable: bool = True
    """Whether it may use a pooled connection, which the server may have closed."""


class Answer:
    """An answer with unread content. Close it unless it was read to its end."""

    def __init__(self, network: Network, origin: Origin, incoming: Incoming, head: Head) -> None:
        self.status = head.status
        self.headers = head.headers
        self._network, self._origin, self._incoming, self._head = network, origin, incoming, head
        self._body = Body(incoming, head)
        self._is_released = False
        self._end_if_over()

    async def piece(self, limit: Limit) -> bytes:
        """Reads the next bytes of the content, or no bytes at its end."""
        with wire_errors():
            piece = await self._body.piece(limit)
        self._end_if_over()
        return piece

    async def all(self, limit: Limit, bytes_max: int) -> bytes:
        """Reads the whole content. Raises ProtocolError above the limit."""
        pieces: list[bytes] = []
        size = 0
        while piece := await self.piece(limit):
            size += len(piece)
            if size > bytes_max:
                raise ProtocolError("the answer is too large")
            pieces.append(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """Closes the connection, unless the answer was read to its end."""
        if not self._body.is_over:
            self._incoming.stream.close()

    def _end_if_over(self) -> None:
        if not self._body.is_over or self._is_released:
            return
        self._is_released = True
        can_go_on = self._head.keeps_alive and not self._body.ends_with_connection
        if can_go_on and self._incoming.is_empty:
            self._network.keep(self._origin, self._incoming.stream)
        else:
            self._incoming.stream.close()


class Network:
    """Sends requests. Threads can share it. A new process or event loop gets new connections."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._lock = threading.Lock()
        self._owner: object = None
        self._pool: dict[Origin, list[tuple[Stream, float]]] = {}

    async def open(self, request: Request, limit: Limit) -> Answer:
        """Sends the request and reads the head of the response.

        Raises WireError, ProtocolError and DeadlineExceeded. A pooled connection that the
        server has closed is replaced at once.
        """
        origin, target = split_url(request.url)
        route = route_to(origin)
        pooled = self._take(origin) if request.repeatable else None
        if pooled is not None:
            try:
                return await self._exchange(pooled, True, (origin, target, route), request, limit)
            except StaleConnection:
                pass
        with wire_errors():
            stream = await self.backend.connect(route.peer, limit)
        return await self._exchange(stream, False, (origin, target, route), request, limit)

    async def _exchange(
        self,
        stream: Stream,
        is_pooled: bool,
        address: tuple[Origin, str, Route],
        request: Request,
        limit: Limit,
    ) -> Answer:
        origin, target, route = address
        incoming = Incoming(stream)
        try:
            headers = {"Host": origin.authority, **request.headers}
            if route.proxy_authorization is not None:
                headers["Proxy-Authorization"] = route.proxy_authorization
            if route.through_proxy:
                target = f"{origin.scheme}://{origin.authority}{target}"
            await self._send(stream, request, request_head(request.method, target, headers), limit)
            with wire_errors():
                head = await incoming.head(limit)
            return Answer(self, origin, incoming, head)
        except (WireError, ProtocolError) as error:
            stream.close()
            if is_pooled and not incoming.has_begun:
                raise StaleConnection from error
            raise
        except BaseException:
            stream.close()
            raise

    async def _send(self, stream: Stream, request: Request, head: bytes, limit: Limit) -> None:
        """Sends the request. Stops if the service closes, because its answer may say why."""
        pieces = request.content() if request.content is not None else None
        try:
            with wire_errors():
                await stream.write(head, limit)
            if pieces is not None:
                async for piece in pieces:
                    with wire_errors():
                        await stream.write(piece, limit)
        except WireError as error:
            if not isinstance(error.cause, ConnectionError):
                raise
        finally:
            if pieces is not None:
                await pieces.aclose()

    def _take(self, origin: Origin) -> Stream | None:
        owner = self.backend.owner()
        with self._lock:
            if owner != self._owner:
                for stream, _ in chain.from_iterable(self._pool.values()):
                    self.backend.release(stream)
                self._pool, self._owner = {}, owner
            while found := self._pool.get(origin):
                stream, until = found.pop()
                if time.monotonic() < until and stream.is_fresh():
                    return stream
                stream.close()
        return None

    def keep(self, origin: Origin, stream: Stream) -> None:
        """Returns a connection to the pool."""
        owner = self.backend.owner()
        with self._lock:
            if self._owner is None:
                self._owner = owner
            pooled = self._pool.setdefault(origin, [])
            if owner == self._owner and len(pooled) < _POOL_MAX:
                pooled.append((stream, time.monotonic() + _POOL_SECONDS))
                return
        stream.close()

    def close(self) -> None:
        """Closes the pooled connections."""
        with self._lock:
            pooled, self._pool = self._pool, {}
        for stream, _ in chain.from_iterable(pooled.values()):
            stream.close()
