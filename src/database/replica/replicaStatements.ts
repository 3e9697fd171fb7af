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

/** How far the primary's log goes, on which timeline, and its clock. */
export type PrimaryPosition = { written: bigint; timeline: string; nowMs: number }

/** Which cluster a server belongs to and which database of it this is, and the newest heartbeat of a process that it has. */
export type Identity = { isReplica: boolean; cluster: string; newestHeartbeatMs: number }

/** Asks the primary. Rejects when it cannot be reached. */
export async function readPrimaryPosition(primary: Connection): Promise<PrimaryPosition> {
  const row = await one<{ written: string; timeline: string; now_ms: number }>(primary, ofPrimary)
  return { written: parseLsn(row.written), timeline: row.timeline, nowMs: row.now_ms }
}

/** How far a replica has come: no way at all where it is none. Rejects when it cannot be reached. */
export async function readReplicaPosition(replica: Connection): Promise<bigint> {
  return parseLsn((await one<{ replayed: string }>(replica, ofReplica)).replayed)
}

/** Asks either. Rejects when it cannot be reached, or has no tables of ours. */
export async function identityOf(server: Connection): Promise<Identity> {
  const row = await one<{ is_replica: boolean; cluster: string; newest_beat_ms: number }>(server, identity)
  return { isReplica: row.is_replica, cluster: row.cluster, newestHeartbeatMs: row.newest_beat_ms }
}

async function one<Row>(server: Connection, question: { name: string; text: string }): Promise<Row> {
  // Of its own each time: the driver writes into what it is given, and another pool would stumble over that.
  const { rows } = await server.query({ ...question })
  return rows[0] as Row
}
