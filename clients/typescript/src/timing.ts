/** Time and chance, so that tests need not wait for them. */
export type Timing = {
  /** Milliseconds on a clock that never goes back. */
  now(): number
  /** Resolves after so many seconds; rejects with the reason of `signal` when that comes first. */
  pause(seconds: number, signal?: AbortSignal): Promise<void>
  /** From 0 up to, and without, 1. */
  random(): number
}

export const realTiming: Timing = { now: () => performance.now(), pause, random: () => Math.random() }

/** How many of so many seconds, counted from now, are left. */
export function countdown(timing: Timing, seconds: number): () => number {
  const endsAt = timing.now() + seconds * 1000
  return () => Math.max(0, (endsAt - timing.now()) / 1000)
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
