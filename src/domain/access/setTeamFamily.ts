import { familyNotFound } from '../../contract/familyNotFound.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { teamFamiliesNotice } from './teamFamilies.ts'
import { requireTeam } from './teams.ts'

const disable = statement<never>(
  'disable_family',
  `insert into team_families (team_id, family_id, disabled, disabled_by, disabled_at)
   values ($1, $2, $3, case when $3 then $4 end, case when $3 then present() end)
     on conflict (team_id, family_id) do update
       set disabled = excluded.disabled, disabled_by = excluded.disabled_by, disabled_at = excluded.disabled_at
     where team_families.disabled <> excluded.disabled`,
)
const grant = statement<never>(
  'grant_family',
  `insert into team_families (team_id, family_id, granted) values ($1, $2, $3)
     on conflict (team_id, family_id) do update set granted = excluded.granted`,
)
const notify = statement<never>(
  'notify_team_families',
  `select pg_notify('${teamFamiliesNotice.channel}', '${teamFamiliesNotice.subject}')`,
)

/**
 * Switches a family off for one team, or takes that back, in every process: `disabled_by_team`. It opens nothing that is locked for
 * other reasons. The first who switches it off is remembered, until somebody switches it on again. Refusals: family_not_found, invalid_request at `teamId`. Contract: section 6, setFamilyAvailability.
 */
export async function setTeamFamilyAvailability(
  context: Context,
  { familyId, teamId, available }: { familyId: string; teamId: string; available: boolean },
): Promise<void> {
  const by = context.actor.kind === 'person' ? context.actor.userId : null
  await say(context, { familyId, teamId }, disable, [!available, by])
}

/**
 * Grants a team the use of a restricted family, or takes it back, in every process: `access_denied` for all others.
 * Refusals: family_not_found, invalid_request at `teamId`. Contract: section 6, setFamilyAccess.
 */
export async function setFamilyAccess(
  context: Context,
  { familyId, teamId, granted }: { familyId: string; teamId: string; granted: boolean },
): Promise<void> {
  await say(context, { familyId, teamId }, grant, [granted])
}

async function say(
  context: Context,
  { familyId, teamId }: { familyId: string; teamId: string },
  word: typeof disable,
  values: unknown[],
): Promise<void> {
  if (!context.catalog.families.has(familyId)) throw familyNotFound(familyId, context.catalog.families.keys())
  await requireTeam(context, teamId, 'teamId')
  await context.sql.all(word, [teamId, familyId, ...values])
  context.teamFamilies.forget()
  await context.sql.one(notify, [])
}
