import type pg from 'pg'
import type { Log } from '../log.ts'
import { openPool } from '../pool/pool.ts'
import { identityOf, readPrimaryPosition, readReplicaPosition } from './replicaStatements.ts'

/**
 * How many bytes of the primary's log a replica does not have yet. Throws in one line when it cannot be reached, is none, or is a copy of
 * something else.
 */
export async function checkReplica(
  url: string,
  { primary, pooled, log }: { primary: pg.Pool; pooled: boolean; log: Log },
): Promise<number> {
  const pool = openPool(url, { max: 1, log, pooled })
  try {
    const [own, seen] = [await identityOf(primary), await identityOf(pool)]
    if (!seen.isReplica) throw new Error('DATABASE_REPLICA_URL leads to no replica')
    if (seen.cluster !== own.cluster) throw new Error('DATABASE_REPLICA_URL leads to a copy of another database')
    const { written } = await readPrimaryPosition(primary)
    const behind = written - (await readReplicaPosition(pool))
    return Number(behind > 0n ? behind : 0n)
  } finally {
    await pool.end()
  }
}
