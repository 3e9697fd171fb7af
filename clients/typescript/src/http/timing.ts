/** Clock and random numbers, replaceable in tests. */
export type Timing = {
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** Resolves after `seconds`. Rejects with the reason of `signal` when it aborts first. */
  pause(seconds: number, signal?: AbortSignal): Promise<void>
  /** From 0 up to 1, without 1. */
  random(): number
}

export const realTiming: Timing = { now: () => performance.now(), pause, random: () => Math.random() }

/** Returns a function for the remaining seconds. */
export function countdown(timing: Timing, seconds: number): () => number {
  const endsAt = timing.now() + seconds * 1000
  return () => Math.max(0, (endsAt - timing.now()) / 1000)
}

/** Returns a function for the options of the next step of a call, whose time limit is for all its steps. */
export function remaining<Options extends { timeoutSeconds?: number | undefined }>(timing: Timing, options: Options): () => Options {
  const { timeoutSeconds } = options
  if (timeoutSeconds === undefined) return () => options
  const leftSeconds = countdown(timing, timeoutSeconds)
  return () => ({ ...options, timeoutSeconds: leftSeconds() })
}

function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
