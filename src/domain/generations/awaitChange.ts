import type { Context } from '../context.ts'

/** Between notices: a lost one delays an answer by this much at most. */
const slowPollMs = 5000

/**
 * Repeats `read` until `done` holds for what it gives, for `waitSeconds` at most or until `signal` aborts, and returns the last.
 * It listens first and reads then, so that no ending falls between; no connection is held while it waits.
 * Spec: GET /generations/{id}, `wait`.
 */
export async function awaitChange<Value>(
  context: Context,
  generationId: string,
  options: { waitSeconds: number; signal: AbortSignal; read(): Promise<Value>; done(value: Value): boolean },
): Promise<Value> {
  if (options.waitSeconds <= 0 || options.signal.aborted) return options.read()
  let wake: () => void = () => undefined
  let noticed = false
  const notice = () => {
    noticed = true
    wake()
  }
  const unsubscribe = context.notices.subscribe('generation', generationId, notice)
  const deadline = performance.now() + options.waitSeconds * 1000
  options.signal.addEventListener('abort', notice, { once: true })
  try {
    for (;;) {
      noticed = false
      const value = await options.read()
      const leftMs = deadline - performance.now()
      if (options.done(value) || leftMs <= 0 || options.signal.aborted) return value
      if (noticed) continue
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
    options.signal.removeEventListener('abort', notice)
  }
}
