import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

export type SwitchedOff = {
  familyId: string
  /** `null` for an internal tool, and for rows older than this column. */
  byName: string | null
  since: Date | null
}

const read = statement<SwitchedOff & { teamId: string }>(
  'switched_off_families',
  `select team_id, family_id, users.name as by_name, disabled_at as since
     from team_families left join users on users.id = disabled_by
    where team_id = any($1) and disabled order by team_id, family_id`,
)

/** Lists the families that each team has switched off, ordered by identifier, including families that left the catalog. */
export async function switchedOffFamilies({ sql }: Context, teamIds: readonly string[]): Promise<SwitchedOff[][]> {
  const rows = Map.groupBy(await sql.all(read, [teamIds]), ({ teamId }) => teamId)
  return teamIds.map((teamId) => rows.get(teamId) ?? [])
}
