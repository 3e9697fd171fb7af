import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { JobContext } from '../runners/jobContext.ts'

/** How long an answer is held in memory while the database refuses it. Failovers and table locks take less. */
export const retryWriteSeconds = 300
const firstPauseMs = 250
const pauseMsMax = 2000

/**
 * Records a provider's answer, which cannot be fetched again. Repeats and throws as {@link retryOnOutage}. `write` must be idempotent: the
 * confirmation of a commit may be lost.
 */
export async function retryWrite<Result>(
  { log }: Pick<JobContext, 'log'>,
  generationId: string,
  write: () => Promise<Result>,
): Promise<Result> {
  return retryOnOutage(write, (error) => log.warn({ generationId, error }, 'the answer of a provider could not be written yet'))
}

/**
 * Repeats `work` while the database is unreachable or overloaded, and calls `onRefused` with each such error. Throws any other error, and the
 * last one after {@link retryWriteSeconds}.
 */
export async function retryOnOutage<Result>(work: () => Promise<Result>, onRefused: (error: unknown) => void): Promise<Result> {
  const givenUpAt = performance.now() + retryWriteSeconds * 1000
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMsMax, pauseMs * 2)) {
    try {
      return await work()
    } catch (error) {
      if (!isOutage(error) || performance.now() > givenUpAt) throw error
      onRefused(error)
      await pause(pauseMs)
    }
  }
}

/** The database is unreachable or overloaded. */
export function isOutage(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'service_unavailable'
}
