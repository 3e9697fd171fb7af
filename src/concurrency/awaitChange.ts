/** Read interval without notifications: a lost notification delays an answer by this much at most. */
const slowPollMs = 5000

export type ChangeWait<Value> = {
  waitSeconds: number
  /** Ends the wait early. */
  signal: AbortSignal
  /** Calls `notice` at each change, and whenever a change may have been missed. Returns the unsubscribe function. */
  subscribe(notice: () => void): () => void
  read(): Promise<Value>
  done(value: Value): boolean
}

/**
 * Repeats `read` until `done` accepts its value, for at most `waitSeconds` or until `signal` aborts. Returns the last value.
 * Subscribes before the first read, so that no change is missed. While it waits it holds no connection.
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
