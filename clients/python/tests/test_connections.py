"""Connections that are kept, cut and shared, and answers in every frame."""

from __future__ import annotations

import os
import time
import unittest
from unittest import mock

from atelier_client import AtelierError, ConnectionFailed, UnexpectedAnswer
from atelier_client._network import Request

from .clients import KEY, Clients
from .scripted_server import answered, hang_up, raw, started

ACCOUNT = answered(200, {"creditsAvailable": 5})
FILE = answered(201, {"fileId": "file_1"})


def said(content: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\n" + content


class BlockingConnections(Clients, unittest.TestCase):
    def test_a_connection_is_used_again(self) -> None:
        server = self.scripted(ACCOUNT)
        client = self.client(server.base_url)
        for _ in range(3):
            client.get_account()
        self.assertEqual(server.connections, 1)

    def test_a_kept_connection_that_ended_is_replaced_at_once(self) -> None:
        server, played = self.scripted(ACCOUNT), self.played()
        client = self.client(server.base_url, played=played)
        client.get_account()
        server.hang_up()
        while server.open_connections > 0:
            time.sleep(0.001)
        client.get_account()
        self.assertEqual((server.connections, played.pauses), (2, []))

    def test_a_start_whose_kept_connection_breaks_goes_on_under_its_key(self) -> None:
        server, played = self.scripted(ACCOUNT, hang_up, started), self.played()
        client = self.client(server.base_url, played=played, attempts_max=1)
        client.get_account()
        client.start(family_id="sandbox-image", prompt="A door")
        first, second = (heard.headers["idempotency-key"] for heard in server.heard[1:])
        self.assertEqual((first == second, played.pauses), (True, []))

    def test_an_upload_never_goes_over_a_kept_connection(self) -> None:
        server = self.scripted(ACCOUNT, FILE)
        client = self.client(server.base_url)
        client.get_account()
        client.upload_file(b"content")
        self.assertEqual([heard.connection for heard in server.heard], [1, 2])

    def test_every_frame_of_an_answer_is_read_to_its_end(self) -> None:
        body = b'{"creditsAvailable":5}'
        for name, content, is_kept in [
            ("length", said(b"Content-Length: 22\r\n\r\n") + body, True),
            ("the same length twice", said(b"Content-Length: 22, 22\r\n\r\n") + body, True),
            (
                "chunks",
                said(b"Transfer-Encoding: chunked\r\n\r\n")
                + b'5;a=b\r\n{"cre\r\n11\r\nditsAvailable":5}\r\n0\r\nTrailer: 1\r\n\r\n',
                True,
            ),
            (
                "announced",
                b"HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
                + said(b"Content-Length: 22\r\n\r\n")
                + body,
                True,
            ),
            ("until the end", said(b"\r\n") + body, False),
            (
                "said to close",
                said(b"Connection: Close\r\nContent-Length: 22\r\n\r\n") + body,
                False,
            ),
            ("an old version", b"HTTP/1.0 200 OK\r\nContent-Length: 22\r\n\r\n" + body, False),
            ("more than was asked", said(b"Content-Length: 22\r\n\r\n") + body + b"HTTP", False),
        ]:
            with self.subTest(name):
                server = self.scripted(raw(content, stays=name != "until the end"))
                client = self.client(server.base_url)
                for _ in range(2):
                    self.assertEqual(client.get_account().credits_available, 5)
                self.assertEqual(server.connections, 1 if is_kept else 2)

    def test_what_is_not_http_is_a_connection_that_failed(self) -> None:
        for content in [
            b"SSH-2.0-OpenSSH\r\n\r\n",
            said(b"Content-Length: 1, 2\r\n\r\n{"),
            said(b"Content-Length: -1\r\n\r\n{"),
            said(b"Transfer-Encoding: gzip\r\n\r\n{}"),
            said(b"Transfer-Encoding: chunked\r\n\r\nx\r\n"),
            said(b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}}\r\n0\r\n\r\n"),
            said(b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"),
            said(b"Content-Length: 3\r\n\r\n{}"),
            said(b" folded: 1\r\n\r\n{}"),
            b"HTTP/1.1 101 Switching\r\n\r\n",
            said(b"X: " + b"x" * 70_000),
            # Looked through in one go: an hour of work for whoever tries to be clever.
            said(b"X: " + b" " * 40_000 + b"\n\r\n\r\n{}"),
        ]:
            with self.subTest(content[:60]):
                server = self.scripted(raw(content))
                with self.assertRaises(ConnectionFailed):
                    self.client(server.base_url, attempts_max=1).get_account()

    def test_an_answer_that_is_not_the_services_is_told_as_such(self) -> None:
        for content in [b"<html>", b"[]", b'{"creditsAvailable":"many"}', b"[" * 200_000]:
            server = self.scripted(
                raw(said(b"Content-Length: %d\r\n\r\n" % len(content)) + content)
            )
            with self.assertRaises(UnexpectedAnswer) as caught:
                self.client(server.base_url, attempts_max=1).get_account()
            self.assertEqual((caught.exception.status, caught.exception.retryable), (200, False))

    def test_redirects_are_not_followed_and_the_key_stays_here(self) -> None:
        other = self.scripted(ACCOUNT)
        for status in (301, 302, 307, 308):
            server = self.scripted(answered(status, {}, {"Location": f"{other.base_url}/account"}))
            with self.assertRaises(UnexpectedAnswer) as caught:
                self.client(server.base_url).get_account()
            self.assertEqual(caught.exception.status, status)
        self.assertEqual(other.heard, [])

    def test_the_key_stands_in_no_repr_and_no_error(self) -> None:
        client = self.client(self.scripted(hang_up).base_url, attempts_max=1)
        with self.assertRaises(AtelierError) as caught:
            client.get_account()
        request = Request("GET", "/", {"Authorization": f"Bearer {KEY}"})
        inner = getattr(client, "_inner", client)
        texts = [repr(inner), repr(vars(inner)), repr(caught.exception), str(caught.exception)]
        self.assertNotIn(KEY, "".join([*texts, repr(vars(caught.exception)), repr(request)]))

    def test_a_plain_proxy_is_asked_for_the_whole_address(self) -> None:
        proxy = self.scripted(ACCOUNT)
        named = {"http_proxy": f"http://me:p%40ss@127.0.0.1:{proxy.port}", "no_proxy": ""}
        with mock.patch.dict(os.environ, named):
            client = self.client("http://service.example/api/v1")
            self.assertEqual(client.get_account().credits_available, 5)
        heard = proxy.heard[0]
        self.assertEqual(heard.target, "http://service.example/api/v1/account")
        self.assertEqual(heard.headers["host"], "service.example")
        self.assertEqual(heard.headers["proxy-authorization"], "Basic bWU6cEBzcw==")

    def test_a_proxy_is_passed_by_where_the_environment_says_so(self) -> None:
        server = self.scripted(ACCOUNT)
        named = {"http_proxy": "http://127.0.0.1:9", "no_proxy": "localhost,127.0.0.1"}
        with mock.patch.dict(os.environ, named):
            self.client(server.base_url).get_account()
        self.assertEqual(len(server.heard), 1)


class AsyncConnections(BlockingConnections):
    is_async = True
