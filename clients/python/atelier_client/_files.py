"""Files that generations take as inputs."""

from __future__ import annotations

from ._answer import error_of
from ._caller import Caller, read_as
from ._multipart import FileSource, file_form
from ._generation_states import countdown
from .errors import TimedOutError
from .models import File

UPLOAD_SECONDS = 300.0
"""The default time limit of an upload."""


async def upload(
    caller: Caller,
    source: FileSource | None,
    url: str | None,
    name: str | None,
    mime_type: str | None,
    timeout_seconds: float | None,
) -> File:
    """Uploads a file or a link. Repeats the request only after a refusal."""
    if (source is None) == (url is None):
        raise TypeError("upload_file takes either a source or a url")
    seconds = max(UPLOAD_SECONDS, caller.timeout_seconds)
    seconds = seconds if timeout_seconds is None else timeout_seconds
    if source is None:
        body = {"url": url} if mime_type is None else {"url": url, "mimeType": mime_type}
        value = await caller.call(
            "uploadFile", body=body, repeatable=False, timeout_seconds=seconds, is_slow=True
        )
        return read_as(File, value)
    form = await file_form(caller.backend, source, name, mime_type)
    try:
        value = await caller.call(
            "uploadFile", form=form, repeatable=False, timeout_seconds=seconds, is_slow=True
        )
        return read_as(File, value)
    finally:
        form.close()


async def wait_for_file(caller: Caller, id: str, timeout_seconds: float) -> File:
    """Waits until a file is processed. Raises the error of an unusable file."""
    left = countdown(caller, timeout_seconds)
    while True:
        file = read_as(File, await caller.call("getFile", id=id))
        if file.state == "failed":
            raise error_of(422, {}, file.raw)
        if file.state != "processing":
            return file
        if left() <= 0:
            message = f"The file {id} is still processing after {timeout_seconds:g} seconds."
            raise TimedOutError(message)
        await caller.backend.pause(min(file.poll_after_seconds or 1.0, left()))
