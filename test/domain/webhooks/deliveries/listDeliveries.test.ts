import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import type { Context } from '../../../../src/domain/context.ts'
import {
  isDeliveryCursor,
  type ListedDelivery,
  listDeliveries,
  listTeamDeliveries,
} from '../../../../src/domain/webhooks/deliveries/listDeliveries.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
afterAll(close)
const context = () => aServiceContext(services)
const states = ['delivered', 'failed', 'retrying', 'pending']
const events = ['generation.completed', 'generation.failed', 'generation.cancelled']

/** Inserts `count` deliveries in all states and events, two per moment. */
async function aLog(team: TeamWithKey, count: number): Promise<string> {
  const { subscription } = await aSubscription(services, team, 'http://127.0.0.1:9/hook')
  await services.pool.query(
    `insert into webhook_deliveries (id, subscription_id, event_number, event, body, created_at, state, next_attempt_at)
       select 'evt_' || $1 || n, $1, n, ($3::text[])[1 + n % 3], 'x', timestamptz '2026-03-01T00:00:00Z' + (n / 2) * interval '1 ms',
           ($4::text[])[1 + n % 4], case when n % 4 > 1 then timestamptz '2036-01-01T00:00:00Z' end
         from generate_series(1, $2) n`,
    [subscription.id, count, events, states],
  )
  await services.pool.query('update webhook_subscriptions set last_event_number = $2 where id = $1', [subscription.id, count])
  return subscription.id
}

type Read = (window: { after?: string; before?: string; limit: number; fromTheEnd: boolean }) => Promise<ListedDelivery[]>

async function readAll(read: Read, { fromTheEnd = false } = {}): Promise<string[]> {
  const ids: string[] = []
  for (let key: string | undefined; ; ) {
    const reached = key === undefined ? {} : { [fromTheEnd ? 'before' : 'after']: key }
    const page = await read({ ...reached, limit: 7, fromTheEnd })
    ids.push(...page.map(({ id }) => id))
    key = page.at(-1)?.cursor
    if (page.length < 7) return ids
  }
}

test('the log of a team merges its subscriptions by time, and each page continues after the previous one', async () => {
  const team = await aTeamWithKey(services)
  const subscriptionIds = [await aLog(team, 40), await aLog(team, 25)]
  await aLog(await aTeamWithKey(services), 9)
  const { rows } = await services.pool.query<{ id: string }>(
    'select id from webhook_deliveries where subscription_id = any($1) order by created_at desc, subscription_id desc, event_number desc',
    [subscriptionIds],
  )
  const newestFirst = rows.map(({ id }) => id)
  const read: Read = (window) => listTeamDeliveries(context(), { teamId: team.team.id }, window)
  expect(await readAll(read)).toEqual(newestFirst)
  expect(await readAll(read, { fromTheEnd: true })).toEqual(newestFirst.toReversed())
})

test('each filter returns exactly the matching deliveries', async () => {
  const team = await aTeamWithKey(services)
  const [subscriptionId] = [await aLog(team, 48), await aLog(team, 12)]
  const read = async (filter: Partial<Parameters<typeof listTeamDeliveries>[1]>) =>
    listTeamDeliveries(context(), { teamId: team.team.id, ...filter }, { limit: 100, fromTheEnd: false })
  expect((await read({ subscriptionId })).map((each) => each.subscriptionId)).toEqual(Array.from({ length: 48 }, () => subscriptionId))
  for (const state of ['pending', 'failed'] as const) {
    const found = await read({ state })
    expect([found.length, new Set(found.map((each) => each.state))]).toEqual([15, new Set([state])])
  }
  expect(await read({ event: 'generation.cancelled', subscriptionId })).toHaveLength(16)
  expect(await read({ event: 'generation.cancelled', state: 'delivered', subscriptionId })).toHaveLength(4)
  const since = new Date('2026-03-01T00:00:00.020Z')
  expect((await read({ since, subscriptionId })).map(({ eventNumber }) => eventNumber)).toEqual([48, 47, 46, 45, 44, 43, 42, 41, 40])
})

test('deliveries at the end of a span do not count, on any page and from both ends', async () => {
  const team = await aTeamWithKey(services)
  const subscriptionId = await aLog(team, 30)
  const span = { since: new Date('2026-03-01T00:00:00.004Z'), until: new Date('2026-03-01T00:00:00.010Z') }
  const read: Read = (window) => listTeamDeliveries(context(), { teamId: team.team.id, ...span }, window)
  const ids = [19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8].map((number) => `evt_${subscriptionId}${number}`)
  expect(await readAll(read)).toEqual(ids)
  expect(await readAll(read, { fromTheEnd: true })).toEqual(ids.toReversed())
  const [later] = await listTeamDeliveries(context(), { teamId: team.team.id }, { limit: 1, fromTheEnd: false })
  expect((await read({ after: later?.cursor ?? '', limit: 1, fromTheEnd: false })).map(({ id }) => id)).toEqual(ids.slice(0, 1))
  const never = { teamId: team.team.id, until: new Date(-1) }
  expect(await listTeamDeliveries(context(), never, { limit: 1, fromTheEnd: false })).toEqual([])
})

test("the log of another team's subscription is empty, as for an unknown subscription", async () => {
  const team = await aTeamWithKey(services)
  await aLog(team, 3)
  const foreign = await aLog(await aTeamWithKey(services), 3)
  for (const subscriptionId of [foreign, newId('hook'), '%00', '']) {
    const window = { limit: 9, fromTheEnd: false }
    expect(await listTeamDeliveries(context(), { teamId: team.team.id, subscriptionId }, window)).toEqual([])
  }
})

test('only a well-formed cursor is accepted as a cursor', () => {
  const cursor = `1772323200000000|${newId('hook')}|1`
  expect(isDeliveryCursor(cursor)).toBe(true)
  const others = ['', '1', `${cursor}0000000000`, cursor.replace('hook', 'key'), `-${cursor}`, `9${cursor}`, cursor.replace('|1', '|0')]
  expect(others.filter(isDeliveryCursor)).toEqual([])
})

test('with any filter, a quiet subscription is read from its own range of the index', async () => {
  const quiet = await aLog(await aTeamWithKey(services), 60)
  await aLog(await aTeamWithKey(services), 20_000)
  await services.pool.query('analyze webhook_deliveries')
  for (const filter of [{}, { state: 'failed' }, { event: 'generation.cancelled' }, { since: new Date('2026-03-01') }] as const) {
    for (const fromTheEnd of [true, false]) {
      const indexes = await indexesOf((asking) =>
        listDeliveries(asking, { subscriptionIds: [quiet], ...filter }, { limit: 51, fromTheEnd }),
      )
      expect(indexes).toEqual(['webhook_deliveries_default_pkey', 'webhook_deliveries_default_subscription_id_state_event_time_idx'])
    }
  }
})

/** Returns the indexes that the statement of a call uses in the default partition. */
async function indexesOf(call: (context: Context) => Promise<unknown>): Promise<string[]> {
  let plan = ''
  const explain: Context['sql']['all'] = async ({ text }, values) => {
    const { rows } = await services.pool.query(`explain (format json) ${text}`, values)
    plan = JSON.stringify(rows)
    return []
  }
  await call({ ...context(), sql: { ...context().sql, all: explain } })
  const reads = plan.matchAll(/"Index Name":"([^"]+)"|"Node Type":"Seq Scan"[^}]*?"Relation Name":"([^"]+)"/g)
  const names = [...reads].map(([, index, table]) => index ?? table ?? '')
  return [...new Set(names.filter((name) => name.startsWith('webhook_deliveries_default')))].toSorted()
}
