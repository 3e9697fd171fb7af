import { afterAll, expect, test } from 'vitest'
import { alertConditions } from '../../../../src/domain/webhooks/alerts/alertConditions.ts'
import { anAlertSubscription } from '../../../support/alerts/alerts.ts'
import { pagesRead } from '../../../support/database/pagesRead.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { deliveryRun } from '../../../support/webhooks/deliveryRun.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
afterAll(close)
const { pool } = services
const tool = aServiceContext(services)

/** The pages that alerts read for an auto-paused webhook with `count` failed deliveries. */
async function pagesFor(count: number): Promise<number> {
  await pool.query('delete from webhook_subscriptions')
  const team = await aTeamWithKey(services)
  const { id } = (await aSubscription(services, team, 'http://127.0.0.1:9/dead')).subscription
  await anAlertSubscription(services, team, 'http://127.0.0.1:9/alerts', ['webhook.failing'])
  await deliveryRun(services).recordMany(id, count)
  await pool.query(`update webhook_deliveries set state = 'failed', retries_left = null, next_attempt_at = null`)
  const paused = 'update webhook_subscriptions set auto_paused_at = present(), last_delivery_day = utc_day(present()) where id = $1'
  await pool.query(paused, [id])
  await pool.query('vacuum analyze webhook_deliveries')
  return await pagesRead(tool, { table: 'webhook_deliveries', planMode: 'force_generic_plan' }, async (inside) => {
    for (const { raise, raiseForTeams } of alertConditions) {
      await inside.sql.all(raise, [])
      await inside.sql.all(raiseForTeams, [])
    }
  })
}

test('the search for the newest failed delivery of a webhook reads as much with few as with many', async () => {
  const few = await pagesFor(100)
  const many = await pagesFor(10_000)
  expect([few, many]).toEqual([few, Math.min(many, 2 * few)])
})
