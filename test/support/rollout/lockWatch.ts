import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** The longest that anybody was seen to wait for a migration. `words`: who waited for what. */
export type LongestWait = { ms: number; words: string }

export type LockWatch = {
  /** Forgets what was seen so far. */
  begin(): void
  longest(): LongestWait
  close(): Promise<void>
}

const pollIntervalMs = 50

/**
 * Looks every 50 ms at who waits for a lock that a migration holds, or waits for itself. What requests and jobs wait for each other is
 * theirs in every release, and longer on a machine that has much to do.
 */
export async function openLockWatch(port: number): Promise<LockWatch> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'atelier', application_name: 'lock watch' })
  client.on('error', () => undefined)
  await client.connect()
  const ending = new AbortController()
  let longest: LongestWait = { ms: 0, words: '' }
  const watching = (async () => {
    while (!ending.signal.aborted) {
      const { rows } = await client.query<LongestWait>(waiting)
      const [row] = rows
      if (row && row.ms > longest.ms) longest = row
      await pause(pollIntervalMs)
    }
  })()
  return {
    begin: () => void (longest = { ms: 0, words: '' }),
    longest: () => longest,
    async close() {
      ending.abort()
      await watching
      await client.end()
    },
  }
}

const waiting = `select extract(epoch from clock_timestamp() - l.waitstart)::float * 1000 as ms,
    l.locktype || coalesce(' ' || l.relation::regclass::text, '') || ': ' || left(regexp_replace(a.query, '\\s+', ' ', 'g'), 80) as words
  from pg_locks l join pg_stat_activity a using (pid)
  where not l.granted and l.waitstart is not null
    and exists (select from pg_stat_activity m where m.pid = any (pg_blocking_pids(l.pid)) and m.application_name = 'atelier migrate')
  order by l.waitstart limit 1`
