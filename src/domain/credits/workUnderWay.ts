import { nothing } from '../../contract/hundredths.ts'
import { openStates } from '../../entities/Generation.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** Counts of one owner's open generations by state, and the sum of their holds on one account. */
export type WorkUnderWay = Record<(typeof openStates)[number], number> & { held: Hundredths }

// One index range per state, so that ended generations are never read.
const count = statement<{ state: (typeof openStates)[number]; generations: number; held: Hundredths }>(
  'work_under_way',
  `select s.state, g.generations, g.held from unnest($3::text[]) as s (state) cross join lateral (
       select count(*)::integer as generations, coalesce(sum(price), 0)::bigint as held from generations
         where owner_id = $2 and state = s.state and account_id = $1
     ) g`,
)

/** Counts a team's open generations. Those that an agent pays from personal credits are not included. */
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
