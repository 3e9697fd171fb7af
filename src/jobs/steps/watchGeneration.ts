import type { Context } from '../../domain/context.ts'
import { findGeneration } from '../../domain/generations/reading/readGeneration.ts'

export type Watch = {
  /** Aborts as soon as the generation has ended elsewhere, by a cancel above all. */
  unwanted: AbortSignal
  stop(): void
}

/**
 * Watches for the end of a generation, from now on: whoever reads its state after this call, and works on, misses no cancel.
 * Contract: docs/contract.md#cancel-a-generation; a cancel reaches running work at once, not at its next step.
 */
export function watchGeneration(context: Context, generationId: string): Watch {
  const controller = new AbortController()
  const look = () => {
    findGeneration(context, generationId).then(
      (found) => {
        if (!found || found.finishedAt) controller.abort(new Error('the work is no longer wanted'))
      },
      () => undefined,
    )
  }
  return { unwanted: controller.signal, stop: context.notices.subscribe('generation', generationId, look) }
}
