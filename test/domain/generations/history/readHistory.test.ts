import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { accountIdOf } from '../../../../src/domain/access/spender.ts'
import { type HistoryFilter, historyFilterOf, statesIn } from '../../../../src/domain/generations/history/historyFilter.ts'
import { countHistory, readHistory } from '../../../../src/domain/generations/history/readHistory.ts'
import { pagesRead, planModes } from '../../../support/database/pagesRead.ts'
import { aTeam, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

const own = await aTeamWithKey(services)
const { team: others } = await aTeam(services)
const { team: small } = await aTeam(services)
const [busyKey, idleKey, agentKey] = [own.key.id, newId('key'), newId('key')]
const start = 'gen_8'

type Kind = { from: number; count: number; state?: string; source?: string; familyId?: string; keyId?: string | null; reference?: string }

/** Inserts `count` equal rows, seven numbers apart, so that rows of several kinds alternate. */
async function rows(
  ownerId: string,
  { from, count, state = 'ready', source = 'rest', familyId = 'common', keyId = busyKey, reference }: Kind,
) {
  await services.pool.query(
    `insert into generations (id, owner_id, account_id, source, state, family_id, key_id, reference, output_type, price, credits_charged, result, failure, created_at, finished_at)
       select 'gen_' || lpad((n * 7 + $2)::text, 26, '0'), $1, $9, $4, $5, $6, $7, $8, 'image', 0, case when ended then 0 end,
           case state when 'ready' then '{"heldBy": "editor"}'::jsonb end,
           case state when 'failed' then '{"code": "internal_error", "reason": "unclassified"}'::jsonb end, now(), case when ended then now() end
         from generate_series(1, $3::integer) as n, (select $5::text as state, $5 in ('ready', 'failed', 'cancelled') as ended) as s`,
    [ownerId, from, count, source, state, familyId, keyId, reference, accountIdOf(own.team.id)],
  )
}

const many = 6000
await services.pool.query('alter table generations_first set (autovacuum_enabled = off)')
await rows(own.team.id, { from: 30_000, count: many })
await rows(own.team.id, { from: 30_001, count: 300, familyId: 'rare' })
await rows(own.team.id, { from: 30_002, count: 300, keyId: idleKey, source: 'mcp' })
await rows(own.team.id, { from: 30_003, count: 60, state: 'failed', keyId: idleKey, familyId: 'rare' })
await rows(own.team.id, { from: 30_004, count: 60, state: 'running', reference: 'order' })
await rows(own.team.id, { from: 30_005, count: 200, source: 'editor', keyId: null, familyId: 'notes' })
await rows(own.team.id, { from: 30_006, count: 200, state: 'cancelled', reference: 'order', familyId: 'rare' })
await rows(own.team.id, { from: 0, count: 3000, source: 'mcp', keyId: agentKey, familyId: 'agents' })
await rows(others.id, { from: 100_000, count: many, keyId: newId('key') })
await rows(small.id, { from: 200_000, count: 2 })

type Place = Parameters<typeof readHistory>[2]
const page = (filter: Partial<HistoryFilter>, place: Partial<Place> = {}, context = own.context) =>
  readHistory(context, historyFilterOf(filter), { ownerId: own.team.id, belowId: start, rowsMax: 51, ...place })

/** All matching rows, by a simple filter. */
async function fitting(filter: HistoryFilter): Promise<string[]> {
  const { rows: found } = await services.pool.query<{ id: string }>(
    `select id from generations where owner_id = $1 and state = any ($2) and ($3::text is null or source = $3) and ($4::text is null or family_id = $4)
         and ($5::text is null or key_id = $5) and ($6::text is null or reference = $6) order by id desc`,
    [own.team.id, statesIn(filter), filter.source, filter.familyId, filter.keyId, filter.reference],
  )
  return found.map(({ id }) => id)
}

async function walked(filter: HistoryFilter): Promise<string[]> {
  const seen: string[] = []
  for (let belowId: string | null = start; belowId !== null; ) {
    const { rows: found, resumeAt } = await page(filter, { belowId, rowsMax: 500 })
    seen.push(...found.map(({ id }) => id))
    belowId = found.length === 500 ? (found.at(-1)?.id ?? null) : resumeAt
  }
  return seen
}

const filters = (['running', 'failed', null] as const).flatMap((state) =>
  (['rest', 'mcp', 'editor', null] as const).flatMap((source) =>
    ['common', 'rare', null].flatMap((familyId) =>
      [busyKey, idleKey, null].flatMap((keyId) =>
        ['order', null].map((reference): HistoryFilter => historyFilterOf({ state, source, familyId, keyId, reference })),
      ),
    ),
  ),
)

test('for every filter, the pages of a history list all matching rows once, newest first, and no others', async () => {
  for (const filter of filters) expect({ filter, ids: await walked(filter) }).toEqual({ filter, ids: await fitting(filter) })
  for (const status of ['active', 'ready', 'failed'] as const) {
    const filter: HistoryFilter = historyFilterOf({ status, familyId: 'rare', source: 'rest' })
    expect(await walked(filter)).toEqual(await fitting(filter))
  }
  expect(await page({ status: 'active', state: 'ready' })).toEqual({ rows: [], resumeAt: null })
})

test('a count is that of the matching rows, and says when older rows were not compared', async () => {
  const place = { ownerId: own.team.id, belowId: start }
  for (const filter of filters)
    expect({ filter, ...(await countHistory(own.context, filter, place)) }).toEqual({
      filter,
      count: (await fitting(filter)).length,
      isComplete: true,
    })
  const some = { ...place, rowsMax: 1000 }
  expect(await countHistory(own.context, historyFilterOf({}), some)).toEqual({ count: 1000, isComplete: false })
  expect(await countHistory(own.context, historyFilterOf({ familyId: 'notes' }), some)).toEqual({ count: 200, isComplete: true })
  expect(await countHistory(own.context, historyFilterOf({ createdAfter: new Date() }), some)).toMatchObject({ count: 0 })
})

test('another team finds nothing with a filter by a key of this team', async () => {
  expect(await page({ keyId: busyKey }, { ownerId: others.id })).toEqual({ rows: [], resumeAt: null })
  expect(await page({ keyId: busyKey, familyId: 'common' }, { ownerId: others.id })).toEqual({ rows: [], resumeAt: null })
})

const treePages = 5
const stretches = 6
const exact: Partial<HistoryFilter>[] = [
  { keyId: busyKey },
  { keyId: idleKey, state: 'failed' },
  { familyId: 'common', status: 'ready' },
  { familyId: 'rare' },
  { familyId: 'unknown' },
  { source: 'editor' },
  { source: 'mcp', state: 'ready' },
]
/** Of each pair, one value is in nearly every row and the other in few. In any order, only the few are read. */
const rarePairs: Partial<HistoryFilter>[] = [
  { keyId: busyKey, familyId: 'rare', state: 'ready' },
  { keyId: idleKey, familyId: 'common' },
  { familyId: 'common', source: 'mcp' },
  { reference: 'order', familyId: 'common' },
]
for (const known of ['nothing', 'everything'] as const) {
  for (const planMode of planModes) {
    const read = async (filter: Partial<HistoryFilter>, ownerId = own.team.id) => {
      if (known === 'everything') await services.pool.query('analyze generations')
      return await pagesRead(own.context, { table: 'generations', planMode }, (inside) => page(filter, { rowsMax: 11, ownerId }, inside))
    }
    const when = `while PostgreSQL knows ${known}, by ${planMode}`

    test.each(exact)(`one filter, with or without a state, reads its own rows alone ${when}: %j`, async (filter) => {
      expect(await read(filter)).toBeLessThanOrEqual(stretches * (11 + treePages))
    })

    test.each([{ state: 'ready' }, { familyId: 'common' }] as const)(
      `a short history costs what it holds, whatever others have ${when}: %j`,
      async (filter) => {
        expect((await page(filter, { ownerId: small.id })).rows).toHaveLength(2)
        expect(await read(filter, small.id)).toBeLessThanOrEqual(stretches * (11 + treePages))
      },
    )

    test.each(rarePairs)(`two filters read little more than the rows of the rarer one ${when}: %j`, async (filter) => {
      expect((await page(filter)).rows.length).toBeGreaterThan(0)
      expect(await read(filter)).toBeLessThanOrEqual(2000)
    })

    test(`filters without an index cost a bounded scan per answer, and the answer has a next page, ${when}`, async () => {
      const hopeless = { keyId: agentKey, source: 'rest' } as const
      expect(await page(hopeless)).toEqual({ rows: [], resumeAt: expect.any(String) })
      expect(await read(hopeless)).toBeLessThanOrEqual(2 * 2250 + 2000)
    })
  }
}

test('a count fetches the rows that it compares, and without another filter reads only the index', async () => {
  await services.pool.query('vacuum analyze generations')
  const rowsMax = 1000
  const readFor = async (filter: Partial<HistoryFilter>) =>
    await pagesRead(own.context, { table: 'generations', planMode: 'force_generic_plan' }, (inside) =>
      countHistory(inside, historyFilterOf(filter), { ownerId: own.team.id, belowId: start, rowsMax }),
    )
  expect(await readFor({})).toBeLessThanOrEqual(rowsMax / 10)
  // Rows of other states and owners would be two thirds of the pages.
  expect(await readFor({ userId: 'user_unknown' })).toBeLessThanOrEqual(rowsMax / 5)
})
