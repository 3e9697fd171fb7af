import type pg from 'pg'
import type { Log } from './log.ts'

export type DatabaseClock = {
  /** The estimated time of the database. */
  now(): Date
  /** Stops reading the database; `now` continues from the last reading. */
  close(): void
}

const everyMilliseconds = 3_000
/** A reading with a longer round trip is too imprecise and is ignored, unless it is the first. */
const roundTripMsMax = 500

const timeQuery = { name: 'present', text: 'select (extract(epoch from present()) * 1000)::float8 as milliseconds' }

/**
 * Estimates the database's clock: reads it now and every few seconds, and adds the monotonic clock of this process in between. The wall
 * clock of the process is not used. A reading changes the estimate only if the estimate is outside the bounds that the round trip allows,
 * and then to the nearer bound, so that the estimate does not jitter. Rejects when the database cannot be reached.
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
      log.debug({ error }, 'reading the clock of the database failed')
    } finally {
      asking = false
    }
  }
  const timer = setInterval(() => void correct(), everyMs).unref()
  return { now: () => new Date(ahead + performance.now()), close: () => clearInterval(timer) }
}

/** Reads the database's clock. Returns the bounds of its offset to the monotonic clock, in milliseconds. */
async function measure(connection: Pick<pg.Pool, 'query'>): Promise<{ atLeast: number; atMost: number }> {
  const sentAt = performance.now()
  // A copy each time: the driver modifies the object, which would break another pool.
  const { rows } = await connection.query<{ milliseconds: number }>({ ...timeQuery })
  const answered = performance.now()
  const milliseconds = rows[0]?.milliseconds ?? Number.NaN
  return { atLeast: milliseconds - answered, atMost: milliseconds - sentAt }
}
