import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { pruneWebhookHours } from '../../../../src/domain/webhooks/deliveries/pruneDeliveries.ts'
import { type AttemptReport, endAttempts } from '../../../../src/domain/webhooks/sending/endAttempts.ts'
import { loadHealth, openCountMax } from '../../../../src/domain/webhooks/subscriptions/loadHealth.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { attemptAllDue } from '../../../support/webhooks/attemptAllDue.ts'
import { deliveryRun } from '../../../support/webhooks/deliveryRun.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: { ...loopback, webhookFirstRetrySeconds: 3600 } })
afterAll(close)
const context = () => aServiceContext(services)
const { recordMany } = deliveryRun(services)

async function aSubscriptionTo(address: string, count: number): Promise<string> {
  const { subscription } = await aSubscription(services, await aTeamWithKey(services), address)
  await recordMany(subscription.id, count)
  return subscription.id
}

/** The hours with deliveries or failures, as `hour delivered/failed`. */
async function busyHours(id: string): Promise<string[]> {
  const [health] = await loadHealth(context(), [id])
  return (health?.hours ?? [])
    .filter(({ delivered, failed }) => delivered + failed > 0)
    .map(({ hour, delivered, failed }) => `${hour.toISOString()} ${delivered}/${failed}`)
}

test('each attempt is counted in the hour in which it ended, and the 24 hours move with the clock', async () => {
  await clock.set('2026-03-10T12:59:00Z')
  const receiver = await aReceiver((response) => response.writeHead(receiver.received.length === 2 ? 500 : 200).end())
  const id = await aSubscriptionTo(receiver.address, 3)
  await attemptAllDue(context())
  expect(await busyHours(id)).toEqual(['2026-03-10T12:00:00.000Z 2/1'])

  await clock.set('2026-03-10T13:00:00Z')
  await services.pool.query('update webhook_deliveries set next_attempt_at = now() where subscription_id = $1 and retries_left > 0', [id])
  await attemptAllDue(context())
  expect(await busyHours(id)).toEqual(['2026-03-10T12:00:00.000Z 2/1', '2026-03-10T13:00:00.000Z 1/0'])
  await clock.set('2026-03-11T12:30:00Z')
  expect(await busyHours(id)).toEqual(['2026-03-10T13:00:00.000Z 1/0'])
})

test('health has all 24 hours, also those without attempts, for each subscription of a page', async () => {
  await clock.set('2026-04-01T05:10:00Z')
  const busy = await aSubscriptionTo((await aReceiver()).address, 4)
  await attemptAllDue(context())
  const quiet = await aSubscriptionTo('http://127.0.0.1:9/hook', 0)
  const [unknown, ofQuiet, ofBusy] = await loadHealth(context(), [newId('hook'), quiet, busy])
  for (const health of [unknown, ofQuiet, ofBusy]) {
    expect(health?.hours.map(({ hour }) => hour.toISOString().slice(8, 13))).toEqual(
      Array.from({ length: 24 }, (_, index) => (index < 18 ? `31T${String(index + 6).padStart(2, '0')}` : `01T0${index - 18}`)),
    )
  }
  expect(ofQuiet?.hours.some(({ delivered, failed }) => delivered + failed > 0)).toBe(false)
  expect(ofBusy?.hours.at(-1)).toMatchObject({ delivered: 4, failed: 0 })
})

test('concurrent reports are all counted, and a repeated report is counted once', async () => {
  const id = await aSubscriptionTo('http://127.0.0.1:9/hook', 40)
  const { rows } = await services.pool.query<{ id: string }>(
    'update webhook_deliveries set attempt_begun_at = now() where subscription_id = $1 returning id',
    [id],
  )
  const reports = rows.map(
    ({ id: deliveryId }): AttemptReport => ({
      deliveryId,
      number: 1,
      tookSeconds: 0,
      responseCode: 204,
      start: null,
      outcome: 'delivered',
    }),
  )
  await Promise.all([...reports.map((report) => endAttempts(context(), [report])), endAttempts(context(), reports)])
  const [health] = await loadHealth(context(), [id])
  expect(health?.hours.at(-1)).toMatchObject({ delivered: 40, failed: 0 })
})

test('cut and held attempts are not counted', async () => {
  const id = await aSubscriptionTo('http://127.0.0.1:9/hook', 2)
  const { rows } = await services.pool.query<{ id: string }>(
    'update webhook_deliveries set attempt_begun_at = now() where subscription_id = $1 returning id',
    [id],
  )
  const [one, other] = rows.map(({ id: deliveryId }) => ({ deliveryId, number: 1, tookSeconds: 0, responseCode: null, start: null }))
  if (!one || !other) throw new Error('two were recorded')
  await endAttempts(context(), [
    { ...one, outcome: 'cut', refusal: 'cut', pauseSeconds: 0 },
    { ...other, outcome: 'held', pauseSeconds: 0 },
  ])
  expect(await busyHours(id)).toEqual([])
})

test('open deliveries are counted as waiting or retrying, up to 1,000', async () => {
  const receiver = await aReceiver((response) => response.writeHead(500).end())
  const id = await aSubscriptionTo(receiver.address, 2)
  await attemptAllDue(context())
  expect(await loadHealth(context(), [id])).toMatchObject([{ waiting: 0, retrying: 2 }])
  const full = await aSubscriptionTo('http://127.0.0.1:9/hook', openCountMax + 1)
  expect(await loadHealth(context(), [full])).toMatchObject([{ waiting: openCountMax, retrying: 0 }])
})

test('counters are deleted 31 days after their hour began', async () => {
  await clock.set('2026-05-01T00:00:00Z')
  const id = await aSubscriptionTo((await aReceiver()).address, 1)
  await attemptAllDue(context())
  const kept = async () => (await services.pool.query('select from webhook_hours where subscription_id = $1', [id])).rowCount
  await clock.set('2026-06-01T00:00:00Z')
  await pruneWebhookHours(context())
  expect(await kept()).toBe(1)
  await clock.set('2026-06-01T00:00:01Z')
  expect(await pruneWebhookHours(context())).toBeGreaterThan(0)
  expect(await kept()).toBe(0)
})
