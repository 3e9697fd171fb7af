import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const watch = statement<{ isTrusted: boolean; aheadSeconds: number }>('watch_clock', 'select is_trusted, ahead_seconds from watch_clock()')

/**
 * Checks whether deletions may rely on the database's clock. `isTrusted` is false after a jump of more than a day, or after a day without
 * maintenance, until the clock has run steadily for six hours. `aheadSeconds` is the time since the last trusted reading.
 * Locks: the row of clock_watch, briefly.
 */
export async function watchClock({ sql }: Pick<Context, 'sql'>): Promise<{ isTrusted: boolean; aheadSeconds: number }> {
  const seen = await sql.one(watch, [])
  return { isTrusted: seen?.isTrusted ?? false, aheadSeconds: seen?.aheadSeconds ?? 0 }
}

const jumped = statement<{ days: number; hours: number; since: Date }>(
  'clock_jumped',
  `select extract(epoch from seen_at - trusted_at)::float8 / 86400 as days,
       extract(epoch from interval '6 hours' - steady)::float8 / 3600 as hours, seen_at - steady as since
     from clock_watch where seen_at > trusted_at`,
)

/** Describes a clock jump for the operator, and when it was first seen; undefined while the clock is trusted. Changes nothing. */
export async function clockFault({ sql }: Pick<Context, 'sql'>): Promise<{ words: string; since: Date } | undefined> {
  const row = await sql.one(jumped, [])
  if (!row) return undefined
  const [days, hours] = [row.days.toFixed(1), row.hours.toFixed(1)]
  const effect = `nothing is deleted during the next ${hours} hours of operation; correct the clock if it is wrong`
  return { words: `the database's clock jumped ${days} days ahead: ${effect}`, since: row.since }
}
