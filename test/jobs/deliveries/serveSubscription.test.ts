import { afterAll, expect, test, vi } from 'vitest'
import type { DeliveryBatcher } from '../../../src/jobs/deliveries/deliveryBatcher.ts'
import { makeDeliveryBatcher } from '../../../src/jobs/deliveries/deliveryBatcher.ts'
import { makeDeliverySession } from '../../../src/jobs/deliveries/deliverySession.ts'
import { serveSubscription } from '../../../src/jobs/deliveries/serveSubscription.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'
import { aReceiver } from '../../support/webhooks/receiver.ts'
import { anEnding, aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: { ...loopback, webhookFirstRetrySeconds: 60 } })
afterAll(close)

test('a retry that is recorded during a fetch of due deliveries is sent at its time', async () => {
  const holder = await services.pool.connect()
  const hold = async () => {
    await holder.query('begin')
    await holder.query('select from webhook_deliveries for update')
  }
  const receiver = await aReceiver((response) => void hold().then(() => response.writeHead(500).end()))
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, receiver.address)
  await anEnding(team)
  const never = new AbortController().signal
  const calls = makeDeliveryBatcher(aServiceContext(services), { stopping: never, cutting: never })
  const deliverySession = makeDeliverySession({ troubled: true, canContinue: () => true, isContended: () => false, sessionMs: 1000 })
  const isWritten = async () => (await services.pool.query('select from webhook_deliveries where attempts = 1')).rowCount === 1
  let fetches = 0
  const slowly: DeliveryBatcher = {
    ...calls,
    async due(id) {
      const found = await calls.due(id)
      if (++fetches === 2) {
        await holder.query('commit')
        await vi.waitUntil(isWritten, { interval: 5 })
      }
      return found
    },
    async send(id) {
      const sent = await calls.send(id)
      deliverySession.requestRerun()
      return sent
    },
  }
  const seconds = await serveSubscription({ subscriptionId: subscription.id, deliverySession }, slowly)
  holder.release()
  calls.close()
  expect(receiver.received).toHaveLength(1)
  expect(seconds).toBeGreaterThan(30)
})
