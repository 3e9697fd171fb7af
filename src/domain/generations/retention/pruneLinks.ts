import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

type Page = { last: string | null; pruned: number }

const prunePage = statement<Page>(
  'prune_result_links',
  `with page as (
     select key_id, generation_id, until from result_links where (key_id, generation_id) > ($1, $2) order by 1, 2 limit $3
   ), deleted as (
     delete from result_links l using page
       where l.key_id = page.key_id and l.generation_id = page.generation_id and page.until <= present() and l.until <= present()
       returning l.key_id
   )
   select (select key_id || '|' || generation_id from page order by key_id desc, generation_id desc limit 1) as last,
     (select count(*)::integer from deleted) as pruned`,
)

/** Deletes records of expired links, page by page. Returns their number. */
export async function pruneLinks({ sql }: Pick<Context, 'sql'>): Promise<number> {
  let pruned = 0
  let after: string | null = '|'
  while (after !== null) {
    const [keyId, generationId]: string[] = after.split('|')
    const page: Page | undefined = await sql.one(prunePage, [keyId, generationId, 5000])
    pruned += page?.pruned ?? 0
    after = page?.last ?? null
  }
  return pruned
}
