import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import { sessionOptions } from '../pool/pool.ts'
import { type LivenessLimits, livenessLimits } from './livenessLimits.ts'
import {
  acquireProcessLock,
  endSessions,
  expireStoppedProcesses,
  probeOtherProcesses,
  releaseLateSlots,
  removeDeadProcess,
  unlockUnclaimedJobs,
  upsertHeartbeat,
} from './livenessStatements.ts'
import { sessionNameOf } from './sessionLocks.ts'

export type Liveness = {
  /** Registers a worker pool of this process. If the process ends without a stop, the jobs that the pool locked are unlocked. */
  addWorkerPool(poolId: string): void
  /** Unregisters a worker pool that runs no jobs. Jobs that it left locked are unlocked within seconds. */
  removeWorkerPool(poolId: string): void
  close(): Promise<void>
}

export type LivenessOptions = {
  url: string
  /** A second path for heartbeats, if the connection with the lock is cut. */
  pool: pg.Pool
  processId: string
  roles: string[]
  /** The work queues that the process serves. */
  queues: readonly string[]
  /** Returns the state of the process, which is stored with each heartbeat. */
  report?: () => object
  log: Log
  /** The interval of heartbeats and of checks of other processes; default one second. */
  pollIntervalMs?: number
  /** Lower in tests. */
  limits?: LivenessLimits
}

/** PostgreSQL ends the session of a vanished host after 11 s. TCP sends no keepalives while it repeats an answer. */
const vanishedAfter = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=11000'
/** A lock may be free for a moment while its process reconnects. */
const missesMax = 2
const unclaimedCheckEvery = 3

/**
 * Sends heartbeats of this process and checks the other processes: the jobs and request slots of a dead one are released within seconds.
 * A process holds a session lock and sends heartbeats. It is dead when its lock is free and its heartbeat is a few seconds old. A process
 * that holds its lock without heartbeats is stopped, and counts as dead after fifteen seconds, see {@link livenessLimits}. Heartbeats go
 * over the connection with the lock and over the pool, so that one broken connection does not make a process dead. Needs a direct
 * connection.
 */
export async function keepAlive(options: LivenessOptions): Promise<Liveness> {
  const { pool, processId, roles, queues, log, pollIntervalMs = 1000, limits = livenessLimits } = options
  const closing = new AbortController()
  const misses = new Map<string, number>()
  /** For each process that this one removed, the check at which its slots are released again. */
  const removed = new Map<string, number>()
  const poolIds = new Set<string>()
  const heartbeatValues = () => [processId, roles, [...poolIds], queues, reportOf(options)]
  let client = await connect(options, heartbeatValues())
  let probeFrom = 0
  let beats = 0

  async function tick(): Promise<void> {
    await client.query(upsertHeartbeat, heartbeatValues())
    if (++beats % unclaimedCheckEvery === 0) await checkUnclaimed(client, limits)
    for (const id of dueLateReleases(removed, beats)) await client.query(releaseLateSlots, [id])
    if (performance.now() < probeFrom) return
    const rows = await probeOthers(client, processId, limits)
    for (const id of misses.keys()) if (!rows.some((row) => row.id === id && row.unlocked)) misses.delete(id)
    for (const { id, silent, stopped, unlocked } of rows) {
      if (unlocked) misses.set(id, (misses.get(id) ?? 0) + 1)
      if (!stopped && !(silent && (misses.get(id) ?? 0) >= missesMax)) continue
      misses.delete(id)
      await client.query(removeDeadProcess, [id, unlocked ? limits.returnGraceSeconds : null])
      removed.set(id, beats + limits.lateReleaseTicks)
      await client.query(endSessions, [sessionNameOf(id)])
      log.warn({ processId: id, stopped }, 'a process died; its jobs and slots were released')
    }
  }

  async function renew(): Promise<void> {
    // `client.end()` waits for the server, which may be gone.
    client.connection.stream.destroy()
    client = await connect(options, heartbeatValues()).catch(() => client)
    misses.clear()
    probeFrom = performance.now() + limits.outageGraceMs
  }

  const every = async (work: () => Promise<unknown>, onError: (error: unknown) => unknown) => {
    while (!closing.signal.aborted) {
      await pause(pollIntervalMs, undefined, { signal: closing.signal }).catch(() => undefined)
      if (!closing.signal.aborted) await work().catch(onError)
    }
  }
  const ticking = every(tick, async (error) => {
    log.warn({ error }, 'the heartbeat failed')
    await renew()
  })
  const heartbeatOverPool = () => pool.query(upsertHeartbeat, heartbeatValues())
  const beating = every(heartbeatOverPool, (error) => log.debug({ error }, 'a heartbeat over the pool failed'))

  return {
    addWorkerPool: (poolId) => {
      poolIds.add(poolId)
      // Not over `client`, which may run a query of the tick. If this fails, the next tick records the pool.
      heartbeatOverPool().catch(() => undefined)
    },
    removeWorkerPool: (poolId) => void poolIds.delete(poolId),
    close: async () => {
      closing.abort()
      await Promise.all([ticking, beating])
      await client.query(removeDeadProcess, [processId, 0]).catch(() => undefined)
      await client.end().catch(() => undefined)
    },
  }
}

/** Null when the report throws, as it does without free file descriptors: the heartbeat is stored without it. */
function reportOf({ report, log }: LivenessOptions): object | null {
  try {
    return report?.() ?? null
  } catch (error) {
    log.debug({ error }, 'the state of the process could not be read for its heartbeat')
    return null
  }
}

type ProbedProcess = { id: string; silent: boolean; stopped: boolean; unlocked: boolean }

async function checkUnclaimed(client: pg.Client, limits: LivenessLimits): Promise<void> {
  await client.query(unlockUnclaimedJobs, [limits.unregisteredPoolSeconds])
  await client.query(expireStoppedProcesses, [limits.returnGraceSeconds])
}

async function probeOthers(client: pg.Client, processId: string, limits: LivenessLimits): Promise<ProbedProcess[]> {
  const { heartbeatTimeoutSeconds, stoppedTimeoutSeconds } = limits
  return (await client.query<ProbedProcess>(probeOtherProcesses, [processId, heartbeatTimeoutSeconds, stoppedTimeoutSeconds])).rows
}

/** Returns the processes whose slots are due to be released again, each once. */
function dueLateReleases(removed: Map<string, number>, beat: number): string[] {
  const late = [...removed].filter(([, dueAt]) => dueAt <= beat).map(([id]) => id)
  for (const id of late) removed.delete(id)
  return late
}

/** Opens the connection that holds the lock of this process, and sends the first heartbeat. */
async function connect({ url, processId, limits = livenessLimits }: LivenessOptions, heartbeatValues: unknown[]): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: limits.answerMs,
    query_timeout: limits.answerMs,
    keepAlive: true,
    // Otherwise PostgreSQL would keep the lock of a vanished host for hours, or for minutes if an answer to it is on its way.
    options: `${sessionOptions} ${vanishedAfter}`,
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
