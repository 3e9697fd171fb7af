"""HTTP/1.1 over a stream: writes request heads and reads answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ._backend import Limit, Stream
from ._connection_errors import ProtocolError

_HEAD_BYTES_MAX = 64 * 1024
_CHUNK_BYTES = 64 * 1024
_STATUS_LINE = re.compile(rb"HTTP/1\.([01]) (\d{3})(?: .*)?")
_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


@dataclass(frozen=True)
class Head:
    """The head of an answer."""

    status: int
    headers: Mapping[str, str]
    """By their names in lower case."""
    keeps_alive: bool


def request_head(method: str, target: str, headers: Mapping[str, str]) -> bytes:
    """Returns the head of a request. Raises ValueError for control characters."""
    lines = [f"{method} {target} HTTP/1.1"]
    for name, value in headers.items():
        if re.search(r"[\x00-\x08\x0a-\x1f\x7f]", value) or not value.isascii():
            raise ValueError(f"{name} takes printable ASCII characters")
        lines.append(f"{name}: {value}")
    return "\r\n".join([*lines, "", ""]).encode("ascii")


class Incoming:
    """An incoming answer. After its end the stream can serve another request."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._buffer = b""
        self.has_begun = False

    @property
    def is_empty(self) -> bool:
        """Whether there is no unread data."""
        return not self._buffer

    async def head(self, limit: Limit) -> Head:
        """Reads the head of the answer. Skips interim answers."""
        while True:
            head = _parsed(await self._until(b"\r\n\r\n", limit))
            if head.status == 101:
                raise ProtocolError("the answer changes the protocol")
            if head.status >= 200:
                return head

    async def line(self, limit: Limit) -> bytes:
        """Reads the next line without its line break."""
        return await self._until(b"\r\n", limit)

    async def some(self, bytes_max: int, limit: Limit) -> bytes:
        """Reads the next bytes, or no bytes at the end of the stream."""
        if not self._buffer:
            return await self.stream.read(min(bytes_max, _CHUNK_BYTES), limit)
        taken, self._buffer = self._buffer[:bytes_max], self._buffer[bytes_max:]
        return taken

    async def _until(self, mark: bytes, limit: Limit) -> bytes:
        while mark not in self._buffer:
            if len(self._buffer) > _HEAD_BYTES_MAX:
                raise ProtocolError("the head of the answer is too large")
            chunk = await self.stream.read(_CHUNK_BYTES, limit)
            if not chunk:
                raise ProtocolError("the connection ended before the answer did")
            self.has_begun = True
            self._buffer += chunk
        before, _, self._buffer = self._buffer.partition(mark)
        return before


class Body:
    """The content of an answer, read in pieces."""

    def __init__(self, incoming: Incoming, head: Head) -> None:
        self._incoming = incoming
        self._is_chunked = False
        self._left: int | None = None
        """Bytes left of the content or the current chunk; None: until the connection ends."""
        self.is_over = False
        self._frame(head)

    def _frame(self, head: Head) -> None:
        coding = head.headers.get("transfer-encoding")
        length = head.headers.get("content-length")
        if head.status in (204, 304):
            self._left, self.is_over = 0, True
        elif coding is not None:
            if coding.lower() != "chunked":
                raise ProtocolError("the answer has an unsupported transfer encoding")
            self._is_chunked, self._left = True, 0
        elif length is not None:
            lengths = {each.strip() for each in length.split(",")}
            if len(lengths) != 1 or not re.fullmatch(r"[0-9]{1,18}", min(lengths)):
                raise ProtocolError("the answer has an invalid length")
            self._left = int(min(lengths))
            self.is_over = self._left == 0

    @property
    def ends_with_connection(self) -> bool:
        """Whether only the end of the connection ends the content."""
        return self._left is None

    async def piece(self, limit: Limit) -> bytes:
        """Reads the next bytes, or no bytes at the end. Raises ProtocolError if it is cut."""
        if self.is_over:
            return b""
        if self._is_chunked and self._left == 0 and not await self._next_chunk(limit):
            return b""
        wanted = _CHUNK_BYTES if self._left is None else self._left
        piece = await self._incoming.some(wanted, limit)
        if self._left is None:
            self.is_over = not piece
            return piece
        if not piece:
            raise ProtocolError("the connection ended before the answer did")
        self._left -= len(piece)
        if self._left == 0:
            if self._is_chunked:
                await self._end_of_line(limit)
            else:
                self.is_over = True
        return piece

    async def _next_chunk(self, limit: Limit) -> bool:
        size = (await self._incoming.line(limit)).split(b";")[0].strip()
        if not re.fullmatch(rb"[0-9a-fA-F]{1,15}", size):
            raise ProtocolError("the answer has a chunk without a size")
        self._left = int(size, 16)
        if self._left > 0:
            return True
        while await self._incoming.line(limit):
            pass
        self.is_over = True
        return False

    async def _end_of_line(self, limit: Limit) -> None:
        if await self._incoming.line(limit):
            raise ProtocolError("the answer has a chunk of another size")


def _parsed(text: bytes) -> Head:
    first, *lines = text.split(b"\r\n")
    status = _STATUS_LINE.fullmatch(first)
    if status is None:
        raise ProtocolError("the answer is not HTTP")
    headers: dict[str, str] = {}
    for line in lines:
        # A regular expression would backtrack over the white space.
        written, colon, content = line.partition(b":")
        if not colon or not _NAME.fullmatch(written) or b"\n" in content:
            raise ProtocolError("the answer has an invalid header")
        name, value = written.decode("ascii").lower(), content.strip(b" \t").decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    says_close = "close" in headers.get("connection", "").lower()
    return Head(int(status[2]), headers, status[1] == b"1" and not says_close)
