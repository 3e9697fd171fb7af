import { setTimeout as pause } from 'node:timers/promises'

/** The value, or `undefined` when it takes longer than `waitMs`, or `signal` is aborted first. The work continues. */
export async function withTimeout<Value>(
  value: Promise<Value>,
  { signal, waitMs }: { signal?: AbortSignal; waitMs: number },
): Promise<Value | undefined> {
  const over = new AbortController()
  const late = pause(waitMs, undefined, { signal: AbortSignal.any([over.signal, ...(signal ? [signal] : [])]) }).catch(() => undefined)
  try {
    return await Promise.race([value, late])
  } finally {
    over.abort()
  }
}
