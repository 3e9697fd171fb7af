/** Between notices: a lost one delays an answer by this much at most. */
const slowPollMs = 5000

export type ChangeWait<Value> = {
  waitSeconds: number
  /** Ends the wait early. */
  signal: AbortSignal
  /** Calls back at each change, and whenever one may have been missed; gives what ends that. */
  subscribe(notice: () => void): () => void
  read(): Promise<Value>
  done(value: Value): boolean
}

/**
 * Repeats `read` until `done` holds for what it gives, for `waitSeconds` at most or until `signal` aborts, and returns the last.
 * It listens first and reads then, so that no change falls between; nothing but the subscription is held while it waits.
 */
export async function awaitChange<Value>({ waitSeconds, signal, subscribe, read, done }: ChangeWait<Value>): Promise<Value> {
  if (waitSeconds <= 0 || signal.aborted) return read()
  let wake: () => void = () => undefined
  let wasNotified = false
  const notice = () => {
    wasNotified = true
    wake()
  }
  const unsubscribe = subscribe(notice)
  const deadline = performance.now() + waitSeconds * 1000
  signal.addEventListener('abort', notice, { once: true })
  try {
    for (;;) {
      wasNotified = false
      const value = await read()
      const leftMs = deadline - performance.now()
      if (done(value) || leftMs <= 0 || signal.aborted) return value
      if (wasNotified) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(leftMs, slowPollMs))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      wake = () => undefined
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', notice)
  }
}
