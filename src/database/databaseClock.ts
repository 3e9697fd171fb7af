import type pg from 'pg'
import type { Log } from './log.ts'

export type DatabaseClock = {
  /** What the database would say the time is. */
  now(): Date
  /** Asks no more; the time goes on. */
  close(): void
}

const everyMilliseconds = 3_000
/** Of half a second and more between question and answer little can be learned; a first one is taken all the same. */
const roundTripMsMax = 500

const question = { name: 'present', text: 'select (extract(epoch from present()) * 1000)::float8 as milliseconds' }

/**
 * The database's clock, read at once and again every few seconds, and carried on between by the monotonic clock of this process: what
 * its wall clock says, or jumps to, does not matter. An answer moves it only where the two cannot both be right, given how long the
 * answer took, and then as little as can be; so it does not tremble. Rejects when the database cannot be reached.
 */
export async function openDatabaseClock(
  connection: Pick<pg.Pool, 'query'>,
  { log, everyMs = everyMilliseconds }: { log: Log; everyMs?: number },
): Promise<DatabaseClock> {
  const first = await measure(connection)
  let ahead = (first.atLeast + first.atMost) / 2
  let asking = false
  const correct = async () => {
    if (asking) return
    asking = true
    try {
      const { atLeast, atMost } = await measure(connection)
      if (atMost - atLeast <= roundTripMsMax) ahead = Math.min(Math.max(ahead, atLeast), atMost)
    } catch (error) {
      log.debug({ error }, 'the clock of the database was not read')
    } finally {
      asking = false
    }
  }
  const timer = setInterval(() => void correct(), everyMs).unref()
  return { now: () => new Date(ahead + performance.now()), close: () => clearInterval(timer) }
}

/** Between which bounds the database's clock is ahead of the monotonic one, in milliseconds: it was read between question and answer. */
async function measure(connection: Pick<pg.Pool, 'query'>): Promise<{ atLeast: number; atMost: number }> {
  const asked = performance.now()
  // Of its own each time: the driver writes into what it is given, and another pool would stumble over that.
  const { rows } = await connection.query<{ milliseconds: number }>({ ...question })
  const answered = performance.now()
  const milliseconds = rows[0]?.milliseconds ?? Number.NaN
  return { atLeast: milliseconds - answered, atMost: milliseconds - asked }
}
