import { afterAll, expect, test } from 'vitest'
import type { Context } from '../../../../src/domain/context.ts'
import { pauseFailingSubscriptions } from '../../../../src/domain/webhooks/subscriptions/pauseFailingSubscriptions.ts'
import { pagesRead, readSoFar } from '../../../support/database/pagesRead.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { attemptHours } from '../../../support/webhooks/attemptHours.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback })
afterAll(close)
const tool = aServiceContext(services)
const { failed } = attemptHours(services, () => clock.now())

/** Counters of `from` to `to` receivers that accepted in each hour of 30 days. */
async function healthyReceivers(teamId: string, from: number, to: number): Promise<void> {
  await services.pool.query(
    `with added as (
       insert into webhook_subscriptions (id, team_id, address, events, secret, created_at, last_delivery_day, last_delivery_outcome)
         select 'hook_healthy' || n, $1, 'https://203.0.114.9/', array['generation.failed'], '\\x00', present(), utc_day(present()), 'delivered'
           from generate_series($2::integer, $3::integer) as n returning id
     )
     insert into webhook_hours select id, date_trunc('hour', present(), 'UTC') - ago * interval '1 hour', 1, 0
       from added, generate_series(0, 720) as ago`,
    [teamId, from, to],
  )
  await services.pool.query('analyze webhook_hours')
  await services.pool.query('analyze webhook_subscriptions')
}

const pages = () =>
  pagesRead(tool, { table: 'webhook_hours', planMode: 'force_generic_plan' }, (inside) => {
    return pauseFailingSubscriptions({ ...inside, settings: { ...tool.settings, webhookAutoPauseDays: 28 } })
  })

await services.pool.query(`update routines set added_at = '-infinity' where name = 'pauseFailing'`)

test('the search for failing webhooks reads hardly more with 200 healthy receivers than with 20', async () => {
  const team = await aTeamWithKey(services)
  const { id } = (await aSubscription(services, team, 'http://127.0.0.1:9/dead')).subscription
  await healthyReceivers(team.team.id, 1, 20)
  expect(await pages()).toBeLessThan(5)
  await failed(id, { fromHoursAgo: 600 })
  const few = await pages()
  await healthyReceivers(team.team.id, 21, 200)
  const many = await pages()
  expect(few).toBeGreaterThan(100)
  expect(many).toBeLessThan(1.5 * few)
})

/** The pages of webhook_hours that each transaction of `work` has read. */
async function pagesOfTransactions(work: (context: Context) => Promise<unknown>): Promise<number[]> {
  const pagesOfEach: number[] = []
  const connect = async () => {
    const client = await services.pool.connect()
    const soFar = async () => Number((await client.query(readSoFar.text, ['webhook_hours'])).rows[0].pages)
    const before = await soFar()
    const query = async (text: unknown, values?: unknown[]) => {
      if (text === 'commit') pagesOfEach.push((await soFar()) - before)
      return await client.query(text as string, values)
    }
    return Object.create(client, { query: { value: query }, release: { value: () => client.release() } })
  }
  await work({ ...tool, pool: Object.create(services.pool, { connect: { value: connect } }) })
  return pagesOfEach
}

test('the pause of a webhook reads only its own hours', async () => {
  const { id } = (await aSubscription(services, await aTeamWithKey(services), 'http://127.0.0.1:9/dead')).subscription
  await failed(id, { fromHoursAgo: 130 })
  services.settings.webhookAutoPauseDays = 5
  const [pause = Number.NaN] = await pagesOfTransactions(pauseFailingSubscriptions)
  expect(pause).toBeLessThan(200)
})
