import type { CallOptions } from './call.ts'
import type { Connection } from './connection.ts'
import { followStates } from './followStates.ts'
import type { Generation } from './openapi.ts'
import { defaultWaitSeconds, type EndedGeneration, isEnded, pollStates, stillRunning } from './pollStates.ts'
import { countdown } from './timing.ts'

export type WaitOptions = CallOptions & {
  /** How long to wait altogether; an hour when left out. */
  timeoutSeconds?: number | undefined
  /** Called with each state and each progress of the generation as they are told, the first and the last included. */
  onProgress?: ((generation: Generation) => void) | undefined
}

/** The longest that one request is held. */
const heldSecondsMax = 60

/**
 * Waits until the generation ends, however it does. Each request is held by the service for up to a minute, or for as long as a stream
 * lasts where there is an `onProgress`, so that hardly any are needed; errors that may pass are waited out. Throws AtelierError: TimedOut
 * when the generation goes on for longer.
 */
export function waitUntilDone(connection: Connection, generationId: string, options: WaitOptions): Promise<EndedGeneration> {
  const { timeoutSeconds = defaultWaitSeconds } = options
  const leftSeconds = countdown(connection.timing, timeoutSeconds)
  return untilDone(connection, generationId, { ...options, timeoutSeconds, leftSeconds })
}

type Until = Omit<WaitOptions, 'timeoutSeconds'> & { timeoutSeconds: number; leftSeconds: () => number }

/** Waits for what is left of `timeoutSeconds`. */
export async function untilDone(connection: Connection, generationId: string, options: Until): Promise<EndedGeneration> {
  const { timeoutSeconds, leftSeconds, signal, onProgress } = options
  const states = onProgress
    ? followStates(connection, generationId, { leftSeconds, signal })
    : pollStates(connection, generationId, { leftSeconds, signal, waitSeconds: heldSecondsMax })
  for await (const generation of states) {
    onProgress?.(generation)
    if (isEnded(generation)) return generation
  }
  throw stillRunning(generationId, timeoutSeconds)
}
