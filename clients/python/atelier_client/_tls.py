"""TLS with verified certificates, and tunnels through proxies."""

from __future__ import annotations

import functools
import re
import ssl

_HEAD_BYTES_MAX = 16 * 1024


@functools.cache
def tls_context() -> ssl.SSLContext:
    """Trusts the system, or `SSL_CERT_FILE` and `SSL_CERT_DIR`."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def check_tunnel(answer: bytes) -> bool:
    """Whether a proxy has opened the tunnel. Raises ConnectionError if it refuses."""
    if not answer.endswith(b"\r\n\r\n"):
        if len(answer) > _HEAD_BYTES_MAX:
            raise ConnectionError("the proxy does not speak HTTP")
        return False
    status = re.match(rb"HTTP/1\.[01] (\d{3})", answer)
    if status is None:
        raise ConnectionError("the proxy does not speak HTTP")
    if not status[1].startswith(b"2"):
        raise ConnectionError(f"the proxy answered {status[1].decode()}")
    return True
