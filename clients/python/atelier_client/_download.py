"""Downloads the file of a ready generation into memory or to disk."""

from __future__ import annotations

import os
import secrets
import urllib.parse
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import BinaryIO

from ._answer import error_of, parsed
from ._backend import Limit
from ._caller import Caller, read_as
from ._connection_errors import ProtocolError
from ._network import Request
from ._retry import Attempts, with_retries
from .errors import AtelierError
from .models import Generation, GenerationResult

_IDLE_SECONDS_MAX = 30.0
_REFUSAL_BYTES_MAX = 1024 * 1024

Sink = Callable[[bytes], Awaitable[None]]


async def download_bytes(
    caller: Caller, generation: Generation, timeout_seconds: float | None
) -> bytes:
    """Returns the whole file."""
    pieces: list[bytes] = []

    async def keep(piece: bytes) -> None:
        pieces.append(piece)

    await _download(caller, generation, timeout_seconds, pieces.clear, keep)
    return b"".join(pieces)


async def download_to(
    caller: Caller,
    generation: Generation,
    to: str | os.PathLike[str],
    timeout_seconds: float | None,
) -> Path:
    """Writes the file beside its target, and moves it there when it is complete."""
    target = Path(to)
    if target.is_dir():
        raise IsADirectoryError(f"{target} is a folder")
    beside = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    in_background = caller.backend.in_background
    file: BinaryIO = await in_background(lambda: open(beside, "xb"))
    try:
        with file:

            def begin() -> None:
                file.seek(0)
                file.truncate()

            async def write(piece: bytes) -> None:
                await in_background(lambda: file.write(piece))

            await _download(caller, generation, timeout_seconds, begin, write)
        await in_background(lambda: os.replace(beside, target))
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    return target


async def _download(
    caller: Caller,
    generation: Generation,
    timeout_seconds: float | None,
    begin: Callable[[], None],
    sink: Sink,
) -> None:
    """Downloads the file. Renews an expired link once."""
    try:
        await _fetch(caller, _result_of(generation), timeout_seconds, begin, sink)
    except AtelierError as error:
        if error.status != 404:
            raise
        value = await caller.call("getGeneration", id=generation.generation_id)
        renewed = _result_of(read_as(Generation, value))
        await _fetch(caller, renewed, timeout_seconds, begin, sink)


def _result_of(generation: Generation) -> GenerationResult:
    if generation.result is None or generation.result.url is None:
        raise ValueError(f"the generation {generation.generation_id} has no file")
    return generation.result


async def _fetch(
    caller: Caller,
    result: GenerationResult,
    timeout_seconds: float | None,
    begin: Callable[[], None],
    sink: Sink,
) -> None:
    """Fetches the link without the key. Does not follow redirects."""
    request = Request("GET", result.url or "", {"Accept": "*/*"})

    async def try_once(limit: Limit) -> None:
        begin()
        answer = await caller.network.open(request, limit)
        try:
            if answer.status != 200:
                value = parsed(await answer.all(limit, _REFUSAL_BYTES_MAX))
                raise error_of(answer.status, answer.headers, value)
            size = 0
            while piece := await answer.piece(limit):
                size += len(piece)
                if result.size_bytes is not None and size > result.size_bytes:
                    raise ProtocolError("the file is larger than announced")
                await sink(piece)
            if result.size_bytes is not None and size != result.size_bytes:
                raise ProtocolError("the file is incomplete")
        finally:
            answer.close()

    attempts = Attempts(caller.attempts_max, timeout_seconds, None, _IDLE_SECONDS_MAX)
    # Errors name the host of a link only, because the rest of it is a secret.
    parts = urllib.parse.urlsplit(request.url)
    where = f" at {parts.scheme}://{parts.netloc}"
    await with_retries(caller.backend, attempts, try_once, where)
