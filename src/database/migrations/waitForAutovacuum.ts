import type pg from 'pg'

/** Longer than the second (`deadlock_timeout`) after which PostgreSQL ends a vacuum of its own that is in somebody's way. */
const waitMilliseconds = 3_000

const vacuumed = `select distinct l.relation::regclass::text as name from pg_locks l join pg_class c on c.oid = l.relation
  where l.database = (select oid from pg_database where datname = current_database()) and l.mode = 'ShareUpdateExclusiveLock' and l.granted
    and l.pid <> pg_backend_pid() and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')`

/**
 * Lets vacuums end that PostgreSQL has begun by itself on tables of ours: a migration that wants such a table gives way before they would
 * be ended for its sake, for as long as they take. The wait is for a lock that keeps nobody from reading or writing, so that nothing queues
 * behind it. A vacuum that somebody has asked for goes on. Never rejects; whoever is in the way after that is met by the next try.
 */
export async function waitForAutovacuum(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(vacuumed).catch(() => ({ rows: [] }))
  for (const { name } of rows) {
    await client
      .query(`begin; set local lock_timeout = ${waitMilliseconds}; lock table ${name} in share update exclusive mode; commit`)
      .catch(() => client.query('rollback').catch(() => undefined))
  }
}
