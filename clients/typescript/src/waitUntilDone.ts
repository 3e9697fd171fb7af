import { AtelierError } from './atelierError.ts'
import { type CallOptions, call } from './call.ts'
import type { Connection } from './connection.ts'
import type { Generation } from './openapi.ts'

/** A generation at one of its three ends. */
export type EndedGeneration = Generation & { state: 'ready' | 'failed' | 'cancelled' }

/** `timeoutSeconds` is how long to wait altogether; an hour when left out. */
export type WaitOptions = CallOptions

const timeoutSecondsUsual = 3600
/** The longest that one request is held. */
const waitSecondsMax = 60
/** Pause after an error that may pass, where the service names none. */
const errorPauseSeconds = 5

/**
 * Waits until the generation ends, however it does. Each request is held by the service for up to a minute, so that hardly any are
 * needed; errors that may pass are waited out. Throws AtelierError: with the code `timed_out` when the generation goes on for longer.
 */
export async function waitUntilDone(connection: Connection, generationId: string, options: WaitOptions): Promise<EndedGeneration> {
  const { timing } = connection
  const { timeoutSeconds = timeoutSecondsUsual, signal } = options
  const endsAt = timing.now() + timeoutSeconds * 1000
  const leftSeconds = () => Math.max(0, (endsAt - timing.now()) / 1000)
  for (;;) {
    const wait = Math.min(waitSecondsMax, Math.floor(leftSeconds()))
    const askedAt = timing.now()
    const found = await look(connection, generationId, { wait, signal, leftSeconds: leftSeconds() })
    if (isEnded(found)) return found
    if (leftSeconds() === 0) throw stillRunning(generationId, timeoutSeconds)
    // An answer that came early, as from a service that shuts down, is not asked for again at once.
    const wasHeld = timing.now() - askedAt >= wait * 1000 && wait > 0
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

function isEnded(found: Generation | { pollAfterSeconds: number }): found is EndedGeneration {
  return 'state' in found && (found.state === 'ready' || found.state === 'failed' || found.state === 'cancelled')
}

function stillRunning(generationId: string, seconds: number): AtelierError {
  const message = `The generation ${generationId} has not ended within ${seconds} seconds.`
  return new AtelierError({ code: 'timed_out', message, status: 0, retryable: true, details: { generationId } })
}
