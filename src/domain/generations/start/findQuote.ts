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

/** A quote as a start finds it: what was started with it already, or what it allows. */
export type FoundQuote = { started: PublicGeneration } | { price: Hundredths; idempotency: Idempotency }

type Row = { fingerprint: Buffer; price: Hundredths; isLive: boolean }

const read = statement<Row>(
  'read_quote',
  'select fingerprint, price, expires_at > present() as is_live from quotes where id = $1 and holder_id = $2',
)

/**
 * Finds the quote for a start of `request`. Repeats find what they started, also after its end, for as long as starts are remembered.
 * It is used up by the start itself, whose idempotency key it is: of many at once one begins.
 * Refusals: invalid_request at `quoteId` for one that has expired, is another key's or none; idempotency_conflict for one of another
 * request. Contract: docs/contract.md#quotes.
 */
export async function findQuote(context: Context, spender: Spender, request: GenerationRequest, quoteId: string): Promise<FoundQuote> {
  const row = isId('quote', quoteId) ? await context.sql.one(read, [quoteId, quoteHolderIdOf(spender)]) : undefined
  if (!row) throw refusedQuote('There is no such quote of this key. Estimate the request anew.')
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
  if (!row.isLive) throw refusedQuote(`This quote has expired: it was good for ${limits.quoteMinutes} minutes. Estimate the request anew.`)
  return { price: row.price, idempotency }
}

/** Whose quote it is: the key's that asks; an internal tool has none, and asks for somebody. */
export function quoteHolderIdOf({ keyId, ownerId }: Spender): string {
  return keyId ?? ownerId
}

/** Of everything that says what is made; a ceiling and the caller's own words may differ between the quote and the start. */
export function quotedFingerprint(request: GenerationRequest): Buffer {
  const { maxCredits: _, ...work } = request
  return fingerprintOf(withoutCallerFields(work))
}

/** Refusals: cost_above_limit where the price has risen since the quote. */
export function requireQuotedPrice(price: Hundredths, quoted: Hundredths): void {
  if (price <= quoted) return
  const details = { credits: creditsOf(price), maxCredits: creditsOf(hundredths(quoted)) }
  throw new Refusal('cost_above_limit', details, { message: 'The price has risen since the quote. Estimate again.' })
}

function refusedQuote(message: string): Refusal {
  return invalidRequest({ in: 'body', path: ['quoteId'], code: 'not_allowed', message })
}
