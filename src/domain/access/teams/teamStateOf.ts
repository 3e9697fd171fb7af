import type { PublicAccount } from '../../../contract/shapes/account.ts'
import type { Team } from '../../../entities/Team.ts'

type TeamState = NonNullable<PublicAccount['team']>['state']

/** Whether keys of the team may be used, apart from its external access. Contract: docs/contract.md#get-the-account. */
export function teamStateOf({ blocked, planExpiresAt }: Pick<Team, 'blocked' | 'planExpiresAt'>, now: Date): TeamState {
  if (blocked) return 'blocked'
  return planExpiresAt !== null && planExpiresAt <= now ? 'expired' : 'active'
}
