"""What the classes of `models` share: how they are read, and how their values are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeVar

Json = Mapping[str, Any]
Item = TypeVar("Item")
AnyModel = TypeVar("AnyModel", bound="Model")


@dataclass(frozen=True, kw_only=True)
class Model:
    """An object of the API. Fields that this release does not know stand in `raw`."""

    raw: Json = field(default_factory=dict, repr=False, compare=False)
    """The JSON as it came."""

    @classmethod
    def from_json(cls: type[AnyModel], json: Json) -> AnyModel:
        """Reads the object, whatever else stands in it. Raises ValueError for what is none."""
        if not isinstance(json, Mapping):
            raise ValueError(f"a {cls.__name__} is an object, not {json!r}")
        return cls(raw=json, **cls._fields(json))

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        raise NotImplementedError


def object_of(model: type[AnyModel], value: Any) -> AnyModel | None:
    """The object, or None where there is none."""
    return None if value is None else model.from_json(value)


def listed(value: Any, read: Callable[[Any], Item | None] | None = None) -> tuple[Any, ...] | None:
    """The items of a list, each as `read` gives it."""
    if value is None:
        return None
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"a list is expected, not {value!r}")
    return tuple(value if read is None else map(read, value))


def moment(value: Any) -> datetime | None:
    """A moment with its time zone, which is UTC."""
    return None if value is None else datetime.fromisoformat(str(value).replace("Z", "+00:00"))


def calendar_day(value: Any) -> date | None:
    """A day without a time."""
    return None if value is None else date.fromisoformat(str(value))


def exact(value: Any) -> Decimal | None:
    """Credits without the roundings of binary fractions; JSON has at most two decimals of them."""
    return None if value is None else Decimal(str(value))
