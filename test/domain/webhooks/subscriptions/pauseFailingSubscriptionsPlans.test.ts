import { afterAll, expect, test } from 'vitest'
import { pauseFailingSubscriptions } from '../../../../src/domain/webhooks/subscriptions/pauseFailingSubscriptions.ts'
import { pagesRead } from '../../../support/database/pagesRead.ts'
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
