import type { Context } from '../context.ts'
import { enqueue } from '../queue.ts'
import { statement } from '../sql.ts'
import { jobKeyOf, type StepTask } from './claimGeneration.ts'
import { endGeneration } from './endGeneration.ts'

const pageSize = 500

const overdue = statement<{ id: string }>(
  'overdue_generations',
  `select id from generations where finished_at is null and source <> 'editor' and deadline_at < present() - $1 * interval '1 second' order by deadline_at limit ${pageSize}`,
)

/** A job that its worker has held for so long is taken for lost; the fence keeps a late one from writing. */
const heldMinutesMax = 10

const jobless = statement<{ id: string; task: StepTask }>(
  'jobless_generations',
  `select g.id, case g.state when 'finalizing' then 'finaliseGeneration'
       when 'running' then case when a.handle is null then 'submitGeneration' else 'pollGeneration' end else 'submitGeneration' end as task
     from generations g left join generation_attempts a on a.generation_id = g.id and a.number = g.attempt
     where g.finished_at is null and g.source <> 'editor' and g.created_at < present() - $1 * interval '1 second'
       and not exists (select from graphile_worker.jobs j where j.key = 'generation:' || g.id
         and (j.locked_at is null or j.locked_at > now() - interval '${heldMinutesMax} minutes') and j.attempts < j.max_attempts)
     order by g.created_at limit ${pageSize}`,
)

/** What goes past its deadline gets this long for the last look that its own job takes. */
const graceSeconds = 60
/** A job of a younger generation may just be between two steps. */
const settledSeconds = 30

/**
 * Mends what no job will: work past its deadline fails as `timeout` and costs nothing, work without a job gets one.
 * Returns how many of each. Runs every minute.
 */
export async function reconcile(context: Context): Promise<{ failed: number; requeued: number }> {
  let failed = 0
  for (const { id } of await context.sql.all(overdue, [graceSeconds])) {
    const failure = { code: 'timeout', reason: 'deadline_exceeded' } as const
    if (!(await endGeneration(context, id, { from: ['queued', 'running', 'finalizing'], to: 'failed', failure }))) continue
    failed++
    await enqueue(context, 'cancelAtProvider', { generationId: id })
  }
  const lost = await context.sql.all(jobless, [settledSeconds])
  for (const { id, task } of lost) await enqueue(context, task, { generationId: id }, { key: jobKeyOf(id) })
  return { failed, requeued: lost.length }
}
