import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import { sessionOptions } from '../pool/pool.ts'
import {
  acquireProcessLock,
  endSessions,
  expireStoppedProcesses,
  probeOtherProcesses,
  releaseLateSlots,
  removeDeadProcess,
  returnGraceSeconds,
  unlockUnclaimedJobs,
  upsertHeartbeat,
} from './livenessStatements.ts'
import { sessionNameOf } from './sessionLocks.ts'

export type Liveness = {
  /** Adds a worker pool to those of this process. The jobs that it has locked are freed when the process dies. */
  addWorkerPool(poolId: string): void
  /** Removes a worker pool that runs no job any more. What it has left locked is freed within seconds. */
  removeWorkerPool(poolId: string): void
  close(): Promise<void>
}

export type LivenessOptions = {
  url: string
  /** The second way to say that we live, for when the connection that holds the lock is cut. */
  pool: pg.Pool
  processId: string
  roles: string[]
  /** The kinds of work that it takes. */
  queues: readonly string[]
  log: Log
  /** How often it says so and looks after the others; a second unless given. */
  pollIntervalMs?: number
}

/** A lock may be gone for a moment while its connection is renewed. */
const missesMax = 2
/** After a silence of the database the others need as long as we to be heard again. */
const graceMs = 10_000
const unclaimedCheckEvery = 3
/** So many looks after a burial no statement of the process can be on its way any more. */
const lateReleaseTicks = 30

/**
 * Says that this process lives, and looks after the others: when one is dead its jobs and request slots are free within seconds.
 * There are two signs of life, a lock of a session and a heartbeat. A process is dead when both are missing: its lock is free and its
 * heart has not beaten for a few seconds. One that holds its lock in silence is stopped, and counts as dead after fifteen seconds.
 * The heart beats over the connection of the lock and over the pool, so that no single cut buries anybody. Needs a direct connection.
 */
export async function keepAlive(options: LivenessOptions): Promise<Liveness> {
  const { pool, processId, roles, queues, log, pollIntervalMs = 1000 } = options
  const closing = new AbortController()
  const misses = new Map<string, number>()
  /** The look at which the slots of a process that was buried here are freed once more. */
  const removed = new Map<string, number>()
  const poolIds = new Set<string>()
  const heartbeatValues = () => [processId, roles, [...poolIds], queues]
  let client = await connect(options, heartbeatValues())
  let probeFrom = 0
  let beats = 0

  async function tick(): Promise<void> {
    await client.query(upsertHeartbeat, heartbeatValues())
    if (++beats % unclaimedCheckEvery === 0)
      for (const statement of [unlockUnclaimedJobs, expireStoppedProcesses]) await client.query(statement)
    for (const id of dueLateReleases(removed, beats)) await client.query(releaseLateSlots, [id])
    if (performance.now() < probeFrom) return
    const { rows } = await client.query<ProbedProcess>(probeOtherProcesses, [processId])
    for (const id of misses.keys()) if (!rows.some((row) => row.id === id && row.unlocked)) misses.delete(id)
    for (const { id, silent, stopped, unlocked } of rows) {
      if (unlocked) misses.set(id, (misses.get(id) ?? 0) + 1)
      if (!stopped && !(silent && (misses.get(id) ?? 0) >= missesMax)) continue
      misses.delete(id)
      await client.query(removeDeadProcess, [id, unlocked ? returnGraceSeconds : null])
      removed.set(id, beats + lateReleaseTicks)
      await client.query(endSessions, [sessionNameOf(id)])
      log.warn({ processId: id, stopped }, 'a process has died; its jobs and slots are free')
    }
  }

  async function renew(): Promise<void> {
    // The polite way to end it waits for the other end, which may be gone without a word.
    client.connection.stream.destroy()
    client = await connect(options, heartbeatValues()).catch(() => client)
    misses.clear()
    probeFrom = performance.now() + graceMs
  }

  const every = async (work: () => Promise<unknown>, onError: (error: unknown) => unknown) => {
    while (!closing.signal.aborted) {
      await pause(pollIntervalMs, undefined, { signal: closing.signal }).catch(() => undefined)
      if (!closing.signal.aborted) await work().catch(onError)
    }
  }
  const looking = every(tick, async (error) => {
    log.warn({ error }, 'liveness could not be told')
    await renew()
  })
  const heartbeatOverPool = () => pool.query(upsertHeartbeat, heartbeatValues())
  const beating = every(heartbeatOverPool, (error) => log.debug({ error }, 'a heartbeat over the pool failed'))

  return {
    addWorkerPool: (poolId) => {
      poolIds.add(poolId)
      client.query(upsertHeartbeat, heartbeatValues()).catch(() => heartbeatOverPool().catch(() => undefined))
    },
    removeWorkerPool: (poolId) => void poolIds.delete(poolId),
    close: async () => {
      closing.abort()
      await Promise.all([looking, beating])
      await client.query(removeDeadProcess, [processId, 0]).catch(() => undefined)
      await client.end().catch(() => undefined)
    },
  }
}

type ProbedProcess = { id: string; silent: boolean; stopped: boolean; unlocked: boolean }

/** The processes whose slots are due to be released once more; each is returned once. */
function dueLateReleases(removed: Map<string, number>, look: number): string[] {
  const late = [...removed].filter(([, dueAt]) => dueAt <= look).map(([id]) => id)
  for (const id of late) removed.delete(id)
  return late
}

/** A connection that holds the lock of this process, which is written down as living. */
async function connect({ url, processId }: LivenessOptions, heartbeatValues: unknown[]): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
    keepAlive: true,
    // A host that is gone says nothing: PostgreSQL has to ask, or it keeps the lock for hours.
    options: `${sessionOptions} -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3`,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(acquireProcessLock.endPreviousHolder, [processId])
    await client.query(acquireProcessLock.acquireForSession, [processId])
    await client.query(upsertHeartbeat, heartbeatValues)
    return client
  } catch (error) {
    client.connection.stream.destroy()
    throw error
  }
}
