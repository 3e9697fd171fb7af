import { afterAll, expect, test } from 'vitest'
import { firstIdAt } from '../../../../src/contract/ids.ts'
import { accountIdOf } from '../../../../src/domain/access/spender.ts'
import { type HistoryFilter, historyFilterOf } from '../../../../src/domain/generations/history/historyFilter.ts'
import { readHistory } from '../../../../src/domain/generations/history/readHistory.ts'
import { pagesRead } from '../../../support/database/pagesRead.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const own = await aTeamWithKey(services)

const first = Date.parse('2026-03-01T00:00:00.000Z')
const second = 1000
const count = 20_000
const at = (seconds: number) => new Date(first + seconds * second)
const idAt = (seconds: number) => `${firstIdAt('gen', at(seconds)).slice(0, -1)}1`

// One row a second; each tenth is of a project, and all of them are cheap to match by family and key.
const ids = Array.from({ length: count }, (_, index) => idAt(index))
await services.pool.query(
  `insert into generations (id, owner_id, account_id, source, state, family_id, key_id, metadata, output_type, price, credits_charged, created_at, finished_at)
     select id, $1, $2, 'rest', 'cancelled', case place % 3 when 0 then 'common' else 'other' end, $3,
         case place % 10 when 0 then '{"project": "harbour", "scene": "1"}'::jsonb else '{}' end, 'image', 0, 0, moment, moment
       from unnest($4::text[]) with ordinality as asked (id, place)
         cross join lateral (select $5::timestamptz + (place - 1) * interval '1 second' as moment) as made`,
  [own.team.id, accountIdOf(own.team.id), own.key.id, ids, at(0)],
)

const read = async (filter: Partial<HistoryFilter>, belowId = 'gen_8', context = own.context) =>
  readHistory(context, historyFilterOf(filter), { ownerId: own.team.id, belowId, rowsMax: 51 })

const secondsOf = ({ rows }: { rows: { createdAt: Date }[] }) => rows.map(({ createdAt }) => (createdAt.getTime() - first) / second)

test('createdAfter is inclusive and createdBefore exclusive', async () => {
  const found = await read({ createdAfter: at(100), createdBefore: at(103) })
  expect(secondsOf(found)).toEqual([102, 101, 100])
  expect(found.resumeAt).toBeNull()
  expect(secondsOf(await read({ createdAfter: at(count - 1) }))).toEqual([count - 1])
  expect(secondsOf(await read({ createdBefore: at(2) }))).toEqual([1, 0])
  expect(await read({ createdAfter: at(5), createdBefore: at(5) })).toEqual({ rows: [], resumeAt: null })
})

test('a row counts by its creation, even if the identifier was made by a clock that was half a minute off', async () => {
  const { rows } = await services.pool.query<{ id: string }>('select id from generations where created_at = $1', [at(15_000)])
  await services.pool.query(`update generations set created_at = $2 where id = $1`, [rows[0]?.id, at(14_970)])
  expect(secondsOf(await read({ createdAfter: at(14_970), createdBefore: at(14_971) }))).toEqual([14_970, 14_970])
  await services.pool.query(`update generations set created_at = $2 where id = $1`, [rows[0]?.id, at(15_000)])
})

test('metadata must have every given value', async () => {
  const window = { createdAfter: at(1000), createdBefore: at(1040) }
  const [some] = (await read({ ...window, metadata: { project: 'harbour' } })).rows
  expect(some?.metadata).toMatchObject({ project: 'harbour' })
  expect((await read({ ...window, metadata: { project: 'harbour', scene: '1' } })).rows).toHaveLength(4)
  for (const metadata of [{ project: 'Harbour' }, { project: 'harbour', scene: '2' }, { scene: 'harbour' }, { project: '' }]) {
    expect((await read({ ...window, metadata })).rows).toEqual([])
  }
})

const filters: Partial<HistoryFilter>[] = [
  { createdBefore: at(3000) },
  { createdAfter: at(3000), createdBefore: at(9000), status: 'cancelled' },
  { createdAfter: at(3000), createdBefore: at(9000), familyId: 'common', keyId: own.key.id },
  { createdBefore: at(9000), source: 'rest', metadata: { project: 'harbour' } },
  { metadata: { project: 'nobody' } },
  { metadata: { project: 'nobody' }, familyId: 'other', keyId: own.key.id, createdAfter: at(19_000) },
]

test.each(filters)('an answer reads a bounded number of rows, wherever the span is: %j', async (filter) => {
  const pages = await pagesRead(own.context, { table: 'generations', planMode: 'force_generic_plan' }, (inside) =>
    read(filter, 'gen_8', inside),
  )
  expect(pages).toBeLessThanOrEqual(2 * 2250 + 2000)
})

test('the pages of a filter list each matching row once', async () => {
  const seen: number[] = []
  for (let belowId: string | null = 'gen_8'; belowId !== null; ) {
    const found = await read({ createdAfter: at(2000), createdBefore: at(9000), metadata: { scene: '1' } }, belowId)
    seen.push(...secondsOf(found))
    belowId = found.rows.length === 51 ? (found.rows.at(-1)?.id ?? null) : found.resumeAt
  }
  expect(seen).toEqual(Array.from({ length: 700 }, (_, index) => 8999 - index * 10))
})
