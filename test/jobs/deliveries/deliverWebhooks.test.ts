import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'
import { deliveryRun, soon } from '../../support/webhooks/deliveryRun.ts'
import { aReceiver, type Receiver } from '../../support/webhooks/receiver.ts'
import { aDeliverer, anEnding, loopback } from '../../support/webhooks/webhooks.ts'

const { services, close, databaseUrl, logged } = await testServices({ settings: loopback, poolMax: 20 })
afterAll(close)

const { logOf, delivering, subscribe, settled, recordMany } = deliveryRun(services)

test('events of endings arrive in the recorded form, once each', async () => {
  const receiver = await aReceiver()
  const { team, subscription } = await subscribe(receiver)
  await delivering()
  for (let count = 1; count <= 9; count += 1) {
    await anEnding(team)
    await vi.waitFor(() => expect(receiver.received).toHaveLength(count), soon)
  }
  await vi.waitFor(settled(subscription.id), soon)
  expect(new Set(receiver.ids()).size).toBe(9)
})

test('a receiver that always fails gets seven attempts with one identifier and the same bytes, and no more', async () => {
  const receiver = await aReceiver((response) => response.writeHead(500).end())
  const { team, subscription } = await subscribe(receiver)
  await anEnding(team)
  await delivering()
  await vi.waitFor(settled(subscription.id), soon)
  const [delivery] = await logOf(subscription.id)
  expect(delivery).toMatchObject({ state: 'failed', attempts: 7, nextAttemptAt: null, refusal: 'answered 500' })
  expect(receiver.ids()).toEqual(Array.from({ length: 7 }, () => delivery?.id))
  expect(new Set(receiver.received.map(({ body }) => body.toString('hex'))).size).toBe(1)
  const startTimes =
    'select floor(extract(epoch from begun_at))::integer as at from webhook_attempts where delivery_id = $1 order by number'
  const signed = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(signed).toEqual((await services.pool.query(startTimes, [delivery?.id])).rows.map(({ at }) => at))
  const gaps = receiver.received.slice(1).map(({ receivedAt }, index) => receivedAt - (receiver.received[index]?.receivedAt ?? 0))
  gaps.forEach((gap, index) => expect(gap).toBeGreaterThan(0.9 * 20 * 2 ** index))
  expect(delivery?.nextAttemptAt).toBeNull()
})

test('while one receiver of 51 hangs with two open attempts, every event arrives at the others', async () => {
  const team = await aTeamWithKey(services)
  const healthy: Receiver[] = []
  for (let count = 0; count < 50; count += 1) healthy.push(await aReceiver())
  let open = 0
  let openMax = 0
  const hanging = await aReceiver((response) => {
    openMax = Math.max(openMax, (open += 1))
    response.on('close', () => (open -= 1))
  })
  await subscribe(hanging, team)
  for (const receiver of healthy) await subscribe(receiver, team)
  await delivering()
  for (let count = 1; count <= 8; count += 1) {
    await anEnding(team)
    await vi.waitFor(() => expect(healthy.every(({ received }) => received.length === count)).toBe(true), soon)
  }
  await vi.waitFor(() => expect(openMax).toBe(2), soon)
  expect(hanging.received.length).toBeGreaterThanOrEqual(2)
  await hanging.close()
  expect(openMax).toBe(2)
})

test('a burst for one subscription is sent two at a time, and another subscription is served meanwhile', async () => {
  let open = 0
  let openMax = 0
  const busy = await aReceiver((response) => {
    openMax = Math.max(openMax, (open += 1))
    setImmediate(() => {
      open -= 1
      response.writeHead(204).end()
    })
  })
  const other = await aReceiver()
  const burst = await subscribe(busy)
  const single = await subscribe(other)
  await recordMany(burst.subscription.id, 300)
  await delivering()
  await vi.waitFor(() => expect(busy.received.length).toBeGreaterThan(0), soon)
  await anEnding(single.team)
  await vi.waitFor(() => expect(other.received).toHaveLength(1), soon)
  expect(busy.received.length).toBeLessThan(300)
  await vi.waitFor(() => expect(busy.received).toHaveLength(300), { timeout: 25_000, interval: 10 })
  expect(new Set(busy.ids()).size).toBe(300)
  expect(openMax).toBe(2)
})

test('an origin that has accepted nothing gets 60 attempts and then one a second, and all waiting deliveries after it accepts one', async () => {
  let accepts = false
  const receiver = await aReceiver((response) => response.writeHead(accepts ? 204 : 500).end())
  const { subscription } = await subscribe(receiver)
  await recordMany(subscription.id, 150)
  await delivering()
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(61), { timeout: 15_000, interval: 5 })
  const [last, first, second] = receiver.received.slice(59, 62).map(({ receivedAt }) => receivedAt)
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(800)
  expect((first ?? 0) - (receiver.received[0]?.receivedAt ?? 0)).toBeGreaterThan(800)
  expect((last ?? 0) - (receiver.received[0]?.receivedAt ?? 0)).toBeLessThan(10_000)
  accepts = true
  await vi.waitFor(settled(subscription.id), { timeout: 15_000, interval: 10 })
  expect(new Set(receiver.ids()).size).toBe(150)
})

test('two processes deliver each event once, with at most two attempts at a time together', async () => {
  const there = await testServices({ databaseUrl, settings: loopback })
  onTestFinished(() => there.close())
  let open = 0
  let openMax = 0
  const receiver = await aReceiver((response) => {
    openMax = Math.max(openMax, (open += 1))
    setImmediate(() => {
      open -= 1
      response.writeHead(204).end()
    })
  })
  const { subscription } = await subscribe(receiver)
  await recordMany(subscription.id, 100)
  await delivering()
  const second = await aDeliverer({ ...there.services, ring: services.ring })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(100), { timeout: 25_000, interval: 10 })
  await vi.waitFor(settled(subscription.id), soon)
  await second.stop()
  expect(new Set(receiver.ids()).size).toBe(100)
  expect(openMax).toBeLessThanOrEqual(2)
})

test('subscriptions with a failed last attempt are served by a separate runner', async () => {
  const [healthy, troubled] = [
    await subscribe({ address: 'http://127.0.0.1:9/hook' }),
    await subscribe({ address: 'http://127.0.0.1:9/hook' }),
  ]
  await services.pool.query("update webhook_subscriptions set last_delivery_outcome = 'retrying' where id = $1", [troubled.subscription.id])
  for (const { subscription } of [healthy, troubled]) await recordMany(subscription.id, 3)
  const tasks = 'select task_identifier from graphile_worker.jobs where key = $1'
  const tasksOf = async (id: string) =>
    (await services.pool.query(tasks, [`webhook:${id}`])).rows.map(({ task_identifier }) => task_identifier)
  expect(await tasksOf(healthy.subscription.id)).toEqual(['deliverWebhooks'])
  expect(await tasksOf(troubled.subscription.id)).toEqual(['deliverToTroubled'])
})

test('the process logged no error', () => expect(logged.filter(({ level }) => level === 'error')).toEqual([]))

test('a team with more hanging receivers than slots leaves slots for other teams', async () => {
  const busy = await aTeamWithKey(services)
  let open = 0
  const hanging = await aReceiver((response) => {
    open += 1
    response.on('close', () => (open -= 1))
  })
  for (let count = 0; count < 6; count += 1) await subscribe(hanging, busy)
  await anEnding(busy)
  const deliverer = await aDeliverer(services, { subscriptionsAtOnce: 4 })
  onTestFinished(() => deliverer.stop())
  await vi.waitFor(() => expect(open).toBe(2), soon)
  const receiver = await aReceiver()
  const { team } = await subscribe(receiver)
  await anEnding(team)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { ...soon, timeout: 5000 })
  expect(open).toBe(2)
})

test('while all subscriptions of a team are busy, those beyond its places get their turn', async () => {
  const team = await aTeamWithKey(services)
  const receivers: Receiver[] = []
  for (let count = 0; count < 3; count += 1) {
    const receiver = await aReceiver()
    receivers.push(receiver)
    await recordMany((await subscribe(receiver, team)).subscription.id, 1000)
  }
  const deliverer = await aDeliverer(services, { subscriptionsAtOnce: 4, sessionMs: 50 })
  onTestFinished(() => deliverer.stop())
  await vi.waitFor(() => expect(receivers.every(({ received }) => received.length > 0)).toBe(true), soon)
  for (const { received } of receivers) expect(received.length).toBeLessThan(1000)
})
