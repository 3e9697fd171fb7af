import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { PublicGeneration } from '../../src/contract/generation.ts'
import { contextFor, transaction } from '../../src/domain/context.ts'
import { addDeliveries } from '../../src/domain/webhooks/addDeliveries.ts'
import { attemptDelivery } from '../../src/domain/webhooks/attemptDelivery.ts'
import { leaseDeliveries } from '../../src/domain/webhooks/leaseDeliveries.ts'
import { listDeliveries } from '../../src/domain/webhooks/listDeliveries.ts'
import { recordAttempts } from '../../src/domain/webhooks/recordAttempts.ts'
import { keptConnections } from '../../src/network/keptConnections.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../support/factories.ts'
import { aReceiver, type Receiver } from '../support/receiver.ts'
import { testServices } from '../support/services.ts'
import { aDeliverer, anEnding, aSubscription, loopback } from '../support/webhooks.ts'

const { services, clock, close, databaseUrl, logged } = await testServices({ settings: loopback, poolMax: 20 })
afterAll(close)
const context = () => aServiceContext(services)
const soon = { timeout: 10_000, interval: 5 }

/** Delivers until the test has ended; receivers of the test are closed before. */
function delivering(options: { graceMs?: number } = {}) {
  const deliverer = aDeliverer(services, { graceMs: 0, ...options })
  onTestFinished(() => deliverer.stop())
  return deliverer
}

async function subscribe(receiver: Pick<Receiver, 'address'>, team?: TeamWithKey) {
  const owner = team ?? (await aTeamWithKey(services))
  return { team: owner, ...(await aSubscription(services, owner, receiver.address)) }
}

async function logOf(subscriptionId: string) {
  return listDeliveries(context(), { subscriptionId }, { limit: 1000, fromTheEnd: true })
}

const settled = (id: string) => async () => {
  for (const { state } of await logOf(id)) expect(state).toMatch(/delivered|failed/)
}

/** Records so many events for one subscription in one go, as endings do one by one. */
async function recordMany(subscriptionId: string, count: number): Promise<void> {
  await transaction(context(), async (inside) => {
    const content = { event: 'generation.failed', createdAt: clock.now(), generation: {} as PublicGeneration, isTest: false } as const
    const numbered = Array.from({ length: count }, (_, index) => ({ subscriptionId, eventNumber: index + 1 }))
    await addDeliveries(inside, numbered, content)
    await services.pool.query('update webhook_subscriptions set last_event_number = $2 where id = $1', [subscriptionId, count])
  })
}

test('an ending arrives as it is recorded, woken by the commit and not by the next look', async () => {
  const receiver = await aReceiver()
  const { team, subscription } = await subscribe(receiver)
  delivering()
  const lateness: number[] = []
  for (let count = 1; count <= 9; count += 1) {
    await anEnding(team)
    const ended = performance.now()
    await vi.waitFor(() => expect(receiver.received).toHaveLength(count), { timeout: 5000, interval: 1 })
    lateness.push((receiver.received.at(-1)?.receivedAt ?? Number.NaN) - ended)
  }
  expect(lateness.toSorted((one, other) => one - other)[4]).toBeLessThan(500)
  await vi.waitFor(settled(subscription.id), soon)
})

test('a receiver that never takes it is asked seven times with one identifier and the same bytes, then no more', async () => {
  const receiver = await aReceiver(async (response) => {
    await clock.advance(1000)
    response.writeHead(500).end()
  })
  const { team, subscription } = await subscribe(receiver)
  await anEnding(team)
  delivering()
  await vi.waitFor(settled(subscription.id), soon)
  const [delivery] = await logOf(subscription.id)
  expect(delivery).toMatchObject({ state: 'failed', attempts: 7, nextAttemptAt: null, refusal: 'answered 500' })
  expect(receiver.ids()).toEqual(Array.from({ length: 7 }, () => delivery?.id))
  expect(new Set(receiver.received.map(({ body }) => body.toString('hex'))).size).toBe(1)
  expect(new Set(receiver.received.map(({ headers }) => headers['x-service-signature'])).size).toBe(7)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(7)
  const gaps = receiver.received.slice(1).map(({ receivedAt }, index) => receivedAt - (receiver.received[index]?.receivedAt ?? 0))
  gaps.forEach((gap, index) => expect(gap).toBeGreaterThan(0.9 * 20 * 2 ** index))
  expect((await services.pool.query('select 1 from webhook_queue where subscription_id = $1', [subscription.id])).rows).toEqual([])
})

test('one receiver that hangs among 51 leaves the others a p99 below a second from ending to arrival', async () => {
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
  delivering()
  const lateness: number[] = []
  for (let count = 1; count <= 8; count += 1) {
    await anEnding(team)
    const ended = performance.now()
    await vi.waitFor(() => expect(healthy.every(({ received }) => received.length === count)).toBe(true), soon)
    lateness.push(...healthy.map(({ received }) => (received.at(-1)?.receivedAt ?? Number.NaN) - ended))
  }
  expect(lateness.toSorted((one, other) => one - other)[Math.floor(lateness.length * 0.99)]).toBeLessThan(1000)
  expect(openMax).toBe(2)
  await hanging.close()
})

test('a burst for one subscription drains, two at a time, and another is served in between', async () => {
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
  delivering()
  await vi.waitFor(() => expect(busy.received.length).toBeGreaterThan(0), soon)
  await anEnding(single.team)
  await vi.waitFor(() => expect(other.received).toHaveLength(1), soon)
  expect(busy.received.length).toBeLessThan(300)
  await vi.waitFor(() => expect(busy.received).toHaveLength(300), { timeout: 25_000, interval: 10 })
  expect(new Set(busy.ids()).size).toBe(300)
  expect(openMax).toBe(2)
})

test('two processes deliver each event once, and together keep to two at a time', async () => {
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
  delivering()
  const second = aDeliverer({ ...there.services, ring: services.ring })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(100), { timeout: 25_000, interval: 10 })
  await vi.waitFor(settled(subscription.id), soon)
  await second.stop()
  expect(new Set(receiver.ids()).size).toBe(100)
  expect(openMax).toBeLessThanOrEqual(2)
})

test('of two processes that take in the same moment, the second waits and finds taken what the first took', async () => {
  const system = contextFor(services, { kind: 'system' })
  const { subscription } = await subscribe({ address: 'http://127.0.0.1:9/hook' })
  await recordMany(subscription.id, 3)
  const takeAs = (holder: string, inside = system) => leaseDeliveries(inside, { holder, deliveriesMax: 100, troubledMax: 100 })
  let second: Promise<unknown> = Promise.resolve()
  await transaction(system, async (inside) => {
    expect(await takeAs('first', inside)).toHaveLength(2)
    second = takeAs('second')
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await vi.waitFor(async () => expect((await services.pool.query(waiting)).rows).toHaveLength(1), soon)
  })
  expect(await second).toEqual([])
  await services.pool.query('delete from webhook_queue')
  await services.pool.query('delete from webhook_leases')
})

test('what a killed process had taken is repeated with the same identifier, listed as cut, and costs no retry', async () => {
  const receiver = await aReceiver()
  const { team, subscription } = await subscribe(receiver)
  await anEnding(team)
  const system = contextFor(services, { kind: 'system' })
  const connections = keptConnections({ max: 0, idleMilliseconds: 0 })
  const [leased] = await leaseDeliveries(system, { holder: 'killed', deliveriesMax: 10, troubledMax: 10 })
  if (!leased) throw new Error('nothing was due')
  const late = await attemptDelivery(system, leased, { signal: new AbortController().signal, connections })

  const takeAs = (holder: string) => leaseDeliveries(system, { holder, deliveriesMax: 10, troubledMax: 10 })
  const die = (holder: string) => services.pool.query('update webhook_leases set expires_at = now() where holder = $1', [holder])
  expect(await takeAs('other')).toEqual([])
  await die('killed')
  expect(await takeAs('other')).toMatchObject([{ deliveryId: leased.deliveryId }])
  expect(await recordAttempts(system, [late])).toBe(0)
  await die('other')
  delivering()
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), soon)
  await vi.waitFor(settled(subscription.id), soon)
  expect(new Set(receiver.ids()).size).toBe(1)
  expect(await recordAttempts(system, [late])).toBe(0)
  expect(await logOf(subscription.id)).toMatchObject([{ state: 'delivered', attempts: 3, refusal: null }])
  const attempts = await services.pool.query(
    'select number, response_code, refusal from webhook_attempts where delivery_id = $1 order by number',
    [leased.deliveryId],
  )
  expect(attempts.rows).toEqual([
    { number: 1, response_code: null, refusal: 'cut short on our side' },
    { number: 2, response_code: null, refusal: 'cut short on our side' },
    { number: 3, response_code: 204, refusal: null },
  ])
})

test('a stop lets what is in flight end, cuts what does not, and the next process repeats that with the same identifier', async () => {
  let answered = 0
  const receiver = await aReceiver((response) => {
    answered += 1
    if (answered !== 2) response.writeHead(204).end()
  })
  const { team, subscription } = await subscribe(receiver)
  await anEnding(team)
  const first = aDeliverer(services, { graceMs: 0 })
  await vi.waitFor(settled(subscription.id), soon)
  await anEnding(team)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), soon)
  await first.stop()
  expect((await services.pool.query('select 1 from webhook_leases where subscription_id = $1', [subscription.id])).rows).toEqual([])
  expect(await logOf(subscription.id)).toMatchObject([
    { state: 'delivered' },
    { state: 'pending', attempts: 1, refusal: 'cut short on our side' },
  ])
  delivering()
  await vi.waitFor(settled(subscription.id), soon)
  const [, second, third] = receiver.ids()
  expect(third).toBe(second)
})

test('deliveries go on after every connection to the database was cut, and none is lost', async () => {
  const receiver = await aReceiver()
  const { subscription } = await subscribe(receiver)
  await recordMany(subscription.id, 60)
  delivering()
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(5), soon)
  await services.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()',
  )
  await vi.waitFor(() => expect(new Set(receiver.ids()).size).toBe(60), { timeout: 25_000, interval: 10 })
})

test('receivers in trouble cannot take every place', async () => {
  const nowhere = { address: 'http://127.0.0.1:9/hook' }
  const system = contextFor(services, { kind: 'system' })
  const troubled = [await subscribe(nowhere), await subscribe(nowhere)]
  const healthy = await subscribe(nowhere)
  for (const { subscription } of [...troubled, healthy]) await recordMany(subscription.id, 3)
  const ids = troubled.map(({ subscription }) => subscription.id)
  await services.pool.query("update webhook_subscriptions set last_delivery_outcome = 'failed' where id = any($1)", [ids])
  const leased = await leaseDeliveries(system, { holder: 'test', deliveriesMax: 100, troubledMax: 1 })
  const takenFor = (id: string) => leased.filter(({ subscriptionId }) => subscriptionId === id).length
  expect([ids.map(takenFor).toSorted((one, other) => one - other), takenFor(healthy.subscription.id)]).toEqual([[0, 1], 2])
  await services.pool.query('delete from webhook_queue')
  await services.pool.query('delete from webhook_leases')
  expect(logged.filter(({ level }) => level === 'error')).toEqual([])
})
