import { type WorkQueue, workQueues } from '../contract/workQueues.ts'
import { livenessLimits } from '../database/liveness/livenessLimits.ts'
import { lateTasks } from '../database/queue/graphileInternals.ts'
import type { Services } from './context.ts'
import { queueOfTask } from './queue.ts'
import { bindSql, statement } from './sql.ts'

/** SQL: the process of this row is alive. */
export const processIsAlive = `heartbeat_at > now() - interval '${livenessLimits.stoppedTimeoutSeconds} seconds'`

/** Tolerance, because the processes of a deployment start one after another. */
const lateSeconds = 30

const served = statement<{ queues: string[]; anyProcess: boolean }>(
  'queues_served',
  `select coalesce(array_agg(distinct queue) filter (where queue is not null), '{}') as queues,
      coalesce(bool_or(started_at < now() - interval '${lateSeconds} seconds'), false) as any_process
    from processes left join lateral unnest(case when 'worker' = any(roles) then queues end) as queue on true
    where ${processIsAlive}`,
)

/**
 * Returns the queues whose work has been due for half a minute and that no live process takes. Maintenance is periodic, so it is due
 * whenever any process runs.
 */
export async function unservedQueues({ pool }: Pick<Services, 'pool'>): Promise<WorkQueue[]> {
  const sql = bindSql(pool)
  const { queues = [], anyProcess = false } = (await sql.one(served, [])) ?? {}
  const unserved = workQueues.filter((queue) => !queues.includes(queue))
  if (unserved.length === 0) return []
  const tasks = Object.entries(queueOfTask).filter(([, queue]) => unserved.includes(queue))
  const due = new Set((await sql.all<{ task: string }>(lateTasks, [tasks.map(([task]) => task), lateSeconds])).map(({ task }) => task))
  const hasWork = (queue: WorkQueue) => tasks.some(([task, of]) => of === queue && due.has(task))
  return unserved.filter((queue) => (queue === 'maintenance' ? anyProcess : hasWork(queue)))
}
