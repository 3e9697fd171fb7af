"""Finds the route to a host, directly or through a proxy of the environment."""

from __future__ import annotations

import base64
import urllib.parse
import urllib.request
from dataclasses import dataclass

from ._backend import Peer

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Origin:
    """Scheme, host and port."""

    scheme: str
    host: str
    port: int

    @property
    def authority(self) -> str:
        """The value of the header `Host`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


@dataclass(frozen=True)
class Route:
    """How to reach an origin."""

    peer: Peer
    proxy_authorization: str | None = None
    """For a proxy that forwards plain requests."""
    through_proxy: bool = False


def split_url(url: str) -> tuple[Origin, str]:
    """Splits an http or https address into origin and target. Raises ValueError otherwise."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None:
        raise ValueError("an http or https address without a user name is expected")
    port = parts.port if parts.port is not None else _PORTS[parts.scheme]
    target = urllib.parse.quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    if parts.query:
        target += "?" + urllib.parse.quote(parts.query, safe="/?%:@!$&'()*+,;=~-._")
    host = parts.hostname if parts.hostname.isascii() else parts.hostname.encode("idna").decode()
    return Origin(parts.scheme, host, port), target


def route_to(origin: Origin) -> Route:
    """Returns the route set by the `*_PROXY` variables or the system."""
    tls_name = origin.host if origin.scheme == "https" else None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(origin.scheme) or proxies.get("all")
    if not proxy or urllib.request.proxy_bypass(f"{origin.host}:{origin.port}"):
        return Route(Peer(origin.host, origin.port, tls_name, None))
    parts = urllib.parse.urlsplit(proxy if "//" in proxy else f"http://{proxy}")
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError(f"a proxy must have an http address, not {parts.scheme}")
    authorization = _basic(parts.username, parts.password)
    if tls_name is None:
        return Route(Peer(parts.hostname, parts.port or 80, None, None), authorization, True)
    named = f"{_bracketed(origin.host)}:{origin.port}"
    lines = [f"CONNECT {named} HTTP/1.1", f"Host: {named}"]
    if authorization is not None:
        lines.append(f"Proxy-Authorization: {authorization}")
    tunnel = "\r\n".join([*lines, "", ""]).encode("ascii")
    return Route(Peer(parts.hostname, parts.port or 80, tls_name, tunnel))


def _basic(username: str | None, password: str | None) -> str | None:
    if username is None:
        return None
    pair = f"{urllib.parse.unquote(username)}:{urllib.parse.unquote(password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
