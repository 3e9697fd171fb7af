import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { listGenerations } from '../../../../src/domain/generations/history/listGenerations.ts'
import { pagesRead, planModes } from '../../../support/database/pagesRead.ts'
import { aServiceContext, aTeam, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'

const { services, databaseUrl, close } = await testServices()
afterAll(close)

const own = await aTeamWithKey(services)
const { team: others } = await aTeam(services)
const pageItems = 10
/** Pages from the root of an index to its leaf, and to the next leaf. */
const treePages = 5

type Rows = { from: number; count: number; states: string[]; reference?: string }

/** Inserts rows by their share of each state, like rows of the editor. Other owners have thousands of newer and older rows. */
async function anyGenerations(ownerId: string, { from, count, states, reference }: Rows): Promise<void> {
  await services.pool.query(
    `insert into generations (id, owner_id, source, state, family_id, output_type, price, credits_charged, result, failure, created_at, finished_at, reference)
       select 'gen_' || lpad((n * 7 % $4 + $2)::text, 26, '0'), $1, 'editor', state, 'any', 'image', 0, ended, case state when 'ready' then '{"heldBy": "editor"}'::jsonb end,
           case state when 'failed' then '{"code": "internal_error", "reason": "unclassified"}'::jsonb end, now(), case when ended = 0 then now() end, $5
         from generate_series(1, $4::integer) as n cross join lateral (select ($3::text[])[n % cardinality($3::text[]) + 1] as state) as s
           cross join lateral (select case when state in ('ready', 'failed', 'cancelled') then 0 end as ended) as e`,
    [ownerId, from, states, count, reference],
  )
}

await services.pool.query('alter table generations_first set (autovacuum_enabled = off)')
await anyGenerations(others.id, { from: 0, count: 4001, states: ['failed', 'running', 'ready'] })
await anyGenerations(own.team.id, { from: 100_000, count: 30_001, states: ['ready'] })
await anyGenerations(own.team.id, { from: 200_000, count: 3, states: ['queued', 'running', 'finalizing'] })
await anyGenerations(others.id, { from: 300_000, count: 4001, states: ['failed', 'running', 'ready'], reference: 'shared' })
await anyGenerations(own.team.id, { from: 400_000, count: 4001, states: ['ready', 'cancelled'], reference: 'shared' })
await anyGenerations(own.team.id, { from: 500_000, count: 3, states: ['failed', 'running', 'ready'], reference: 'rare' })
await anyGenerations(others.id, { from: 600_000, count: 4001, states: ['failed', 'running', 'ready'], reference: 'shared' })

const lists = [
  { status: null, reference: null, found: pageItems },
  { status: 'ready', reference: null, found: pageItems },
  { status: 'active', reference: null, found: 4 },
  { status: 'failed', reference: null, found: 1 },
  { status: null, reference: 'shared', found: pageItems },
  { status: 'ready', reference: 'shared', found: pageItems },
  { status: 'failed', reference: 'shared', found: 0 },
  { status: null, reference: 'rare', found: 3 },
  { status: 'active', reference: 'rare', found: 1 },
  { status: null, reference: 'unknown', found: 0 },
] as const
/** A list with one reference scans each state separately. */
const stretchesMax = { plain: 3, ofReference: 6 }

for (const known of ['nothing', 'everything'] as const) {
  for (const planMode of planModes) {
    test.each(lists)(
      `a page of $status, of $reference, reads its own rows alone while PostgreSQL knows ${known} of the table, by ${planMode}`,
      async (list) => {
        if (known === 'everything') await services.pool.query('analyze generations')
        const page = (context: typeof own.context, cursor?: string) =>
          listGenerations(context, own.spender, { status: list.status, reference: list.reference, limit: pageItems, cursor })
        const first = await page(own.context)
        expect(first.items).toHaveLength(list.found)
        const cursors = [undefined, ...(first.nextCursor === null ? [] : [await deepIn(page, first.nextCursor)])]
        for (const cursor of cursors) {
          const read = await pagesRead(own.context, { table: 'generations', planMode }, (inside) => page(inside, cursor))
          const stretches = list.reference === null ? stretchesMax.plain : stretchesMax.ofReference
          // The last one is the empty root of the default partition.
          expect(read).toBeLessThanOrEqual(stretches * (pageItems + 1 + treePages + 1))
        }
      },
    )
  }
}

type Page = { nextCursor: string | null }

async function deepIn(page: (context: typeof own.context, cursor: string) => Promise<Page>, cursor: string): Promise<string> {
  let deep = cursor
  for (let pages = 0; pages < 200; pages += 1) deep = (await page(own.context, deep)).nextCursor ?? deep
  return deep
}

test('an owner who requests a hundred pages at once leaves connections for others', async () => {
  const narrow = await testServices({ databaseUrl, poolMax: 4 })
  const context = aServiceContext(narrow.services)
  const flood = Array.from({ length: 100 }, () => listGenerations(context, { ownerId: own.team.id }, { limit: 50 }))
  await nextTurn()
  expect(narrow.services.pool.waitingCount).toBe(0)
  await Promise.allSettled(flood)
  await narrow.close()
})

test('the next page of an owner waits until a full page is sent; pages of others do not', async () => {
  const ends: (() => void)[] = []
  const list = (ownerId: string) =>
    listGenerations({ ...aServiceContext(services), onAnswerWritten: (end) => ends.push(end) }, { ownerId }, { limit: 50 })
  await list(own.team.id)
  const next = list(own.team.id)
  let hasNext = false
  void next.then(() => (hasNext = true))
  await list(others.id)
  expect(hasNext).toBe(false)
  ends[0]?.()
  expect((await next).items).toHaveLength(50)
  for (const end of ends) end()
})
