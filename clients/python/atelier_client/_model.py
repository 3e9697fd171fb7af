"""The base class of `models`, and the readers of their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any, TypeVar

Json = Mapping[str, Any]
Item = TypeVar("Item")
AnyModel = TypeVar("AnyModel", bound="Model")


@dataclass(frozen=True)
class Response:
    """The response that an object came in."""

    status: int
    headers: Mapping[str, str]
    """By their names in lower case."""

    @property
    def request_id(self) -> str | None:
        """Identifies the request in the logs of the service."""
        return self.headers.get("x-request-id")


class Received(dict[str, Any]):
    """The JSON of an answer, with its response."""

    def __init__(self, json: Json, response: Response) -> None:
        super().__init__(json)
        self.response = response


@dataclass(frozen=True, kw_only=True)
class Model:
    """An object of the API. `raw` also has the fields that this release does not define."""

    raw: Json = field(default_factory=dict, repr=False, compare=False)
    """The received JSON."""
    response: Response | None = field(default=None, repr=False, compare=False)
    """The response that it came in; None for a part of another object, and for events."""

    @classmethod
    def from_json(cls: type[AnyModel], json: Json, response: Response | None = None) -> AnyModel:
        """Reads the object and ignores unknown fields. Raises ValueError otherwise."""
        if not isinstance(json, Mapping):
            raise ValueError(f"{cls.__name__} must be an object, not {json!r}")
        return cls(raw=json, response=response, **cls._fields(json))

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        raise NotImplementedError


def object_of(model: type[AnyModel], value: Any) -> AnyModel | None:
    """Reads an object, or None."""
    return None if value is None else model.from_json(value)


def listed(value: Any, read: Callable[[Any], Item | None] | None = None) -> tuple[Any, ...] | None:
    """Reads a list. `read` converts each item."""
    if value is None:
        return None
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"a list is expected, not {value!r}")
    return tuple(value if read is None else map(read, value))


def moment(value: Any) -> datetime | None:
    """Reads a time with its time zone, which is UTC."""
    return None if value is None else datetime.fromisoformat(str(value).replace("Z", "+00:00"))


def moment_text(moment: datetime | str | None) -> str | None:
    """The moment in UTC; a moment without a time zone is local time."""
    if isinstance(moment, datetime):
        return moment.astimezone(timezone.utc).isoformat()
    return moment


def calendar_day(value: Any) -> date | None:
    """Reads a day without a time."""
    return None if value is None else date.fromisoformat(str(value))


def exact(value: Any) -> Decimal | None:
    """Reads credits, at most two decimals, without binary rounding."""
    return None if value is None else Decimal(str(value))
