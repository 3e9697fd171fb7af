"""Files that generations take as inputs."""

from __future__ import annotations

from ._backend import run
from ._multipart import FileSource
from .async_client import AsyncAtelier
from .models import File


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
        """Sends a file that generations can then name as an input.

        `source` is a path, bytes, or a file that is open for reading bytes; with `url` the
        service fetches it. An upload may take 300 seconds unless `timeout_seconds` says more. The
        file may still be processing; a start waits for it as for anything that passes.
        """
        return run(
            self._atelier.upload_file(
                source, url=url, name=name, mime_type=mime_type, timeout_seconds=timeout_seconds
            )
        )

    def get_file(self, id: str, *, timeout_seconds: float | None = None) -> File:
        """A file as it stands."""
        return run(self._atelier.get_file(id, timeout_seconds=timeout_seconds))

    def wait_for_file(self, id: str, *, timeout_seconds: float = 300) -> File:
        """Waits until a file is processed. Raises the error of one that cannot be used."""
        return run(self._atelier.wait_for_file(id, timeout_seconds=timeout_seconds))

    def delete_file(self, id: str, *, timeout_seconds: float | None = None) -> None:
        """Deletes a file, once: the next time there is none. Refused while work needs it."""
        run(self._atelier.delete_file(id, timeout_seconds=timeout_seconds))
