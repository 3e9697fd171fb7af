"""Generations that have a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .models import Generation, GenerationFailure, GenerationResult


@dataclass(frozen=True, kw_only=True)
class ReadyGeneration(Generation):
    """A generation that has a result."""

    result: GenerationResult


class GenerationNotReady(Exception):
    """A generation that was to be ready and is not."""

    generation: Generation

    def __init__(self, generation: Generation) -> None:
        said = generation.error.message if generation.error else f"It is {generation.state}."
        super().__init__(f"generation {generation.generation_id}: {said}")
        self.generation = generation

    @property
    def failure(self) -> GenerationFailure | None:
        """Why it failed; a cancelled or unfinished one has none."""
        return self.generation.error

    @property
    def retryable(self) -> bool:
        """Whether the same request may pass when it is started again."""
        return self.failure is not None and self.failure.retryable

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.generation,))


def expect_ready(generation: Generation) -> ReadyGeneration:
    """The generation if it is ready. Raises GenerationNotReady for any other."""
    if generation.state != "ready" or generation.result is None:
        raise GenerationNotReady(generation)
    return ReadyGeneration.from_json(generation.raw)
