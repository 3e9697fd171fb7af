import { Refusal } from '../../contract/refusals/refusals.ts'
import { type Spender, spenderOf } from '../../domain/access/spender.ts'
import { requireMayRun } from '../../domain/access/teams/teamRuns.ts'
import { requireTeam } from '../../domain/access/teams/teams.ts'
import type { Context } from '../../domain/context.ts'
import { findGeneration } from '../../domain/generations/reading/readGeneration.ts'

/** The spender of a new generation: that of the key, the named team, or the person. Refusals: team_required, invalid_request at `teamId`. */
export async function resolveTeamSpender(context: Context, teamId: string | null | undefined): Promise<Spender> {
  if (context.actor.kind === 'key') return spenderOf(context.actor)
  if (typeof teamId === 'string') await requireTeam(context, teamId, 'teamId')
  return spenderOf(context.actor, teamId ?? undefined)
}

/**
 * As {@link resolveTeamSpender}, for a start or an upload: a person must be allowed to run models in the team.
 * Refusals: also access_denied, account_blocked, team_expired.
 */
export async function resolveStartSpender(context: Context, teamId: string | null | undefined): Promise<Spender> {
  const spender = await resolveTeamSpender(context, teamId)
  await requireMayRun(context, spender.ownerId)
  return spender
}

/** As {@link resolveTeamSpender}, for an existing generation. Internal tools may use every generation. Refusals: generation_not_found. */
export async function resolveGenerationSpender(context: Context, generationId: string): Promise<Spender> {
  if (context.actor.kind === 'key') return spenderOf(context.actor)
  const generation = await findGeneration(context, generationId)
  if (!generation) throw new Refusal('generation_not_found')
  return spenderOf(context.actor, generation.ownerId)
}
