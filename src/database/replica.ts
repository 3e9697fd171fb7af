import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { batchedCalls } from '../concurrency/batchedCalls.ts'
import { openPool, type PoolOptions } from './pool.ts'
import { identityOf, type PrimaryPlace, placeOfPrimary, placeOfReplica } from './replicaStatements.ts'
import { makeReplicaTrust } from './replicaTrust.ts'
import { makeLagMeter } from './walPlace.ts'

export type Replica = {
  /**
   * The replica's connections, once it has everything that was committed anywhere before this call; `undefined` when it has not within
   * a moment, or is not to be trusted now.
   */
  caughtUp(): Promise<pg.Pool | undefined>
  /** It failed there: nobody is sent there until it has been looked at again. */
  failed(error: unknown): void
  lagSeconds(): number
  isUsed(): boolean
  readonly pool: pg.Pool
  close(): Promise<void>
}

export type ReplicaOptions = { url: string; primary: pg.Pool; poolMax: number; lookMs?: number } & Omit<
  PoolOptions,
  'max' | 'answerMilliseconds' | 'connectMilliseconds'
>

/** Such a read is not worth more time than the primary would take. */
const waitMs = 250
const askAgainMs = 4
/** With the primary's own answer together within the five seconds in which every request is answered. */
const connectMilliseconds = 500
const answerMilliseconds = 1_500
const usualLookMs = 1_000
const readsAtOnce = 500

/**
 * A streaming replica that answers only with what nobody can have been told more than. Each read asks the primary, together with others,
 * how far its log goes, and waits a moment for the replica to have come as far: what was committed before is then there, whichever
 * process did it. Once a second the replica is looked at: one that is unreachable, promoted, of another cluster, or whose newest
 * heartbeat is older than five seconds is left alone until it is well again, and so is one whose primary has changed until it has
 * a heartbeat of the new one. Never rejects for the replica's sake.
 */
export function openReplica({ url, primary, poolMax, lookMs = usualLookMs, ...watched }: ReplicaOptions): Replica {
  const pool = openPool(url, { ...watched, max: poolMax, connectMilliseconds, answerMilliseconds })
  const { log } = watched
  const lag = makeLagMeter()
  const lagSeconds = () => lag.seconds(performance.now())
  const trust = makeReplicaTrust({ log, lagSeconds })
  let reached = 0n
  /** Nobody waits again for what was waited for in vain. */
  let missed = 0n

  const askPrimary = sharedQuestion<PrimaryPlace>(async () => {
    const place = await placeOfPrimary(primary)
    trust.primaryAt(place)
    lag.written(place.written, performance.now())
    return place
  })
  const askReplica = sharedQuestion<bigint>(async () => {
    reached = await placeOfReplica(pool)
    lag.replayed(reached)
    return reached
  })

  async function reaches(place: bigint): Promise<boolean> {
    const until = performance.now() + waitMs
    while (reached < place && trust.isGiven()) {
      if (missed > reached || performance.now() > until) {
        if (place > missed) missed = place
        return false
      }
      if ((await askReplica()) < place) await pause(askAgainMs)
    }
    return trust.isGiven()
  }

  const looking = repeat(lookMs, async () => {
    try {
      const [{ nowMs }, { cluster }, seen] = await Promise.all([askPrimary(), identityOf(primary), identityOf(pool), askReplica()])
      trust.judge(seen, { cluster, nowMs })
    } catch (error) {
      trust.failed(error)
    }
  })

  return {
    async caughtUp() {
      if (!trust.isGiven()) return undefined
      try {
        const { written } = await askPrimary()
        return (await reaches(written)) ? pool : undefined
      } catch (error) {
        trust.failed(error)
        return undefined
      }
    },
    failed: trust.failed,
    lagSeconds,
    isUsed: trust.isGiven,
    pool,
    async close() {
      await looking.stop()
      await pool.end()
    },
  }
}

/** Whoever asks while an answer is awaited shares the next one, which is asked for after them. */
function sharedQuestion<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  const asked = batchedCalls<undefined, Answer>(
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
