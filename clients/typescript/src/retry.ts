import { isFromService } from './answer.ts'
import { AtelierError } from './atelierError.ts'
import { TimedOut } from './connectionErrors.ts'
import type { Timing } from './timing.ts'

export type RetryLimits = {
  /** How often a request is sent at most, the first time included. */
  attemptsMax: number
  /** How long all attempts and the pauses between them may take. */
  totalSeconds: number
  /** How long one attempt may take. */
  attemptSeconds: number
}

type RetryOptions = RetryLimits & {
  timing: Timing
  signal: AbortSignal | undefined
  /** Whether a second request does no harm when nobody knows what became of the first. */
  repeatable: boolean
}

/**
 * Runs `tryOnce` until it succeeds, fails for good, or one of the limits is reached; then throws the last AtelierError. When `signal`
 * aborts, throws its reason.
 */
export async function withRetries<Value>(tryOnce: (signal: AbortSignal) => Promise<Value>, options: RetryOptions): Promise<Value> {
  const { timing, signal } = options
  const endsAt = timing.now() + options.totalSeconds * 1000
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    const leftSeconds = Math.max(0, (endsAt - timing.now()) / 1000)
    try {
      return await withinTime(tryOnce, { seconds: Math.min(options.attemptSeconds, leftSeconds), signal })
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof AtelierError)) throw error
      const seconds = attempt < options.attemptsMax ? pauseSeconds(error, { ...options, attempt }) : undefined
      if (seconds === undefined || timing.now() + seconds * 1000 >= endsAt) throw error
      await timing.pause(seconds, signal)
    }
  }
}

/** These pass when other work ends, or at midnight: how long to wait for that is the caller's to say. */
const notRetriedHere = new Set<string>(['insufficient_credits', 'spend_limit_exceeded'])

const firstPauseSeconds = 0.5
const longestPauseSeconds = 8
const spreadSeconds = 0.5

/** How long to wait before the next attempt, or `undefined` for not at all. */
function pauseSeconds(error: AtelierError, { attempt, repeatable, timing }: RetryOptions & { attempt: number }): number | undefined {
  if (!error.retryable || notRetriedHere.has(error.code)) return undefined
  if (!repeatable && !isFromService(error)) return undefined
  return backoffSeconds(attempt, { timing, error })
}

/**
 * How long to stay away after so many failures in a row: as long as the service asks for, else twice as long each time; never the same
 * for everyone who was turned away together.
 */
export function backoffSeconds(failures: number, { timing, error }: { timing: Timing; error: AtelierError | undefined }): number {
  const backoff = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (failures - 1)) * (0.5 + timing.random() / 2)
  return Math.max(backoff, (error?.retryAfterSeconds ?? 0) + spreadSeconds * timing.random())
}

/** Runs one attempt, whose signal aborts with an AtelierError when its time is over. The limit ends when the attempt does. */
async function withinTime<Value>(
  tryOnce: (signal: AbortSignal) => Promise<Value>,
  { seconds, signal }: { seconds: number; signal: AbortSignal | undefined },
): Promise<Value> {
  const limit = new AbortController()
  const message = `No answer came within ${Number(seconds.toFixed(1))} seconds.`
  const timer = setTimeout(() => limit.abort(new TimedOut(message)), seconds * 1000)
  try {
    return await tryOnce(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal)
  } finally {
    clearTimeout(timer)
  }
}
