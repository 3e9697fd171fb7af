import { afterAll, expect, test } from 'vitest'
import { dueDeliveries } from '../../../../src/domain/webhooks/sending/dueDeliveries.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const own = await testServices({ settings: loopback })
afterAll(own.close)

test('every spelling of an address counts as one origin, and one accepted delivery there confirms them all', async () => {
  const team = await aTeamWithKey(own.services)
  const ids: string[] = []
  for (const start of [
    'http://127.0.0.1:8000/',
    'HTTP://127.0.0.1:8000/',
    'http://0x7f.1:8000/',
    'http:127.0.0.1:8000/',
    'http:\\\\127.0.0.1:8000\\',
  ])
    ids.push((await aSubscription(own.services, team, `${start}a`)).subscription.id)
  await anEnding(team)
  const origins = async () => (await dueDeliveries(aServiceContext(own.services), ids, [])).map((each) => each.unconfirmedOrigin)
  expect(await origins()).toEqual(ids.map(() => 'http://127.0.0.1:8000'))
  await own.services.pool.query('update webhook_subscriptions set confirmed_at = now() where id = $1', [ids[2]])
  expect(await origins()).toEqual(ids.map(() => null))
})
