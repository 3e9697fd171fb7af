import pg from 'pg'
import type { Progress, ShowProgress } from '../progress.ts'
import { migratorName } from './connectMigrator.ts'

type Build = { phase: string; unit: string; done: string; total: string }

/** Some phases count blocks, the others rows. */
const buildOf = `select phase, case when tuples_total > blocks_total then 'rows' else 'blocks' end as unit,
    greatest(blocks_done, tuples_done)::text as done, greatest(blocks_total, tuples_total)::text as total
  from pg_stat_progress_create_index where pid = $1`

export type IndexWatch = { url: string; pid: number; showProgress: ShowProgress; everyMs?: number }

/**
 * Shows how far PostgreSQL has built the index of the session `pid`, phase by phase. It uses a connection of its own, since that session is
 * busy. Errors are ignored: the migration does not depend on it. Call the returned function to stop.
 */
export function watchIndexBuild({ url, pid, showProgress, everyMs = 1_000 }: IndexWatch): () => Promise<void> {
  const stopping = new AbortController()
  let shown: { phase: string; total: number; done: number; progress: Progress } | undefined
  let client: pg.Client | undefined
  let asking: Promise<void> | undefined
  const ask = async () => {
    client ??= await connect(url)
    const { rows } = await client.query<Build>(buildOf, [pid])
    const [build] = rows
    if (!build || stopping.signal.aborted) return
    const { phase, unit } = build
    const [done, total] = [Number(build.done), Number(build.total)]
    // A phase may begin before PostgreSQL has counted what it has to do.
    if (shown?.phase !== phase || shown.total !== total) {
      shown?.progress.end()
      shown = { phase, total, done: 0, progress: showProgress({ label: phase, unit, total }) }
    }
    shown.progress.add(done - shown.done)
    shown.done = done
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
    shown?.progress.end()
    await client?.end().catch(() => undefined)
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 5_000, application_name: migratorName })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
