import { Refusal } from '../../contract/refusals/refusals.ts'
import type { LockReason } from '../../contract/shapes/family.ts'
import type { Family } from './family.ts'

export type Availability = {
  /** An operator's word about a family, which wins over its file. */
  overrides: ReadonlyMap<string, boolean>
  subscriptionActive: boolean
  /** External access of the caller's team; absent means open. */
  externalAccess?: boolean
  /** Families that the caller's team has switched off for itself. */
  disabledByTeam?: ReadonlySet<string>
  /** Restricted families that it was granted; absent for whoever needs no grant. */
  grantedToTeam?: ReadonlySet<string>
  /** For how many seconds a family is locked because its models failed; absent means that none is. */
  lockedSeconds?: (familyId: string) => number
}

/**
 * Why the caller may not use the family now, `undefined` when it may. What the caller lacks comes before what passes by itself:
 * nobody should wait for a family that stays closed to them afterwards.
 * Contract: docs/contract.md#locked-families.
 */
export function lockReasonOf(
  family: Pick<Family, 'id' | 'available' | 'requiresSubscription' | 'restricted'>,
  { overrides, subscriptionActive, externalAccess = true, disabledByTeam, grantedToTeam, lockedSeconds }: Availability,
): LockReason | undefined {
  if (!externalAccess) return 'access_denied'
  if (family.restricted && grantedToTeam?.has(family.id) === false) return 'access_denied'
  if (disabledByTeam?.has(family.id)) return 'disabled_by_team'
  if (family.requiresSubscription && !subscriptionActive) return 'subscription_required'
  if (!(overrides.get(family.id) ?? family.available)) return 'temporarily_unavailable'
  if (lockedSeconds && lockedSeconds(family.id) > 0) return 'temporarily_unavailable'
  return undefined
}

/** An operator's lock has no known end; a minute keeps a patient client from hammering. */
const defaultRetrySeconds = 60

/**
 * What a start on a locked family is refused with; `seconds` until it may be open again, 0 when nobody knows.
 * Contract: docs/contract.md#locked-families.
 */
export function lockRefusal(reason: LockReason, familyId: string, seconds = 0): Refusal {
  return refusals[reason](familyId, seconds || defaultRetrySeconds)
}

const refusals: Record<LockReason, (familyId: string, retryAfterSeconds: number) => Refusal> = {
  access_denied: () => new Refusal('access_denied'),
  disabled_by_team: () =>
    new Refusal('access_denied', undefined, {
      message: 'The team has switched this family off. Its owners and administrators can switch it on.',
    }),
  subscription_required: (familyId) => new Refusal('subscription_required', { familyId }),
  temporarily_unavailable: (familyId, retryAfterSeconds) => new Refusal('family_unavailable', { familyId, retryAfterSeconds }),
}
