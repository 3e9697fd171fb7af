"""Models of answers, requests and errors."""

from __future__ import annotations

import dataclasses
import os
import pickle
import unittest
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any
from unittest import mock

from atelier_client import (
    Atelier,
    AtelierError,
    CreditsError,
    Generation,
    GenerationNotReadyError,
    InsufficientCreditsError,
    StartedGeneration,
    TimedOutError,
    expect_ready,
    refusals,
)
from atelier_client._answer import error_of
from atelier_client._requests import generation_body

JSON: dict[str, Any] = {
    "generationId": "gen_1",
    "state": "ready",
    "creditsCharged": 0.1,
    "creditsHeld": 0,
    "createdAt": "2026-11-20T12:00:00.250Z",
    "finishedAt": None,
    "inputs": {"imageIds": ["file_1"], "videoIds": [], "audioIds": [], "model3dIds": []},
    "result": {"type": "image", "url": "http://a/r/b", "width": 64, "later": True},
    "metadata": {"a": "b"},
    "later": {"x": 1},
}


class Models(unittest.TestCase):
    def test_values_have_python_types(self) -> None:
        generation = Generation.from_json(JSON)
        self.assertEqual(
            generation.created_at, datetime(2026, 11, 20, 12, 0, 0, 250000, timezone.utc)
        )
        self.assertEqual(generation.credits_charged, Decimal("0.1"))
        self.assertIsNone(generation.finished_at)
        self.assertEqual(generation.inputs.image_ids, ("file_1",))
        assert generation.result is not None
        self.assertEqual(generation.result.width, 64)

    def test_unknown_fields_and_values_are_accepted(self) -> None:
        generation = Generation.from_json({**JSON, "state": "paused", "outputType": "smell"})
        self.assertEqual((generation.state, generation.output_type), ("paused", "smell"))
        self.assertEqual(generation.raw["later"], {"x": 1})
        self.assertEqual(generation, Generation.from_json({**generation.raw, "later": 2}))

    def test_missing_fields_are_none_or_empty(self) -> None:
        generation = Generation.from_json({"generationId": "gen_1"})
        self.assertIsNone(generation.credits_charged)
        self.assertEqual(generation.metadata, {})

    def test_a_value_that_is_not_an_object_is_refused(self) -> None:
        for json in [[], "x", {"result": 5}, {"createdAt": "soon"}, {"reusableAs": "imageIds"}]:
            with self.assertRaises(ValueError):
                Generation.from_json(json)  # type: ignore[arg-type]

    def test_answers_cannot_be_changed(self) -> None:
        with self.assertRaises(dataclasses.FrozenInstanceError):
            Generation.from_json(JSON).state = "failed"  # type: ignore[misc]

    def test_a_started_generation_is_a_generation(self) -> None:
        started = StartedGeneration.from_json({**JSON, "replayed": True})
        self.assertIsInstance(started, Generation)
        self.assertTrue(started.replayed)
        self.assertEqual(expect_ready(started).result.url, "http://a/r/b")

    def test_a_generation_that_is_not_ready_raises_its_failure(self) -> None:
        error = {"code": "content_policy", "message": "Not that.", "retryable": False}
        failed = Generation.from_json({"generationId": "gen_1", "state": "failed", "error": error})
        with self.assertRaises(GenerationNotReadyError) as caught:
            expect_ready(failed)
        assert caught.exception.failure is not None
        self.assertEqual(caught.exception.failure.code, "content_policy")
        self.assertFalse(caught.exception.retryable)
        self.assertIn("Not that.", str(caught.exception))
        with self.assertRaisesRegex(GenerationNotReadyError, "It is cancelled"):
            expect_ready(Generation.from_json({"generationId": "gen_1", "state": "cancelled"}))


class Requests(unittest.TestCase):
    def test_arguments_become_the_fields_of_the_request(self) -> None:
        given = {"family_id": "a", "image_ids": ("b",), "model3d_ids": ["c"], "prompt": None}
        body = generation_body({**given, "parameters": {"durationSeconds": 4}})
        self.assertEqual(
            body,
            {
                "familyId": "a",
                "imageIds": ["b"],
                "model3dIds": ["c"],
                "parameters": {"durationSeconds": 4},
            },
        )

    def test_unknown_arguments_are_errors(self) -> None:
        for given in [{"familly_id": "a"}, {"prompt": "a"}, {"family_id": "a", "familyId": "b"}]:
            with self.assertRaises(TypeError):
                generation_body(given)

    def test_invalid_options_are_refused_without_printing_them(self) -> None:
        for base_url, key in [
            ("service.example", "atl_k"),
            ("ftp://service.example", "atl_k"),
            ("https://me:secret@service.example", "atl_k"),
            ("https://service.example/?secret", "atl_k"),
            ("https://service.example", "secret key"),
            ("https://service.example", "secret\r\nX: 1"),
            ("https://service.example", ""),
        ]:
            with self.subTest(base_url), mock.patch.dict(os.environ, clear=True):
                with self.assertRaises(ValueError) as caught:
                    Atelier(base_url=base_url, key=key)
                self.assertNotIn("secret", str(caught.exception))

    def test_the_address_may_have_the_version_or_not(self) -> None:
        for given, used in [
            ("http://host:1", "http://host:1/api/v1"),
            ("http://host:1/", "http://host:1/api/v1"),
            ("http://host:1/api/v1", "http://host:1/api/v1"),
            ("http://host:1/api/v1/", "http://host:1/api/v1"),
            ("http://host:1/atelier", "http://host:1/atelier/api/v1"),
            (" http://host:1 ", "http://host:1/api/v1"),
            ("", "http://127.0.0.1:8080/api/v1"),
        ]:
            environment = {"ATELIER_URL": given, "ATELIER_KEY": " atl_k\n"}
            with self.subTest(given), mock.patch.dict(os.environ, environment, clear=True):
                self.assertEqual(repr(Atelier()), f"<Atelier {used}>")

    def test_a_missing_key_and_a_wrong_address_name_the_variable(self) -> None:
        with mock.patch.dict(os.environ, {"ATELIER_URL": "nonsense"}, clear=True):
            with self.assertRaisesRegex(ValueError, "ATELIER_KEY"):
                Atelier(base_url="http://host")
            with self.assertRaisesRegex(ValueError, "ATELIER_URL takes an http"):
                Atelier(key="atl_k")


class Errors(unittest.TestCase):
    def error(self, status: int, code: str) -> AtelierError:
        value = {"error": {"code": code, "message": "No.", "retryable": False}}
        return error_of(status, {}, value)

    def test_every_code_has_its_class_and_kind(self) -> None:
        for code, kind in refusals.BY_CODE.items():
            words = code.title().replace("_", "")
            name = "AddressNotFound" if code == "not_found" else words.removesuffix("Error")
            self.assertEqual(kind.__name__, f"{name}Error")
            # The names before 1.0.0 stay.
            self.assertIs(getattr(refusals, words), kind)
        error = self.error(402, "insufficient_credits")
        self.assertIs(type(error), InsufficientCreditsError)
        self.assertIsInstance(error, CreditsError)
        ceiling = self.error(403, "spend_limit_exceeded")
        self.assertEqual((type(ceiling).__base__, ceiling.kind), (CreditsError, "credits"))

    def test_an_unknown_code_has_the_class_of_its_kind(self) -> None:
        for status, kind in [
            (400, "request"),
            (401, "key"),
            (402, "credits"),
            (403, "permission"),
            (404, "not_found"),
            (409, "conflict"),
            (429, "rate"),
            (503, "service"),
        ]:
            error = self.error(status, "of_tomorrow")
            self.assertEqual((error.kind, error.code), (kind, "of_tomorrow"))
            self.assertIsNot(type(error), AtelierError)

    def test_unreadable_details_are_kept_as_raw(self) -> None:
        value = {"code": "x", "message": "No.", "retryable": True, "details": {"credits": "many"}}
        self.assertEqual(error_of(402, {}, {"error": value}).details.raw, {"credits": "many"})

    def test_errors_can_be_pickled(self) -> None:
        error = self.error(402, "insufficient_credits")
        error.idempotency_key = "order-1"
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(copy), str(copy)), (InsufficientCreditsError, str(error)))
        self.assertEqual(copy.idempotency_key, "order-1")
        self.assertEqual(
            str(pickle.loads(pickle.dumps(TimedOutError("Late.")))), "timed_out: Late."
        )
        not_ready = GenerationNotReadyError(Generation.from_json(JSON))
        self.assertEqual(pickle.loads(pickle.dumps(not_ready)).generation, not_ready.generation)
