"""Runs every example of the README."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from .test_service import black_png

PROJECT = Path(__file__).parent.parent
EXAMPLES = re.findall(r"(?ms)^```python\n(.*?)^```$", (PROJECT / "README.md").read_text("utf-8"))


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONIOENCODING": "utf-8"}


class Readme(unittest.TestCase):
    @unittest.skipUnless(os.environ.get("ATELIER_URL"), "ATELIER_URL is not set")
    def test_the_examples_print_their_results(self) -> None:
        expected = {
            "lighthouse.png": "512 × 512 for 1 credits",
            "atelier.families": "Sandbox Clip: from 1 credits\n"
            "Sandbox Video: from 1 credits\n20 credits, covered",
            "first-frame.png": "video/mp4",
            "order-4711": "True True\nready",
            "atelier.events": r"(?:(?:queued|running|finalizing) \S+\n)*ready None",
            "CostAboveLimitError": "It would cost 8",
            "with_options": r".+ \d+",
            "atelier.history": r"[\d.]+ credits so far(?:\nsandbox-\w+ \d+ [\d.]+)+",
            "asyncio.run": r"\['ready', 'ready', 'ready', 'ready', 'ready'\]",
        }
        self.assertEqual(len(EXAMPLES), len(expected) + 1)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "first-frame.png").write_bytes(black_png(64, 48))
            # The example of the history runs last, because it needs generations.
            last = "atelier.history"
            for together in ([words for words in expected if words != last], [last]):
                running = [self.started(words, folder) for words in together]
                for child, words in zip(running, together):
                    text = child.communicate(timeout=30)[0].decode().strip()
                    self.assertRegex(text, f"^{expected[words]}$")
            content = (Path(folder) / "lighthouse.png").read_bytes()
            self.assertEqual(content[1:4], b"PNG")

    def started(self, words: str, folder: str) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [sys.executable, "-c", next(each for each in EXAMPLES if words in each)],
            cwd=folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def test_the_receiver_accepts_each_signed_event_once_and_refuses_the_rest(self) -> None:
        [example] = [each for each in EXAMPLES if "verify_webhook" in each]
        child = subprocess.Popen(
            [sys.executable, "-c", example],
            env={**environment(), "WEBHOOK_SECRETS": "whsec_old whsec_new", "PORT": "0"},
            stdout=subprocess.PIPE,
        )
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        assert child.stdout is not None
        self.addCleanup(child.stdout.close)
        port = int(child.stdout.readline().split()[1])
        generation = {"generationId": "gen_1", "state": "failed"}
        event = {"id": "evt_1", "event": "generation.failed", "data": {"generation": generation}}
        body = json.dumps(event).encode()
        now = str(int(time.time()))
        signed = hmac.new(b"whsec_new", now.encode() + b"." + body, hashlib.sha256).hexdigest()

        def send(content: bytes) -> int:
            headers = {"X-Service-Signature": f"t={now},v1={signed}"}
            request = urllib.request.Request(f"http://127.0.0.1:{port}/", content, headers)
            try:
                with urllib.request.urlopen(request, timeout=10) as response:
                    return int(response.status)
            except urllib.error.HTTPError as error:
                error.close()
                return error.code

        self.assertEqual([send(body), send(body), send(b"{}")], [204, 204, 400])
        self.assertEqual(child.stdout.readline().decode().strip(), "generation.failed gen_1")
