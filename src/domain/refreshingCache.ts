import type { Log } from '../database/log.ts'
import type { Notices } from './notices.ts'

export type RefreshingCache<Value> = {
  /** The value last read. */
  current(): Value
  /** Reads again. When it resolves, `current` includes everything committed before the call. */
  refresh(): Promise<void>
  close(): void
}

const refreshSeconds = 5

/**
 * Caches a small value of the database in memory. Reads it now, after each notification of a change, and every few seconds in case a
 * notification was lost. Rejects when the first read fails; a later failure keeps the old value. `name` appears in the log.
 */
export async function makeRefreshingCache<Value>(
  read: () => Promise<Value>,
  { notices, notice, name, log }: { notices: Notices; notice: { channel: string; subject: string }; name: string; log: Log },
): Promise<RefreshingCache<Value>> {
  let known: { value: Value } | undefined
  let running: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | undefined

  async function readOnce(): Promise<void> {
    known = { value: await read() }
  }
  /** One read at a time. A call during a read waits for the next one, because the current read may miss the caller's change. */
  function refresh(): Promise<void> {
    waiting ??= running
      .catch(() => undefined)
      .then(() => {
        waiting = undefined
        running = readOnce()
        return running
      })
    return waiting
  }
  const refreshOrWarn = () => {
    refresh().catch((error: unknown) => log.warn({ error: String(error) }, `${name} could not be read`))
  }

  const unsubscribe = notices.subscribe(notice.channel, notice.subject, refreshOrWarn)
  const timer = setInterval(refreshOrWarn, refreshSeconds * 1000).unref()
  const close = () => {
    unsubscribe()
    clearInterval(timer)
  }
  try {
    await refresh()
  } catch (error) {
    close()
    throw error
  }
  return {
    current: () => {
      if (!known) throw new Error(`${name} were not read yet`)
      return known.value
    },
    refresh,
    close,
  }
}
