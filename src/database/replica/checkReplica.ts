import type pg from 'pg'
import type { Log } from '../log.ts'
import { openPool } from '../pool/pool.ts'
import { identityOf, readPrimaryPosition, readReplicaPosition } from './replicaStatements.ts'

/**
 * Returns how many bytes of the primary's log the replica has not applied. Throws with one line if it cannot be reached, is not a replica,
 * or copies another database.
 */
export async function checkReplica(
  url: string,
  { primary, pooled, log }: { primary: pg.Pool; pooled: boolean; log: Log },
): Promise<number> {
  const pool = openPool(url, { max: 1, log, pooled })
  try {
    const [own, seen] = [await identityOf(primary), await identityOf(pool)]
    if (!seen.isReplica) throw new Error('DATABASE_REPLICA_URL does not lead to a replica')
    if (seen.cluster !== own.cluster) throw new Error('DATABASE_REPLICA_URL leads to a replica of another database')
    const { written } = await readPrimaryPosition(primary)
    const behind = written - (await readReplicaPosition(pool))
    return Number(behind > 0n ? behind : 0n)
  } finally {
    await pool.end()
  }
}
