import { invalidRequest } from '../../contract/refusals.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { readCredits } from '../readCredits.ts'

/** Reads a ceiling. Refusals: invalid_request at `field`. */
export function readLimit(credits: number | null | undefined, field: string): Hundredths | null {
  return typeof credits === 'number' ? readCredits(credits, field) : null
}

/** Reads when a key shall end. Refusals: invalid_request at `expiresAt` for a moment that is over: ending a key at once is revoking it. */
export function readExpiry({ clock }: Pick<Context, 'clock'>, expiresAt: Date | null | undefined): Date | null {
  if (!expiresAt || expiresAt > clock.now()) return expiresAt ?? null
  throw invalidRequest({ in: 'body', path: ['expiresAt'], code: 'too_small', message: 'Takes a moment that is still to come.' })
}
