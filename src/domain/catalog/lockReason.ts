import { askOperatorTo } from '../../contract/refusals/askOperator.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { LockReason } from '../../contract/shapes/family.ts'
import type { Family } from './family.ts'

export type Availability = {
  /** An operator's override of the availability of a family. It takes precedence over the file. */
  overrides: ReadonlyMap<string, boolean>
  subscriptionActive: boolean
  /** True when external access of the caller's team is on. Default: true. */
  externalAccess?: boolean
  /** Families that the caller's team disabled for itself. */
  disabledByTeam?: ReadonlySet<string>
  /** Restricted families that the team was granted. Absent when the caller needs no grant. */
  grantedToTeam?: ReadonlySet<string>
  /** Seconds until a family that failed repeatedly is unlocked; 0 when it is not locked. Absent: none is locked. */
  lockedSeconds?: (familyId: string) => number
}

/** Why a family is locked. The public lock reason `access_denied` has two causes. */
export type FamilyLock = Exclude<LockReason, 'access_denied'> | 'external_access_off' | 'family_restricted'

type LockableFamily = Pick<Family, 'id' | 'available' | 'requiresSubscription' | 'restricted'>

/** The public reason of {@link lockOf}. */
export function lockReasonOf(family: LockableFamily, availability: Availability): LockReason | undefined {
  const lock = lockOf(family, availability)
  return lock === 'external_access_off' || lock === 'family_restricted' ? 'access_denied' : lock
}

/**
 * Returns why the caller may not use the family now, `undefined` when it may. Missing permissions come before temporary reasons, so that
 * nobody waits for a family that stays locked afterwards. Contract: docs/contract.md#locked-families.
 */
export function lockOf(
  family: LockableFamily,
  { overrides, subscriptionActive, externalAccess = true, disabledByTeam, grantedToTeam, lockedSeconds }: Availability,
): FamilyLock | undefined {
  if (!externalAccess) return 'external_access_off'
  if (family.restricted && grantedToTeam?.has(family.id) === false) return 'family_restricted'
  if (disabledByTeam?.has(family.id)) return 'disabled_by_team'
  if (family.requiresSubscription && !subscriptionActive) return 'subscription_required'
  if (!(overrides.get(family.id) ?? family.available)) return 'temporarily_unavailable'
  if (lockedSeconds && lockedSeconds(family.id) > 0) return 'temporarily_unavailable'
  return undefined
}

/** An operator's lock has no known end. A minute limits the rate of retries. */
const defaultRetrySeconds = 60

/**
 * The refusal of a start on a locked family. `seconds`: until it may be unlocked, 0 when unknown.
 * Contract: docs/contract.md#locked-families.
 */
export function lockRefusal(lock: FamilyLock, familyId: string, seconds = 0): Refusal {
  return refusals[lock](familyId, seconds || defaultRetrySeconds)
}

const refusals: Record<FamilyLock, (familyId: string, retryAfterSeconds: number) => Refusal> = {
  external_access_off: () => new Refusal('access_denied', { cause: 'external_access_off' }),
  family_restricted: () => {
    const message = `This family is restricted, and your team has no access to it. ${askOperatorTo('grant it')}`
    return new Refusal('access_denied', { cause: 'family_restricted' }, { message })
  },
  disabled_by_team: () =>
    new Refusal(
      'access_denied',
      { cause: 'family_disabled_by_team' },
      {
        message: 'Your team disabled this family. An owner or administrator of the team can enable it.',
      },
    ),
  subscription_required: (familyId) => new Refusal('subscription_required', { familyId }),
  temporarily_unavailable: (familyId, retryAfterSeconds) => new Refusal('family_unavailable', { familyId, retryAfterSeconds }),
}
