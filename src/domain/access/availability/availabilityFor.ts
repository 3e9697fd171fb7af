import { isId } from '../../../contract/ids.ts'
import type { Availability } from '../../catalog/lockReason.ts'
import type { Context } from '../../context.ts'
import { isSubscriber } from '../people/users.ts'
import type { Spender } from '../spender.ts'
import { requireTeam } from '../teams/teams.ts'

/**
 * Reads what locks families for the caller. For a key: its team and its issuer's subscription; `teamId` is ignored. For a person: the same
 * as for a key that they issued for the named team, or for a personal key. For an internal tool that names a team: the same as for a key
 * of a subscriber in it; without a team only the operator's overrides and failures lock families.
 * Refusals: invalid_request at `teamId`, for internal tools.
 */
export async function availabilityFor(context: Context, teamId?: string | null): Promise<Availability> {
  const { actor } = context
  if (actor.kind === 'key') return await availabilityIn(context, actor.teamId, actor.subscriptionActive)
  if (actor.kind === 'person') return await availabilityIn(context, teamId ?? null, await isSubscriber(context, actor.userId))
  if (typeof teamId === 'string') return await availabilityIn(context, (await requireTeam(context, teamId, 'teamId')).id, true)
  return { ...forAll(context), subscriptionActive: true }
}

/** As {@link availabilityFor}, for work that `spender` pays. An internal tool may start families that the team has switched off. */
export async function availabilityForSpender(context: Context, { ownerId }: Pick<Spender, 'ownerId'>): Promise<Availability> {
  return await availabilityFor(context, context.actor.kind === 'person' && isId('team', ownerId) ? ownerId : null)
}

/** Restricted families are granted to teams, so without a team there are none. */
async function availabilityIn(context: Context, teamId: string | null, subscriptionActive: boolean): Promise<Availability> {
  if (teamId === null) return { ...forAll(context), subscriptionActive, grantedToTeam: new Set() }
  const { disabled, granted } = await context.teamFamilies.of(teamId)
  return { ...forAll(context), subscriptionActive, disabledByTeam: disabled, grantedToTeam: granted }
}

/** The locks for every caller: overrides of the operator, and breakers. */
function forAll({ familyOverrides, breakers }: Context): Pick<Availability, 'overrides' | 'lockedSeconds'> {
  return { overrides: familyOverrides.current(), lockedSeconds: (familyId) => breakers.familyLockedSeconds(familyId) }
}
