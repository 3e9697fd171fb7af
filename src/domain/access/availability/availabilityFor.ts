import { isId } from '../../../contract/ids.ts'
import type { Availability } from '../../catalog/lockReason.ts'
import type { Context } from '../../context.ts'
import { isSubscriber } from '../people/users.ts'
import type { Spender } from '../spender.ts'
import { requireTeam } from '../teams/teams.ts'

/**
 * What locks families for the caller. A key has what its team and its issuer's subscription give it, whatever team is named. A person has
 * what a key would have that they issued for the named team, or without one. An internal tool sees a named team as keys of its
 * subscribers do, and is locked out by the operator alone where it names none. Refusals: invalid_request at `teamId`, for internal tools.
 */
export async function availabilityFor(context: Context, teamId?: string | null): Promise<Availability> {
  const { actor } = context
  if (actor.kind === 'key') return await availabilityIn(context, actor.teamId, actor.subscriptionActive)
  if (actor.kind === 'person') return await availabilityIn(context, teamId ?? null, await isSubscriber(context, actor.userId))
  if (typeof teamId === 'string') return await availabilityIn(context, (await requireTeam(context, teamId, 'teamId')).id, true)
  return { ...forAll(context), subscriptionActive: true }
}

/** As {@link availabilityFor}, for work that `spender` pays. An internal tool may start for a team what that team has locked. */
export async function availabilityForSpender(context: Context, { ownerId }: Pick<Spender, 'ownerId'>): Promise<Availability> {
  return await availabilityFor(context, context.actor.kind === 'person' && isId('team', ownerId) ? ownerId : null)
}

/** Without a team nothing was granted. */
async function availabilityIn(context: Context, teamId: string | null, subscriptionActive: boolean): Promise<Availability> {
  if (teamId === null) return { ...forAll(context), subscriptionActive, grantedToTeam: new Set() }
  const { disabled, granted } = await context.teamFamilies.of(teamId)
  return { ...forAll(context), subscriptionActive, disabledByTeam: disabled, grantedToTeam: granted }
}

/** What holds for every caller alike: the operator's word, and what failures say. */
function forAll({ familyOverrides, breakers }: Context): Pick<Availability, 'overrides' | 'lockedSeconds'> {
  return { overrides: familyOverrides.current(), lockedSeconds: (familyId) => breakers.familyLockedSeconds(familyId) }
}
