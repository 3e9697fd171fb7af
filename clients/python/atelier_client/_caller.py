"""Runs the operations of one service with one key, and repeats them if that is safe."""

from __future__ import annotations

import copy
import json
import os
import platform
import re
import urllib.parse
from collections.abc import Mapping
from decimal import Decimal
from itertools import chain
from typing import Any, TypeVar

from ._answer import error_of, parsed
from ._backend import Backend, Limit
from ._model import Model, Received, Response
from ._multipart import Form
from ._network import Answer, Network, Request
from ._query import parameters
from ._retry import Attempts, with_retries
from ._routes import ROUTES
from ._service_address import service_address
from ._version import VERSION
from .errors import AtelierError, UnexpectedAnswerError

AnyModel = TypeVar("AnyModel", bound=Model)

ATTEMPT_SECONDS = 30.0
_ANSWER_BYTES_MAX = 64 * 1024 * 1024
_AGENT = f"atelier-client-python/{VERSION} Python/{platform.python_version()}"


class Caller:
    """What every call needs. The key is in no `repr` and in no error."""

    def __init__(
        self,
        backend: Backend,
        base_url: str | None,
        key: str | None,
        timeout_seconds: float,
        attempts_max: int,
    ) -> None:
        self.address = service_address(base_url)
        key = key or os.environ.get("ATELIER_KEY", "").strip()
        if not key:
            raise ValueError("there is no API key: set ATELIER_KEY, or pass key")
        if not re.fullmatch(r"[\x21-\x7e]+", key):
            raise ValueError("key contains invalid characters")
        self.base_url = self.address.base_url
        self._authorization = f"Bearer {key}"
        self.timeout_seconds = timeout_seconds
        self.attempts_max = attempts_max
        self.headers: Mapping[str, str] = {}
        self.backend = backend
        self.network = Network(backend)

    def __repr__(self) -> str:
        return f"<Caller {self.base_url}>"

    def with_options(
        self,
        timeout_seconds: float | None,
        attempts_max: int | None,
        headers: Mapping[str, str] | None,
    ) -> Caller:
        """Returns a caller with these options, which uses the same connections."""
        changed = copy.copy(self)
        if timeout_seconds is not None:
            changed.timeout_seconds = timeout_seconds
        if attempts_max is not None:
            changed.attempts_max = attempts_max
        changed.headers = {**self.headers, **(headers or {})}
        return changed

    async def call(
        self,
        operation: str,
        *,
        id: str | None = None,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, Any] | None = None,
        form: Form | None = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool = True,
        timeout_seconds: float | None = None,
        held_seconds: float = 0,
        is_slow: bool = False,
    ) -> Any:
        """Returns the JSON of the answer, or None without content. Raises AtelierError.

        `held_seconds` is how long the service may delay its answer. With `is_slow` one attempt
        may take the whole time limit.
        """
        request = self._request(operation, id, query, body, form, headers, repeatable)
        usual = self.timeout_seconds + held_seconds
        attempts = Attempts(
            attempts_max=1 if form is not None and not form.repeatable else self.attempts_max,
            total_seconds=usual if timeout_seconds is None else timeout_seconds,
            attempt_seconds=None if is_slow or held_seconds > 0 else ATTEMPT_SECONDS,
            repeatable=repeatable,
        )

        async def try_once(limit: Limit) -> Any:
            answer = await self.network.open(request, limit)
            try:
                return await read_answer(answer, limit)
            except AtelierError as error:
                self.address.explain(error)
                raise
            finally:
                answer.close()

        return await with_retries(self.backend, attempts, try_once, self.address.where)

    async def open(
        self, operation: str, *, id: str, headers: Mapping[str, str], limit: Limit
    ) -> Answer:
        """Makes one attempt and returns the unread answer."""
        request = self._request(operation, id, None, None, None, headers, True)
        return await self.network.open(request, limit)

    def _request(
        self,
        operation: str,
        id: str | None,
        query: Mapping[str, object] | None,
        body: Mapping[str, Any] | None,
        form: Form | None,
        headers: Mapping[str, str] | None,
        repeatable: bool,
    ) -> Request:
        method, path = ROUTES[operation]
        if id is not None:
            if not isinstance(id, str) or not id:
                raise TypeError("an identifier must be a non-empty string")
            path = path.replace("{id}", urllib.parse.quote(id, safe=""))
        given = parameters(query or {})
        url = self.base_url + path + (f"?{urllib.parse.urlencode(given)}" if given else "")
        sent = _merged(
            {"User-Agent": _AGENT},
            self.headers,
            {"Accept": "application/json", **(headers or {}), "Authorization": self._authorization},
        )
        if form is not None:
            return Request(method, url, {**sent, **form.headers}, form.content, repeatable)
        if body is None:
            return Request(method, url, sent, None, repeatable)
        plain = Form.of_json(json.dumps(body, allow_nan=False, default=_plain).encode("ascii"))
        return Request(method, url, {**sent, **plain.headers}, plain.content, repeatable)


async def read_answer(answer: Answer, limit: Limit) -> Any:
    """Returns the JSON of a success, or None without content. Raises the error otherwise."""
    content = await answer.all(limit, _ANSWER_BYTES_MAX)
    if answer.status == 204:
        return None
    value = parsed(content)
    if 200 <= answer.status < 300 and isinstance(value, Mapping):
        return Received(value, Response(answer.status, answer.headers))
    raise error_of(answer.status, answer.headers, value)


def read_as(model: type[AnyModel], value: Any) -> AnyModel:
    """Reads the answer as an object. Raises UnexpectedAnswerError if that fails."""
    try:
        return model.from_json(value, value.response if isinstance(value, Received) else None)
    except (ArithmeticError, TypeError, ValueError) as error:
        message = f"The answer is not a valid {model.__name__}: {error}."
        raise UnexpectedAnswerError(message, code="unexpected_answer", status=200) from error


def _merged(*all_headers: Mapping[str, str]) -> dict[str, str]:
    """Merges headers by their names in any case. The last one wins."""
    merged: dict[str, tuple[str, str]] = {}
    for name, value in chain.from_iterable(headers.items() for headers in all_headers):
        merged[name.lower()] = (name, value)
    return dict(merged.values())


def _plain(value: Any) -> Any:
    """Converts a value that JSON does not have."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be sent")
