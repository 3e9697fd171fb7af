import type { Notices } from '../../notices.ts'
import { type Sql, statement } from '../../sql.ts'

/** The family settings of one team. */
export type TeamFamilyAccess = {
  /** Families that the team has switched off. */
  disabled: ReadonlySet<string>
  /** Restricted families that the team may use. */
  granted: ReadonlySet<string>
}

export type TeamFamilyCache = {
  /** Reads through the cache. The result is at most 5 seconds old and includes every change before the last {@link invalidate}. */
  of(teamId: string): Promise<TeamFamilyAccess>
  /** Empties the cache. */
  invalidate(): void
  close(): void
}

/** The notification that a change sends to every process. */
export const teamFamiliesNotice = { channel: 'catalog', subject: 'team_families' } as const
/** Limits the age of an entry, in case a notification is lost. */
const cacheMilliseconds = 5000
/** Above this size the cache is emptied, to limit memory. */
const teamsMax = 10_000

const readTeam = statement<{ familyId: string; disabled: boolean; granted: boolean }>(
  'families_of_team',
  'select family_id, disabled, granted from team_families where team_id = $1',
)
/** Caches the family settings of teams, so that requests do not read them. Every change of any team empties the cache. */
export function makeTeamFamilyCache({ sql, notices }: { sql: Sql; notices: Notices }): TeamFamilyCache {
  let entries = new Map<string, { families: Promise<TeamFamilyAccess>; readAt: number }>()
  const invalidate = () => {
    entries = new Map()
  }

  async function read(teamId: string): Promise<TeamFamilyAccess> {
    const rows = await sql.all(readTeam, [teamId])
    const familiesWith = (flag: 'disabled' | 'granted') => new Set(rows.filter((row) => row[flag]).map(({ familyId }) => familyId))
    return { disabled: familiesWith('disabled'), granted: familiesWith('granted') }
  }

  async function of(teamId: string): Promise<TeamFamilyAccess> {
    const present = entries.get(teamId)
    if (present && performance.now() - present.readAt < cacheMilliseconds) return await present.families
    if (entries.size >= teamsMax) invalidate()
    const into = entries
    const families = read(teamId)
    into.set(teamId, { families, readAt: performance.now() })
    families.catch(() => into.delete(teamId))
    return await families
  }

  return { of, invalidate, close: notices.subscribe(teamFamiliesNotice.channel, teamFamiliesNotice.subject, invalidate) }
}
