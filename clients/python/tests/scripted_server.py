"""A server with scripted answers and failures."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ReceivedRequest:
    """A received request."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    connection: int
    """The number of the connection, from 1."""


Script = Callable[[socket.socket], bool]
"""Answers over a connection. Returns whether the connection stays open."""


class ScriptedServer:
    """Gives these answers in order, and repeats the last one."""

    def __init__(self, *answers: Script, tls: ssl.SSLContext | None = None) -> None:
        self.requests: list[ReceivedRequest] = []
        self.open_connections = 0
        self.connections = 0
        self._answers = answers
        self._tls = tls
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self._listener.getsockname()[1]
        self.origin = f"{'http' if tls is None else 'https'}://127.0.0.1:{self.port}"
        self.base_url = f"{self.origin}/api/v1"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> ScriptedServer:
        return self

    def __exit__(self, *_: object) -> None:
        # Closing a listener does not end `accept`.
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()
        self.hang_up()

    def hang_up(self) -> None:
        """Closes all connections."""
        with self._lock:
            found, self._sockets = self._sockets, []
        for each in found:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _accept(self) -> None:
        while True:
            try:
                connected, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self.connections += 1
                self.open_connections += 1
                self._sockets.append(connected)
                number = self.connections
            threading.Thread(target=self._serve, args=(connected, number), daemon=True).start()

    def _serve(self, connected: socket.socket, number: int) -> None:
        try:
            if self._tls is not None:
                with self._tls.wrap_socket(
                    connected, server_side=True, do_handshake_on_connect=False
                ) as secured:
                    secured.do_handshake()
                    self._answer_all(secured, number)
            else:
                with connected:
                    self._answer_all(connected, number)
        except OSError:
            pass
        finally:
            with self._lock:
                self.open_connections -= 1

    def _answer_all(self, connected: socket.socket, number: int) -> None:
        with connected.makefile("rb") as incoming:
            while (request := _request(incoming, number)) is not None:
                with self._lock:
                    self.requests.append(request)
                    answer = self._answers[min(len(self.requests), len(self._answers)) - 1]
                if not answer(connected):
                    return


def _request(incoming: Any, number: int) -> ReceivedRequest | None:
    line = incoming.readline().decode()
    if not line:
        return None
    method, target, _ = line.split()
    headers: dict[str, str] = {}
    while header := incoming.readline().decode().rstrip("\r\n"):
        name, _, value = header.partition(":")
        headers[name.lower()] = value.strip()
    if headers.get("transfer-encoding") == "chunked":
        body = b""
        while size := int(incoming.readline(), 16):
            body += incoming.read(size)
            incoming.readline()
        incoming.readline()
    else:
        body = incoming.read(int(headers.get("content-length", "0")))
    return ReceivedRequest(method, target, headers, body, number)


def raw(content: bytes, *, stays: bool = False) -> Script:
    """Answers with these bytes."""

    def answer(connected: socket.socket) -> bool:
        connected.sendall(content)
        return stays

    return answer


def answered(
    status: int, body: Any, headers: Mapping[str, str] | None = None, *, stays: bool = True
) -> Script:
    """Answers with JSON."""
    content = json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} Said", f"Content-Length: {len(content)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return raw("\r\n".join([*lines, "", ""]).encode() + content, stays=stays)


def refusal(
    status: int,
    code: str,
    *,
    retryable: bool = False,
    details: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Script:
    """Answers with a refusal."""
    error = {"code": code, "message": f"No: {code}.", "retryable": retryable}
    error |= {"details": details or {}, "docUrl": f"https://docs.example/{code}"}
    return answered(status, {"error": error}, {"X-Request-Id": "req_1", **(headers or {})})


def hang_up(_: socket.socket) -> bool:
    """Closes the connection without an answer."""
    return False


def silence(connected: socket.socket) -> bool:
    """Sends nothing until the client closes the connection."""
    connected.recv(1)
    return False


def gone_after(milliseconds: int, content: bytes) -> Script:
    """Sends these bytes, waits, and closes the connection."""

    def answer(connected: socket.socket) -> bool:
        connected.sendall(content)
        threading.Event().wait(milliseconds / 1000)
        return False

    return answer


break_off = raw(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"items":')

STARTED = {"generationId": "gen_1", "state": "queued", "replayed": False, "creditsHeld": 1}
started = answered(201, STARTED)
