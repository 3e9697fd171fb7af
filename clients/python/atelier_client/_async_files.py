"""Files that generations take as inputs."""

from __future__ import annotations

from ._caller import Caller, read_as
from ._files import upload, wait_for_file
from ._multipart import FileSource
from .models import File


class AsyncFiles:
    """A part of `AsyncAtelier`."""

    _caller: Caller

    async def upload_file(
        self,
        source: FileSource | None = None,
        *,
        url: str | None = None,
        name: str | None = None,
        mime_type: str | None = None,
        timeout_seconds: float | None = None,
    ) -> File:
        """Sends a file that generations can then name as an input.

        `source` is a path, bytes, or a file that is open for reading bytes; with `url` the
        service fetches it. An upload may take 300 seconds unless `timeout_seconds` says more. The
        file may still be processing; a start waits for it as for anything that passes.
        """
        return await upload(self._caller, source, url, name, mime_type, timeout_seconds)

    async def get_file(self, id: str, *, timeout_seconds: float | None = None) -> File:
        """A file as it stands."""
        value = await self._caller.call("getFile", id=id, timeout_seconds=timeout_seconds)
        return read_as(File, value)

    async def wait_for_file(self, id: str, *, timeout_seconds: float = 300) -> File:
        """Waits until a file is processed. Raises the error of one that cannot be used."""
        return await wait_for_file(self._caller, id, timeout_seconds)

    async def delete_file(self, id: str, *, timeout_seconds: float | None = None) -> None:
        """Deletes a file, once: the next time there is none. Refused while work needs it."""
        await self._caller.call(
            "deleteFile", id=id, repeatable=False, timeout_seconds=timeout_seconds
        )
