"""Pooled, closed and proxied connections, and the framing of answers."""

from __future__ import annotations

import os
import time
import unittest
from unittest import mock

from atelier_client import AtelierError, ConnectionFailedError, UnexpectedAnswerError
from atelier_client._network import Request

from .clients import KEY, Clients
from .scripted_server import answered, hang_up, raw, started

ACCOUNT = answered(200, {"creditsAvailable": 5})
FILE = answered(201, {"fileId": "file_1"})


def head_of(content: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\n" + content


class BlockingConnections(Clients, unittest.TestCase):
    def test_a_connection_is_reused(self) -> None:
        server = self.scripted(ACCOUNT)
        client = self.client(server.base_url)
        for _ in range(3):
            client.get_account()
        self.assertEqual(server.connections, 1)

    def test_a_closed_pooled_connection_is_replaced_at_once(self) -> None:
        server, simulated = self.scripted(ACCOUNT), self.simulated()
        client = self.client(server.base_url, simulated=simulated)
        client.get_account()
        server.hang_up()
        while server.open_connections > 0:
            time.sleep(0.001)
        client.get_account()
        self.assertEqual((server.connections, simulated.pauses), (2, []))

    def test_a_start_on_a_broken_pooled_connection_keeps_its_key(self) -> None:
        server, simulated = self.scripted(ACCOUNT, hang_up, started), self.simulated()
        client = self.client(server.base_url, simulated=simulated, attempts_max=1)
        client.get_account()
        client.start(family_id="sandbox-image", prompt="A door")
        first, second = (request.headers["idempotency-key"] for request in server.requests[1:])
        self.assertEqual((first == second, simulated.pauses), (True, []))

    def test_an_upload_never_uses_a_pooled_connection(self) -> None:
        server = self.scripted(ACCOUNT, FILE)
        client = self.client(server.base_url)
        client.get_account()
        client.upload_file(b"content")
        self.assertEqual([request.connection for request in server.requests], [1, 2])

    def test_every_framing_of_an_answer_is_read_to_its_end(self) -> None:
        body = b'{"creditsAvailable":5}'
        for name, content, is_reused in [
            ("length", head_of(b"Content-Length: 22\r\n\r\n") + body, True),
            ("the same length twice", head_of(b"Content-Length: 22, 22\r\n\r\n") + body, True),
            (
                "chunks",
                head_of(b"Transfer-Encoding: chunked\r\n\r\n")
                + b'5;a=b\r\n{"cre\r\n11\r\nditsAvailable":5}\r\n0\r\nTrailer: 1\r\n\r\n',
                True,
            ),
            (
                "announced",
                b"HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
                + head_of(b"Content-Length: 22\r\n\r\n")
                + body,
                True,
            ),
            ("until the end", head_of(b"\r\n") + body, False),
            (
                "announced to close",
                head_of(b"Connection: Close\r\nContent-Length: 22\r\n\r\n") + body,
                False,
            ),
            ("an old version", b"HTTP/1.0 200 OK\r\nContent-Length: 22\r\n\r\n" + body, False),
            ("more than was asked", head_of(b"Content-Length: 22\r\n\r\n") + body + b"HTTP", False),
        ]:
            with self.subTest(name):
                server = self.scripted(raw(content, stays=name != "until the end"))
                client = self.client(server.base_url)
                for _ in range(2):
                    self.assertEqual(client.get_account().credits_available, 5)
                self.assertEqual(server.connections, 1 if is_reused else 2)

    def test_an_invalid_http_answer_is_a_failed_connection(self) -> None:
        for content in [
            b"SSH-2.0-OpenSSH\r\n\r\n",
            head_of(b"Content-Length: 1, 2\r\n\r\n{"),
            head_of(b"Content-Length: -1\r\n\r\n{"),
            head_of(b"Transfer-Encoding: gzip\r\n\r\n{}"),
            head_of(b"Transfer-Encoding: chunked\r\n\r\nx\r\n"),
            head_of(b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}}\r\n0\r\n\r\n"),
            head_of(b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"),
            head_of(b"Content-Length: 3\r\n\r\n{}"),
            head_of(b" folded: 1\r\n\r\n{}"),
            b"HTTP/1.1 101 Switching\r\n\r\n",
            head_of(b"X: " + b"x" * 70_000),
            # A backtracking regular expression would need an hour for this header.
            head_of(b"X: " + b" " * 40_000 + b"\n\r\n\r\n{}"),
        ]:
            with self.subTest(content[:60]):
                server = self.scripted(raw(content))
                with self.assertRaises(ConnectionFailedError):
                    self.client(server.base_url, attempts_max=1).get_account()

    def test_a_foreign_answer_is_unexpected(self) -> None:
        for content in [b"<html>", b"[]", b'{"creditsAvailable":"many"}', b"[" * 200_000]:
            server = self.scripted(
                raw(head_of(b"Content-Length: %d\r\n\r\n" % len(content)) + content)
            )
            with self.assertRaises(UnexpectedAnswerError) as caught:
                self.client(server.base_url, attempts_max=1).get_account()
            self.assertEqual((caught.exception.status, caught.exception.retryable), (200, False))

    def test_redirects_are_not_followed_so_the_key_stays_here(self) -> None:
        other = self.scripted(ACCOUNT)
        for status in (301, 302, 307, 308):
            server = self.scripted(answered(status, {}, {"Location": f"{other.base_url}/account"}))
            with self.assertRaises(UnexpectedAnswerError) as caught:
                self.client(server.base_url).get_account()
            self.assertEqual(caught.exception.status, status)
        self.assertEqual(other.requests, [])

    def test_the_key_is_in_no_repr_and_no_error(self) -> None:
        client = self.client(self.scripted(hang_up).base_url, attempts_max=1)
        with self.assertRaises(AtelierError) as caught:
            client.get_account()
        request = Request("GET", "/", {"Authorization": f"Bearer {KEY}"})
        inner = getattr(client, "_inner", client)
        texts = [repr(inner), repr(vars(inner)), repr(caught.exception), str(caught.exception)]
        self.assertNotIn(KEY, "".join([*texts, repr(vars(caught.exception)), repr(request)]))

    def test_a_plain_proxy_gets_the_whole_address(self) -> None:
        proxy = self.scripted(ACCOUNT)
        named = {"http_proxy": f"http://me:p%40ss@127.0.0.1:{proxy.port}", "no_proxy": ""}
        with mock.patch.dict(os.environ, named):
            client = self.client("http://service.example/api/v1")
            self.assertEqual(client.get_account().credits_available, 5)
        request = proxy.requests[0]
        self.assertEqual(request.target, "http://service.example/api/v1/account")
        self.assertEqual(request.headers["host"], "service.example")
        self.assertEqual(request.headers["proxy-authorization"], "Basic bWU6cEBzcw==")

    def test_no_proxy_of_the_environment_is_respected(self) -> None:
        server = self.scripted(ACCOUNT)
        named = {"http_proxy": "http://127.0.0.1:9", "no_proxy": "localhost,127.0.0.1"}
        with mock.patch.dict(os.environ, named):
            self.client(server.base_url).get_account()
        self.assertEqual(len(server.requests), 1)


class AsyncConnections(BlockingConnections):
    is_async = True
