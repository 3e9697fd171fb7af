import { AtelierError } from './atelierError.ts'
import { type CallOptions, call } from './call.ts'
import type { Connection } from './connection.ts'
import { TimedOut } from './connectionErrors.ts'
import type { Generation } from './openapi.ts'

/** A generation at one of its three ends. */
export type EndedGeneration = Generation & { state: 'ready' | 'failed' | 'cancelled' }

export type PollOptions = Pick<CallOptions, 'signal'> & {
  /** How long the service is to hold each answer, at most. */
  waitSeconds: number
  /** How long to go on altogether, from now. */
  leftSeconds: () => number
}

/** How long a generation is waited for where nobody says. */
export const defaultWaitSeconds = 3600

/** Pause after an error that may pass, where the service names none. */
const errorPauseSeconds = 5

/**
 * Looks at a generation again and again, until it has ended or the time is over; errors that may pass are waited out. Throws AtelierError
 * for those that stay.
 */
export async function* pollStates(
  connection: Connection,
  generationId: string,
  { waitSeconds, leftSeconds, signal }: PollOptions,
): AsyncGenerator<Generation, void, undefined> {
  const { timing } = connection
  for (;;) {
    const wait = Math.min(waitSeconds, Math.floor(leftSeconds()))
    const askedAt = timing.now()
    const found = await look(connection, generationId, { wait, signal, leftSeconds: leftSeconds() })
    // An answer that came early, as from a service that shuts down, is not asked for again at once.
    const wasHeld = timing.now() - askedAt >= wait * 1000 && wait > 0
    if ('state' in found) yield found
    if (isEnded(found) || leftSeconds() === 0) return
    if (!wasHeld) await timing.pause(Math.min(found.pollAfterSeconds ?? 1, leftSeconds()), signal)
  }
}

type Look = { wait: number; signal: AbortSignal | undefined; leftSeconds: number }

/** One look at the generation, or how soon to look again. */
async function look(
  connection: Connection,
  generationId: string,
  { wait, signal, leftSeconds }: Look,
): Promise<Generation | { pollAfterSeconds: number }> {
  try {
    return await call(connection, 'getGeneration', {
      path: { id: generationId },
      query: wait > 0 ? { wait } : {},
      timeoutSeconds: connection.timeoutSeconds + wait,
      attemptSeconds: connection.timeoutSeconds + wait,
      signal,
    })
  } catch (error) {
    const passes = error instanceof AtelierError && error.retryable && leftSeconds > 0
    if (!passes) throw error
    return { pollAfterSeconds: error.retryAfterSeconds ?? errorPauseSeconds }
  }
}

export function isEnded(found: object): found is EndedGeneration {
  return 'state' in found && (found.state === 'ready' || found.state === 'failed' || found.state === 'cancelled')
}

/** What ends a wait for a generation that goes on. */
export function stillRunning(generationId: string, seconds: number): TimedOut {
  return new TimedOut(`The generation ${generationId} has not ended within ${seconds} seconds.`, { generationId })
}
