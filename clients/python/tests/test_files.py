"""Uploads and downloads, byte by byte."""

from __future__ import annotations

import io
import os
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

from atelier_client import (
    ConnectionFailedError,
    FileProcessingFailed,
    Generation,
    NotFound,
    PayloadTooLarge,
)

from .clients import Clients
from .scripted_server import answered, break_off, raw, refusal

FILE = answered(201, {"fileId": "file_1", "state": "ready"})
BUSY = refusal(503, "service_unavailable", retryable=True)
BYTES = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbytes", stays=True)


def ready(url: str | None, size: int | None = None) -> Generation:
    result = {"type": "image", "url": url, "sizeBytes": size}
    return Generation.from_json({"generationId": "gen_1", "state": "ready", "result": result})


class BlockingFiles(Clients, unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def uploaded(self, source: Any, **options: Any) -> bytes:
        server = self.scripted(BUSY, FILE)
        self.client(server.base_url, simulated=self.simulated()).upload_file(source, **options)
        first, second = server.requests
        content = first.headers["content-type"], second.headers["content-type"]
        self.assertEqual(first.body, second.body)
        self.assertEqual(content[0], content[1])
        return second.body

    def test_every_source_is_sent_completely_and_repeated_from_its_beginning(self) -> None:
        path = self.folder / "frame.png"
        path.write_bytes(b"content" * 20_000)
        with open(path, "rb") as opened:
            opened.seek(7)
            for source, content, name in [
                (path, b"content" * 20_000, b"frame.png"),
                (str(path), b"content" * 20_000, b"frame.png"),
                (b"bytes", b"bytes", b"file"),
                (bytearray(b"bytes"), b"bytes", b"file"),
                (io.BytesIO(b"buffer"), b"buffer", b"file"),
                (opened, b"content" * 19_999, b"frame.png"),
            ]:
                body = self.uploaded(source)
                self.assertIn(b'name="file"; filename="' + name + b'"\r\n', body)
                self.assertIn(b"octet-stream\r\n\r\n" + content + b"\r\n--atelier-", body)

    def test_names_and_types_are_in_the_form(self) -> None:
        body = self.uploaded(b"x", name='a"b\r\nü.png', mime_type="image/png")
        self.assertIn('filename="a%22b%0D%0Aü.png"'.encode(), body)
        self.assertIn(b'name="mimeType"\r\n\r\nimage/png\r\n', body)

    def test_a_pipe_is_sent_once(self) -> None:
        for answers, expected in [([FILE], None), ([BUSY, FILE], True)]:
            reads, writes = os.pipe()
            os.write(writes, b"piped")
            os.close(writes)
            server = self.scripted(*answers)
            client = self.client(server.base_url, simulated=self.simulated())
            with os.fdopen(reads, "rb") as pipe:
                if expected is None:
                    client.upload_file(pipe)
                else:
                    with self.assertRaises(Exception):
                        client.upload_file(pipe)
            self.assertEqual(len(server.requests), 1)
            self.assertIn(b"\r\n\r\npiped\r\n--", server.requests[0].body)

    def test_errors_of_the_caller_are_raised_before_anything_is_sent(self) -> None:
        server = self.scripted(FILE)
        client = self.client(server.base_url)
        with self.assertRaises(FileNotFoundError):
            client.upload_file(self.folder / "none.png")
        with self.assertRaises(IsADirectoryError):
            client.upload_file(self.folder)
        wrong: list[dict[str, Any]] = [{}, {"source": b"x", "url": "https://a.example"}]
        for arguments in [*wrong, {"source": 5}]:
            with self.assertRaises(TypeError):
                client.upload_file(**arguments)
        self.assertEqual(server.requests, [])

    def test_a_link_is_fetched_by_the_service(self) -> None:
        server = self.scripted(FILE)
        self.client(server.base_url).upload_file(url="https://a.example/b.png")
        self.assertEqual(server.requests[0].body, b'{"url": "https://a.example/b.png"}')

    def test_an_early_refusal_of_an_upload_is_read(self) -> None:
        def refused(connected: Any) -> bool:
            return refusal(413, "payload_too_large")(connected) and False

        server = self.scripted(refused)
        with self.assertRaises(PayloadTooLarge):
            self.client(server.base_url).upload_file(b"x" * 1_000_000)

    def test_wait_for_file_waits_until_the_file_is_processed(self) -> None:
        processing = answered(200, {"fileId": "f", "state": "processing", "pollAfterSeconds": 2})
        server, simulated = self.scripted(processing, processing, FILE), self.simulated()
        client = self.client(server.base_url, simulated=simulated)
        self.assertEqual(client.wait_for_file("f").state, "ready")
        self.assertEqual(simulated.pauses, [2, 2])
        error = {"code": "file_processing_failed", "message": "No.", "retryable": False}
        failed = answered(200, {"fileId": "f", "state": "failed", "error": error})
        with self.assertRaises(FileProcessingFailed):
            self.client(self.scripted(failed).base_url).wait_for_file("f")

    def test_a_download_sends_no_key_and_is_complete(self) -> None:
        server = self.scripted(BYTES)
        client = self.client(server.base_url)
        generation = ready(f"{server.origin}/r/token?download=1", 5)
        target = self.folder / "out.png"
        self.assertEqual(client.download(generation), b"bytes")
        self.assertEqual(client.download(generation, to=target), target)
        self.assertEqual(target.read_bytes(), b"bytes")
        self.assertEqual(list(self.folder.iterdir()), [target])
        self.assertEqual({request.target for request in server.requests}, {"/r/token?download=1"})
        self.assertNotIn("authorization", server.requests[0].headers)

    def test_a_broken_download_starts_again_and_leaves_no_file(self) -> None:
        target = self.folder / "out.png"
        target.write_bytes(b"before")
        short = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbyt", stays=True)
        server = self.scripted(break_off, short, BYTES)
        client = self.client(server.base_url, simulated=self.simulated())
        client.download(ready(f"{server.origin}/r/token", 5), to=target)
        self.assertEqual(target.read_bytes(), b"bytes")
        server = self.scripted(break_off)
        client = self.client(server.base_url, simulated=self.simulated())
        with self.assertRaises(ConnectionFailedError):
            client.download(ready(f"{server.origin}/r/token"), to=target)
        self.assertEqual(target.read_bytes(), b"bytes")
        self.assertEqual(list(self.folder.iterdir()), [target])

    def test_an_endless_download_ends_at_its_announced_size(self) -> None:
        # Only the size can end this download before the idle limit.
        server = self.scripted(raw(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100_000, stays=True))
        client = self.client(server.base_url, simulated=self.simulated(), attempts_max=1)
        target, begun = self.folder / "out.png", time.monotonic()
        with self.assertRaises(ConnectionFailedError):
            client.download(ready(f"{server.origin}/r/token", 5), to=target)
        self.assertLess(time.monotonic() - begun, 20)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_an_expired_link_is_renewed_once(self) -> None:
        gone = refusal(404, "not_found")
        links = self.scripted(gone, BYTES, gone)
        server = self.scripted(answered(200, ready(f"{links.origin}/r/new").raw))
        client = self.client(server.base_url)
        self.assertEqual(client.download(ready(f"{links.origin}/r/old")), b"bytes")
        with self.assertRaises(NotFound):
            client.download(ready(f"{links.origin}/r/old"))
        asked = [request.target for request in links.requests]
        self.assertEqual(asked, ["/r/old", "/r/new", "/r/old", "/r/new"])

    def test_redirects_of_links_are_not_followed(self) -> None:
        other = self.scripted(BYTES)
        server = self.scripted(answered(302, {}, {"Location": other.origin}))
        with self.assertRaises(Exception):
            self.client(server.base_url).download(ready(f"{server.origin}/r/token"))
        self.assertEqual(other.requests, [])

    def test_a_generation_without_a_file_is_an_error_of_the_caller(self) -> None:
        client = self.client(self.scripted(BYTES).base_url)
        for generation in [ready(None), ready("file:///etc/passwd")]:
            with self.assertRaises(ValueError):
                client.download(generation)
        with self.assertRaises(IsADirectoryError):
            client.download(ready("http://127.0.0.1:9/r/token"), to=self.folder)


class AsyncFiles(BlockingFiles):
    is_async = True
