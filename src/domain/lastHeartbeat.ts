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
 * Returns the last heartbeat of a process with this role, and with one of the queues if any are given. Another process deletes the row soon
 * after its process ended. For a worker, and for the queue `maintenance` alone, the last success of a routine is returned then, because only
 * workers run routines. Undefined if neither is stored.
 */
export async function lastHeartbeat(
  { pool }: Pick<Services, 'pool'>,
  { role, queues }: { role: 'http' | 'worker'; queues?: readonly WorkQueue[] },
): Promise<Date | undefined> {
  return (await bindSql(pool).one(last, [role, queues ?? null]))?.at ?? undefined
}
