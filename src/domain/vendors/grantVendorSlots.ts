import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { type ProviderLimits, providerLimits, providersSharingLimits } from './providerLimits.ts'
import { trialSeconds } from './trials.ts'

const grant = statement<never>(
  'grant_vendor_slots',
  'select grant_vendor_slots($1, $2, $3, $4::text[], $5::integer[], $6::integer[], $7, null)',
)

/**
 * Grants the free slots of a provider to waiting generations, whose owners take turns. Runs when a slot is released, and when the minute limit
 * allows more. See `migrations/functions/grant_vendor_slots.sql`.
 */
export async function grantVendorSlots(context: Context, providerId: string): Promise<void> {
  for (const each of providersSharingLimits(context, providerId)) {
    await context.sql.one(grant, [...limitValues(providerLimits(context, each)), trialSeconds])
  }
}

export function limitValues({ providerId, atOnce, perMinute, families, familiesAtOnce, familiesPerMinute }: ProviderLimits): unknown[] {
  return [providerId, atOnce, perMinute, families, familiesAtOnce, familiesPerMinute]
}
