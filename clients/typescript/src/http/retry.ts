import { AtelierError } from '../errors/atelierError.ts'
import { TimedOutError } from '../errors/connectionErrors.ts'
import { isFromService } from './answer.ts'
import type { Timing } from './timing.ts'

export type RetryLimits = {
  /** The maximum number of attempts, including the first one. */
  attemptsMax: number
  /** The time limit of all attempts and pauses. */
  totalSeconds: number
  /** The time limit of one attempt. */
  attemptSeconds: number
}

type RetryOptions = RetryLimits & {
  timing: Timing
  signal: AbortSignal | undefined
  /** True when a repeat is harmless although the outcome of the first request is unknown. */
  repeatable: boolean
}

/**
 * Runs `tryOnce` until it succeeds, fails permanently, or reaches a limit, and then throws the last AtelierError. When `signal` aborts,
 * throws its reason.
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

/** These pass when other work ends, or at midnight. The caller decides whether to wait for that. */
const notRetriedHere = new Set<string>(['insufficient_credits', 'spend_limit_exceeded'])

const firstPauseSeconds = 0.5
const longestPauseSeconds = 8
const spreadSeconds = 0.5

/** The delay before the next attempt, `undefined` for no retry. */
function pauseSeconds(error: AtelierError, { attempt, repeatable, timing }: RetryOptions & { attempt: number }): number | undefined {
  if (!error.retryable || notRetriedHere.has(error.code)) return undefined
  if (!repeatable && !isFromService(error)) return undefined
  return backoffSeconds(attempt, { timing, error })
}

/**
 * The delay after a number of consecutive failures: at least as long as the service requests, otherwise doubled each time, with jitter.
 */
export function backoffSeconds(failures: number, { timing, error }: { timing: Timing; error: AtelierError | undefined }): number {
  const backoff = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (failures - 1)) * (0.5 + timing.random() / 2)
  return Math.max(backoff, (error?.retryAfterSeconds ?? 0) + spreadSeconds * timing.random())
}

/** Runs one attempt with a time limit. Its signal aborts with an AtelierError. */
async function withinTime<Value>(
  tryOnce: (signal: AbortSignal) => Promise<Value>,
  { seconds, signal }: { seconds: number; signal: AbortSignal | undefined },
): Promise<Value> {
  const limit = new AbortController()
  const message = `No answer came within ${Number(seconds.toFixed(1))} seconds.`
  const timer = setTimeout(() => limit.abort(new TimedOutError(message)), seconds * 1000)
  try {
    return await tryOnce(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal)
  } finally {
    clearTimeout(timer)
  }
}
