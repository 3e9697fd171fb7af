import { Refusal } from '../../contract/refusals.ts'
import type { Context, Notices } from '../context.ts'
import { type Sql, statement } from '../sql.ts'
import { requireTeam } from './teams.ts'

/** What is said about families for one team alone. */
export type FamiliesOfTeam = {
  /** Those that it has switched off for itself. */
  disabled: ReadonlySet<string>
  /** The restricted ones that it may use. */
  granted: ReadonlySet<string>
}

export type TeamFamilies = {
  /** As last read, a few seconds ago at most; what {@link forget} was called after is in it. */
  of(teamId: string): Promise<FamiliesOfTeam>
  /** Reads everything anew from now on. */
  forget(): void
  close(): void
}

const channel = 'catalog'
const subject = 'team_families'
/** A change that was not heard of counts after so long. */
const keptMilliseconds = 5000
/** Beyond it memory matters more than reading some of them again. */
const teamsMax = 10_000

const readTeam = statement<{ familyId: string; disabled: boolean; granted: boolean }>(
  'families_of_team',
  'select family_id, disabled, granted from team_families where team_id = $1',
)
const disable = statement<never>(
  'disable_family',
  `insert into team_families (team_id, family_id, disabled) values ($1, $2, $3)
     on conflict (team_id, family_id) do update set disabled = excluded.disabled`,
)
const grant = statement<never>(
  'grant_family',
  `insert into team_families (team_id, family_id, granted) values ($1, $2, $3)
     on conflict (team_id, family_id) do update set granted = excluded.granted`,
)
const notify = statement<never>('notify_team_families', `select pg_notify('${channel}', '${subject}')`)

/**
 * Switches a family off for one team, or takes that back, in every process: `disabled_by_team`. It opens nothing that is locked for
 * other reasons. Refusals: family_not_found, invalid_request at `teamId`. Contract: section 6, setFamilyAvailability.
 */
export async function setTeamFamilyAvailability(
  context: Context,
  { familyId, teamId, available }: { familyId: string; teamId: string; available: boolean },
): Promise<void> {
  await say(context, { familyId, teamId }, { statement: disable, value: !available })
}

/**
 * Grants a team the use of a restricted family, or takes it back, in every process: `access_denied` for all others.
 * Refusals: family_not_found, invalid_request at `teamId`. Contract: section 6, setFamilyAccess.
 */
export async function setFamilyAccess(
  context: Context,
  { familyId, teamId, granted }: { familyId: string; teamId: string; granted: boolean },
): Promise<void> {
  await say(context, { familyId, teamId }, { statement: grant, value: granted })
}

async function say(
  context: Context,
  { familyId, teamId }: { familyId: string; teamId: string },
  word: { statement: typeof disable; value: boolean },
): Promise<void> {
  if (!context.catalog.families.has(familyId)) throw new Refusal('family_not_found', { familyId })
  await requireTeam(context, teamId, 'teamId')
  await context.sql.all(word.statement, [teamId, familyId, word.value])
  context.teamFamilies.forget()
  await context.sql.one(notify, [])
}

/** Keeps what is said for the teams that ask, so that their requests read nothing; dropped whenever any of it changes. */
export function makeTeamFamilies({ sql, notices }: { sql: Sql; notices: Notices }): TeamFamilies {
  let kept = new Map<string, { families: Promise<FamiliesOfTeam>; readAt: number }>()
  const forget = () => {
    kept = new Map()
  }

  async function read(teamId: string): Promise<FamiliesOfTeam> {
    const rows = await sql.all(readTeam, [teamId])
    const those = (word: 'disabled' | 'granted') => new Set(rows.filter((row) => row[word]).map(({ familyId }) => familyId))
    return { disabled: those('disabled'), granted: those('granted') }
  }

  async function of(teamId: string): Promise<FamiliesOfTeam> {
    const present = kept.get(teamId)
    if (present && performance.now() - present.readAt < keptMilliseconds) return await present.families
    if (kept.size >= teamsMax) forget()
    const into = kept
    const families = read(teamId)
    into.set(teamId, { families, readAt: performance.now() })
    families.catch(() => into.delete(teamId))
    return await families
  }

  return { of, forget, close: notices.subscribe(channel, subject, forget) }
}
