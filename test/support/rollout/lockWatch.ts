import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** The longest observed wait for a migration. `words` describes it. */
export type LongestWait = { ms: number; words: string }

export type LockWatch = {
  /** Resets the observation. */
  begin(): void
  longest(): LongestWait
  close(): Promise<void>
}

const pollIntervalMs = 50

/**
 * Checks every 50 ms which sessions wait for a lock that a migration holds or waits for. Waits between requests and jobs are ignored:
 * they exist in every release, and grow on a busy machine.
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
