import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { makeBatcher } from '../../concurrency/batcher.ts'
import { openPool, type PoolOptions } from '../pool/pool.ts'
import { makeLagMeter } from './parseLsn.ts'
import { makeReplicaHealth } from './replicaHealth.ts'
import { identityOf, type PrimaryPosition, readPrimaryPosition, readReplicaPosition } from './replicaStatements.ts'

export type Replica = {
  /**
   * Returns the replica's pool once the replica has applied everything that was committed before this call; `undefined` if that takes
   * too long or the replica is unhealthy.
   */
  caughtUpPool(): Promise<pg.Pool | undefined>
  /** Reports a failed read: the replica is not used until the next successful check. */
  failed(error: unknown): void
  lagSeconds(): number
  isUsed(): boolean
  readonly pool: pg.Pool
  close(): Promise<void>
}

export type ReplicaOptions = { url: string; primary: pg.Pool; poolMax: number; pollIntervalMs?: number } & Omit<
  PoolOptions,
  'max' | 'queryTimeoutMilliseconds' | 'connectTimeoutMilliseconds'
>

/** Longer than this, reading from the primary is faster. */
const waitMs = 250
const retryIntervalMs = 4
/** Together with a read from the primary, within the five seconds in which every request is answered. */
const connectTimeoutMilliseconds = 500
const queryTimeoutMilliseconds = 1_500
const defaultPollIntervalMs = 1_000
const readsAtOnce = 500

/**
 * Opens a streaming replica for reads that are never older than an earlier answer. Each read asks the primary for its log position (reads
 * at the same time share one query), and waits shortly until the replica has applied it: then it has everything that any process committed
 * before. A check each second excludes a replica that is unreachable, promoted, of another cluster, or whose newest heartbeat is older than
 * five seconds; after a failover, until it has a heartbeat of the new primary. Never rejects because of the replica.
 */
export function openReplica({ url, primary, poolMax, pollIntervalMs = defaultPollIntervalMs, ...watched }: ReplicaOptions): Replica {
  const pool = openPool(url, { ...watched, max: poolMax, connectTimeoutMilliseconds, queryTimeoutMilliseconds })
  const { log } = watched
  const lag = makeLagMeter()
  const lagSeconds = () => lag.seconds(performance.now())
  const health = makeReplicaHealth({ log, lagSeconds })
  let reached = 0n
  /** The highest position that the replica did not reach in time; reads do not wait for it again. */
  let missed = 0n

  const fetchPrimaryPosition = coalescedQuery<PrimaryPosition>(async () => {
    const place = await readPrimaryPosition(primary)
    health.observePrimary(place)
    lag.written(place.written, performance.now())
    return place
  })
  const fetchReplicaPosition = coalescedQuery<bigint>(async () => {
    reached = await readReplicaPosition(pool)
    lag.replayed(reached)
    return reached
  })

  async function waitForReplay(place: bigint): Promise<boolean> {
    const until = performance.now() + waitMs
    while (reached < place && health.isHealthy()) {
      if (missed > reached || performance.now() > until) {
        if (place > missed) missed = place
        return false
      }
      if ((await fetchReplicaPosition()) < place) await pause(retryIntervalMs)
    }
    return health.isHealthy()
  }

  const looking = repeat(pollIntervalMs, async () => {
    try {
      const identities = [identityOf(primary), identityOf(pool)] as const
      const [{ nowMs }, { cluster }, seen] = await Promise.all([fetchPrimaryPosition(), ...identities, fetchReplicaPosition()])
      health.evaluate(seen, { cluster, nowMs })
    } catch (error) {
      health.failed(error)
    }
  })

  return {
    async caughtUpPool() {
      if (!health.isHealthy()) return undefined
      try {
        const { written } = await fetchPrimaryPosition()
        return (await waitForReplay(written)) ? pool : undefined
      } catch (error) {
        health.failed(error)
        return undefined
      }
    },
    failed: health.failed,
    lagSeconds,
    isUsed: health.isHealthy,
    pool,
    async close() {
      await looking.stop()
      await pool.end()
    },
  }
}

/** Calls during a running query share the next query, which starts after them. */
function coalescedQuery<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  const asked = makeBatcher<undefined, Answer>(
    async (calls) => {
      const answer = await ask()
      return calls.map(() => answer)
    },
    { atOnceMax: readsAtOnce, isShared: () => true },
  )
  return () => asked(undefined)
}

function repeat(everyMs: number, work: () => Promise<void>): { stop(): Promise<void> } {
  const closing = new AbortController()
  const running = (async () => {
    while (!closing.signal.aborted) {
      await work()
      await pause(everyMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      closing.abort()
      await running
    },
  }
}
