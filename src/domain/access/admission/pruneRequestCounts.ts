import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** After this time the minute of a count is over, even if the clocks of the processes differ. */
const idleMinutes = 10
/** Rows for one statement, chosen to stay far below the statement timeout. */
const pageCounts = 5000

type Page = { last: string | null; pruned: number }

const prunePage = statement<Page>(
  'prune_request_counts',
  `with page as (
     select subject from request_counts where subject > $1 order by subject limit $2
   ), idle as (
     select subject from request_counts
       where subject > $1 and subject <= (select max(subject) from page)
         and window_start < floor(extract(epoch from now()) / 60) - $3 and in_progress = '{}'
       order by subject for update skip locked
   ), gone as (
     delete from request_counts where subject in (select subject from idle) returning subject
   )
   select max(subject) as last, (select count(*)::integer from gone) as pruned from page`,
)

/**
 * Deletes the counts of users and addresses without recent requests, page by page. Skips locked rows, so that no request waits. Returns
 * how many rows.
 */
export async function pruneRequestCounts({ sql }: Pick<Context, 'sql'>): Promise<number> {
  let pruned = 0
  let after: string | null = ''
  while (after !== null) {
    const page: Page | undefined = await sql.one(prunePage, [after, pageCounts, idleMinutes])
    pruned += page?.pruned ?? 0
    after = page?.last ?? null
  }
  return pruned
}
