import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** After so long a count means nothing: its minute is over, wherever the clocks of the processes stand. */
const idleMinutes = 10
/** Counts looked at by one statement, which stays far below the time that it may take. */
const pageCounts = 5000

type Page = { last: string | null; forgotten: number }

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
   select max(subject) as last, (select count(*)::integer from gone) as forgotten from page`,
)

/**
 * Forgets the counts of users and addresses that have asked for nothing lately, page by page, however many there are. Takes no lock that
 * a request waits for. Returns how many were forgotten.
 */
export async function pruneRequestCounts({ sql }: Pick<Context, 'sql'>): Promise<number> {
  let forgotten = 0
  let after: string | null = ''
  while (after !== null) {
    const page: Page | undefined = await sql.one(prunePage, [after, pageCounts, idleMinutes])
    forgotten += page?.forgotten ?? 0
    after = page?.last ?? null
  }
  return forgotten
}
