import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { PublicGeneration } from '../../src/contract/generation.ts'
import { contextFor, transaction } from '../../src/domain/context.ts'
import { addDeliveries } from '../../src/domain/webhooks/addDeliveries.ts'
import { attemptDelivery } from '../../src/domain/webhooks/attemptDelivery.ts'
import { beginAttempts } from '../../src/domain/webhooks/beginAttempts.ts'
import { endAttempts } from '../../src/domain/webhooks/endAttempts.ts'
import { listDeliveries } from '../../src/domain/webhooks/listDeliveries.ts'
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
async function delivering() {
  const deliverer = await aDeliverer(services)
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
    const content = {
      event: 'generation.failed',
      createdAt: clock.now(),
      generationFor: () => ({}) as PublicGeneration,
      isTest: false,
    } as const
    const numbered = Array.from({ length: count }, (_, index) => ({ subscriptionId, eventNumber: index + 1 }))
    await addDeliveries(inside, numbered, content)
    await services.pool.query('update webhook_subscriptions set last_event_number = $2 where id = $1', [subscriptionId, count])
  })
}

test('endings arrive as they are recorded, each once', async () => {
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

test('a receiver that never takes it is asked seven times with one identifier and the same bytes, then no more', async () => {
  const receiver = await aReceiver((response) => response.writeHead(500).end())
  const { team, subscription } = await subscribe(receiver)
  await anEnding(team)
  await delivering()
  await vi.waitFor(settled(subscription.id), soon)
  const [delivery] = await logOf(subscription.id)
  expect(delivery).toMatchObject({ state: 'failed', attempts: 7, nextAttemptAt: null, refusal: 'answered 500' })
  expect(receiver.ids()).toEqual(Array.from({ length: 7 }, () => delivery?.id))
  expect(new Set(receiver.received.map(({ body }) => body.toString('hex'))).size).toBe(1)
  const begun = 'select floor(extract(epoch from begun_at))::integer as at from webhook_attempts where delivery_id = $1 order by number'
  const signed = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(signed).toEqual((await services.pool.query(begun, [delivery?.id])).rows.map(({ at }) => at))
  const gaps = receiver.received.slice(1).map(({ receivedAt }, index) => receivedAt - (receiver.received[index]?.receivedAt ?? 0))
  gaps.forEach((gap, index) => expect(gap).toBeGreaterThan(0.9 * 20 * 2 ** index))
  expect(delivery?.nextAttemptAt).toBeNull()
})

test('while one receiver of 51 hangs, its two attempts open, every ending arrives at the others', async () => {
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
  await delivering()
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
  await delivering()
  const second = await aDeliverer({ ...there.services, ring: services.ring })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(100), { timeout: 25_000, interval: 10 })
  await vi.waitFor(settled(subscription.id), soon)
  await second.stop()
  expect(new Set(receiver.ids()).size).toBe(100)
  expect(openMax).toBeLessThanOrEqual(2)
})

test('what a killed process had begun is repeated with the same identifier, listed as cut, and costs no retry', async () => {
  const receiver = await aReceiver()
  const { team, subscription } = await subscribe(receiver)
  await anEnding(team)
  const system = contextFor(services, { kind: 'system' })
  const connections = keptConnections({ max: 0, idleMilliseconds: 0 })
  const [id = ''] = (await logOf(subscription.id)).map((delivery) => delivery.id)
  const [killed] = await beginAttempts(system, [id])
  if (!killed) throw new Error('nothing was due')
  const late = await attemptDelivery(system, killed, { signal: new AbortController().signal, connections })

  await delivering()
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), soon)
  await vi.waitFor(settled(subscription.id), soon)
  expect(await endAttempts(system, [late])).toBe(0)
  expect(new Set(receiver.ids()).size).toBe(1)
  expect(await logOf(subscription.id)).toMatchObject([{ state: 'delivered', attempts: 2, refusal: null }])
  const attempts = 'select number, response_code, refusal from webhook_attempts where delivery_id = $1 order by number'
  expect((await services.pool.query(attempts, [id])).rows).toEqual([
    { number: 1, response_code: null, refusal: 'cut short on our side' },
    { number: 2, response_code: 204, refusal: null },
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
  const first = await aDeliverer(services)
  await vi.waitFor(settled(subscription.id), soon)
  await anEnding(team)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), soon)
  await first.stop()
  expect(await logOf(subscription.id)).toMatchObject([
    { state: 'delivered' },
    { state: 'pending', attempts: 1, refusal: 'cut short on our side' },
  ])
  await delivering()
  await vi.waitFor(settled(subscription.id), soon)
  const [, second, third] = receiver.ids()
  expect(third).toBe(second)
})

test('deliveries go on after every connection to the database was cut, and none is lost', async () => {
  const receiver = await aReceiver()
  const { subscription } = await subscribe(receiver)
  await recordMany(subscription.id, 60)
  await delivering()
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(5), soon)
  await services.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()',
  )
  await vi.waitFor(() => expect(new Set(receiver.ids()).size).toBe(60), { timeout: 25_000, interval: 10 })
})

test('receivers whose last attempt failed are served by a runner of their own', async () => {
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

test('a delivery that cannot be begun, and one that cannot be written down, keep no other of their subscription from arriving', async () => {
  const receiver = await aReceiver()
  const { subscription } = await subscribe(receiver)
  await recordMany(subscription.id, 20)
  logged.length = 0
  const [unbegun, unwritten] = await logOf(subscription.id)
  await services.pool.query(`
    create function break_row() returns trigger language plpgsql as $$ begin
      if new.id = '${unbegun?.id}' or new.id = '${unwritten?.id}' and new.attempt_begun_at is null then raise exception 'broken'; end if;
      return new;
    end $$;
    create trigger break_row before update on webhook_deliveries for each row execute function break_row()`)
  onTestFinished(async () => {
    await services.pool.query('drop function break_row cascade')
    await services.pool.query('delete from webhook_deliveries where id = any($1)', [[unbegun?.id, unwritten?.id]])
  })
  await delivering()
  const left = async () => (await logOf(subscription.id)).filter(({ state }) => state !== 'delivered').map(({ id }) => id)
  await vi.waitFor(async () => expect(await left()).toEqual([unbegun?.id, unwritten?.id]), soon)
  expect(new Set(receiver.ids()).size).toBe(19)
  const said = logged.splice(0).filter(({ level }) => level === 'error')
  expect(said.map(({ message }) => message)).toEqual(Array(2).fill('a delivery could not be begun or written down, and is set aside'))
})

test('what is due and has no job is found within seconds', async () => {
  const receiver = await aReceiver()
  const { subscription } = await subscribe(receiver)
  await recordMany(subscription.id, 1)
  await services.pool.query("select graphile_worker.remove_job('webhook:' || $1)", [subscription.id])
  await services.pool.query(`update webhook_deliveries set next_attempt_at = now() - interval '6 seconds' where subscription_id = $1`, [
    subscription.id,
  ])
  await delivering()
  await vi.waitFor(settled(subscription.id), soon)
  expect(logged.filter(({ level }) => level === 'warn').at(-1)?.message).toBe('deliveries without a job were queued')
})

test('nothing that we did was an error', () => expect(logged.filter(({ level }) => level === 'error')).toEqual([]))
