import type { CallOptions } from '../http/call.ts'
import type { Connection } from '../http/connection.ts'
import { countdown } from '../http/timing.ts'
import type { Generation } from '../openapi.ts'
import { followStates } from './followStates.ts'
import { defaultWaitSeconds, type EndedGeneration, isEnded, pollStates, stillRunning } from './pollStates.ts'

export type WaitOptions = CallOptions & {
  /** The total time limit. Default: an hour. */
  timeoutSeconds?: number | undefined
  /** Called with each state and progress of the generation, including the first and the last. */
  onProgress?: ((generation: Generation) => void) | undefined
}

/** The maximum time that one request is held. */
const heldSecondsMax = 60

/**
 * Waits until the generation ends in any state. The service holds each request for up to a minute, or sends a stream when there is an
 * `onProgress`, so few requests are needed. Temporary errors are waited out. Throws AtelierError: TimedOutError when the generation runs
 * longer.
 */
export function waitUntilDone(connection: Connection, generationId: string, options: WaitOptions): Promise<EndedGeneration> {
  const { timeoutSeconds = defaultWaitSeconds } = options
  const leftSeconds = countdown(connection.timing, timeoutSeconds)
  return untilDone(connection, generationId, { ...options, timeoutSeconds, leftSeconds })
}

type Until = Omit<WaitOptions, 'timeoutSeconds'> & { timeoutSeconds: number; leftSeconds: () => number }

/** Waits for the remaining part of `timeoutSeconds`. */
export async function untilDone(connection: Connection, generationId: string, options: Until): Promise<EndedGeneration> {
  const { timeoutSeconds, onProgress, ...others } = options
  const states = onProgress
    ? followStates(connection, generationId, others)
    : pollStates(connection, generationId, { ...others, waitSeconds: heldSecondsMax })
  for await (const generation of states) {
    onProgress?.(generation)
    if (isEnded(generation)) return generation
  }
  throw stillRunning(generationId, timeoutSeconds)
}
