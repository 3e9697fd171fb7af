import { hundredthsFromCredits } from '../contract/hundredths.ts'
import { limits } from '../contract/limits.ts'
import { type Issue, invalidRequest } from '../contract/refusals/refusals.ts'
import type { Hundredths } from '../entities/Hundredths.ts'

/**
 * Parses an amount of credits from a request: not negative, at most two decimals, at most a billion.
 * Refusals: invalid_request at `field`. Contract: docs/contract.md#credits.
 */
export function parseCredits(credits: number, field: string): Hundredths {
  const refusal = (code: Issue['code'], message: string) => invalidRequest({ in: 'body', path: [field], code, message })
  if (!(credits >= 0)) throw refusal('too_small', 'Takes at least 0 credits.')
  if (credits > limits.maxCreditsCeiling) throw refusal('too_big', `Takes at most ${limits.maxCreditsCeiling} credits.`)
  const amount = hundredthsFromCredits(credits)
  if (amount === undefined) throw refusal('bad_format', 'Takes credits with two decimals at most.')
  return amount
}
