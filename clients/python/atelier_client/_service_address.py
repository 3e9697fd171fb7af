"""Finds the address of the service, and names it in errors."""

from __future__ import annotations

import os
import re
import urllib.parse
from dataclasses import dataclass

from ._proxy import split_url
from .errors import AtelierError

_DEFAULT = "http://127.0.0.1:8080"


@dataclass(frozen=True)
class ServiceAddress:
    """The URL of the API, with its version and without a slash at its end."""

    base_url: str
    where: str
    """For messages: the address and where it is from."""

    def explain(self, error: AtelierError) -> None:
        """Adds the address to an error that a wrong address can have."""
        is_unexpected = error.code == "unexpected_answer" and error.status < 500
        if error.code == "not_found" or is_unexpected:
            error.message += (
                f" The client asked the service{self.where}. It takes the address of a service,"
                " with or without /api/v1."
            )


def service_address(given: str | None) -> ServiceAddress:
    """Reads an address with or without `/api/v1`. Raises ValueError for anything else.

    The default is ATELIER_URL, then a service on this machine.
    """
    variable = os.environ.get("ATELIER_URL", "").strip()
    name = "base_url" if given else "ATELIER_URL"
    text = (given or variable or _DEFAULT).strip()
    try:
        split_url(text)
        if "?" in text or "#" in text:
            raise ValueError("it has a query or fragment")
    except ValueError as error:
        message = f"{name} takes an http or https address such as {_DEFAULT}"
        raise ValueError(f"{message}, with or without /api/v1: {error}") from error
    path = urllib.parse.urlsplit(text).path.rstrip("/")
    base_url = text.rstrip("/") if re.search(r"/v\d+$", path) else f"{text.rstrip('/')}/api/v1"
    return ServiceAddress(base_url, f" at {base_url}{_origin(name, variable)}")


def _origin(name: str, variable: str) -> str:
    if name == "base_url":
        return ""
    if variable:
        return ", the address in ATELIER_URL"
    return ", the default address because ATELIER_URL is not set"
