import type { Generation, GenerationFailure, GenerationResult } from '../openapi.ts'

/** A generation with a result. */
export type ReadyGeneration = Generation & { state: 'ready'; result: GenerationResult }

/** The generation is not ready. `failure` is its error; a cancelled or unfinished one has none. */
export class GenerationNotReadyError extends Error {
  override readonly name = 'GenerationNotReadyError'
  readonly generation: Generation
  readonly failure: GenerationFailure | undefined

  constructor(generation: Generation) {
    super(generation.error?.message ?? `The generation is ${generation.state}.`)
    this.generation = generation
    this.failure = generation.error
  }

  /** True when the same request may succeed when it is started again. */
  get retryable(): boolean {
    return this.failure?.retryable ?? false
  }
}

/** Returns the generation if it is ready. Throws GenerationNotReadyError if it failed, was cancelled, or is unfinished. */
export function expectReady(generation: Generation): ReadyGeneration {
  const { state, result } = generation
  if (state === 'ready' && result !== undefined) return { ...generation, state, result }
  throw new GenerationNotReadyError(generation)
}
