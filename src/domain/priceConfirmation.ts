import { isId } from '../contract/ids.ts'
import { openToken, sealToken } from '../secrets/keyRing.ts'
import type { Context } from './context.ts'

/** What the person behind an agent was asked: whether the start with this quote may cost so much. */
export type PriceConfirmation = { quoteId: string; credits: number }

const purpose = 'price_question'

/**
 * The question as the client keeps it until its person has answered. Sealed, since a yes to what was never asked is none; whose it is, for
 * which request and until when is the quote's to say. Contract: docs/contract.md#confirmation-above-a-price.
 */
export function sealConfirmation(context: Pick<Context, 'ring'>, { quoteId, credits }: PriceConfirmation): string {
  return sealToken(context.ring, Buffer.from(`${quoteId}|${credits}`), purpose)
}

/** Opens what came back with the answer; `undefined` when it was altered or not made by us. */
export function openConfirmation(context: Pick<Context, 'ring'>, token: string): PriceConfirmation | undefined {
  const [quoteId = '', credits = ''] = openToken(context.ring, token, purpose)?.toString().split('|') ?? []
  return isId('quote', quoteId) ? { quoteId, credits: Number(credits) } : undefined
}
