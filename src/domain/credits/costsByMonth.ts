import { hundredths } from '../../contract/hundredths.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** Results and costs of a family in one calendar month (UTC). */
export type FamilyMonth = {
  /** For example `2026-11`. */
  month: string
  familyId: string
  /** Generations that ended ready. */
  made: number
  charged: Hundredths
  /** US dollars, as far as vendors reported them. Includes failed work that cost something. */
  costUsd: number
  /** Ready generations for which the vendor reported no cost in dollars. */
  unreported: number
}

const dayOfFamilies = statement<{ familyId: string; made: number; charged: string; costUsd: number; unreported: number }>(
  'costs_of_day',
  `select g.family_id, count(*) filter (where g.state = 'ready')::integer as made, coalesce(sum(g.credits_charged), 0)::text as charged,
       coalesce(sum(a.cost_usd), 0)::double precision as cost_usd,
       (count(*) filter (where g.state = 'ready' and a.cost_usd is null))::integer as unreported
     from generations g join generation_attempts a on a.generation_id = g.id and a.number = g.attempt
     where g.finished_at >= $1 and g.finished_at < $2 and a.provider <> all ($3)
     group by g.family_id`,
)

const dayMs = 86_400_000

/**
 * Returns results, charges and vendor costs by month and family for the last `months` (UTC), newest month first. Skips the providers in
 * `without`. Reads one day per statement, so that no statement takes long. Changes nothing.
 */
export async function costsByMonth(
  context: Context,
  { months, without }: { months: number; without: readonly string[] },
): Promise<FamilyMonth[]> {
  const now = context.clock.now()
  const rows = new Map<string, FamilyMonth>()
  let day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1, 1)
  for (; day <= now.getTime(); day += dayMs) {
    const from = new Date(day)
    const month = from.toISOString().slice(0, 7)
    for (const each of await context.sql.all(dayOfFamilies, [from, new Date(day + dayMs), without])) {
      const name = `${month} ${each.familyId}`
      const known = rows.get(name) ?? { month, familyId: each.familyId, made: 0, charged: hundredths(0), costUsd: 0, unreported: 0 }
      rows.set(name, {
        ...known,
        made: known.made + each.made,
        charged: hundredths(known.charged + Number(each.charged)),
        costUsd: known.costUsd + each.costUsd,
        unreported: known.unreported + each.unreported,
      })
    }
  }
  const newestFirst = (left: FamilyMonth, right: FamilyMonth) =>
    right.month.localeCompare(left.month) || left.familyId.localeCompare(right.familyId)
  return [...rows.values()].toSorted(newestFirst)
}
