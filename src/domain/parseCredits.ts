import { hundredthsFromCredits } from '../contract/hundredths.ts'
import { invalidRequest } from '../contract/refusals/refusals.ts'
import { creditsFault } from '../contract/shapes/credits.ts'
import type { Hundredths } from '../entities/Hundredths.ts'
import { invariant } from './invariant.ts'

/**
 * Parses an amount of credits from a request: not negative, at most two decimals, at most a billion.
 * Refusals: invalid_request at `field`. Contract: docs/contract.md#credits.
 */
export function parseCredits(credits: number, field: string): Hundredths {
  const fault = creditsFault(credits)
  if (fault) throw invalidRequest({ in: 'body', path: [field], ...fault })
  const amount = hundredthsFromCredits(credits)
  invariant(amount !== undefined, 'an amount without a fault is exact')
  return amount
}
