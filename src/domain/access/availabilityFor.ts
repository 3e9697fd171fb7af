import type { Availability } from '../catalog/lockReason.ts'
import type { Context } from '../context.ts'

/**
 * What locks families for the caller: the operator's word, the caller's subscription and team. A key without a team was granted nothing;
 * an internal tool is locked out of no family but by the operator.
 */
export async function availabilityFor({ actor, familyOverrides, teamFamilies }: Context): Promise<Availability> {
  const overrides = familyOverrides.current()
  if (actor.kind !== 'key') return { overrides, subscriptionActive: true }
  const { subscriptionActive, teamId } = actor
  if (teamId === null) return { overrides, subscriptionActive, grantedToTeam: new Set() }
  return { ...(await availabilityForTeam({ familyOverrides, teamFamilies }, teamId)), subscriptionActive }
}

/** What locks families for the keys of a team whose issuers have a subscription. */
export async function availabilityForTeam(
  { familyOverrides, teamFamilies }: Pick<Context, 'familyOverrides' | 'teamFamilies'>,
  teamId: string,
): Promise<Availability> {
  const { disabled, granted } = await teamFamilies.of(teamId)
  return { overrides: familyOverrides.current(), subscriptionActive: true, disabledByTeam: disabled, grantedToTeam: granted }
}
