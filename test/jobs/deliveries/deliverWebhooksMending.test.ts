import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { contextFor } from '../../../src/domain/context.ts'
import { attemptDelivery } from '../../../src/domain/webhooks/sending/attemptDelivery.ts'
import { beginAttempts } from '../../../src/domain/webhooks/sending/beginAttempts.ts'
import { endAttempts } from '../../../src/domain/webhooks/sending/endAttempts.ts'
import { makeConnectionPool } from '../../../src/network/connectionPool.ts'
import { testServices } from '../../support/services.ts'
import { deliveryRun, soon } from '../../support/webhooks/deliveryRun.ts'
import { aReceiver } from '../../support/webhooks/receiver.ts'
import { aDeliverer, anEnding, loopback } from '../../support/webhooks/webhooks.ts'

const { services, close, logged } = await testServices({ settings: loopback, poolMax: 20 })
afterAll(close)

const { logOf, delivering, subscribe, settled, recordMany } = deliveryRun(services)

test('an attempt of a killed process is repeated with the same identifier, listed as cut off, and costs no retry', async () => {
  const receiver = await aReceiver()
  const { team, subscription } = await subscribe(receiver)
  await anEnding(team)
  const system = contextFor(services, { kind: 'system' })
  const connections = makeConnectionPool({ max: 0, idleMilliseconds: 0 })
  const [id = ''] = (await logOf(subscription.id)).map((delivery) => delivery.id)
  const [killed] = await beginAttempts(system, [id])
  if (!killed) throw new Error('no delivery was due')
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

test('a stop waits for attempts in flight, aborts slow ones, and the next process repeats these with the same identifier', async () => {
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

test('deliveries continue after all database connections break, and none is lost', async () => {
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

test('a delivery that cannot be started, or not be recorded, does not block others of its subscription', async () => {
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
  const logLines = logged.splice(0).filter(({ level }) => level === 'error')
  expect(logLines.map(({ message }) => message)).toEqual(
    Array(2).fill('a delivery could not be started or recorded, and is skipped for a while'),
  )
})

test('due deliveries without a job are found within seconds', async () => {
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

test('the process logged no error', () => expect(logged.filter(({ level }) => level === 'error')).toEqual([]))
