"""The way to a host, straight or through a proxy that the environment names."""

from __future__ import annotations

import base64
import urllib.parse
import urllib.request
from dataclasses import dataclass

from ._backend import Peer

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Origin:
    """Scheme, host and port: what connections and keys belong to."""

    scheme: str
    host: str
    port: int

    @property
    def authority(self) -> str:
        """As the header `Host` has it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


@dataclass(frozen=True)
class Way:
    """How to reach an origin."""

    peer: Peer
    proxy_authorization: str | None = None
    """For a proxy that reads the requests, as it does those without encryption."""
    through_proxy: bool = False


def split_url(url: str) -> tuple[Origin, str]:
    """An http or https address as its origin and the rest. Raises ValueError for any other."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None:
        raise ValueError("an http or https address without a user name is expected")
    port = parts.port if parts.port is not None else _PORTS[parts.scheme]
    target = urllib.parse.quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    if parts.query:
        target += "?" + urllib.parse.quote(parts.query, safe="/?%:@!$&'()*+,;=~-._")
    host = parts.hostname if parts.hostname.isascii() else parts.hostname.encode("idna").decode()
    return Origin(parts.scheme, host, port), target


def route_to(origin: Origin) -> Way:
    """As `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` (or the system) say."""
    tls_name = origin.host if origin.scheme == "https" else None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(origin.scheme) or proxies.get("all")
    if not proxy or urllib.request.proxy_bypass(f"{origin.host}:{origin.port}"):
        return Way(Peer(origin.host, origin.port, tls_name, None))
    parts = urllib.parse.urlsplit(proxy if "//" in proxy else f"http://{proxy}")
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError(f"a proxy is an http address, not one of {parts.scheme}")
    authorization = _basic(parts.username, parts.password)
    if tls_name is None:
        return Way(Peer(parts.hostname, parts.port or 80, None, None), authorization, True)
    named = f"{_bracketed(origin.host)}:{origin.port}"
    lines = [f"CONNECT {named} HTTP/1.1", f"Host: {named}"]
    if authorization is not None:
        lines.append(f"Proxy-Authorization: {authorization}")
    tunnel = "\r\n".join([*lines, "", ""]).encode("ascii")
    return Way(Peer(parts.hostname, parts.port or 80, tls_name, tunnel))


def _basic(username: str | None, password: str | None) -> str | None:
    if username is None:
        return None
    pair = f"{urllib.parse.unquote(username)}:{urllib.parse.unquote(password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
