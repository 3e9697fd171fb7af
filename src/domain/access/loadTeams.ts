import { Team } from '../../entities/Team.ts'
import type { Context } from '../context.ts'

/** Those of the teams that exist, in any order, as they stand now. */
export function loadTeams(context: Context, ids: readonly string[]): Promise<Team[]> {
  return context.em().find(Team, { id: { $in: [...ids] } }, { refresh: true })
}
