import { creditsOf, hundredthsFromCredits } from '../../../contract/hundredths.ts'
import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import type { ApiKey } from '../../../entities/ApiKey.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import type { Context } from '../../context.ts'
import { invariant } from '../../invariant.ts'

/** A validated ceiling in hundredths; null for none. */
export function ceilingOf(credits: number | null | undefined): Hundredths | null {
  if (credits === null || credits === undefined) return null
  const amount = hundredthsFromCredits(credits)
  invariant(amount !== undefined, 'the schema of the input takes exact ceilings only')
  return amount
}

/** Reads when a key expires. Refusals: invalid_request at `expiresAt` for a time in the past: to end a key now, revoke it. */
export function readExpiry({ clock }: Pick<Context, 'clock'>, expiresAt: Date | null | undefined): Date | null {
  if (!expiresAt || expiresAt > clock.now()) return expiresAt ?? null
  throw invalidRequest({ in: 'body', path: ['expiresAt'], code: 'too_small', message: 'Takes a time in the future.' })
}

/** Ceilings and expiry of a key in the format of the audit log. Absent settings stay `undefined`. */
export function loggedSettings({
  dailyLimit,
  monthlyLimit,
  singleLimit,
  confirmAbove,
  expiresAt,
}: Partial<Pick<ApiKey, 'dailyLimit' | 'monthlyLimit' | 'singleLimit' | 'confirmAbove' | 'expiresAt'>>) {
  return {
    dailyLimitCredits: formatCredits(dailyLimit),
    monthlyLimitCredits: formatCredits(monthlyLimit),
    singleLimitCredits: formatCredits(singleLimit),
    confirmAboveCredits: formatCredits(confirmAbove),
    expiresAt,
  }
}

function formatCredits(amount: Hundredths | null | undefined): number | null | undefined {
  return amount === null || amount === undefined ? amount : creditsOf(amount)
}
