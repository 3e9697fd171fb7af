"""Files that generations take as inputs."""

from __future__ import annotations

from ._backend import run
from ._multipart import FileSource
from .async_client import AsyncAtelier
from .models import File, FileList, FileType


class Files:
    """A part of `Atelier`."""

    _atelier: AsyncAtelier

    def upload_file(
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
        return run(
            self._atelier.upload_file(
                source, url=url, name=name, mime_type=mime_type, timeout_seconds=timeout_seconds
            )
        )

    def list_files(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        type: FileType | None = None,
        unused: bool | None = None,
        timeout_seconds: float | None = None,
    ) -> FileList:
        """Returns a page of files, newest first. `unused`: only files without a generation."""
        return run(
            self._atelier.list_files(
                cursor=cursor,
                limit=limit,
                type=type,
                unused=unused,
                timeout_seconds=timeout_seconds,
            )
        )

    def get_file(self, id: str, *, timeout_seconds: float | None = None) -> File:
        """Returns the current state of a file."""
        return run(self._atelier.get_file(id, timeout_seconds=timeout_seconds))

    def wait_for_file(self, id: str, *, timeout_seconds: float = 300) -> File:
        """Waits until a file is processed. Raises the error of an unusable file."""
        return run(self._atelier.wait_for_file(id, timeout_seconds=timeout_seconds))

    def delete_file(self, id: str, *, timeout_seconds: float | None = None) -> None:
        """Deletes a file. Refused while work needs it. A second call fails."""
        run(self._atelier.delete_file(id, timeout_seconds=timeout_seconds))
