"""HTTP/1.1 over a stream: what is sent, and how an answer is read to its exact end."""

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
    """The beginning of an answer."""

    status: int
    headers: Mapping[str, str]
    """By their names in small letters."""
    keeps_alive: bool


def request_head(method: str, target: str, headers: Mapping[str, str]) -> bytes:
    """Raises ValueError for a header that would be more than one."""
    lines = [f"{method} {target} HTTP/1.1"]
    for name, value in headers.items():
        if re.search(r"[\x00-\x08\x0a-\x1f\x7f]", value) or not value.isascii():
            raise ValueError(f"{name} takes printable ASCII characters")
        lines.append(f"{name}: {value}")
    return "\r\n".join([*lines, "", ""]).encode("ascii")


class Incoming:
    """An answer as it comes. After its end the stream may be used for another request."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._buffer = b""
        self.has_begun = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing has come beyond what was read."""
        return not self._buffer

    async def head(self, limit: Limit) -> Head:
        """The head of the answer; what only announces it is passed over."""
        while True:
            head = _parsed(await self._until(b"\r\n\r\n", limit))
            if head.status == 101:
                raise ProtocolError("the answer changes the protocol")
            if head.status >= 200:
                return head

    async def line(self, limit: Limit) -> bytes:
        """The next line, without its end."""
        return await self._until(b"\r\n", limit)

    async def some(self, bytes_max: int, limit: Limit) -> bytes:
        """What comes next; nothing at the end of the stream."""
        if not self._buffer:
            return await self.stream.read(min(bytes_max, _CHUNK_BYTES), limit)
        taken, self._buffer = self._buffer[:bytes_max], self._buffer[bytes_max:]
        return taken

    async def _until(self, mark: bytes, limit: Limit) -> bytes:
        while mark not in self._buffer:
            if len(self._buffer) > _HEAD_BYTES_MAX:
                raise ProtocolError("the answer has no end of its head")
            chunk = await self.stream.read(_CHUNK_BYTES, limit)
            if not chunk:
                raise ProtocolError("the connection ended before the answer did")
            self.has_begun = True
            self._buffer += chunk
        before, _, self._buffer = self._buffer.partition(mark)
        return before


class Body:
    """The content of an answer, a piece at a time."""

    def __init__(self, incoming: Incoming, head: Head) -> None:
        self._incoming = incoming
        self._is_chunked = False
        self._left: int | None = None
        """Bytes until the end of the content, or of its present chunk; None: until the end."""
        self.is_over = False
        self._frame(head)

    def _frame(self, head: Head) -> None:
        coding = head.headers.get("transfer-encoding")
        length = head.headers.get("content-length")
        if head.status in (204, 304):
            self._left, self.is_over = 0, True
        elif coding is not None:
            if coding.lower() != "chunked":
                raise ProtocolError("the answer is encoded in a way that nobody asked for")
            self._is_chunked, self._left = True, 0
        elif length is not None:
            lengths = {each.strip() for each in length.split(",")}
            if len(lengths) != 1 or not re.fullmatch(r"[0-9]{1,18}", min(lengths)):
                raise ProtocolError("the answer has no length that can be read")
            self._left = int(min(lengths))
            self.is_over = self._left == 0

    @property
    def ends_with_connection(self) -> bool:
        """Whether nothing but the end of the connection ends it."""
        return self._left is None

    async def piece(self, limit: Limit) -> bytes:
        """What comes next; nothing at the end. Raises ProtocolError when it ends too early."""
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
        # A pattern with white space around any text tries every way to share the space out.
        written, colon, content = line.partition(b":")
        if not colon or not _NAME.fullmatch(written) or b"\n" in content:
            raise ProtocolError("the answer has a header that cannot be read")
        name, value = written.decode("ascii").lower(), content.strip(b" \t").decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    says_close = "close" in headers.get("connection", "").lower()
    return Head(int(status[2]), headers, status[1] == b"1" and not says_close)
