import type { Config } from '../../config/readConfig.ts'
import { openPool } from '../../database/pool/pool.ts'
import { missingRoleSettings } from '../../database/pool/poolerChecks.ts'
import { checkReplica } from '../../database/replica/checkReplica.ts'
import { connectionBudget, openShareMax } from '../../domain/connectionBudget.ts'
import type { Services } from '../../domain/context.ts'
import { lastHeartbeat } from '../../domain/lastHeartbeat.ts'
import { routineFaults } from '../../domain/maintenance/routineFaults.ts'
import { clockFault } from '../../domain/maintenance/watchClock.ts'
import { bindSql } from '../../domain/sql.ts'
import { unservedQueues } from '../../domain/unservedQueues.ts'
import { failingReceivers } from '../../domain/webhooks/subscriptions/failingReceivers.ts'
import { CheckFault, faultSince } from './check.ts'

/** The checks of `doctor` for a deployment of several processes: every queue is served, and pooler and replica work. */
export function deploymentChecks(services: Pick<Services, 'pool' | 'log'>, { database, poolMax }: Pick<Config, 'database' | 'poolMax'>) {
  const { url, directUrl, replicaUrl } = database.kind === 'external' ? database : {}
  const pooled = directUrl !== undefined
  return [
    { name: 'queues', run: () => queuesOf(services) },
    { name: 'maintenance', run: () => maintenanceOf(services) },
    { name: 'receivers', run: () => receiversOf(services) },
    { name: 'connections', run: () => connectionsOf(services, { poolMax, pooled }) },
    ...(url !== undefined && pooled ? [{ name: 'pooler', run: () => poolerAt(url, services) }] : []),
    ...(replicaUrl === undefined ? [] : [{ name: 'replica', run: () => replicaAt(replicaUrl, { ...services, pooled }) }]),
  ]
}

async function queuesOf(services: Pick<Services, 'pool'>): Promise<string> {
  const unserved = await unservedQueues(services)
  if (unserved.length > 0) {
    const since = await lastHeartbeat(services, { role: 'worker', queues: unserved })
    throw new CheckFault(`no live process serves ${unserved.join(', ')}, which have due work: see WORK_QUEUES`, since)
  }
  return 'every queue with due work is served'
}

async function maintenanceOf({ pool }: Pick<Services, 'pool'>): Promise<string> {
  const sql = bindSql(pool)
  const faults = [...(await routineFaults({ sql })), await clockFault({ sql })].filter((fault) => fault !== undefined)
  if (faults.length > 0) throw faultSince(faults)
  return 'no routine is late'
}

async function receiversOf({ pool }: Pick<Services, 'pool'>): Promise<string> {
  const { recent, failing, teams, since } = await failingReceivers({ sql: bindSql(pool) })
  const words = `${failing} of ${recent} receivers with webhooks of today or yesterday did not accept the last one`
  if (failing * 2 <= recent) return words
  if (failing >= failingMin && teams >= failingTeamsMin) throw new CheckFault(words, since ?? undefined)
  return `${words}; too few for a fault of this deployment, see the page Deliveries`
}

/** Fewer failing receivers, or those of one team, are more likely a fault of the receivers than of the workers' outgoing traffic. */
const [failingMin, failingTeamsMin] = [3, 2]

async function connectionsOf(services: Pick<Services, 'pool'>, deployment: Parameters<typeof connectionBudget>[1]): Promise<string> {
  const { limit, open, possible, scarceSince } = await connectionBudget(services, deployment)
  const found = `${open} of ${limit} connections are open; the running processes may open ${possible}`
  if (open > limit * openShareMax) throw new CheckFault(`${found}: new processes may not start`, scarceSince ?? undefined)
  if (possible > limit) throw new Error(`${found}: lower DATABASE_POOL_MAX, raise max_connections of PostgreSQL, or use a pooler`)
  return found
}

async function poolerAt(url: string, { log }: Pick<Services, 'log'>): Promise<string> {
  const pool = openPool(url, { max: 1, log, pooled: true })
  try {
    const missing = await missingRoleSettings(pool)
    const advice = missing.length === 0 ? '' : `; single statements have no timeout until you run: ${missing.join('; ')}`
    return `answers by transactions${advice}`
  } finally {
    await pool.end()
  }
}

async function replicaAt(url: string, { pool, log, pooled }: Pick<Services, 'pool' | 'log'> & { pooled: boolean }): Promise<string> {
  const bytes = await checkReplica(url, { primary: pool, pooled, log })
  return bytes === 0 ? 'is up to date with the primary' : `${bytes} bytes behind the primary`
}
