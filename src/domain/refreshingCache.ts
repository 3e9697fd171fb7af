import type { Log } from '../database/log.ts'
import type { Notices } from './notices.ts'

export type RefreshingCache<Value> = {
  /** As last read. */
  current(): Value
  /** Reads anew; what was written before the call is in `current` when it resolves. */
  refresh(): Promise<void>
  close(): void
}

const refreshSeconds = 5

/**
 * Keeps something small of the database in memory: read at once, when a notice says that it has changed, and every few seconds in case
 * that was not heard. Rejects when the first reading fails; later ones keep what was known. `name` is what the log calls it.
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
  /** One reading at a time; a call during one gets the next, since the one under way may have missed what the caller knows of. */
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
      if (!known) throw new Error(`${name} were never read`)
      return known.value
    },
    refresh,
    close,
  }
}
