"""Encryption with verified certificates, and the way through a proxy to it."""

from __future__ import annotations

import functools
import re
import ssl

_HEAD_BYTES_MAX = 16 * 1024


@functools.cache
def tls_context() -> ssl.SSLContext:
    """Trusts what the system trusts, or what `SSL_CERT_FILE` and `SSL_CERT_DIR` name."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def check_tunnel(answer: bytes) -> bool:
    """Whether a proxy has answered yes. Raises ConnectionError when it says no."""
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
