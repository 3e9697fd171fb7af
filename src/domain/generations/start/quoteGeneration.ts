import { hundredthsFromCredits } from '../../../contract/hundredths.ts'
import { newId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import { momentOf } from '../../../contract/shapes/credits.ts'
import type { GenerationRequest } from '../../../contract/shapes/generationRequest.ts'
import type { QuotedEstimate } from '../../../contract/shapes/quote.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { invariant } from '../../invariant.ts'
import { statement } from '../../sql.ts'
import { estimateGeneration } from './estimateGeneration.ts'
import { quotedFingerprint, quoteHolderIdOf } from './findQuote.ts'

const insert = statement<{ expiresAt: Date }>(
  'insert_quote',
  `insert into quotes (id, holder_id, fingerprint, price, created_at, expires_at)
     values ($1, $2, $3, $4, present(), present() + $5 * interval '1 minute') returning expires_at`,
)

/**
 * The price of a request, and a quote for one start with the same key, valid for ten minutes at most at that price. Holds nothing.
 * Refusals: those of {@link estimateGeneration}. Contract: docs/contract.md#quotes.
 */
export async function quoteGeneration(context: Context, spender: Spender, request: GenerationRequest): Promise<QuotedEstimate> {
  const estimate = await estimateGeneration(context, spender, request)
  const quoteId = newId('quote')
  const price = hundredthsFromCredits(estimate.credits)
  const row = await context.sql.one(insert, [quoteId, quoteHolderIdOf(spender), quotedFingerprint(request), price, limits.quoteMinutes])
  invariant(row, 'the inserted quote is returned')
  return { ...estimate, quoteId, quoteExpiresAt: momentOf(row.expiresAt) }
}
