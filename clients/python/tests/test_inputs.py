"""Files of a request, the limits of a run, and options of some calls."""

from __future__ import annotations

import io
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from atelier_client import Atelier, CreditsError, TimedOutError

from .clients import Clients
from .scripted_server import answered, refusal, started

PICTURE: dict[str, Any] = {"family_id": "sandbox-image", "prompt": "A door"}
GENERATION = "gen_" + "0" * 26
BUSY = refusal(503, "service_unavailable", retryable=True)


def stored(number: int) -> Any:
    return answered(201, {"fileId": f"file_{number}", "state": "ready"})


class BlockingInputs(Clients, unittest.TestCase):
    def test_files_are_uploaded_on_the_way(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.png"
            path.write_bytes(b"picture")
            sources: list[Any] = [str(path), path, b"picture", io.BytesIO(b"picture")]
            for source in [*sources, "https://media.example/a.png"]:
                server = self.scripted(stored(1), started)
                self.client(server.base_url).start(**PICTURE, images=[source])
                upload, start = server.requests
                self.assertTrue(upload.target.endswith("/files"))
                expected = b"media.example" if isinstance(source, str) and "//" in source else b""
                self.assertIn(expected or b"picture", upload.body)
                self.assertEqual(json.loads(start.body)["imageIds"], ["file_1"])

    def test_identifiers_are_sent_and_a_repeated_file_is_uploaded_once(self) -> None:
        server = self.scripted(stored(1), started)
        picture = b"picture"
        client = self.client(server.base_url)
        client.start(**PICTURE, images=[picture, GENERATION, picture], videos=[GENERATION])
        self.assertEqual(len(server.requests), 2)
        body = json.loads(server.requests[1].body)
        self.assertEqual(body["imageIds"], ["file_1", GENERATION, "file_1"])
        self.assertEqual(body["videoId"], GENERATION)

    def test_nothing_is_started_with_unusable_files(self) -> None:
        server = self.scripted(refusal(415, "unsupported_file_format"))
        client = self.client(server.base_url)
        with self.assertRaises(TypeError):
            client.start(**PICTURE, images=[b"x"], image_ids=[GENERATION])
        with self.assertRaises(TypeError):
            client.start(**PICTURE, images="a.png")
        with self.assertRaises(FileNotFoundError):
            client.start(**PICTURE, images=["no/such.png"])
        self.assertEqual(server.requests, [])

    def test_a_failed_start_has_the_request_to_continue_with(self) -> None:
        server = self.scripted(stored(1), refusal(402, "insufficient_credits"))
        with self.assertRaises(CreditsError) as caught:
            self.client(server.base_url).run(**PICTURE, images=[b"picture"])
        self.assertEqual(caught.exception.request, {**PICTURE, "image_ids": ["file_1"]})

    def test_the_time_of_a_run_counts_from_the_start_on(self) -> None:
        server, simulated = self.scripted(BUSY), self.simulated()
        client = self.client(server.base_url, simulated=simulated)
        with self.assertRaises(Exception) as caught:
            client.run(**PICTURE, timeout_seconds=5)
        self.assertEqual(getattr(caught.exception, "code", ""), "service_unavailable")
        self.assertLess(sum(simulated.pauses), 6)

    def test_a_run_that_takes_too_long_has_its_generation(self) -> None:
        queued = answered(200, {"generationId": "gen_1", "state": "queued"})
        server = self.scripted(started, queued)
        with self.assertRaises(TimedOutError) as caught:
            self.client(server.base_url, simulated=self.simulated()).run(
                **PICTURE, timeout_seconds=0
            )
        self.assertEqual(caught.exception.generation_id, "gen_1")

    def test_families_are_read_page_by_page(self) -> None:
        pages = [{"items": [{"id": "a"}], "nextCursor": "c"}, {"items": [{"id": "b"}]}]
        server = self.scripted(*(answered(200, page) for page in pages))
        found = [each.id for each in self.client(server.base_url).families(output_type="image")]
        self.assertEqual(found, ["a", "b"])
        self.assertIn("cursor=c", server.requests[1].target)


class AsyncInputs(BlockingInputs):
    is_async = True


class Options(Clients, unittest.TestCase):
    def test_options_are_for_some_calls_and_never_change_the_key(self) -> None:
        server = self.scripted(BUSY)
        atelier = Atelier(base_url=server.base_url, key="atl_k")
        self.addCleanup(atelier.close)
        headers = {"X-Trace": "1", "authorization": "Bearer other"}
        with self.assertRaises(Exception):
            atelier.with_options(attempts_max=1, headers=headers).get_account()
        [request] = server.requests
        self.assertEqual(request.headers["x-trace"], "1")
        self.assertEqual(request.headers["authorization"], "Bearer atl_k")

    def test_a_result_has_its_response(self) -> None:
        server = self.scripted(started)
        made = self.client(server.base_url).start(**PICTURE)
        self.assertEqual(made.response.status, 201)
        self.assertIn("content-length", made.response.headers)
