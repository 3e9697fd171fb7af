import type { Failure } from '../../contract/failures.ts'
import { Refusal } from '../../contract/refusals.ts'
import type { GenerationState } from '../../entities/Generation.ts'
import type { Context } from '../context.ts'
import { enqueue } from '../queue.ts'
import { statement } from '../sql.ts'
import { endGeneration } from './endGeneration.ts'
import { queueStep } from './queueStep.ts'
import type { StepTask } from './transitions.ts'

const pageSize = 500

const overdue = statement<{ id: string; state: GenerationState }>(
  'overdue_generations',
  `select id, state from generations where finished_at is null and source <> 'editor' and deadline_at < present() - $1 * interval '1 second'
     order by deadline_at limit ${pageSize}`,
)

/**
 * A job that its worker has held for so long is taken for lost; the fence keeps a late one from writing. Well beyond the ten minutes that a
 * vendor has to answer in which makes things while one waits: what it answers at the last moment is paid for.
 */
const heldMinutesMax = 15

const jobless = statement<{ id: string; familyId: string; task: StepTask }>(
  'jobless_generations',
  `select g.id, g.family_id, case when g.state = 'finalizing' then 'finaliseGeneration'
       when a.handle is null then 'submitGeneration' else 'pollGeneration' end as task
     from generations g left join generation_attempts a on a.generation_id = g.id and a.number = g.attempt
     where g.finished_at is null and g.source <> 'editor' and not exists (select from waiting_submits w where w.generation_id = g.id)
       and g.created_at < present() - $1 * interval '1 second'
       and not exists (select from graphile_worker.jobs j where j.key = 'generation:' || g.id
         and (j.locked_at is null or j.locked_at > now() - interval '${heldMinutesMax} minutes') and j.attempts < j.max_attempts)
     order by g.created_at limit ${pageSize}`,
)

/** Nobody holds credits for longer for work that nobody has begun. */
const lineHoursMax = 24

const outwaited = statement<{ id: string; state: GenerationState }>(
  'outwaited_generations',
  `select g.id, g.state from waiting_submits w join generations g on g.id = w.generation_id
     where w.since < present() - interval '${lineHoursMax} hours' order by w.since limit ${pageSize}`,
)
/** Whoever hands slots on knows them by the catalog: of a model that has left it nobody would ever be let in. */
const leaveLine = statement<{ generationId: string }>(
  'leave_unknown_lines',
  `delete from waiting_submits where generation_id in (
     select generation_id from waiting_submits
       where (provider, family_id) not in (select * from unnest($1::text[], $2::text[])) order by generation_id limit ${pageSize})
     returning generation_id`,
)
const waitedFor = statement<{ provider: string }>('providers_waited_for', 'select distinct provider from waiting_submits')

/** What goes past its deadline gets this long for the last look that its own job takes. */
const graceSeconds = 60
/** A job of a younger generation may just be between two steps. */
const settledSeconds = 30

/**
 * Mends what no job will: work past its deadline, or in line for a slot for a day, fails and costs nothing, and its provider is told; work
 * without a job gets one, unless it is in line for a model of the catalog.
 * Returns how many of each. What cannot be ended is told to the operator, and keeps no other from it. Runs every minute.
 */
export async function reconcileGenerations(context: Context): Promise<{ failed: number; requeued: number }> {
  let failed = 0
  for (const each of await context.sql.all(overdue, [graceSeconds])) if (await failLate(context, each, failureIn(each.state))) failed++
  for (const each of await context.sql.all(outwaited, [])) if (await failLate(context, each, noSlot)) failed++
  const lines = [...context.catalog.families.values()].flatMap(({ id, variants }) => variants.map(({ provider }) => [provider.id, id]))
  await context.sql.all(leaveLine, [lines.map(([provider]) => provider), lines.map(([, family]) => family)])
  for (const { provider } of await context.sql.all(waitedFor, [])) await queueHandOver(context, provider)
  const lost = await context.sql.all(jobless, [settledSeconds])
  for (const each of lost) await queueStep(context, each.task, each)
  return { failed, requeued: lost.length }
}

const noSlot: Failure = { code: 'model_unavailable', reason: 'model_at_capacity' }

/** A notice that a slot is free may have been lost. */
async function queueHandOver(context: Context, providerId: string): Promise<void> {
  await enqueue(context, 'handSlotsOn', { providerId }, { key: `slots:${providerId}` })
}

async function failLate(context: Context, { id, state }: { id: string; state: GenerationState }, failure: Failure): Promise<boolean> {
  const ending = { by: 'reconciler', to: 'failed', from: state, failure, leaves: ['work', 'objects'] } as const
  try {
    return (await endGeneration(context, id, ending)) !== undefined
  } catch (error) {
    // The database went away, for all of them.
    if (error instanceof Refusal) throw error
    context.log.error({ generationId: id, error }, 'a generation past its deadline could not be ended')
    return false
  }
}

/** What the provider has made is no longer its to deliver, but ours to keep. */
function failureIn(state: GenerationState): Failure {
  if (state === 'finalizing') return { code: 'internal_error', reason: 'storage_failed' }
  return { code: 'timeout', reason: 'deadline_exceeded' }
}
