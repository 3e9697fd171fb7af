import type { Json } from '../../../contract/json.ts'
import { columnsOf } from '../../../database/pool/columnsOf.ts'
import { Generation } from '../../../entities/Generation.ts'
import { rowLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { deferJobNotices, sendJobNotice } from '../../sendNotice.ts'
import { statement } from '../../sql.ts'
import { generationColumns } from '../reading/generationColumns.ts'
import { type StepTask, statesOfStep } from '../transitions.ts'

/** A generation claimed by a job. Every later write of the job carries `generation.fence`. */
export type Claim = {
  generation: Generation
  /** The idempotency key for the provider, the same for all jobs of one attempt. */
  idempotencyKey: string
  /** The time since which the provider may have the work; `null` when it certainly does not. */
  intentAt: Date | null
  handle: Json | null
  outputs: Json[] | null
  /** The number of jobs that started this step without ending it. Above one, a process ended during the step. */
  runCount: number
  /** The number of retries of this step. */
  tries: number
  /** The fence under which the outputs were recorded. That job may have stored them too. */
  gatheredFence: number | null
  /** The claim has recorded the intent of this job to submit, which `intentAt` does not count. */
  hasIntent: boolean
}

type ClaimRow = Generation & {
  idempotencyKey: string
  intentAt: Date | null
  handle: Json | null
  outputs: Json[] | null
  jobsBegun: number
  tries: number
  gatheredFence: number | null
  hasIntent: boolean
}

/** `$8` null: records no intent. No attempt exists before the fence is 1. */
const claimRow = statement<ClaimRow>(
  'claim_generation',
  `with taken as (
     update generations set fence = fence + 1, attempt = greatest(attempt, 1),
         deadline_at = coalesce(deadline_at, present() + coalesce(
           (select time_left from generation_attempts a where a.generation_id = $1 and a.number = generations.attempt),
           $4 * interval '1 second'))
       from ${deferJobNotices}
       where id = $1 and state = any($2) and fallback_model_id is not distinct from $5
       returning ${generationColumns}
   ), touched as (
     insert into generation_attempts as a
         (generation_id, number, provider, idempotency_key, jobs_begun, asked_by, asked_fence, answer_until, intent_at)
       select id, attempt, $3, id || '.' || attempt, 1, $6, fence, present() + $7 * interval '1 second',
           case when fence = 1 and $8::text[] is not null
             and not exists (select from breakers where subject = any ($8) and locked_until is not null) then present() end
         from taken
       on conflict (generation_id, number) do update set jobs_begun = a.jobs_begun + 1,
         asked_by = case when a.intent_at is null then excluded.asked_by else a.asked_by end,
         asked_fence = case when a.intent_at is null then excluded.asked_fence else a.asked_fence end,
         answer_until = case when a.intent_at is null then excluded.answer_until else a.answer_until end
       returning a.generation_id, a.idempotency_key, a.intent_at, a.handle, a.outputs, a.jobs_begun, a.tries, a.gathered_fence
   )
   select ${columnsOf(Generation, 'taken')}, touched.idempotency_key, touched.intent_at, touched.handle, touched.outputs,
       touched.jobs_begun, touched.tries, touched.gathered_fence, taken.fence = 1 and touched.intent_at is not null as has_intent
     from taken join touched on touched.generation_id = taken.id`,
)

export type ClaimOptions = {
  task: StepTask
  providerId: string
  deadlineSeconds: number
  fallbackModelId?: string | null
  asking?: { processId: string; answerSeconds: number } | undefined
  /** The first claim records the intent to submit, unless one of these breakers is locked. */
  intent?: { breakers: readonly string[] } | undefined
}

/**
 * Claims a generation for a job: raises its fence, so that earlier jobs can no longer write. The first claim sets the deadline:
 * `deadlineSeconds` from now, or the time that was left before a wait for a slot. The state does not change. `undefined` when the task has
 * nothing to do in the present state, or when the variant is no longer `fallbackModelId`. `asking`: the job is about to submit to a
 * provider that cannot recognise a repeat, and its answer may take `answerSeconds`.
 */
export async function claimGeneration(
  context: Context,
  id: string,
  { task, providerId, deadlineSeconds, fallbackModelId = null, asking, intent }: ClaimOptions,
): Promise<Claim | undefined> {
  const askedBy = [asking?.processId ?? null, asking?.answerSeconds ?? null]
  const values = [id, statesOfStep[task], providerId, deadlineSeconds, fallbackModelId, ...askedBy, intent?.breakers ?? null]
  const row = await context.sql.one(claimRow, values)
  if (!row) return undefined
  // The first claim queues the next start of the owner.
  if (row.fence === 1) sendJobNotice(context)
  const { idempotencyKey, intentAt, handle, outputs, jobsBegun, tries, gatheredFence, hasIntent, ...generation } = row
  const before = hasIntent ? null : intentAt
  return { generation, idempotencyKey, intentAt: before, handle, outputs, runCount: jobsBegun, tries, gatheredFence, hasIntent }
}

const openFences = rowLoader(
  statement<{ id: string; fence: number }>(
    'open_fences',
    `select g.id, g.fence from unnest($1::text[]) as asked (id)
       cross join lateral (select id, fence, finished_at from generations where id = asked.id offset 0) g where g.finished_at is null`,
  ),
)

/**
 * Whether a job still has its claim: no other job has claimed the generation since, and it has not ended. For a job that is about to take
 * from a vendor what the vendor may give once only. Concurrent checks of a process share one statement.
 */
export async function isClaimed(context: Context, { generation: { id, fence } }: Claim): Promise<boolean> {
  return (await openFences(context, id))?.fence === fence
}

const uncount = statement<never>(
  'decrement_run_count',
  'update generation_attempts set jobs_begun = greatest(jobs_begun - 1, 0) where generation_id = $1 and number = $2',
)

/** Decrements {@link Claim.runCount} after a job that ended with a database error, since its process did not end. */
export async function decrementRunCount({ sql }: Context, { generation: { id, attempt } }: Claim): Promise<void> {
  await sql.all(uncount, [id, attempt])
}
