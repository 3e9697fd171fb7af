import { afterAll, expect, test } from 'vitest'
import { pauseFailingSubscriptions } from '../../../../src/domain/webhooks/subscriptions/pauseFailingSubscriptions.ts'
import { duringTransaction } from '../../../support/database/duringTransaction.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { attemptHours } from '../../../support/webhooks/attemptHours.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback })
afterAll(close)
const { failed, delivered } = attemptHours(services, () => clock.now())

test('a webhook that another process paused and a person resumed meanwhile is not paused again', async () => {
  await services.pool.query(`update routines set added_at = '-infinity' where name = 'pauseFailing'`)
  const subscribe = async (path: string) =>
    (await aSubscription(services, await aTeamWithKey(services), `http://127.0.0.1:9/${path}`)).subscription.id
  const [id, healthy] = [await subscribe('dead'), await subscribe('healthy')]
  await failed(id, { fromHoursAgo: 130 })
  await delivered(healthy, { fromHoursAgo: 130 })
  const resume = 'update webhook_subscriptions set auto_paused_at = null, resumed_at = present() where id = $1'
  const paused = await duringTransaction(
    services.pool,
    (client) => client.query(resume, [id]),
    () => pauseFailingSubscriptions(aServiceContext(services)),
  )
  expect(paused).toBe(0)
})
