"""Tests against a running service, which the caller of the tests has started."""

from __future__ import annotations

import asyncio
import os
import struct
import tempfile
import unittest
import uuid
import zlib
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from atelier_client import (
    AsyncAtelier,
    Atelier,
    FileNotFound,
    GenerationNotReadyError,
    IdempotencyConflict,
    InsufficientScope,
    InvalidParameters,
    InvalidToken,
    TimedOutError,
    expect_ready,
)

SMALL = {"width": 64, "height": 64}
PICTURE: dict[str, Any] = {"family_id": "sandbox-image", "prompt": "A door", "parameters": SMALL}


def black_png(width: int, height: int) -> bytes:
    """Returns a black image."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        checked = kind + content
        return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"".join(bytes(1 + 3 * width) for _ in range(height)))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    )


@unittest.skipUnless(os.environ.get("ATELIER_URL"), "ATELIER_URL is not set")
class Service(unittest.TestCase):
    atelier: Atelier

    @classmethod
    def setUpClass(cls) -> None:
        cls.atelier = Atelier()
        cls.addClassCleanup(cls.atelier.close)

    def test_a_run_makes_a_file(self) -> None:
        states: list[str] = []
        ended = self.atelier.run(**PICTURE, on_progress=lambda each: states.append(each.state))
        ready = expect_ready(ended)
        self.assertEqual((ready.credits_charged, ready.credits_held, states[-1]), (1, 0, "ready"))
        content = self.atelier.download(ready)
        self.assertEqual((content[1:4], len(content)), (b"PNG", ready.result.size_bytes))
        with tempfile.TemporaryDirectory() as folder:
            path = self.atelier.download(ready, to=Path(folder) / "door.png")
            self.assertEqual(path.read_bytes(), content)

    def test_a_failed_run_has_its_failure(self) -> None:
        parameters = {**SMALL, "outcome": "prompt_validation/prompt_failed"}
        with self.assertRaises(GenerationNotReadyError) as caught:
            expect_ready(self.atelier.run(**{**PICTURE, "parameters": parameters}))
        assert caught.exception.failure is not None
        self.assertEqual(caught.exception.failure.reason, "prompt_failed")

    def test_two_starts_with_one_key_make_one_generation(self) -> None:
        key = str(uuid.uuid4())
        first = self.atelier.start(**PICTURE, idempotency_key=key, wait=20)
        again = self.atelier.start(**PICTURE, idempotency_key=key)
        self.assertEqual(first.generation_id, again.generation_id)
        self.assertEqual((first.state, first.replayed, again.replayed), ("ready", False, True))
        with self.assertRaises(IdempotencyConflict) as caught:
            self.atelier.start(**{**PICTURE, "prompt": "Another"}, idempotency_key=key)
        self.assertEqual(caught.exception.idempotency_key, key)
        assert caught.exception.doc_url is not None
        self.assertIn("/docs/errors#idempotency_conflict", caught.exception.doc_url)

    def test_a_wait_times_out_and_a_cancel_ends_the_generation(self) -> None:
        parameters = {**SMALL, "runSeconds": 60}
        started = self.atelier.start(**{**PICTURE, "parameters": parameters})
        with self.assertRaises(TimedOutError):
            self.atelier.wait_until_done(started.generation_id, timeout_seconds=0)
        self.assertTrue(self.atelier.cancel(started.generation_id).cancelled)
        states = [each.state for each in self.atelier.events(started.generation_id)]
        self.assertEqual(states, ["cancelled"])

    def test_files_are_uploaded_used_and_deleted(self) -> None:
        picture = black_png(64, 48)
        file = self.atelier.wait_for_file(self.atelier.upload_file(picture).file_id)
        self.assertEqual((file.type, file.width, file.height), ("image", 64, 48))
        collage = self.atelier.run(**PICTURE, image_ids=[file.file_id])
        self.assertEqual(expect_ready(collage).inputs.image_ids, (file.file_id,))
        self.atelier.delete_result(collage.generation_id)
        result = self.atelier.get_generation(collage.generation_id).result
        assert result is not None
        self.assertIsNone(result.url)
        reads, writes = os.pipe()
        os.write(writes, picture)
        os.close(writes)
        with os.fdopen(reads, "rb") as pipe:
            piped = self.atelier.upload_file(pipe, name="a.png", mime_type="image/png")
        self.atelier.delete_file(piped.file_id)
        with self.assertRaises(FileNotFound):
            self.atelier.get_file(piped.file_id)

    def test_the_history_is_read_to_its_end_and_by_reference(self) -> None:
        reference = str(uuid.uuid4())
        started = [
            self.atelier.start(**PICTURE, reference=reference, metadata={"n": str(n)}).generation_id
            for n in range(3)
        ]
        found = list(self.atelier.history(reference=reference, page_items=2))
        self.assertEqual([each.generation_id for each in found], started[::-1])
        self.assertEqual([each.metadata["n"] for each in found], ["2", "1", "0"])

    def test_the_catalog_the_prices_and_the_account_are_returned(self) -> None:
        estimate = self.atelier.estimate(**PICTURE, axes={"version": "pro"}, max_credits=5)
        self.assertEqual((estimate.credits, estimate.blockers), (8, ("cost_above_limit",)))
        videos = self.atelier.list_families(output_type="video").items
        self.assertEqual([each.id for each in videos], ["sandbox-clip", "sandbox-video"])
        self.assertTrue(self.atelier.get_family("sandbox-image").available)
        account = self.atelier.get_account()
        self.assertIn("generations:write", account.key.permissions)
        self.assertEqual(self.atelier.get_description()["openapi"][:3], "3.1")
        today = datetime.now(timezone.utc).date()
        usage = self.atelier.usage(from_=today - timedelta(days=1), to=today, by="family")
        self.assertLessEqual({each.family_id for each in usage.items}, {"sandbox-image", *ALL})

    def test_refusals_are_raised_with_their_classes(self) -> None:
        with self.assertRaises(InvalidParameters) as caught:
            self.atelier.start(**{**PICTURE, "parameters": {"widht": 64}})
        assert caught.exception.details.issues is not None
        self.assertEqual(caught.exception.details.issues[0].path, ("parameters", "widht"))
        with Atelier(key="atl_nobody") as nobody, self.assertRaises(InvalidToken) as refused:
            nobody.get_account()
        assert refused.exception.request_id is not None
        self.assertTrue(refused.exception.request_id.startswith("req_"))
        if reader := os.environ.get("ATELIER_TEST_READER_KEY"):
            with (
                Atelier(key=reader) as limited,
                self.assertRaises(InsufficientScope) as caught_scope,
            ):
                limited.start(**PICTURE)
            self.assertEqual(caught_scope.exception.details.required, "generations:write")

    def test_many_runs_in_an_event_loop(self) -> None:
        async def work() -> list[str]:
            async with AsyncAtelier() as atelier:
                ended = await asyncio.gather(*(atelier.run(**PICTURE) for _ in range(5)))
                states = [each.state async for each in atelier.events(ended[0].generation_id)]
                return [*(each.state for each in ended), *states]

        self.assertEqual(asyncio.run(work()), ["ready"] * 6)


ALL = ("sandbox-video", "sandbox-audio", "sandbox-3d")
