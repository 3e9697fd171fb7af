"""Writes the query of an operation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime


def parameters(query: Mapping[str, object]) -> dict[str, str]:
    """Returns the query without None. A mapping becomes one parameter for each member."""
    given: dict[str, str] = {}
    for name, value in query.items():
        if isinstance(value, Mapping):
            given.update({f"{name}[{member}]": _text(each) for member, each in value.items()})
        elif value is not None:
            given[name] = _text(value)
    return given


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.astimezone().isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)
