import type { PublicGeneration } from '../../contract/generation.ts'
import type { GenerationRequest } from '../../contract/generationRequest.ts'
import { creditsOf } from '../../contract/hundredths.ts'
import { newId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import { Refusal } from '../../contract/refusals.ts'
import type { Generation } from '../../entities/Generation.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Spender } from '../access/spender.ts'
import type { Context } from '../context.ts'
import { aboveMaxCredits, blockersOf, readSpending } from '../credits/spending.ts'
import { keepUsedFiles } from '../files/findInputs.ts'
import { useFiles } from '../files/unusedFiles.ts'
import { statement } from '../sql.ts'
import { fingerprintOf } from './fingerprint.ts'
import { type Plan, planGeneration } from './planGeneration.ts'
import { presentGeneration } from './presentGeneration.ts'
import { inputsOf } from './requestedInputs.ts'
import { holderWith } from './resultToken.ts'

/** `generation` is the public shape; a replay is the stored first answer. */
export type Started = { generation: PublicGeneration; replayed: boolean }

type Idempotency = { scope: string; key: string; fingerprint: Buffer }

const startRow = statement<{ earlier: PublicGeneration | null }>(
  'start_generation',
  'select start_generation($1::jsonb, $2::jsonb) as earlier',
)

const earlierStart = statement<{ fingerprint: Buffer; response: PublicGeneration }>(
  'earlier_start',
  `select fingerprint, response from idempotency_records where scope = $1 and key = $2
     and created_at > present() - $3 * interval '1 hour'`,
)

/** How often a hold is tried again when the numbers, read afresh, say that it fits. */
const holdTries = 3
/** How long files stay that a generation uses, counted from its start. */
const keepInputDays = limits.unusedFileDays

/**
 * Starts a generation: holds its exact price and queues its work, in one transaction and one round trip.
 * With an idempotency key a repeat gives the first answer again, whatever else has changed since.
 * Locks: idempotency key, account, key. Refusals: idempotency_conflict, idempotency_in_progress, those of planGeneration,
 * cost_above_limit, spend_limit_exceeded, insufficient_credits, credit_reservation_failed, queue_unavailable.
 * Spec: POST /generations. Contract: section 3, order of checks.
 */
export async function startGeneration(
  context: Context,
  spender: Spender,
  { request, idempotencyKey }: { request: GenerationRequest; idempotencyKey: string | undefined },
): Promise<Started> {
  const idempotency =
    idempotencyKey === undefined ? undefined : { scope: spender.ownerId, key: idempotencyKey, fingerprint: fingerprintOf(request) }
  const plan = await planned(context, spender, request, idempotency)
  if ('replayed' in plan) return plan
  await keepUsedFiles(context, plan.inputs, new Date(context.clock.now().getTime() + keepInputDays * 86_400_000))
  const row = newRow(context, spender, request, plan)
  const generation = presentGeneration(context, row, holderWith(spender.keyId))
  const earlier = await insertHeld(context, spender, row, idempotency && { ...idempotency, response: generation })
  if (!earlier) await useFiles(context, plan.inputs)
  return earlier ? { generation: earlier, replayed: true } : { generation, replayed: false }
}

/** A replay skips every check after idempotency: a plan that fails gives way to an earlier start. */
async function planned(
  context: Context,
  spender: Spender,
  request: GenerationRequest,
  idempotency: Idempotency | undefined,
): Promise<Plan | Started> {
  try {
    const plan = await planGeneration(context, spender, request)
    const above = aboveMaxCredits(plan.quote.total, request.maxCredits)
    if (above) throw above
    return plan
  } catch (error) {
    const isVerdict = error instanceof Refusal && error.code !== 'service_unavailable'
    const earlier = isVerdict && idempotency ? await findEarlier(context, idempotency) : undefined
    if (earlier) return earlier
    throw error
  }
}

async function findEarlier(context: Context, { scope, key, fingerprint }: Idempotency): Promise<Started | undefined> {
  const earlier = await context.sql.one(earlierStart, [scope, key, limits.idempotencyHours])
  if (!earlier) return undefined
  if (!earlier.fingerprint.equals(fingerprint)) throw new Refusal('idempotency_conflict', { idempotencyKey: key })
  return { generation: earlier.response, replayed: true }
}

function newRow(context: Context, spender: Spender, request: GenerationRequest, plan: Plan): Generation {
  const createdAt = context.clock.now()
  return {
    id: newId('gen'),
    ownerId: spender.ownerId,
    accountId: spender.accountId,
    userId: spender.userId,
    keyId: spender.keyId,
    source: spender.source,
    state: 'queued',
    familyId: plan.family.id,
    modelId: plan.variant.modelId,
    task: plan.task,
    outputType: plan.family.outputType,
    axes: { ...plan.variant.axes },
    prompt: plan.prompt,
    parameters: plan.parameters,
    inputs: inputsOf(request),
    price: plan.quote.total,
    creditsCharged: null,
    fence: 0,
    attempt: 0,
    result: null,
    failure: null,
    progress: null,
    queuePosition: null,
    createdAt,
    startedAt: null,
    finishedAt: null,
    deadlineAt: null,
  }
}

async function insertHeld(
  context: Context,
  spender: Spender,
  row: Generation,
  idempotency: (Idempotency & { response: PublicGeneration }) | undefined,
): Promise<PublicGeneration | null> {
  const record = idempotency && {
    ...idempotency,
    fingerprint: idempotency.fingerprint.toString('hex'),
    keptHours: limits.idempotencyHours,
  }
  const values = [JSON.stringify(columnsOf(row)), record ? JSON.stringify(record) : null]
  for (let tries = 1; tries <= holdTries; tries++) {
    try {
      return (await context.sql.one(startRow, values))?.earlier ?? null
    } catch (error) {
      await explainHold(context, spender, row.price, isOfQueue(error) ? queueUnavailable(error) : error)
    }
  }
  throw new Refusal('credit_reservation_failed', { credits: creditsOf(row.price) })
}

/** The job is queued in the same statement: what fails inside the queue's own schema is no fault of the rest. */
function isOfQueue(error: unknown): boolean {
  const { schema, message, where } = (error ?? {}) as { schema?: unknown; message?: unknown; where?: unknown }
  return [schema, message, where].some((words) => typeof words === 'string' && words.includes('graphile_worker'))
}

function queueUnavailable(cause: unknown): Refusal {
  return new Refusal('queue_unavailable', undefined, { cause })
}

/** Throws what stands in the way, with its numbers; returns when, read afresh, nothing does and another try may pass. */
async function explainHold(context: Context, spender: Spender, price: Hundredths, error: unknown): Promise<void> {
  const isHold = error instanceof Refusal && (error.code === 'insufficient_credits' || error.code === 'spend_limit_exceeded')
  if (!isHold) throw error
  const [first] = blockersOf(await readSpending(context, spender), price, context.clock.now())
  if (first) throw first
}

/** The row under its column names, as the database function takes it. */
function columnsOf(row: Generation) {
  return {
    id: row.id,
    owner_id: row.ownerId,
    account_id: row.accountId,
    user_id: row.userId,
    key_id: row.keyId,
    source: row.source,
    family_id: row.familyId,
    model_id: row.modelId,
    task: row.task,
    output_type: row.outputType,
    axes: row.axes,
    prompt: row.prompt,
    parameters: row.parameters,
    inputs: row.inputs,
    price: row.price,
    created_at: row.createdAt,
  }
}
