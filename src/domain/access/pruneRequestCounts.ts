import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const rowsAtOnce = 5_000
/** Minutes after which a window is of no use to anybody. */
const keptMinutes = 10

const idleCounts = statement<{ subject: string }>(
  'prune_counts',
  `delete from request_counts where subject in (
    select subject from request_counts where window_start < $1 and in_progress = '{}'
      order by subject limit ${rowsAtOnce} for update skip locked) returning subject`,
)

/** Forgets the counts of those who have asked nothing for a while and have nothing in progress, in batches. Returns how many. */
export async function pruneRequestCounts(context: Context): Promise<number> {
  const before = Math.floor(context.clock.now().getTime() / 60_000) - keptMinutes
  let forgotten = 0
  for (;;) {
    const { length } = await context.sql.all(idleCounts, [before])
    forgotten += length
    if (length < rowsAtOnce) return forgotten
  }
}
