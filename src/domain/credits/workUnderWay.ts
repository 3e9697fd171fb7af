import { nothing } from '../../contract/hundredths.ts'
import { openStates } from '../../entities/Generation.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** Generations of one owner that have not ended, by state, and what they hold of one account together. */
export type WorkUnderWay = Record<(typeof openStates)[number], number> & { held: Hundredths }

// One stretch of an index for each state: what has ended is never looked at, however much it is.
const count = statement<{ state: (typeof openStates)[number]; generations: number; held: Hundredths }>(
  'work_under_way',
  `select s.state, g.generations, g.held from unnest($3::text[]) as s (state) cross join lateral (
       select count(*)::integer as generations, coalesce(sum(price), 0)::bigint as held from generations
         where owner_id = $2 and state = s.state and account_id = $1
     ) g`,
)

/** What a team's work that has not ended comes to; work that an agent pays from personal credits holds nothing of the team's. */
export async function workUnderWay(
  context: Context,
  { accountId, ownerId }: { accountId: string; ownerId: string },
): Promise<WorkUnderWay> {
  const work: WorkUnderWay = { queued: 0, running: 0, finalizing: 0, held: nothing }
  for (const { state, generations, held } of await context.sql.all(count, [accountId, ownerId, openStates])) {
    work[state] = generations
    work.held = (work.held + held) as Hundredths
  }
  return work
}
