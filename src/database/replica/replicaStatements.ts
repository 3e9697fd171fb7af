import type pg from 'pg'
import { parseLsn } from './parseLsn.ts'

type Connection = Pick<pg.Pool, 'query'>

const ofPrimary = {
  name: 'primary_place',
  text: `select pg_current_wal_insert_lsn()::text as written, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline,
      (extract(epoch from now()) * 1000)::float8 as now_ms`,
}
const ofReplica = { name: 'replica_place', text: `select coalesce(pg_last_wal_replay_lsn(), '0/0')::text as replayed` }
const identity = {
  name: 'replica_identity',
  text: `select pg_is_in_recovery() as is_replica,
      (select system_identifier from pg_control_system()) || '/' || (select oid from pg_database where datname = current_database()) as cluster,
      coalesce((select extract(epoch from max(heartbeat_at)) * 1000 from processes), 0)::float8 as newest_beat_ms`,
}

/** The primary's log position and timeline, and its clock. */
export type PrimaryPosition = { written: bigint; timeline: string; nowMs: number }

/** The cluster and database of a server, and the newest heartbeat in it. */
export type Identity = { isReplica: boolean; cluster: string; newestHeartbeatMs: number }

/** Queries the primary. Rejects if it cannot be reached. */
export async function readPrimaryPosition(primary: Connection): Promise<PrimaryPosition> {
  const row = await one<{ written: string; timeline: string; now_ms: number }>(primary, ofPrimary)
  return { written: parseLsn(row.written), timeline: row.timeline, nowMs: row.now_ms }
}

/** Returns the position that a replica has applied; 0 if the server is not a replica. Rejects if it cannot be reached. */
export async function readReplicaPosition(replica: Connection): Promise<bigint> {
  return parseLsn((await one<{ replayed: string }>(replica, ofReplica)).replayed)
}

/** Queries a primary or a replica. Rejects if it cannot be reached or was never migrated. */
export async function identityOf(server: Connection): Promise<Identity> {
  const row = await one<{ is_replica: boolean; cluster: string; newest_beat_ms: number }>(server, identity)
  return { isReplica: row.is_replica, cluster: row.cluster, newestHeartbeatMs: row.newest_beat_ms }
}

async function one<Row>(server: Connection, config: { name: string; text: string }): Promise<Row> {
  // A copy each time: the driver modifies the object, which would break another pool.
  const { rows } = await server.query({ ...config })
  return rows[0] as Row
}
