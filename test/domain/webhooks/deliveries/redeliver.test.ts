import type { PoolClient } from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { transaction } from '../../../../src/domain/context.ts'
import { addDeliveries } from '../../../../src/domain/webhooks/deliveries/addDeliveries.ts'
import { listDeliveries } from '../../../../src/domain/webhooks/deliveries/listDeliveries.ts'
import { redeliver, redeliverFailed } from '../../../../src/domain/webhooks/deliveries/redeliver.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { attemptAllDue } from '../../../support/webhooks/attemptAllDue.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback, poolMax: 20 })
afterAll(close)
const context = () => aServiceContext(services)

async function delivered(address: string) {
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, address)
  await anEnding(team)
  await attemptAllDue(context())
  const [delivery] = await listDeliveries(context(), { subscriptionIds: [subscription.id] }, { limit: 1, fromTheEnd: true })
  return { subscriptionId: subscription.id, id: delivery?.id ?? '' }
}

/** Calls it for one delivery in two transactions. The second starts before the first commits, and waits for its locks. */
async function overlapping(call: (client: PoolClient) => Promise<unknown>): Promise<void> {
  const [one, other] = [await services.pool.connect(), await services.pool.connect()]
  try {
    await one.query('begin')
    await call(one)
    const second = call(other)
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await vi.waitFor(async () => expect((await services.pool.query(waiting)).rows).not.toEqual([]), { timeout: 5000, interval: 5 })
    await one.query('commit')
    await second
  } finally {
    one.release()
    other.release()
  }
}

test('two overlapping redeliveries open the delivery once and send it once', async () => {
  const receiver = await aReceiver()
  const { id, subscriptionId } = await delivered(receiver.address)
  await overlapping((client) => client.query('select reopen_webhook_deliveries($1, $2, 6)', [[id], ['pending', 'delivered']]))
  expect(await attemptAllDue(context())).toBe(1)
  expect(receiver.ids()).toEqual([id, id])
  const [delivery] = await listDeliveries(context(), { subscriptionIds: [subscriptionId] }, { limit: 1, fromTheEnd: true })
  expect(delivery).toMatchObject({ state: 'delivered', attempts: 2 })
})

test('17 pairs of concurrent redeliveries send the delivery at least once and leave nothing open', async () => {
  const receiver = await aReceiver()
  const { id, subscriptionId } = await delivered(receiver.address)
  await Promise.all(Array.from({ length: 34 }, () => redeliver(context(), id)))
  expect(await attemptAllDue(context())).toBe(1)
  expect(await attemptAllDue(context())).toBe(0)
  const log = await listDeliveries(context(), { subscriptionIds: [subscriptionId] }, { limit: 9, fromTheEnd: true })
  expect(log).toMatchObject([{ id, state: 'delivered', attempts: 2, nextAttemptAt: null }])
})

test('5,001 failed deliveries are opened again, each once and with all retries', async () => {
  const { subscriptionId } = await delivered('http://127.0.0.1:9/hook')
  await transaction(context(), async (inside) => {
    const numbered = Array.from({ length: 5000 }, (_, index) => ({ subscriptionId, eventNumber: index + 2 }))
    const content = { event: 'generation.failed', createdAt: services.clock.now(), isTest: false } as const
    await addDeliveries(inside, numbered, { ...content, dataFor: () => ({}) })
  })
  const fail = `update webhook_deliveries set state = 'failed', next_attempt_at = null, retries_left = null where subscription_id = $1`
  await services.pool.query(fail, [subscriptionId])
  const since = new Date(services.clock.now().getTime() - 1000)
  expect(await redeliverFailed(context(), { subscriptionId, since })).toBe(5001)
  const open =
    'select count(*)::integer as open, min(retries_left) as retries from webhook_deliveries where subscription_id = $1 and retries_left > 0'
  expect((await services.pool.query(open, [subscriptionId])).rows).toEqual([{ open: 5001, retries: 6 }])
  expect(await redeliverFailed(context(), { subscriptionId, since })).toBe(0)
})

test('failed events are sent again oldest first, and a call after a limited one continues with the rest', async () => {
  const { subscriptionId } = await delivered((await aReceiver()).address)
  await services.pool.query(
    `insert into webhook_deliveries (id, subscription_id, event_number, event, body, created_at, state)
       select 'evt_' || $1 || n, $1, n, 'generation.failed', 'x', timestamptz '2026-03-01T00:00:00Z' + n * interval '1 s', 'failed'
         from generate_series(2, 11) n`,
    [subscriptionId],
  )
  const redeliver = (max?: number) => redeliverFailed(context(), { subscriptionId, since: new Date('2026-03-01'), max })
  const left = async () => {
    const log = await listDeliveries(context(), { subscriptionIds: [subscriptionId], state: 'failed' }, { limit: 20, fromTheEnd: true })
    return log.map(({ eventNumber }) => eventNumber)
  }
  expect(await redeliver(4)).toBe(4)
  expect(await left()).toEqual([6, 7, 8, 9, 10, 11])
  expect(await redeliver(4)).toBe(4)
  expect(await redeliver()).toBe(2)
  expect(await left()).toEqual([])
  await expect(redeliver(0)).rejects.toMatchObject({ code: 'invalid_request' })
})
