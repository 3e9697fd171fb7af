import { creditsOf } from '../../../contract/hundredths.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import type { GenerationRequest } from '../../../contract/shapes/generationRequest.ts'
import { traceParent } from '../../../tracing/tracing.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { blockersOf, maxCreditsRefusal, readSpending } from '../../credits/spending.ts'
import { findInputs } from '../../files/findInputs.ts'
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

/** What is asked for, and at most one of the two that make a repeat harmless. */
export type StartCall = {
  request: GenerationRequest
  idempotencyKey?: string | undefined
  quoteId?: string | undefined
  /** The person behind an agent has agreed to the price of the quote. */
  confirmed?: boolean
  /** Hold the answer until the work ends. No part of what makes two starts the same. */
  wait?: Wait | undefined
}

/** Open work ends at the pace of its models: whoever asks again sooner is mostly told the same. */
const tooManyOpenSeconds = 10

/** How often a hold is tried again when the numbers, read afresh, say that it fits. */
const startAttemptsMax = 3

/**
 * Starts a generation: holds its exact price and queues its work, in one transaction and one round trip, which it shares with others
 * that come at the same time. With an idempotency key, or a quote, a repeat gives the first answer again, whatever else has changed since.
 * With a wait the answer, of a repeat too, comes when the work has ended or the wait is over; nothing that ends a wait ends the work.
 * Locks: idempotency key, account, count of open work, key, files, generations that are inputs. Refusals: those of findQuote, idempotency_conflict,
 * idempotency_in_progress, those of planGeneration, cost_above_limit, spend_limit_exceeded, insufficient_credits,
 * credit_reservation_failed, too_many_open, queue_unavailable.
 * Contract: docs/contract.md#start-a-generation, docs/contract.md#order-of-checks.
 */
export async function startGeneration(context: Context, spender: Spender, { wait, ...call }: StartCall): Promise<Started> {
  const started = await startNow(context, spender, call)
  return wait ? await awaitEnd(context, spender, { started, wait }) : started
}

/**
 * What was started, as it stands when the wait is over. It is there and costs, whatever becomes of the wait: where nothing newer can be
 * told, since the database went away, or the key is dead by then, its caller gets the answer of a start that did not wait.
 */
async function awaitEnd(context: Context, spender: Spender, { started, wait }: { started: Started; wait: Wait }): Promise<Started> {
  try {
    return { ...started, generation: await awaitGeneration(context, spender, started.generation.generationId, wait) }
  } catch (error) {
    if (!(error instanceof Refusal)) context.log.error({ error }, 'a wait for what was started failed')
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
  const asked = { familyId: plan.family.id, providerId: plan.variant.provider.id, generationId: row.id, ownerId: row.ownerId, idempotency }
  return await startAsTrial(context, asked, () => held(context, spender, start, generation))
}

function idempotencyOf(spender: Spender, { request, idempotencyKey }: StartCall): Idempotency | undefined {
  return idempotencyKey === undefined ? undefined : { scope: spender.ownerId, key: idempotencyKey, fingerprint: fingerprintOf(request) }
}

/** A replay skips every check after idempotency: a plan that fails gives way to an earlier start. */
async function planOrReplay(
  context: Context,
  spender: Spender,
  request: GenerationRequest,
  idempotency: Idempotency | undefined,
): Promise<Plan | Started> {
  try {
    const plan = await planGeneration(context, spender, request)
    const above = maxCreditsRefusal(plan.quote.total, request.maxCredits)
    if (above) throw above
    return plan
  } catch (error) {
    const isFinalRefusal = error instanceof Refusal && error.code !== 'service_unavailable'
    const earlier = isFinalRefusal && idempotency ? await findReplay(context, idempotency) : undefined
    if (earlier) return { generation: earlier, replayed: true }
    throw error
  }
}

async function held(context: Context, spender: Spender, start: NewStart, generation: PublicGeneration): Promise<Started> {
  const queue = startBatcherOf(context)
  for (let tries = 1; tries <= startAttemptsMax; tries++) {
    const verdict = await (tries === 1 ? queue.add(start) : queue.alone(start)).catch(retryableVerdict)
    if (verdict === 'started') return { generation, replayed: false }
    const earlier = await replayOrRefuse(context, spender, start, verdict)
    if (earlier) return { generation: earlier, replayed: earlier.generationId !== generation.generationId }
  }
  throw new Refusal('credit_reservation_failed', { credits: creditsOf(start.row.price) })
}

/**
 * Throws what stands in the way, with its numbers, or gives the answer to an earlier start; nothing when, read afresh, neither is so
 * and another try may pass.
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

/** The job is queued in the same statement: what fails inside the queue's own schema is no fault of the rest. */
function isQueueError(error: unknown): boolean {
  const { schema, message, where } = (error ?? {}) as { schema?: unknown; message?: unknown; where?: unknown }
  return [schema, message, where].some((words) => typeof words === 'string' && words.includes('graphile_worker'))
}
