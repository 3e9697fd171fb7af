import type { WorkQueue } from '../contract/workQueues.ts'
import type { Services } from './context.ts'
import { bindSql, statement } from './sql.ts'

const last = statement<{ at: Date | null }>(
  'last_heartbeat',
  `select max(heartbeat_at) as at from processes where $1 = any(roles) and ($2::text[] is null or queues && $2)`,
)

/**
 * The last heartbeat of a process with this role, and with one of the queues if any are given. Undefined if there was none, or if a later
 * process has removed it since.
 */
export async function lastHeartbeat(
  { pool }: Pick<Services, 'pool'>,
  { role, queues }: { role: 'http' | 'worker'; queues?: readonly WorkQueue[] },
): Promise<Date | undefined> {
  return (await bindSql(pool).one(last, [role, queues ?? null]))?.at ?? undefined
}
