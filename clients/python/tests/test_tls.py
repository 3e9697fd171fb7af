"""TLS: trusted certificates, and tunnels through proxies."""

from __future__ import annotations

import os
import socket
import ssl
import unittest
from unittest import mock

from atelier_client import ConnectionFailedError, TimedOutError
from atelier_client._tls import tls_context

from .clients import KEY, Clients
from .scripted_server import ReceivedRequest, ScriptedServer, answered, hang_up, raw

CERTIFICATE = os.environ.get("ATELIER_TEST_CERTIFICATE", "")
"""A file with a key and certificate for 127.0.0.1, made by the caller of the tests."""
ACCOUNT = answered(200, {"creditsAvailable": 5})


@unittest.skipUnless(CERTIFICATE, "there is no certificate")
class BlockingTls(Clients, unittest.TestCase):
    def setUp(self) -> None:
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(CERTIFICATE)
        tls_context.cache_clear()
        self.addCleanup(tls_context.cache_clear)

    def trusting(self, **more: str) -> None:
        named = {"SSL_CERT_FILE": CERTIFICATE, **more}
        patched = mock.patch.dict(os.environ, named)
        patched.start()
        self.addCleanup(patched.stop)

    def secured(self) -> ScriptedServer:
        server = ScriptedServer(ACCOUNT, tls=self.tls)
        self.addCleanup(server.__exit__)
        return server

    def test_an_untrusted_certificate_is_a_permanent_error(self) -> None:
        server, simulated = self.secured(), self.simulated()
        with self.assertRaisesRegex(ConnectionFailedError, "not trusted") as caught:
            self.client(server.base_url, simulated=simulated).get_account()
        self.assertFalse(caught.exception.retryable)
        self.assertEqual((server.requests, simulated.pauses), ([], []))

    def test_trusted_certificates_of_the_environment_are_checked_with_their_names(self) -> None:
        self.trusting()
        server = self.secured()
        client = self.client(server.base_url)
        for _ in range(2):
            self.assertEqual(client.get_account().credits_available, 5)
        self.assertEqual(server.connections, 1)
        with self.assertRaisesRegex(ConnectionFailedError, "not trusted"):
            self.client(server.base_url.replace("127.0.0.1", "localhost")).get_account()

    def test_a_proxy_sees_only_the_host(self) -> None:
        inside: list[ReceivedRequest] = []

        def through(connected: socket.socket) -> bool:
            connected.sendall(b"HTTP/1.1 200 Connection established\r\nX: y\r\n\r\n")
            with self.tls.wrap_socket(connected, server_side=True) as secured:
                text = secured.recv(4096).decode()
                inside.append(ReceivedRequest("", text.split()[1], {}, text.encode(), 1))
                ACCOUNT(secured)
            return False

        proxy = self.scripted(through)
        self.trusting(https_proxy=f"http://me:word@127.0.0.1:{proxy.port}", no_proxy="")
        client = self.client("https://127.0.0.1:9443/api/v1")
        self.assertEqual(client.get_account().credits_available, 5)
        outside = proxy.requests[0]
        self.assertEqual((outside.method, outside.target), ("CONNECT", "127.0.0.1:9443"))
        self.assertEqual(outside.headers["proxy-authorization"], "Basic bWU6d29yZA==")
        self.assertNotIn(KEY, str(outside))
        self.assertEqual(inside[0].target, "/api/v1/account")
        self.assertIn(KEY.encode(), inside[0].body)
        self.assertNotIn(b"Proxy-Authorization", inside[0].body)

    def test_a_refusal_of_a_proxy_is_reported(self) -> None:
        refused = raw(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
        for answer, words in [(refused, "407"), (raw(b"\r\n\r\n"), "HTTP"), (hang_up, "hung up")]:
            proxy = self.scripted(answer)
            with mock.patch.dict(os.environ, https_proxy=f"127.0.0.1:{proxy.port}", no_proxy=""):
                client = self.client("https://service.example/api/v1", attempts_max=1)
                with self.assertRaisesRegex(ConnectionFailedError, words):
                    client.get_account()

    def test_a_missing_handshake_ends_at_the_time_limit_of_the_call(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            client = self.client(f"https://127.0.0.1:{silent.getsockname()[1]}/api/v1")
            with self.assertRaisesRegex(TimedOutError, "within 0.1 seconds"):
                client.get_account(timeout_seconds=0.1)


class AsyncTls(BlockingTls):
    is_async = True
