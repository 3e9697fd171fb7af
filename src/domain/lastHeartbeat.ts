import type { WorkQueue } from '../contract/workQueues.ts'
import type { Services } from './context.ts'
import { bindSql, statement } from './sql.ts'

const last = statement<{ at: Date | null }>(
  'last_heartbeat',
  `select coalesce(
      (select max(heartbeat_at) from processes where $1 = any(roles) and ($2::text[] is null or queues && $2)),
      (select max(ended_at) from routines where $1 = 'worker' and ($2::text[] is null or $2 = '{maintenance}'))
    ) as at`,
)

/**
 * The last heartbeat of a process with this role, and with one of the queues if any are given. Another process removes it soon after the end of
 * its process; then the last success of a routine, which only workers run, stands in. Undefined if neither is known.
 */
export async function lastHeartbeat(
  { pool }: Pick<Services, 'pool'>,
  { role, queues }: { role: 'http' | 'worker'; queues?: readonly WorkQueue[] },
): Promise<Date | undefined> {
  return (await bindSql(pool).one(last, [role, queues ?? null]))?.at ?? undefined
}
