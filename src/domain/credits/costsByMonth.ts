import { hundredths } from '../../contract/hundredths.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** What a family made and cost in a month of UTC. */
export type FamilyMonth = {
  /** As `2026-11`. */
  month: string
  familyId: string
  /** Generations that ended ready. */
  made: number
  charged: Hundredths
  /** US dollars, as far as vendors told; work that failed is in it where it cost something. */
  costUsd: number
  /** Of those made, the ones of which no vendor told a cost in dollars. */
  untold: number
}

const dayOfFamilies = statement<{ familyId: string; made: number; charged: string; costUsd: number; untold: number }>(
  'costs_of_day',
  `select g.family_id, count(*) filter (where g.state = 'ready')::integer as made, coalesce(sum(g.credits_charged), 0)::text as charged,
       coalesce(sum(a.cost_usd), 0)::double precision as cost_usd,
       (count(*) filter (where g.state = 'ready' and a.cost_usd is null))::integer as untold
     from generations g join generation_attempts a on a.generation_id = g.id and a.number = g.attempt
     where g.finished_at >= $1 and g.finished_at < $2 and a.provider <> all ($3)
     group by g.family_id`,
)

const dayMs = 86_400_000

/**
 * What was made, charged and paid to vendors, by month and family, the newest month first, for the last `months` of UTC. Providers of
 * `without` are left out. It is read a day at a time, so that no statement takes long, however much there is. It changes nothing.
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
      const known = rows.get(name) ?? { month, familyId: each.familyId, made: 0, charged: hundredths(0), costUsd: 0, untold: 0 }
      rows.set(name, {
        ...known,
        made: known.made + each.made,
        charged: hundredths(known.charged + Number(each.charged)),
        costUsd: known.costUsd + each.costUsd,
        untold: known.untold + each.untold,
      })
    }
  }
  const newestFirst = (left: FamilyMonth, right: FamilyMonth) =>
    right.month.localeCompare(left.month) || left.familyId.localeCompare(right.familyId)
  return [...rows.values()].toSorted(newestFirst)
}
