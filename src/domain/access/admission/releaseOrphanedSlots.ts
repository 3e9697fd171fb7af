import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** Rows for one statement, chosen to stay far below the statement timeout. */
const pageCounts = 5000

type Page = { last: string | null; freed: number }

const releasePage = statement<Page>(
  'free_lost_slots',
  `with page as (
     select subject from request_counts where subject > $1 order by subject limit $2
   ), holding as (
     select subject, in_progress from request_counts
       where subject > $1 and subject <= (select max(subject) from page) and in_progress <> '{}'
         and exists (select from jsonb_object_keys(in_progress) as process where not exists (select from processes p where p.id = process))
       order by subject for update skip locked
   ), freed as (
     update request_counts c set in_progress = c.in_progress - array(
         select process from jsonb_object_keys(holding.in_progress) as process where not exists (select from processes p where p.id = process))
       from holding where c.subject = holding.subject returning c.subject
   )
   select max(subject) as last, (select count(*)::integer from freed) as freed from page`,
)

/**
 * Releases the request slots of processes that no longer exist, page by page: late statements may have counted them after the process was
 * removed. Skips locked rows, so that no request waits. Returns the number of subjects (users and addresses) with released slots.
 */
export async function releaseOrphanedSlots({ sql }: Pick<Context, 'sql'>): Promise<number> {
  let freed = 0
  let after: string | null = ''
  while (after !== null) {
    const page: Page | undefined = await sql.one(releasePage, [after, pageCounts])
    freed += page?.freed ?? 0
    after = page?.last ?? null
  }
  return freed
}
