"""Requests over connections that are kept, and the answers to them."""

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
from ._proxy import Origin, Way, split_url, route_to

_KEPT_MAX = 16
_KEPT_SECONDS = 4.0
"""Below the five seconds after which many servers hang up."""


@dataclass(frozen=True)
class Request:
    """`content` is made anew for each sending; `headers` say how long it is."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    """They hold the key, which reports of errors would show with the variables of each frame."""
    content: Callable[[], AsyncGenerator[bytes, None]] | None = None
    repeatable: bool = True
    """Whether it may go over a kept connection, of which nobody knows whether it still stands."""


class Answer:
    """An answer whose content is still to be read. Close it, unless it was read to its end."""

    def __init__(self, network: Network, origin: Origin, incoming: Incoming, head: Head) -> None:
        self.status = head.status
        self.headers = head.headers
        self._network, self._origin, self._incoming, self._head = network, origin, incoming, head
        self._body = Body(incoming, head)
        self._is_released = False
        self._end_if_over()

    async def piece(self, limit: Limit) -> bytes:
        """The next piece of the content; nothing at its end."""
        with wire_errors():
            piece = await self._body.piece(limit)
        self._end_if_over()
        return piece

    async def all(self, limit: Limit, bytes_max: int) -> bytes:
        """The whole content. Raises ProtocolError when it is larger than that."""
        pieces: list[bytes] = []
        size = 0
        while piece := await self.piece(limit):
            size += len(piece)
            if size > bytes_max:
                raise ProtocolError("the answer is too large")
            pieces.append(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """Hangs up, unless the answer was read to its end."""
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
    """Sends requests. Threads may share it; a process or an event loop of its own starts anew."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._lock = threading.Lock()
        self._owner: object = None
        self._kept: dict[Origin, list[tuple[Stream, float]]] = {}

    async def open(self, request: Request, limit: Limit) -> Answer:
        """Sends the request and reads the head of the response.

        Raises WireError, ProtocolError and DeadlineExceeded. A pooled connection that the
        server has closed is replaced at once.
        """
        origin, target = split_url(request.url)
        way = route_to(origin)
        kept = self._take(origin) if request.repeatable else None
        if kept is not None:
            try:
                return await self._over(kept, True, (origin, target, way), request, limit)
            except StaleConnection:
                pass
        with wire_errors():
            stream = await self.backend.connect(way.peer, limit)
        return await self._over(stream, False, (origin, target, way), request, limit)

    async def _over(
        self,
        stream: Stream,
        is_kept: bool,
        place: tuple[Origin, str, Way],
        request: Request,
        limit: Limit,
    ) -> Answer:
        origin, target, way = place
        incoming = Incoming(stream)
        try:
            headers = {"Host": origin.authority, **request.headers}
            if way.proxy_authorization is not None:
                headers["Proxy-Authorization"] = way.proxy_authorization
            if way.through_proxy:
                target = f"{origin.scheme}://{origin.authority}{target}"
            await self._send(stream, request, request_head(request.method, target, headers), limit)
            with wire_errors():
                head = await incoming.head(limit)
            return Answer(self, origin, incoming, head)
        except (WireError, ProtocolError) as error:
            stream.close()
            if is_kept and not incoming.has_begun:
                raise StaleConnection from error
            raise
        except BaseException:
            stream.close()
            raise

    async def _send(self, stream: Stream, request: Request, head: bytes, limit: Limit) -> None:
        """Stops where the service wants no more: it may have said why."""
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
                for stream, _ in chain.from_iterable(self._kept.values()):
                    self.backend.give_up(stream)
                self._kept, self._owner = {}, owner
            while found := self._kept.get(origin):
                stream, until = found.pop()
                if time.monotonic() < until and stream.is_fresh():
                    return stream
                stream.close()
        return None

    def keep(self, origin: Origin, stream: Stream) -> None:
        """Puts a connection by for the next request."""
        owner = self.backend.owner()
        with self._lock:
            if self._owner is None:
                self._owner = owner
            kept = self._kept.setdefault(origin, [])
            if owner == self._owner and len(kept) < _KEPT_MAX:
                kept.append((stream, time.monotonic() + _KEPT_SECONDS))
                return
        stream.close()

    def close(self) -> None:
        """Hangs up what is kept."""
        with self._lock:
            kept, self._kept = self._kept, {}
        for stream, _ in chain.from_iterable(kept.values()):
            stream.close()
