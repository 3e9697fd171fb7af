import type { Json } from '../../../contract/json.ts'
import { columnsOf } from '../../../database/pool/columnsOf.ts'
import { Generation } from '../../../entities/Generation.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { generationColumns } from '../reading/generationColumns.ts'
import { type StepTask, statesOfStep } from '../transitions.ts'

/** A generation taken over by a job: every later write of that job carries `generation.fence`. */
export type Claim = {
  generation: Generation
  /** The key under which the provider is asked, the same for all jobs of one attempt. */
  idempotencyKey: string
  /** Since when the provider may have the work; `null` while it certainly has not. */
  intentAt: Date | null
  handle: Json | null
  outputs: Json[] | null
  /** How many jobs have begun this step and not come to an end; more than one means that a process died in it. */
  runCount: number
  /** How often this step was tried again. */
  tries: number
  /** The fence under which the outputs were written down; one above it is that of the first job that keeps them. */
  gatheredFence: number | null
}

type ClaimRow = Generation & {
  idempotencyKey: string
  intentAt: Date | null
  handle: Json | null
  outputs: Json[] | null
  jobsBegun: number
  tries: number
  gatheredFence: number | null
}

const claimRow = statement<ClaimRow>(
  'claim_generation',
  `with taken as (
     update generations set fence = fence + 1, attempt = greatest(attempt, 1),
         deadline_at = coalesce(deadline_at, present() + coalesce(
           (select time_left from generation_attempts a where a.generation_id = $1 and a.number = generations.attempt),
           $4 * interval '1 second'))
       where id = $1 and state = any($2) and fallback_model_id is not distinct from $5
       returning ${generationColumns}
   ), touched as (
     insert into generation_attempts as a
         (generation_id, number, provider, idempotency_key, jobs_begun, asked_by, asked_fence, answer_until)
       select id, attempt, $3, id || '.' || attempt, 1, $6, fence, present() + $7 * interval '1 second' from taken
       on conflict (generation_id, number) do update set jobs_begun = a.jobs_begun + 1,
         asked_by = case when a.intent_at is null then excluded.asked_by else a.asked_by end,
         asked_fence = case when a.intent_at is null then excluded.asked_fence else a.asked_fence end,
         answer_until = case when a.intent_at is null then excluded.answer_until else a.answer_until end
       returning a.generation_id, a.idempotency_key, a.intent_at, a.handle, a.outputs, a.jobs_begun, a.tries, a.gathered_fence
   )
   select ${columnsOf(Generation, 'taken')}, touched.idempotency_key, touched.intent_at, touched.handle, touched.outputs,
       touched.jobs_begun, touched.tries, touched.gathered_fence
     from taken join touched on touched.generation_id = taken.id`,
)

export type ClaimOptions = {
  task: StepTask
  providerId: string
  deadlineSeconds: number
  fallbackModelId?: string | null
  asking?: { processId: string; answerSeconds: number } | undefined
}

/**
 * Takes a generation over for a job: raises its fence, so that no earlier job can write any more, and sets its deadline when it is the
 * first, `deadlineSeconds` from now, or what was left of that before it waited for a slot. The state stays as it is. `undefined` when the
 * step has nothing to do in the state that it is in, or when another variant than the job knows of, `fallbackModelId`, has taken the work
 * over meanwhile. `asking`: the process is about to ask a provider that recognises no repeats, whose answer may come within so many seconds.
 */
export async function claimGeneration(
  context: Context,
  id: string,
  { task, providerId, deadlineSeconds, fallbackModelId = null, asking }: ClaimOptions,
): Promise<Claim | undefined> {
  const askedBy = [asking?.processId ?? null, asking?.answerSeconds ?? null]
  const values = [id, statesOfStep[task], providerId, deadlineSeconds, fallbackModelId, ...askedBy]
  const row = await context.sql.one(claimRow, values)
  if (!row) return undefined
  const { idempotencyKey, intentAt, handle, outputs, jobsBegun, tries, gatheredFence, ...generation } = row
  return { generation, idempotencyKey, intentAt, handle, outputs, runCount: jobsBegun, tries, gatheredFence }
}

const uncount = statement<never>(
  'uncount_begun_job',
  'update generation_attempts set jobs_begun = greatest(jobs_begun - 1, 0) where generation_id = $1 and number = $2',
)

/** Takes a job out of {@link Claim.runCount} that ended in an error of the database: its process is alive. */
export async function decrementRunCount({ sql }: Context, { generation: { id, attempt } }: Claim): Promise<void> {
  await sql.all(uncount, [id, attempt])
}
