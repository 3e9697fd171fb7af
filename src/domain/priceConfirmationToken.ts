import { isId } from '../contract/ids.ts'
import { openToken, sealToken } from '../secrets/keyRing.ts'
import type { Context } from './context.ts'

/** The question put to the person behind an agent: may the start with this quote cost this many credits? */
export type PriceConfirmation = { quoteId: string; credits: number }

const purpose = 'price_question'

/**
 * Returns the question as a token that the client keeps until the person has answered. It is sealed, so that a client cannot forge an
 * answer. The quote holds owner, request and expiry. Contract: docs/contract.md#confirmation-above-a-price.
 */
export function sealConfirmation(context: Pick<Context, 'ring'>, { quoteId, credits }: PriceConfirmation): string {
  return sealToken(context.ring, Buffer.from(`${quoteId}|${credits}`), purpose)
}

/** Opens the token that came with the answer; undefined when it is not a token of ours or was altered. */
export function openConfirmation(context: Pick<Context, 'ring'>, token: string): PriceConfirmation | undefined {
  const [quoteId = '', credits = ''] = openToken(context.ring, token, purpose)?.toString().split('|') ?? []
  return isId('quote', quoteId) ? { quoteId, credits: Number(credits) } : undefined
}
