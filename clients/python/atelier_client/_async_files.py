"""Files that generations take as inputs."""

from __future__ import annotations

from ._caller import Caller, read_as
from ._files import upload, wait_for_file
from ._multipart import FileSource
from .models import File, FileList, FileType


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
        """Uploads a file to use as an input of generations.

        `source` is a path, bytes, or a binary file that is open for reading. With `url` the
        service fetches the file. Unless `timeout_seconds` is given, the limit is 300 seconds. The
        file can still be processing. A start waits for it.
        """
        return await upload(self._caller, source, url, name, mime_type, timeout_seconds)

    async def list_files(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        type: FileType | None = None,
        unused: bool | None = None,
        timeout_seconds: float | None = None,
    ) -> FileList:
        """Returns a page of files, newest first. `unused`: only files without a generation."""
        query = {"cursor": cursor, "limit": limit, "type": type, "unused": unused}
        value = await self._caller.call("listFiles", query=query, timeout_seconds=timeout_seconds)
        return read_as(FileList, value)

    async def get_file(self, id: str, *, timeout_seconds: float | None = None) -> File:
        """Returns the current state of a file."""
        value = await self._caller.call("getFile", id=id, timeout_seconds=timeout_seconds)
        return read_as(File, value)

    async def wait_for_file(self, id: str, *, timeout_seconds: float = 300) -> File:
        """Waits until a file is processed. Raises the error of an unusable file."""
        return await wait_for_file(self._caller, id, timeout_seconds)

    async def delete_file(self, id: str, *, timeout_seconds: float | None = None) -> None:
        """Deletes a file. Refused while work needs it. A second call fails."""
        await self._caller.call(
            "deleteFile", id=id, repeatable=False, timeout_seconds=timeout_seconds
        )
