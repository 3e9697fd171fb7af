import { makeConcurrencyLimiter } from '../../../concurrency/concurrencyLimiter.ts'
import { creditsOf } from '../../../contract/hundredths.ts'
import { parseOrRefuse } from '../../../contract/refusals/issues.ts'
import { presentRefusal } from '../../../contract/refusals/refusalBody.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { BatchPlace, BatchRequest } from '../../../contract/shapes/batch.ts'
import { generationRequest } from '../../../contract/shapes/generationRequest.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { maxCreditsRefusal } from '../../credits/spending.ts'
import { invariant } from '../../invariant.ts'
import { refusalOf } from '../../sql.ts'
import { findReplay } from './findReplay.ts'
import { holdStart } from './holdStart.ts'
import { type PreparedStart, prepareStart } from './prepareStart.ts'
import type { Started } from './startAsTrial.ts'

/** Items that are checked at a time. Each may read its inputs from the database. */
const preparedAtOnce = 8

type BatchCall = BatchRequest & { idempotencyKey?: string | undefined }
type Prepared = PreparedStart | Started | Refusal

/**
 * Starts several generations, each as its own start would. Every item is checked first; those that pass hold their price in one statement,
 * in their order. Items beyond the caller's rate are refused, the last ones first. With an idempotency key each place has a key of its own,
 * so that a repeat starts only what was not started. `maxCredits` bounds the sum of the prices in order; an item counts from its checks on,
 * even if its hold is refused. Locks and refusals of each item: those of startGeneration.
 * Contract: docs/contract.md#start-a-batch.
 */
export async function startBatch(
  context: Context,
  spender: Spender,
  { items, maxCredits, idempotencyKey }: BatchCall,
): Promise<BatchPlace[]> {
  const { beyond, refusal } = (await context.countRequests?.(items.length - 1)) ?? { beyond: 0, refusal: undefined }
  const limiter = makeConcurrencyLimiter({ atOnce: preparedAtOnce, waitingMax: items.length })
  const prepared = await Promise.all(
    items.map(async (item, place) => {
      if (refusal && place >= items.length - beyond) return refusal
      const each = await limiter.run(() => prepareItem(context, spender, { item, place, idempotencyKey }))
      invariant(each, 'the limiter has room for every item')
      return each
    }),
  )
  const affordable = await refuseAboveSum(context, prepared, maxCredits)
  const answers = affordable.map(async (each) => {
    if (each instanceof Refusal || 'replayed' in each) return each
    return await holdStart(context, spender, each).catch((error: unknown) => asRefusal(context, error))
  })
  return (await Promise.all(answers)).map((answer) => presentPlace(context, answer, idempotencyKey))
}

type Item = { item: unknown; place: number; idempotencyKey: string | undefined }

async function prepareItem(context: Context, spender: Spender, { item, place, idempotencyKey }: Item): Promise<Prepared> {
  try {
    const request = parseOrRefuse(generationRequest, item, 'body')
    return await prepareStart(context, spender, { request, idempotencyKey: idempotencyKey && keyOfPlace(idempotencyKey, place) })
  } catch (error) {
    return asRefusal(context, error)
  }
}

/** Not a key that a caller can send, since it is not printable. */
function keyOfPlace(idempotencyKey: string, place: number): string {
  return `${idempotencyKey}\n${place}`
}

/**
 * Replaces starts of an earlier batch by their answers, and starts whose price does not fit into the rest of the sum by a refusal. The
 * earlier starts count first, wherever they are in the batch.
 */
async function refuseAboveSum(context: Context, prepared: Prepared[], maxCredits: number | undefined): Promise<Prepared[]> {
  if (maxCredits === undefined) return prepared
  const known = await Promise.all(prepared.map((each) => replayOrStart(context, each)))
  let spent = known.reduce((sum, each) => sum + (isReplay(each) ? priceOf(each) : 0), 0)
  return known.map((each) => {
    if (each instanceof Refusal || isReplay(each)) return each
    const price = priceOf(each)
    if (maxCreditsRefusal((spent + price) as Hundredths, maxCredits)) return beyondSum(price, Math.floor(maxCredits * 100) - spent)
    spent += price
    return each
  })
}

/** The answer to an earlier start with the same idempotency key, if there is one. */
async function replayOrStart(context: Context, each: Prepared): Promise<Prepared> {
  if (each instanceof Refusal || isReplay(each) || !each.start.idempotency) return each
  const earlier = await findReplay(context, each.start.idempotency).catch((error: unknown) => asRefusal(context, error))
  if (earlier instanceof Refusal) return earlier
  return earlier ? { generation: earlier, replayed: true } : each
}

function isReplay(prepared: Prepared): prepared is Started {
  return !(prepared instanceof Refusal) && 'replayed' in prepared
}

/** `price` and `rest` in hundredths. */
function beyondSum(price: number, rest: number): Refusal {
  const credits = creditsOf(price as Hundredths)
  const message = `The price of ${credits} credits does not fit into the rest of the maxCredits of the batch.`
  return new Refusal('cost_above_limit', { credits, maxCredits: creditsOf(Math.max(0, rest) as Hundredths) }, { message })
}

/** The price of a start or a replay, in hundredths. */
function priceOf(prepared: Prepared): number {
  if (prepared instanceof Refusal) return 0
  return 'replayed' in prepared ? Math.round(prepared.generation.creditsHeld * 100) : prepared.start.row.price
}

function asRefusal(context: Context, error: unknown): Refusal {
  const known = refusalOf(error)
  if (known) return known
  context.log.error({ error }, 'an item of a batch failed')
  return new Refusal('internal_error', undefined, { cause: error })
}

function presentPlace({ docUrls }: Context, answer: Started | Refusal, idempotencyKey = ''): BatchPlace {
  if (!(answer instanceof Refusal)) return { status: 201, generation: { ...answer.generation, replayed: answer.replayed } }
  const isConflict = answer.code === 'idempotency_conflict'
  const shown = isConflict ? new Refusal('idempotency_conflict', { idempotencyKey }) : answer
  return { status: shown.http, error: presentRefusal(shown, docUrls).error }
}
