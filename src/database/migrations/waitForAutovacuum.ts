import type pg from 'pg'

/** Longer than `deadlock_timeout` (1 s), after which PostgreSQL cancels an autovacuum that blocks another session. */
const waitMilliseconds = 3_000

const vacuumed = `select distinct l.relation::regclass::text as name from pg_locks l join pg_class c on c.oid = l.relation
  where l.database = (select oid from pg_database where datname = current_database()) and l.mode = 'ShareUpdateExclusiveLock' and l.granted
    and l.pid <> pg_backend_pid() and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')`

/**
 * Ends autovacuums on our tables: a migration gives up its table lock before PostgreSQL would cancel an autovacuum that blocks it, so an
 * autovacuum could block it for as long as it runs. This waits for a lock that conflicts with vacuums but not with reads or writes, so
 * that PostgreSQL cancels them. Manual vacuums continue. Never rejects; the next attempt of the migration meets what still blocks.
 */
export async function waitForAutovacuum(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(vacuumed).catch(() => ({ rows: [] }))
  for (const { name } of rows) {
    await client
      .query(`begin; set local lock_timeout = ${waitMilliseconds}; lock table ${name} in share update exclusive mode; commit`)
      .catch(() => client.query('rollback').catch(() => undefined))
  }
}
