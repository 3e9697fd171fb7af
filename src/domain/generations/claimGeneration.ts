import type { Json } from '../../contract/json.ts'
import { columnsOf } from '../../database/columnsOf.ts'
import { Generation } from '../../entities/Generation.ts'
import { type Context, transaction } from '../context.ts'
import { enqueue } from '../queue.ts'
import { statement } from '../sql.ts'
import { generationColumns } from './generationColumns.ts'

/** A generation taken over by a job: every later write of that job carries `generation.fence`. */
export type Claim = {
  generation: Generation
  /** The key under which the provider is asked, the same for all jobs of one attempt. */
  idempotencyKey: string
  handle: Json | null
  outputs: Json[] | null
  /** False when an earlier job may have called the provider and died before it could say so. */
  firstTouch: boolean
  /** How many jobs have begun this step; more than one means that a process died in it. */
  timesBegun: number
}

type ClaimRow = Generation & {
  idempotencyKey: string
  handle: Json | null
  outputs: Json[] | null
  jobsBegun: number
  firstTouch: boolean
}

const claimRow = statement<ClaimRow>(
  'claim_generation',
  `with taken as (
     update generations set fence = fence + 1, state = case when state = 'queued' then 'running' else state end,
         started_at = coalesce(started_at, $3), attempt = greatest(attempt, 1),
         deadline_at = coalesce(deadline_at, $3::timestamptz + $5 * interval '1 second')
       where id = $1 and state = any($2)
       returning ${generationColumns}
   ), touched as (
     insert into generation_attempts as a (generation_id, number, provider, idempotency_key, intent_at, jobs_begun)
       select id, attempt, $4, id || '.' || attempt, $3, 1 from taken
       on conflict (generation_id, number) do update set jobs_begun = a.jobs_begun + 1
       returning a.generation_id, a.idempotency_key, a.handle, a.outputs, a.jobs_begun, (a.xmax = 0) as first_touch
   )
   select ${columnsOf(Generation, 'taken')}, touched.idempotency_key, touched.handle, touched.outputs, touched.jobs_begun, touched.first_touch
     from taken join touched on touched.generation_id = taken.id`,
)

/**
 * Takes a generation over for a job: raises its fence, so that no earlier job can write any more, moves a queued one to running,
 * and writes down the intent to call the provider before anybody does. `undefined` when it is in none of the states `from`.
 */
export async function claimGeneration(
  context: Context,
  id: string,
  options: { from: ('queued' | 'running' | 'finalizing')[]; providerId: string; deadlineSeconds: number },
): Promise<Claim | undefined> {
  const values = [id, options.from, context.clock.now(), options.providerId, options.deadlineSeconds]
  const row = await context.sql.one(claimRow, values)
  if (!row) return undefined
  const { idempotencyKey, handle, outputs, jobsBegun, firstTouch, ...rest } = row
  return { generation: rest, idempotencyKey, handle, outputs, firstTouch, timesBegun: jobsBegun }
}

const keepHandle = statement<{ generationId: string }>(
  'keep_handle',
  `update generation_attempts a set handle = $4::jsonb, submitted_at = $3, jobs_begun = 0 from generations g
     where g.id = $1 and g.fence = $2 and g.state = 'running' and a.generation_id = g.id and a.number = g.attempt
     returning a.generation_id`,
)

/** Keeps the provider's handle and queues the next look at it, `delaySeconds` from now. False when the work was taken over or ended. */
export async function recordSubmitted(context: Context, claim: Claim, handle: Json, delaySeconds: number): Promise<boolean> {
  const { id, fence } = claim.generation
  return transaction(context, async (inside) => {
    const kept = await inside.sql.one(keepHandle, [id, fence, context.clock.now(), JSON.stringify(handle)])
    if (kept) await enqueue(inside, 'pollGeneration', { generationId: id }, { key: jobKeyOf(id), delaySeconds })
    return kept !== undefined
  })
}

const keepLooking = statement<{ generationId: string }>(
  'keep_looking',
  `update generation_attempts a set jobs_begun = case when $3 then a.jobs_begun else 0 end from generations g
     where g.id = $1 and g.fence = $2 and g.finished_at is null and a.generation_id = g.id and a.number = g.attempt
     returning a.generation_id`,
)

/** The job that does a step of the work. */
export type StepTask = 'submitGeneration' | 'pollGeneration' | 'finaliseGeneration'

/** Queues another run of `task` for the same step; `isTry` ones add up. False when the work was taken over or ended. */
export async function comeBackLater(
  context: Context,
  claim: Claim,
  { task, delaySeconds, isTry }: { task: StepTask; delaySeconds: number; isTry: boolean },
): Promise<boolean> {
  const { id, fence } = claim.generation
  return transaction(context, async (inside) => {
    const kept = await inside.sql.one(keepLooking, [id, fence, isTry])
    if (kept) await enqueue(inside, task, { generationId: id }, { key: jobKeyOf(id), delaySeconds })
    return kept !== undefined
  })
}

const keepOutputs = statement<{ generationId: string }>(
  'keep_outputs',
  `with moved as (update generations set state = 'finalizing' where id = $1 and fence = $2 and state = 'running' returning id, attempt)
   update generation_attempts a set outputs = $3::jsonb, jobs_begun = 0 from moved
     where a.generation_id = moved.id and a.number = moved.attempt returning a.generation_id`,
)

/** running → finalizing: the provider has made the outputs, which are to be fetched. False when the work was taken over or ended. */
export async function recordOutputs(context: Context, claim: Claim, outputs: Json[]): Promise<boolean> {
  const { id, fence } = claim.generation
  return transaction(context, async (inside) => {
    const kept = await inside.sql.one(keepOutputs, [id, fence, JSON.stringify(outputs)])
    if (kept) await enqueue(inside, 'finaliseGeneration', { generationId: id }, { key: jobKeyOf(id) })
    return kept !== undefined
  })
}

/** One job at a time waits for a generation. */
export function jobKeyOf(generationId: string): string {
  return `generation:${generationId}`
}

const attempt = statement<{ handle: Json | null }>(
  'read_attempt',
  'select handle from generation_attempts where generation_id = $1 and number = $2',
)

/** What is known of the current attempt; `undefined` before the first. */
export async function readAttempt(context: Context, { id, attempt: number }: Generation): Promise<{ handle: Json | null } | undefined> {
  return context.sql.one(attempt, [id, number])
}
