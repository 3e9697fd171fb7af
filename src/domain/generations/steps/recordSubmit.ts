import type { Json } from '../../../contract/json.ts'
import type { Generation } from '../../../entities/Generation.ts'
import { type Context, transaction } from '../../context.ts'
import type { StepPayload } from '../../queue.ts'
import { deferJobNotices, sendJobNotice, sendNotice } from '../../sendNotice.ts'
import { statement } from '../../sql.ts'
import { toJsonbText } from '../../toJsonbText.ts'
import { breakersOfAttempt } from '../../vendors/breakers.ts'
import { limitValues } from '../../vendors/grantVendorSlots.ts'
import { isLimited, providerLimits } from '../../vendors/providerLimits.ts'
import { trialSeconds } from '../../vendors/trials.ts'
import { namedInputsOf } from '../start/requestedInputs.ts'
import { statesBefore } from '../transitions.ts'
import type { Claim, ClaimOptions } from './claimGeneration.ts'
import { queueStep } from './queueStep.ts'
import type { Recorded } from './recordOutputs.ts'
import type { QueuedJob, Rescheduled } from './rescheduleClaimedStep.ts'
import { positionOf } from './workProgress.ts'

const saveIntent = statement<{ generationId: string }>(
  'save_intent',
  `update generation_attempts a set intent_at = coalesce(a.intent_at, present()) from generations g
     where g.id = $1 and g.fence = $2 and g.finished_at is null and a.generation_id = g.id and a.number = g.attempt
       and not exists (select from breakers where subject = any ($3) and locked_until is not null)
     returning a.generation_id`,
)
/** Locks the row: a concurrent claim sees the intent, or this statement sees the new fence. */
const saveExclusiveIntent = statement<{ generationId: string }>(
  'save_exclusive_intent',
  `update generation_attempts a set intent_at = coalesce(a.intent_at, present())
     from (select id, attempt from generations where id = $1 and fence = $2 and finished_at is null for share) g
     where a.generation_id = g.id and a.number = g.attempt
       and not exists (select from breakers where subject = any ($3) and locked_until is not null)
     returning a.generation_id`,
)
const reserveSubmit = statement<{ verdict: IntentVerdict }>(
  'reserve_submit',
  'select reserve_submit($1, $2, $3::text[], $4, $5, $6, $7, $8::text[], $9::integer[], $10::integer[]) as verdict',
)

type Submittee = { id: string; simulated?: true }

/**
 * `written`: the job may submit now. `waits`: the work waits for a slot; granting one queues it. `locked`: a breaker is locked.
 * `lost`: another job claimed the generation, or it has ended; the job must not submit.
 */
export type IntentVerdict = 'written' | 'waits' | 'locked' | 'lost'

/**
 * Records the intent to submit, if the provider has a free slot and no breaker is locked. The work becomes a breaker's trial if one is
 * free. Slots and breakers are ignored for work that the provider may already have, and for providers that simulate failures.
 * Locks: generation, attempt, waiting submits, breakers.
 */
export async function recordIntent(
  context: Context,
  { generation, intentAt }: Claim,
  provider: Submittee & { capabilities?: { idempotentSubmit: boolean } },
): Promise<IntentVerdict> {
  const { id, fence } = generation
  const isLimitable = intentAt === null && !provider.simulated
  const subjects = isLimitable ? breakersOf(generation, provider) : []
  const limits = providerLimits(context, provider.id)
  const canWaitForSlot = isLimitable && isLimited(limits, generation.familyId)
  const save = provider.capabilities?.idempotentSubmit ? saveIntent : saveExclusiveIntent
  if (!canWaitForSlot && (await context.sql.one(save, [id, fence, subjects]))) return 'written'
  const limited = canWaitForSlot ? limitValues(limits) : [provider.id, null, null, null, null, null]
  return (await context.sql.one(reserveSubmit, [id, fence, subjects, trialSeconds, ...limited]))?.verdict ?? 'lost'
}

/**
 * The intent that the first claim of a generation may record with it: of work without inputs, which need a look-up first, at a provider
 * without limits. Otherwise `undefined`.
 */
export function intentOfFirstClaim(context: Context, generation: Generation, provider: Submittee): ClaimOptions['intent'] {
  if (generation.fence > 0 || namedInputsOf(generation.inputs).length > 0) return undefined
  if (!provider.simulated && isLimited(providerLimits(context, provider.id), generation.familyId)) return undefined
  return { breakers: breakersOf(generation, provider) }
}

function breakersOf({ familyId, fallbackModelId }: Generation, provider: Submittee): string[] {
  return breakersOfAttempt({ familyId, isFallback: fallbackModelId !== null }, provider)
}

const withdrawIntent = statement<{ generationId: string }>(
  'withdraw_first_intent',
  `update generation_attempts a set intent_at = null from generations g
     where g.id = $1 and g.fence = 1 and a.generation_id = g.id and a.number = 1 and a.asked_by = $2 and a.asked_fence = 1 and a.handle is null
     returning a.generation_id`,
)

/**
 * Takes back the intent of a first claim whose confirmation was lost: the job of this process never called the provider. Does nothing when
 * the claim was not committed, or when another job has claimed the generation since. Locks: attempt.
 */
export async function withdrawFirstIntent({ sql }: Context, generationId: string, processId: string): Promise<void> {
  await sql.all(withdrawIntent, [generationId, processId])
}

const clearIntent = statement<{ generationId: string }>(
  'clear_intent',
  `update generation_attempts a set intent_at = case when $4 then a.intent_at end, jobs_begun = 0, tries = a.tries + 1
     where a.generation_id = $1 and a.number = $2 and a.handle is null
       and exists (select from generations g where g.id = $1 and (g.fence = $3 or g.finished_at is not null))
     returning a.generation_id`,
)
const lockIfClaimed = statement<{ id: string }>(
  'lock_if_claimed',
  'select id from generations where id = $1 and fence = $2 and finished_at is null for share',
)

/** Without a `reason`, the provider was never called. */
export type RefusedSubmit = { reason?: NonNullable<StepPayload['refused']>; delaySeconds: number }

/**
 * Records that the provider has certainly not taken the work: takes the intent back, unless an earlier submit of the attempt may have
 * arrived, and queues a submit in `delaySeconds`. The work keeps its slot, so that no other waiting work goes to a vendor without room.
 */
export async function recordRefusedSubmit(context: Context, { generation, intentAt }: Claim, refused: RefusedSubmit): Promise<void> {
  const { id, fence, attempt } = generation
  const { reason, delaySeconds } = refused
  await transaction(context, async (inside) => {
    const ours = await inside.sql.one(lockIfClaimed, [id, fence])
    await inside.sql.one(clearIntent, [id, attempt, fence, intentAt !== null])
    if (ours) await queueStep(inside, 'submitGeneration', generation, { delaySeconds, ...(reason ? { refused: reason } : {}) })
  })
}

const saveHandle = statement<{ verdict: 'continues' | 'queued' | 'lost'; releasedJob: number | null }>(
  'record_submitted',
  `select verdict, released_job from ${deferJobNotices}, record_submitted($1, $2, $3, $4::jsonb, $5, $6::text[], $7, $8, $9, $10)`,
)

/**
 * Records the provider's handle and continues with the first poll: in this job when it is due at once or the job waits for it. Any other
 * poll is the next run of `job`, which the queue must not complete, or has a job of its own. With `isBegun` the work becomes running,
 * otherwise it stays queued at `position`. For work that has ended meanwhile, records the handle and queues the cancel at the provider.
 * Records nothing if another job has claimed the generation. Safe to repeat.
 * Locks: generation, job, attempt.
 */
export async function recordSubmitted(
  context: Context,
  claim: Claim,
  submitted: { handle: Json; isBegun: boolean; position: number | undefined; delaySeconds: number; job?: QueuedJob | undefined },
): Promise<{ recorded: Recorded } & Rescheduled> {
  const { generation } = claim
  const { handle, isBegun, position, delaySeconds, job } = submitted
  const from = [...statesBefore('running', 'job'), 'running']
  const handleText = toJsonbText(handle)
  const values = [generation.id, generation.fence, generation.attempt, handleText, isBegun, from, positionOf(position), delaySeconds]
  const row = await context.sql.one(saveHandle, [...values, job?.id ?? null, job?.poolId ?? null])
  if (!row || row.verdict === 'lost') return { recorded: 'lost', job: undefined }
  sendNotice(context, 'progress', generation.id)
  if (row.verdict === 'queued') {
    sendJobNotice(context)
    return { recorded: 'queued', job: row.releasedJob ?? undefined }
  }
  const now = isBegun
    ? { ...generation, state: 'running' as const, queuePosition: null }
    : { ...generation, queuePosition: positionOf(position) }
  return { recorded: { ...claim, generation: now, handle, runCount: 1, tries: 0 }, job: undefined }
}
