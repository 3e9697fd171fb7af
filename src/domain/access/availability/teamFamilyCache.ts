import type { Notices } from '../../notices.ts'
import { type Sql, statement } from '../../sql.ts'

/** What is said about families for one team alone. */
export type TeamFamilyAccess = {
  /** Those that it has switched off for itself. */
  disabled: ReadonlySet<string>
  /** The restricted ones that it may use. */
  granted: ReadonlySet<string>
}

export type TeamFamilyCache = {
  /** As last read, a few seconds ago at most; what {@link forget} was called after is in it. */
  of(teamId: string): Promise<TeamFamilyAccess>
  /** Reads everything anew from now on. */
  forget(): void
  close(): void
}

/** Where a change is told to every process. */
export const teamFamiliesNotice = { channel: 'catalog', subject: 'team_families' } as const
/** A change that was not heard of counts after so long. */
const cacheMilliseconds = 5000
/** Beyond it memory matters more than reading some of them again. */
const teamsMax = 10_000

const readTeam = statement<{ familyId: string; disabled: boolean; granted: boolean }>(
  'families_of_team',
  'select family_id, disabled, granted from team_families where team_id = $1',
)
/** Keeps what is said for the teams that ask, so that their requests read nothing; dropped whenever any of it changes. */
export function makeTeamFamilyCache({ sql, notices }: { sql: Sql; notices: Notices }): TeamFamilyCache {
  let kept = new Map<string, { families: Promise<TeamFamilyAccess>; readAt: number }>()
  const forget = () => {
    kept = new Map()
  }

  async function read(teamId: string): Promise<TeamFamilyAccess> {
    const rows = await sql.all(readTeam, [teamId])
    const those = (word: 'disabled' | 'granted') => new Set(rows.filter((row) => row[word]).map(({ familyId }) => familyId))
    return { disabled: those('disabled'), granted: those('granted') }
  }

  async function of(teamId: string): Promise<TeamFamilyAccess> {
    const present = kept.get(teamId)
    if (present && performance.now() - present.readAt < cacheMilliseconds) return await present.families
    if (kept.size >= teamsMax) forget()
    const into = kept
    const families = read(teamId)
    into.set(teamId, { families, readAt: performance.now() })
    families.catch(() => into.delete(teamId))
    return await families
  }

  return { of, forget, close: notices.subscribe(teamFamiliesNotice.channel, teamFamiliesNotice.subject, forget) }
}
