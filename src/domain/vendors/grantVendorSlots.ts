import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { type ProviderLimits, providerLimits, providersSharingLimits } from './providerLimits.ts'
import { trialSeconds } from './trials.ts'

const hand = statement<never>('hand_slots_on', 'select hand_slots_on($1, $2, $3, $4::text[], $5::integer[], $6::integer[], $7, null)')

/**
 * Gives the free slots of a provider to those who wait for them, the longest first. Run when a slot comes back, and when time has made
 * room. See `migrations/functions/hand_slots_on.sql`.
 */
export async function grantVendorSlots(context: Context, providerId: string): Promise<void> {
  for (const each of providersSharingLimits(context, providerId)) {
    await context.sql.one(hand, [...limitValues(providerLimits(context, each)), trialSeconds])
  }
}

export function limitValues({ providerId, atOnce, perMinute, families, familiesAtOnce, familiesPerMinute }: ProviderLimits): unknown[] {
  return [providerId, atOnce, perMinute, families, familiesAtOnce, familiesPerMinute]
}
