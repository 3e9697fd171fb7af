import { creditsOf } from '../../../contract/hundredths.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import type { GenerationRequest } from '../../../contract/shapes/generationRequest.ts'
import { traceParent } from '../../../tracing/tracing.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { blockersOf, maxCreditsRefusal, readSpending } from '../../credits/spending.ts'
import { findInputs } from '../../files/findInputs.ts'
import { rethrowUnknownOutcome } from '../../unknownOutcome.ts'
import { linkHolderOf } from '../links/resultLink.ts'
import { awaitGeneration, type Wait } from '../reading/awaitGeneration.ts'
import { presentGeneration } from '../reading/presentGeneration.ts'
import { findQuote, requireQuotedPrice } from './findQuote.ts'
import { findReplay, type Idempotency } from './findReplay.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { NewStart, StartVerdict } from './insertStarts.ts'
import { newGeneration } from './newGeneration.ts'
import { type Plan, planGeneration } from './planGeneration.ts'
import { requireConfirmation } from './requireConfirmation.ts'
import { type Started, startAsTrial } from './startAsTrial.ts'
import { startBatcherOf } from './startBatcher.ts'

/** A start request, with at most one of an idempotency key and a quote. */
export type StartCall = {
  request: GenerationRequest
  idempotencyKey?: string | undefined
  quoteId?: string | undefined
  /** The agent's person has confirmed the price of the quote. */
  confirmed?: boolean
  /** Delays the answer until the work ends. Not part of the fingerprint. */
  wait?: Wait | undefined
}

/** Open work ends slowly, so an earlier retry would mostly be refused again. */
const tooManyOpenSeconds = 10

/** Attempts to hold the price when newly read numbers contradict the refusal. */
const startAttemptsMax = 3

/**
 * Starts a generation: holds its exact price and queues its work in one transaction and one round trip, shared with concurrent starts. With
 * an idempotency key or a quote, a repeat returns the first answer, regardless of later changes. With a wait, the answer comes after the
 * end of the work or of the wait; the end of a wait never ends the work.
 * Locks: idempotency key, account, count of open work, key, files, generations that are inputs. Refusals: those of findQuote,
 * idempotency_conflict, idempotency_in_progress, those of planGeneration, cost_above_limit, spend_limit_exceeded, insufficient_credits,
 * credit_reservation_failed, too_many_open, queue_unavailable.
 * Contract: docs/contract.md#start-a-generation, docs/contract.md#order-of-checks.
 */
export async function startGeneration(context: Context, spender: Spender, { wait, ...call }: StartCall): Promise<Started> {
  const started = await startNow(context, spender, call)
  return wait ? await awaitEnd(context, spender, { started, wait }) : started
}

/**
 * The started generation in its state at the end of the wait. If it cannot be read, since the database is unavailable or the key is no
 * longer valid, returns the answer of a start without a wait: the generation exists and costs in any case.
 */
async function awaitEnd(context: Context, spender: Spender, { started, wait }: { started: Started; wait: Wait }): Promise<Started> {
  try {
    return { ...started, generation: await awaitGeneration(context, spender, started.generation.generationId, wait) }
  } catch (error) {
    if (!(error instanceof Refusal)) context.log.error({ error }, 'a wait for a started generation failed')
    return started
  }
}

async function startNow(context: Context, spender: Spender, call: Omit<StartCall, 'wait'>): Promise<Started> {
  const { request, quoteId } = call
  const quote = quoteId === undefined ? undefined : await findQuote(context, spender, request, quoteId)
  if (quote && 'started' in quote) return { generation: quote.started, replayed: true }
  const idempotency = quote?.idempotency ?? idempotencyOf(spender, call)
  const plan = await planOrReplay(context, spender, request, idempotency)
  if ('replayed' in plan) return plan
  if (quote) requireQuotedPrice(plan.quote.total, quote.price)
  if (!(quote && call.confirmed)) await requireConfirmation(context, spender, plan.quote.total)
  const row = newGeneration(context, spender, request, plan)
  const generation = presentGeneration(context, row, linkHolderOf(context.actor))
  const start = {
    row,
    traceParent: traceParent(),
    inputs: plan.inputs,
    openMax: context.settings.openGenerationsMax,
    idempotency: idempotency && { ...idempotency, response: JSON.stringify(generation) },
  }
  const attempt = {
    familyId: plan.family.id,
    providerId: plan.variant.provider.id,
    generationId: row.id,
    ownerId: row.ownerId,
    idempotency,
  }
  return await startAsTrial(context, attempt, () => startWithHold(context, spender, start, generation)).catch(rethrowUnknownOutcome)
}

function idempotencyOf(spender: Spender, { request, idempotencyKey }: StartCall): Idempotency | undefined {
  return idempotencyKey === undefined ? undefined : { scope: spender.ownerId, key: idempotencyKey, fingerprint: fingerprintOf(request) }
}

/** A replay skips every check after idempotency: an earlier start takes precedence over a failing plan. */
async function planOrReplay(
  context: Context,
  spender: Spender,
  request: GenerationRequest,
  idempotency: Idempotency | undefined,
): Promise<Plan | Started> {
  try {
    const plan = await planGeneration(context, spender, request)
    const tooExpensive = maxCreditsRefusal(plan.quote.total, request.maxCredits)
    if (tooExpensive) throw tooExpensive
    return plan
  } catch (error) {
    const isFinalRefusal = error instanceof Refusal && error.code !== 'service_unavailable'
    const earlier = isFinalRefusal && idempotency ? await findReplay(context, idempotency) : undefined
    if (earlier) return { generation: earlier, replayed: true }
    throw error
  }
}

async function startWithHold(context: Context, spender: Spender, start: NewStart, generation: PublicGeneration): Promise<Started> {
  const batcher = startBatcherOf(context)
  for (let attempts = 1; attempts <= startAttemptsMax; attempts++) {
    const verdict = await (attempts === 1 ? batcher.add(start) : batcher.alone(start)).catch(retryableVerdict)
    if (verdict === 'started') return { generation, replayed: false }
    const earlier = await replayOrRefuse(context, spender, start, verdict)
    if (earlier) return { generation: earlier, replayed: earlier.generationId !== generation.generationId }
  }
  throw new Refusal('credit_reservation_failed', { credits: creditsOf(start.row.price) })
}

/**
 * Throws the refusal with its numbers, or returns the answer to an earlier start. `undefined` if newly read numbers show neither: another
 * attempt may succeed.
 */
async function replayOrRefuse(
  context: Context,
  spender: Spender,
  { row, inputs, idempotency }: NewStart,
  verdict: Exclude<StartVerdict, 'started'>,
): Promise<PublicGeneration | undefined> {
  switch (verdict) {
    case 'known':
      return idempotency && (await findReplay(context, idempotency))
    case 'idempotency_in_progress':
      throw new Refusal('idempotency_in_progress', { retryAfterSeconds: 1 })
    case 'invalid_token':
      throw new Refusal('invalid_token')
    case 'too_many_open':
      throw new Refusal('too_many_open', { limit: context.settings.openGenerationsMax, retryAfterSeconds: tooManyOpenSeconds })
    case 'input_gone':
      await findInputs(context, spender.ownerId, inputs)
      return undefined
    case 'spend_limit_exceeded':
    case 'insufficient_credits':
    case 'crowded': {
      const [first] = blockersOf(await readSpending(context, spender), row.price, context.clock.now())
      if (first) throw first
      return undefined
    }
  }
}

function retryableVerdict(error: unknown): 'crowded' {
  if (error instanceof Refusal && error.code === 'credit_reservation_failed') return 'crowded'
  throw isQueueError(error) ? new Refusal('queue_unavailable', undefined, { cause: error }) : error
}

/** Whether the error comes from the queue's schema. The statement also queues the job. */
function isQueueError(error: unknown): boolean {
  const { schema, message, where } = (error ?? {}) as { schema?: unknown; message?: unknown; where?: unknown }
  return [schema, message, where].some((text) => typeof text === 'string' && text.includes('graphile_worker'))
}
