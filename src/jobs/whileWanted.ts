import type { Context } from '../domain/context.ts'
import { findGeneration } from '../domain/generations/readGeneration.ts'

/**
 * Runs `work` with a signal that aborts as soon as the generation has ended elsewhere, a cancel above all, or at shutdown.
 * Contract: section 3; a cancel reaches running work at once, not at its next step.
 */
export async function whileWanted<Result>(
  context: Context,
  generationId: string,
  shutdown: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error('the work is no longer wanted'))
  const look = () => {
    findGeneration(context, generationId).then(
      (found) => {
        if (!found || found.finishedAt) abort()
      },
      () => undefined,
    )
  }
  const unsubscribe = context.notices.subscribe('generation', generationId, look)
  shutdown.addEventListener('abort', abort, { once: true })
  if (shutdown.aborted) abort()
  try {
    return await work(controller.signal)
  } finally {
    unsubscribe()
    shutdown.removeEventListener('abort', abort)
  }
}
