import type { Context } from '../../domain/context.ts'
import { findGeneration } from '../../domain/generations/reading/readGeneration.ts'

export type Watch = Disposable & {
  /** Aborts when the generation has ended elsewhere, mostly by a cancel. */
  unwanted: AbortSignal
}

/**
 * Watches for the end of a generation. A caller that reads the state after this call misses no cancel.
 * Contract: docs/contract.md#cancel-a-generation; a cancel reaches a running step at once.
 */
export function watchGeneration(context: Context, generationId: string): Watch {
  const controller = new AbortController()
  const check = () => {
    findGeneration(context, generationId).then(
      (found) => {
        if (!found || found.finishedAt) controller.abort(new Error('the generation has ended'))
      },
      () => undefined,
    )
  }
  return { unwanted: controller.signal, [Symbol.dispose]: context.notices.subscribe('generation', generationId, check) }
}
