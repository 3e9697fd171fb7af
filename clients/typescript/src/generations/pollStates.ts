import { AtelierError } from '../errors/atelierError.ts'
import { TimedOutError } from '../errors/connectionErrors.ts'
import { type CallOptions, call } from '../http/call.ts'
import type { Connection } from '../http/connection.ts'
import type { Generation } from '../openapi.ts'

/** A generation in one of its three final states. */
export type EndedGeneration = Generation & { state: 'ready' | 'failed' | 'cancelled' }

export type PollOptions = Omit<CallOptions, 'timeoutSeconds'> & {
  /** The maximum time that the service holds each response. */
  waitSeconds: number
  /** The remaining time. */
  leftSeconds: () => number
}

/** The default time limit of waiting for a generation. */
export const defaultWaitSeconds = 3600

/** The pause after a temporary error without a Retry-After. */
const errorPauseSeconds = 5

/** Polls a generation until it has ended or the time is over. Temporary errors are waited out. Throws AtelierError for permanent ones. */
export async function* pollStates(
  connection: Connection,
  generationId: string,
  { waitSeconds, leftSeconds, ...options }: PollOptions,
): AsyncGenerator<Generation, void, undefined> {
  const { timing } = connection
  for (;;) {
    const wait = Math.min(waitSeconds, Math.floor(leftSeconds()))
    const askedAt = timing.now()
    const found = await poll(connection, generationId, { ...options, wait, leftSeconds: leftSeconds() })
    // An early response, as from a service that shuts down, is not followed by a request at once.
    const wasHeld = timing.now() - askedAt >= wait * 1000 && wait > 0
    if ('state' in found) yield found
    if (isEnded(found) || leftSeconds() === 0) return
    if (!wasHeld) await timing.pause(Math.min(found.pollAfterSeconds ?? 1, leftSeconds()), options.signal)
  }
}

type PollRequest = Omit<CallOptions, 'timeoutSeconds'> & { wait: number; leftSeconds: number }

/** Reads the generation, or returns when to poll again. */
async function poll(
  connection: Connection,
  generationId: string,
  { wait, leftSeconds, ...options }: PollRequest,
): Promise<Generation | { pollAfterSeconds: number }> {
  try {
    return await call(connection, 'getGeneration', {
      path: { id: generationId },
      query: wait > 0 ? { wait } : {},
      timeoutSeconds: connection.timeoutSeconds + wait,
      attemptSeconds: connection.timeoutSeconds + wait,
      ...options,
    })
  } catch (error) {
    const isTemporary = error instanceof AtelierError && error.retryable && leftSeconds > 0
    if (!isTemporary) throw error
    return { pollAfterSeconds: error.retryAfterSeconds ?? errorPauseSeconds }
  }
}

export function isEnded(found: object): found is EndedGeneration {
  return 'state' in found && (found.state === 'ready' || found.state === 'failed' || found.state === 'cancelled')
}

/** The error of a wait that takes too long. */
export function stillRunning(generationId: string, seconds: number): TimedOutError {
  return new TimedOutError(`The generation ${generationId} has not ended within ${seconds} seconds.`, { generationId })
}
