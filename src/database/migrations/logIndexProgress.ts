import pg from 'pg'
import type { Log } from '../log.ts'
import { migratorName } from './connectMigrator.ts'

type Build = { phase: string; done: string; total: string }

const buildOf = `select phase, greatest(blocks_done, tuples_done)::text as done, greatest(blocks_total, tuples_total)::text as total
  from pg_stat_progress_create_index where pid = $1`

export type IndexWatch = { url: string; pid: number; migration: string; log: Log; everyMs?: number }

/**
 * Logs every ten seconds how far PostgreSQL has built the index of the session `pid`, and the time left of this phase. It uses a connection
 * of its own, since that session is busy. Errors are ignored: the migration does not depend on it. Call the returned function to stop.
 */
export function logIndexProgress({ url, pid, migration, log, everyMs = 10_000 }: IndexWatch): () => Promise<void> {
  const stopping = new AbortController()
  const stepStarts = new Map<string, { at: number; done: number }>()
  let client: pg.Client | undefined
  let asking: Promise<void> | undefined
  const ask = async () => {
    client ??= await connect(url)
    const { rows } = await client.query<Build>(buildOf, [pid])
    const [build] = rows
    if (!build || stopping.signal.aborted) return
    const [done, total, now] = [Number(build.done), Number(build.total), performance.now()]
    const start = stepStarts.get(build.phase) ?? { at: now, done }
    stepStarts.set(build.phase, start)
    const rate = (done - start.done) / Math.max(now - start.at, 1)
    const left = rate > 0 && total >= done ? { secondsLeft: Math.ceil((total - done) / rate / 1_000) } : {}
    const share = total > 0 ? { percent: Math.floor((done / total) * 100) } : {}
    log.info({ migration, state: build.phase, ...share, ...left }, 'building an index')
  }
  const timer = setInterval(() => {
    asking ??= ask()
      .catch(() => undefined)
      .finally(() => (asking = undefined))
  }, everyMs)
  return async () => {
    stopping.abort()
    clearInterval(timer)
    await asking
    await client?.end().catch(() => undefined)
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 5_000, application_name: migratorName })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
