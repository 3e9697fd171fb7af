import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { makeBatcher } from '../../concurrency/batcher.ts'
import { openPool, type PoolOptions } from '../pool/pool.ts'
import { makeLagMeter } from './parseLsn.ts'
import { makeReplicaHealth } from './replicaHealth.ts'
import { identityOf, type PrimaryPosition, readPrimaryPosition, readReplicaPosition } from './replicaStatements.ts'

export type Replica = {
  /**
   * The replica's connections, once it has everything that was committed anywhere before this call; `undefined` when it has not within
   * a moment, or is not to be trusted now.
   */
  caughtUpPool(): Promise<pg.Pool | undefined>
  /** It failed there: nobody is sent there until it has been looked at again. */
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

/** Such a read is not worth more time than the primary would take. */
const waitMs = 250
const retryIntervalMs = 4
/** With the primary's own answer together within the five seconds in which every request is answered. */
const connectTimeoutMilliseconds = 500
const queryTimeoutMilliseconds = 1_500
const defaultPollIntervalMs = 1_000
const readsAtOnce = 500

/**
 * A streaming replica that answers only with what nobody can have been told more than. Each read asks the primary, together with others,
 * how far its log goes, and waits a moment for the replica to have come as far: what was committed before is then there, whichever
 * process did it. Once a second the replica is looked at: one that is unreachable, promoted, of another cluster, or whose newest
 * heartbeat is older than five seconds is left alone until it is well again, and so is one whose primary has changed until it has
 * a heartbeat of the new one. Never rejects for the replica's sake.
 */
export function openReplica({ url, primary, poolMax, pollIntervalMs = defaultPollIntervalMs, ...watched }: ReplicaOptions): Replica {
  const pool = openPool(url, { ...watched, max: poolMax, connectTimeoutMilliseconds, queryTimeoutMilliseconds })
  const { log } = watched
  const lag = makeLagMeter()
  const lagSeconds = () => lag.seconds(performance.now())
  const health = makeReplicaHealth({ log, lagSeconds })
  let reached = 0n
  /** Nobody waits again for what was waited for in vain. */
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

/** Whoever asks while an answer is awaited shares the next one, which is asked for after them. */
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
