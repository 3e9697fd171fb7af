"""Generations that have a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .models import Generation, GenerationFailure, GenerationResult


@dataclass(frozen=True, kw_only=True)
class ReadyGeneration(Generation):
    """A generation that has a result."""

    result: GenerationResult


class GenerationNotReadyError(Exception):
    """The generation is not ready."""

    generation: Generation

    def __init__(self, generation: Generation) -> None:
        reason = generation.error.message if generation.error else f"It is {generation.state}."
        super().__init__(f"generation {generation.generation_id}: {reason}")
        self.generation = generation

    @property
    def failure(self) -> GenerationFailure | None:
        """The failure, or None if the generation was cancelled or has not ended."""
        return self.generation.error

    @property
    def retryable(self) -> bool:
        """Whether a new start of the same request may succeed."""
        return self.failure is not None and self.failure.retryable

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.generation,))


def expect_ready(generation: Generation) -> ReadyGeneration:
    """Returns a ready generation. Raises GenerationNotReadyError otherwise."""
    if generation.state != "ready" or generation.result is None:
        raise GenerationNotReadyError(generation)
    return ReadyGeneration.from_json(generation.raw)
