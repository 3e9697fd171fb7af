import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { JobContext } from '../runners/jobContext.ts'

/** How long an answer is held in memory while the database does not take it. Failovers and locked tables are over by then. */
export const retryWriteSeconds = 300
const firstPauseMs = 250
const pauseMsMax = 2000

/**
 * Writes what a provider has said, which it says once: repeats `write` while the database cannot be reached or is too busy. Any other
 * error, and the last one after {@link retryWriteSeconds}, is thrown. `write` must stand when it is repeated after a commit whose answer
 * was lost.
 */
export async function retryWrite<Result>(
  { log }: Pick<JobContext, 'log'>,
  generationId: string,
  write: () => Promise<Result>,
): Promise<Result> {
  const givenUpAt = performance.now() + retryWriteSeconds * 1000
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMsMax, pauseMs * 2)) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'service_unavailable' || performance.now() > givenUpAt) throw error
      log.warn({ generationId, error }, 'what a provider has answered could not be written yet')
      await pause(pauseMs)
    }
  }
}
