import { creditsOf } from '../../../contract/hundredths.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import type { GenerationRequest } from '../../../contract/shapes/generationRequest.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import { traceParent } from '../../../tracing/tracing.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { maxCreditsRefusal } from '../../credits/spending.ts'
import { statement } from '../../sql.ts'
import { type OpenedCallback, openCallback } from '../../webhooks/callbacks/openCallback.ts'
import { linkHolderOf } from '../links/resultLink.ts'
import { presentGeneration } from '../reading/presentGeneration.ts'
import { findQuote, requireQuotedPrice } from './findQuote.ts'
import { findReplay, type Idempotency } from './findReplay.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { NewStart } from './insertStarts.ts'
import { newGeneration } from './newGeneration.ts'
import { type Plan, planGeneration } from './planGeneration.ts'
import type { Started } from './startAsTrial.ts'

/** A start request, with at most one of an idempotency key and a quote. */
export type StartCall = {
  request: GenerationRequest
  idempotencyKey?: string | undefined
  quoteId?: string | undefined
  /** The agent's person has confirmed the price of the quote. */
  confirmed?: boolean
}

/** A start that passed every check before the hold, and its answer if the hold succeeds. */
export type PreparedStart = { start: NewStart; generation: PublicGeneration; familyId: string; providerId: string }

/**
 * Runs every check of a start before the ceilings of the key. Holds nothing. Returns the first answer of an earlier start instead, if a
 * check fails. Refusals: those of findQuote, idempotency_conflict, those of openCallback and planGeneration, cost_above_limit.
 */
export async function prepareStart(context: Context, spender: Spender, call: StartCall): Promise<PreparedStart | Started> {
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
    callback: plan.callback,
    idempotency: idempotency && { ...idempotency, response: JSON.stringify(generation) },
  }
  return { start, generation, familyId: plan.family.id, providerId: plan.variant.provider.id }
}

/** A person has idempotency keys of their own: a run cannot stand for a start of the team's programs, which expect its event. */
function idempotencyOf({ ownerId, source, userId }: Spender, { request, idempotencyKey }: StartCall): Idempotency | undefined {
  if (idempotencyKey === undefined) return undefined
  const key = source === 'editor' ? `${userId}\n${idempotencyKey}` : idempotencyKey
  return { scope: ownerId, key, fingerprint: fingerprintOf(request) }
}

/** A replay skips every check after idempotency: an earlier start takes precedence over a failing plan. */
async function planOrReplay(
  context: Context,
  spender: Spender,
  request: GenerationRequest,
  idempotency: Idempotency | undefined,
): Promise<(Plan & { callback: OpenedCallback | undefined }) | Started> {
  try {
    const callback = request.webhook && (await openCallback(context, spender.ownerId, request.webhook))
    const plan = await planGeneration(context, spender, request)
    const tooExpensive = maxCreditsRefusal(plan.quote.total, request.maxCredits)
    if (tooExpensive) throw tooExpensive
    return { ...plan, callback }
  } catch (error) {
    const isFinalRefusal = error instanceof Refusal && error.code !== 'service_unavailable'
    const earlier = isFinalRefusal && idempotency ? await findReplay(context, idempotency) : undefined
    if (earlier) return { generation: earlier, replayed: true }
    throw error
  }
}

const read = statement<{ confirmAbove: Hundredths | null }>('read_confirm_above', 'select confirm_above from api_keys where id = $1')

/**
 * Refuses a start of an agent above the price that its key allows without a confirmation by its person. The refusal has both amounts, so
 * that the agent's client can request the confirmation. Refusals: cost_above_limit with `confirmAboveCredits`.
 * Contract: docs/contract.md#confirmation-above-a-price.
 */
async function requireConfirmation(context: Context, { source, keyId }: Spender, price: Hundredths): Promise<void> {
  if (source !== 'mcp' || keyId === null) return
  const { confirmAbove } = (await context.sql.one(read, [keyId])) ?? { confirmAbove: null }
  if (confirmAbove === null || price <= confirmAbove) return
  const confirmAboveCredits = creditsOf(confirmAbove)
  throw new Refusal(
    'cost_above_limit',
    { credits: creditsOf(price), maxCredits: confirmAboveCredits, confirmAboveCredits },
    { message: `The owner of this key must confirm a start above ${confirmAboveCredits} credits.` },
  )
}
