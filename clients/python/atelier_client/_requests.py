"""Converts keyword arguments to request bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .models import GENERATION_REQUEST_NAMES


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
