import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const watch = statement<{ isTrusted: boolean; aheadSeconds: number }>('watch_clock', 'select is_trusted, ahead_seconds from watch_clock()')

/**
 * Whether the database's clock may decide what is old enough to be deleted. False after it jumped by more than a day, or no maintenance
 * ran for so long, until it has gone on steadily for six hours. `aheadSeconds`: since the last time that was believed.
 * Locks: the row of clock_watch, for a moment.
 */
export async function watchClock({ sql }: Pick<Context, 'sql'>): Promise<{ isTrusted: boolean; aheadSeconds: number }> {
  const seen = await sql.one(watch, [])
  return { isTrusted: seen?.isTrusted ?? false, aheadSeconds: seen?.aheadSeconds ?? 0 }
}

const jumped = statement<{ days: number; hours: number }>(
  'clock_jumped',
  `select extract(epoch from seen_at - trusted_at)::float8 / 86400 as days, extract(epoch from interval '6 hours' - steady)::float8 / 3600 as hours
     from clock_watch where seen_at > trusted_at`,
)

/** What an operator should know of a clock that jumped, in a sentence; nothing while it is believed. Changes nothing. */
export async function clockFault({ sql }: Pick<Context, 'sql'>): Promise<string | undefined> {
  const row = await sql.one(jumped, [])
  return (
    row &&
    `the database's clock went ${row.days.toFixed(1)} days ahead at once: nothing is deleted for ${row.hours.toFixed(1)} hours of work more; mend the clock if it is wrong`
  )
}
