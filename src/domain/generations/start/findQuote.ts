import { creditsOf, hundredths } from '../../../contract/hundredths.ts'
import { isId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import { invalidRequest, Refusal } from '../../../contract/refusals/refusals.ts'
import { withoutCallerFields } from '../../../contract/shapes/callerFields.ts'
import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import type { GenerationRequest } from '../../../contract/shapes/generationRequest.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { findReplay, type Idempotency } from './findReplay.ts'
import { fingerprintOf } from './fingerprint.ts'

/** A quote for a start: the generation that was started with it, or the price and idempotency key for a start. */
export type FoundQuote = { started: PublicGeneration } | { price: Hundredths; idempotency: Idempotency }

type Row = { fingerprint: Buffer; price: Hundredths; isLive: boolean }

const read = statement<Row>(
  'read_quote',
  'select fingerprint, price, expires_at > present() as is_live from quotes where id = $1 and holder_id = $2',
)

/**
 * Finds the quote for a start of `request`. A repeat finds the started generation, also after its end, as long as idempotency keys are
 * stored. The quote is the idempotency key of the start, so only one of several concurrent starts succeeds.
 * Refusals: invalid_request at `quoteId` for an expired or unknown quote, or one of another key; idempotency_conflict for a quote of
 * another request. Contract: docs/contract.md#quotes.
 */
export async function findQuote(context: Context, spender: Spender, request: GenerationRequest, quoteId: string): Promise<FoundQuote> {
  const row = isId('quote', quoteId) ? await context.sql.one(read, [quoteId, quoteHolderIdOf(spender)]) : undefined
  if (!row) throw refusedQuote('This key has no such quote. Estimate the request again.')
  const fingerprint = quotedFingerprint(request)
  if (!row.fingerprint.equals(fingerprint)) {
    throw new Refusal(
      'idempotency_conflict',
      { idempotencyKey: quoteId },
      { message: 'This quote is for another request. Estimate this one.' },
    )
  }
  const idempotency = { scope: `quote:${quoteHolderIdOf(spender)}`, key: quoteId, fingerprint }
  const started = await findReplay(context, idempotency)
  if (started) return { started }
  if (!row.isLive)
    throw refusedQuote(`This quote has expired: it was valid for ${limits.quoteMinutes} minutes. Estimate the request again.`)
  return { price: row.price, idempotency }
}

/** The holder of a quote: the key, or the owner for an internal tool without a key. */
export function quoteHolderIdOf({ keyId, ownerId }: Spender): string {
  return keyId ?? ownerId
}

/** A fingerprint of the work. A price limit and the caller's own fields may differ between quote and start. */
export function quotedFingerprint(request: GenerationRequest): Buffer {
  const { maxCredits: _, ...work } = request
  return fingerprintOf(withoutCallerFields(work))
}

/** Refusals: cost_above_limit if the price has risen since the quote. */
export function requireQuotedPrice(price: Hundredths, quoted: Hundredths): void {
  if (price <= quoted) return
  const details = { credits: creditsOf(price), maxCredits: creditsOf(hundredths(quoted)) }
  throw new Refusal('cost_above_limit', details, { message: 'The price has risen since the quote. Estimate again.' })
}

function refusedQuote(message: string): Refusal {
  return invalidRequest({ in: 'body', path: ['quoteId'], code: 'not_allowed', message })
}
