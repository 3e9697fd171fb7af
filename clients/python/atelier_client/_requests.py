"""Converts keyword arguments to request bodies, and uploads their files on the way."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ._caller import Caller
from ._files import upload
from ._multipart import FileSource
from .models import GENERATION_REQUEST_NAMES, GenerationRequest

_FIELDS = {
    "images": ("image_ids",),
    "videos": ("video_ids", "video_id"),
    "audios": ("audio_ids",),
    "models3d": ("model3d_ids",),
}


class StartRequest(GenerationRequest, total=False):
    """The arguments of a start. Files are uploaded on the way and stand for identifiers.

    A text is the identifier of a file or generation, an http or https address, or else a path.
    Pass a text from other people only as an identifier in `image_ids` and its neighbours, because
    a path reads your files.
    """

    images: Sequence[FileSource]
    """Images, instead of `image_ids`."""
    videos: Sequence[FileSource]
    """Videos, instead of `video_id` and `video_ids`."""
    audios: Sequence[FileSource]
    """Audio, instead of `audio_ids`."""
    models3d: Sequence[FileSource]
    """3D models, instead of `model3d_ids`."""


def generation_body(request: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the JSON of a request without None. Raises TypeError for unknown names."""
    unknown = sorted(request.keys() - GENERATION_REQUEST_NAMES.keys())
    if unknown:
        raise TypeError(f"unknown arguments of a generation: {', '.join(map(repr, unknown))}")
    if "family_id" not in request:
        raise TypeError("a generation needs the argument 'family_id'")
    given = {name: value for name, value in request.items() if value is not None}
    return {
        GENERATION_REQUEST_NAMES[name]: list(value) if isinstance(value, tuple) else value
        for name, value in given.items()
    }


async def upload_inputs(
    caller: Caller, request: Mapping[str, Any], left: Callable[[], float] | None = None
) -> dict[str, Any]:
    """Uploads the files of a request, each once, and returns it with their identifiers."""
    kinds = [kind for kind in _FIELDS if request.get(kind) is not None]
    for kind in kinds:
        for field in _FIELDS[kind]:
            if request.get(field) is not None:
                raise TypeError(f"a generation takes either {kind} or {field}")
    resolved = {name: value for name, value in request.items() if name not in _FIELDS}
    generation_body(resolved)
    uploaded: dict[int, str] = {}
    for kind in kinds:
        sources = request[kind]
        if isinstance(sources, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"{kind} takes a list")
        for source in sources:
            if id(source) not in uploaded:
                uploaded[id(source)] = await _id_of(caller, source, left)
        ids = [uploaded[id(source)] for source in sources]
        if kind == "videos" and len(ids) == 1:
            resolved["video_id"] = ids[0]
        else:
            resolved[_FIELDS[kind][0]] = ids
    return resolved


async def _id_of(caller: Caller, source: FileSource, left: Callable[[], float] | None) -> str:
    if isinstance(source, str) and re.fullmatch(r"(file|gen)_[0-9a-z]{26}", source):
        return source
    is_address = isinstance(source, str) and re.match(r"https?://", source, re.IGNORECASE)
    url = cast(str, source) if is_address else None
    seconds = None if left is None else left()
    file = await upload(caller, None if is_address else source, url, None, None, seconds)
    return file.file_id
