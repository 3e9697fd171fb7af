"""The content of requests: JSON, and forms that stream a file."""

from __future__ import annotations

import io
import os
import secrets
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO, TypeAlias

from ._backend import Backend

FileSource: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO"
"""A path, content in memory, or a binary file that is open for reading."""

_PIECE_BYTES = 64 * 1024


@dataclass(frozen=True)
class Form:
    """The content of a request, created again for each attempt."""

    headers: Mapping[str, str]
    content: Callable[[], AsyncGenerator[bytes, None]]
    repeatable: bool = True
    """Whether the content can be read again."""
    close: Callable[[], None] = lambda: None

    @classmethod
    def of_json(cls, text: bytes) -> Form:
        """Returns the content for JSON."""

        async def content() -> AsyncGenerator[bytes, None]:
            yield text

        headers = {"Content-Type": "application/json", "Content-Length": str(len(text))}
        return cls(headers, content)


async def file_form(
    backend: Backend, source: FileSource, name: str | None, mime_type: str | None
) -> Form:
    """Returns a form with one file. Raises OSError for an unreadable path.

    A file without `seek` is sent once, in chunks of unknown total length.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        content = io.BytesIO(source)
        return _form(_Part(backend, content, 0, len(content.getbuffer())), name, mime_type)
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        opened = await backend.in_background(lambda: open(path, "rb"))
        part = _Part(backend, opened, 0, os.fstat(opened.fileno()).st_size)
        return _form(part, name or os.path.basename(path), mime_type, opened.close)
    if not hasattr(source, "read"):
        raise TypeError("a file must be a path, bytes, or open for reading")
    named = getattr(source, "name", None)
    name = name or (os.path.basename(named) if isinstance(named, str) else None)
    if not source.seekable():
        return _form(_Part(backend, source, None, None), name, mime_type)
    begins = source.tell()
    size = source.seek(0, os.SEEK_END) - begins
    return _form(_Part(backend, source, begins, size), name, mime_type)


@dataclass(frozen=True)
class _Part:
    backend: Backend
    file: BinaryIO
    begins: int | None
    size: int | None

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """Yields exactly the announced number of bytes."""
        if self.begins is not None:
            self.file.seek(self.begins)
        left = self.size
        while left is None or left > 0:
            wanted = _PIECE_BYTES if left is None else min(left, _PIECE_BYTES)
            piece = await self.backend.in_background(partial(self.file.read, wanted))
            if not isinstance(piece, bytes):
                raise TypeError("the file is not open for reading bytes")
            if not piece and left is None:
                return
            if not piece:
                raise OSError("the file became shorter during the upload")
            left = None if left is None else left - len(piece)
            yield piece


def _form(
    part: _Part, name: str | None, mime_type: str | None, close: Callable[[], None] = lambda: None
) -> Form:
    boundary = f"atelier-{secrets.token_hex(16)}"
    begins = ""
    if mime_type is not None:
        begins += f'--{boundary}\r\nContent-Disposition: form-data; name="mimeType"\r\n\r\n'
        begins += f"{mime_type}\r\n"
    begins += f'--{boundary}\r\nContent-Disposition: form-data; name="file"; '
    begins += f'filename="{_escaped(name or "file")}"\r\n'
    begins += "Content-Type: application/octet-stream\r\n\r\n"
    first, last = begins.encode(), f"\r\n--{boundary}--\r\n".encode()

    async def whole() -> AsyncGenerator[bytes, None]:
        yield first
        async for piece in part.pieces():
            yield piece
        yield last

    async def chunked() -> AsyncGenerator[bytes, None]:
        async for piece in whole():
            yield b"%x\r\n%b\r\n" % (len(piece), piece)
        yield b"0\r\n\r\n"

    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    if part.size is None:
        return Form({**headers, "Transfer-Encoding": "chunked"}, chunked, False, close)
    length = len(first) + part.size + len(last)
    return Form({**headers, "Content-Length": str(length)}, whole, True, close)


def _escaped(name: str) -> str:
    """Escapes a file name as browsers do."""
    for sign, code in {'"': "%22", "\r": "%0D", "\n": "%0A"}.items():
        name = name.replace(sign, code)
    return name.encode("utf-8", "replace").decode()
