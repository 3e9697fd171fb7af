import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from './log.ts'

export type Liveness = {
  /** Names the worker pool of this process, whose jobs are freed when it dies. */
  setWorkerPool(poolId: string): void
  close(): Promise<void>
}

const lookMs = 1000
/** A process that has stopped keeps its lock; its heart does not beat. */
const silentSeconds = 15
/** A lock may be gone for a moment while its connection is renewed. */
const missesMax = 2

const beat = `insert into processes (id, roles, worker_pool_id) values ($1, $2, $3)
  on conflict (id) do update set heartbeat_at = now(), worker_pool_id = excluded.worker_pool_id`

/** Locks of others that can be taken are locks that nobody holds. Given back with the statement's transaction. */
const look = `select id, heartbeat_at < now() - interval '${silentSeconds} seconds' as silent,
    pg_try_advisory_xact_lock(hashtextextended('process:' || id, 0)) as unlocked
  from processes where id <> $1`

/** Whoever gets the row first buries it: its jobs and deliveries are free again, and so are its request slots. */
const bury = `with buried as (
    delete from processes where id = $1 returning id, worker_pool_id
  ), slots as (
    update request_counts set in_progress = in_progress - $1 where in_progress ? $1 and exists (select from buried)
  ), deliveries as (
    update webhook_leases set expires_at = now() where holder in (select worker_pool_id from buried)
  )
  select graphile_worker.force_unlock_workers(array[worker_pool_id]) from buried where worker_pool_id is not null`

/** Jobs held by a pool that no living process claims: its process died before it could say which pool it had. */
const freeUnclaimed = `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
  where locked_by is not null and locked_at < now() - interval '4 seconds'
    and locked_by not in (select worker_pool_id from processes where worker_pool_id is not null)
  having count(*) > 0`
const unclaimedEvery = 3

/**
 * Says that this process lives, by a lock of its session and a heartbeat, and looks after the others: when one is dead its jobs
 * and request slots are freed within seconds. Needs a direct connection; renews it when it is lost.
 */
export async function keepAlive(options: { url: string; processId: string; roles: string[]; log: Log }): Promise<Liveness> {
  const closing = new AbortController()
  const misses = new Map<string, number>()
  let workerPoolId: string | null = null
  let client = await connect()

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({ connectionString: options.url, connectionTimeoutMillis: 5000, query_timeout: 5000, keepAlive: true })
    fresh.on('error', () => undefined)
    await fresh.connect()
    await fresh.query(`select pg_advisory_lock(hashtextextended('process:' || $1, 0))`, [options.processId])
    await fresh.query(beat, [options.processId, options.roles, workerPoolId])
    return fresh
  }

  const tell = () => client.query(beat, [options.processId, options.roles, workerPoolId])
  let turns = 0

  async function turn(): Promise<void> {
    await tell()
    if (++turns % unclaimedEvery === 0) await client.query(freeUnclaimed)
    const { rows } = await client.query<{ id: string; silent: boolean; unlocked: boolean }>(look, [options.processId])
    for (const id of misses.keys()) if (!rows.some((row) => row.id === id && row.unlocked)) misses.delete(id)
    for (const { id, silent, unlocked } of rows) {
      if (unlocked) misses.set(id, (misses.get(id) ?? 0) + 1)
      if (!silent && (misses.get(id) ?? 0) < missesMax) continue
      misses.delete(id)
      await client.query(bury, [id])
      options.log.warn({ processId: id, silent }, 'a process has died; its jobs and slots are free')
    }
  }

  const loop = (async () => {
    while (!closing.signal.aborted) {
      await pause(lookMs, undefined, { signal: closing.signal }).catch(() => undefined)
      if (closing.signal.aborted) return
      try {
        await turn()
      } catch (error) {
        options.log.warn({ error: String(error) }, 'liveness could not be told')
        await client.end().catch(() => undefined)
        client = await connect().catch(() => client)
      }
    }
  })()

  return {
    setWorkerPool: (poolId) => {
      workerPoolId = poolId
      tell().catch(() => undefined)
    },
    close: async () => {
      closing.abort()
      await loop
      await client.query('delete from processes where id = $1', [options.processId]).catch(() => undefined)
      await client.end().catch(() => undefined)
    },
  }
}
