import type { Services } from './context.ts'
import { bindSql, statement } from './sql.ts'
import { processIsAlive } from './unservedQueues.ts'

/** What a process does. */
export type ProcessRole = 'http' | 'worker'

/** Connections of a pool. A worker has fewer than jobs: a job needs a connection only for short times. */
const poolSizes: Record<ProcessRole, number> = { http: 10, worker: 14 }
/** Connections beside the pool, for LISTEN, session locks and the queue. They bypass a pooler. */
const directSizes: Record<ProcessRole, number> = { http: 2, worker: 4 }

const sumOf = (roles: readonly ProcessRole[], sizes: Record<ProcessRole, number>) => roles.reduce((sum, role) => sum + sizes[role], 0)

/** The size of the pool of a process with these roles; `configured` is `DATABASE_POOL_MAX`. */
export function poolMaxOf(roles: readonly ProcessRole[], configured: number | undefined): number {
  return configured ?? sumOf(roles, poolSizes)
}

/** How many connections a process with these roles may open, without a pooler. */
export function connectionsMaxOf(roles: readonly ProcessRole[], configured: number | undefined): number {
  return sumOf(roles, directSizes) + poolMaxOf(roles, configured)
}

/** `pooled`: the pools lead to a pooler, so that only direct connections count. */
type Deployment = { poolMax: number | undefined; pooled: boolean }

/**
 * `limit`: connections that PostgreSQL accepts from us. `open`: now. `possible`: if every pool of the live processes were full.
 * `scarceSince`: the latest time from which certainly more than {@link openShareMax} of the limit have been open; null if fewer are.
 */
export type ConnectionBudget = { limit: number; open: number; possible: number; scarceSince: Date | null }

/** As in the rule AtelierConnectionsScarce. */
export const openShareMax = 0.85

/** SQL: the connections that PostgreSQL accepts from this role in this database. */
export const connectionLimit = `least(
        current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
          - coalesce(current_setting('reserved_connections', true)::integer, 0),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database()))`

/** SQL: the connections that are open, of all databases of the server. */
export const openConnections = `(select count(*)::integer from pg_stat_activity where backend_type = 'client backend')`

/** SQL: the start of the connection that exceeded the share. The older connections are still open, so the share is exceeded since then. */
const scarceSince = `(select backend_start from pg_stat_activity where backend_type = 'client backend'
        order by backend_start offset (select floor(${connectionLimit} * ${openShareMax})::integer) limit 1)`

const readBudget = statement<{ limit: number; open: number; scarceSince: Date | null; roles: ProcessRole[][] }>(
  'connection_budget',
  `select ${connectionLimit} as limit, ${openConnections} as open, ${scarceSince} as scarce_since,
      (select coalesce(jsonb_agg(roles), '[]') from processes where ${processIsAlive}) as roles`,
)

/**
 * Compares the connections that the live processes may open with what PostgreSQL accepts. Assumes that all processes have the same
 * `DATABASE_POOL_MAX`. Contract: docs/contract.md#database-connections.
 */
export async function connectionBudget({ pool }: Pick<Services, 'pool'>, { poolMax, pooled }: Deployment): Promise<ConnectionBudget> {
  const { limit = 0, open = 0, scarceSince: since = null, roles = [] } = (await bindSql(pool).one(readBudget, [])) ?? {}
  const possible = roles.map((of) => (pooled ? sumOf(of, directSizes) : connectionsMaxOf(of, poolMax)))
  return { limit, open, possible: possible.reduce((sum, each) => sum + each, 0), scarceSince: since }
}
