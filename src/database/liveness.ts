import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from './log.ts'
import { withoutJit } from './pool.ts'

export type Liveness = {
  /** Names the worker pool of this process, whose jobs are freed when it dies. */
  setWorkerPool(poolId: string): void
  close(): Promise<void>
}

export type LivenessOptions = {
  url: string
  processId: string
  roles: string[]
  log: Log
  /** How often it says so and looks after the others; a second unless given. */
  lookMs?: number
}

/** A process that has stopped keeps its lock; its heart does not beat. */
const silentSeconds = 15
/** A lock may be gone for a moment while its connection is renewed. */
const missesMax = 2

/** After a silence of the database the others need as long as we to be heard again. */
const graceMs = 10_000

const lockOf = (id: string) => `hashtextextended('process:' || ${id}, 0)`

/** The connection before may live on at its other end, and with it the lock. */
const endPredecessor = `select pg_terminate_backend(l.pid) from pg_locks l, (select ${lockOf('$1')} as key) k
  where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = ((k.key >> 32) & 4294967295)::oid and l.objid = (k.key & 4294967295)::oid`

const beat = `insert into processes (id, roles, worker_pool_id) values ($1, $2, $3)
  on conflict (id) do update set heartbeat_at = now(), worker_pool_id = excluded.worker_pool_id`

/** Locks of others that can be taken are locks that nobody holds. Given back with the statement's transaction. */
const look = `select id, heartbeat_at < now() - interval '${silentSeconds} seconds' as silent,
    pg_try_advisory_xact_lock(${lockOf('id')}) as unlocked
  from processes where id <> $1`

/**
 * Whoever gets the row first buries it: its jobs and deliveries are free again, and so are its request slots, which are locked in the
 * order in which requests lock them.
 */
const bury = `with buried as (
    delete from processes where id = $1 returning id, worker_pool_id
  ), holders as (
    select subject from request_counts where in_progress ? $1 and exists (select from buried) order by subject for update
  ), slots as (
    update request_counts c set in_progress = c.in_progress - $1 from holders where c.subject = holders.subject
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
export async function keepAlive(options: LivenessOptions): Promise<Liveness> {
  const closing = new AbortController()
  const misses = new Map<string, number>()
  let workerPoolId: string | null = null
  let client = await connect(options, workerPoolId)
  let trustFrom = 0

  const tell = () => client.query(beat, [options.processId, options.roles, workerPoolId])
  let turns = 0

  async function turn(): Promise<void> {
    await tell()
    if (++turns % unclaimedEvery === 0) await client.query(freeUnclaimed)
    if (performance.now() < trustFrom) return
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
      await pause(options.lookMs ?? 1000, undefined, { signal: closing.signal }).catch(() => undefined)
      if (closing.signal.aborted) return
      try {
        await turn()
      } catch (error) {
        options.log.warn({ error }, 'liveness could not be told')
        // The polite way to end it waits for the other end, which may be gone without a word.
        client.connection.stream.destroy()
        client = await connect(options, workerPoolId).catch(() => client)
        misses.clear()
        trustFrom = performance.now() + graceMs
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
      await client.query(bury, [options.processId]).catch(() => undefined)
      await client.end().catch(() => undefined)
    },
  }
}

/** A connection that holds the lock of this process, which is written down as living. */
async function connect({ url, processId, roles }: LivenessOptions, workerPoolId: string | null): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
    keepAlive: true,
    options: withoutJit,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(endPredecessor, [processId])
    await client.query(`select pg_advisory_lock(${lockOf('$1')})`, [processId])
    await client.query(beat, [processId, roles, workerPoolId])
    return client
  } catch (error) {
    client.connection.stream.destroy()
    throw error
  }
}
