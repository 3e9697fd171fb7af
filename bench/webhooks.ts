import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { makeLogger } from '../src/cli/boot/logger.ts'
import { openServices } from '../src/cli/boot/openServices.ts'
import { readConfig } from '../src/config/readConfig.ts'
import { openSessionLocks } from '../src/database/liveness/sessionLocks.ts'
import { openQueuePool } from '../src/database/queue/queuePool.ts'
import { type Context, contextFor } from '../src/domain/context.ts'
import { webhookDeliverer } from '../src/jobs/deliveries/deliverWebhooks.ts'
import { deliveryRunners } from '../src/jobs/runners/deliveryRunners.ts'
import { type RunnerOptions, startRunner } from '../src/jobs/runners/startRunner.ts'
import { vendors } from '../src/providers/vendors.ts'
import { type CpuMeter, cpuMeter } from './support/cpu.ts'
import type { Fixture } from './support/fixture.ts'
import type { Row } from './support/table.ts'
import { makeSubscriptions, recordRounds, startReceiver, type WebhookReceiver } from './support/webhooks.ts'

/** Deliveries of a measurement: rounds times subscriptions. */
const cases = [
  { subscriptions: 1, rounds: 1500, aim: '≥ 300 /s' },
  { subscriptions: 50, rounds: 100, aim: '≥ 2,500 /s, ≥ 0.5' },
  { subscriptions: 1000, rounds: 4, aim: '' },
]
const repeats = 3
/** The interval of events, for one receiver that hangs and fifty that do not. */
const endingMs = 100
const endings = 80

/**
 * Measures deliveries from the recorded event to the written log, to a receiver in another process, beside bare undici that posts the same
 * bodies to the same receiver over as many connections. The two take turns, and the best repeat of each counts, so that other load on the
 * machine matters less.
 */
export async function benchWebhooks(fixture: Fixture): Promise<Row[]> {
  const env = { ...fixture.env, ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }
  const config = readConfig(env, { command: 'work', vendors })
  const opened = await openServices(config, {
    log: makeLogger({ level: 'error' }),
    publicUrl: 'http://localhost',
    listeners: [],
    poolMax: 10,
  })
  const receiver = await startReceiver()
  try {
    const context = contextFor(opened.services, { kind: 'service' })
    const rows: Row[] = []
    for (const each of cases) rows.push(await benchCase(context, { ...each, fixture, receiver }))
    rows.push(await benchHanging(context, receiver))
    return rows
  } finally {
    receiver.stop()
    await opened.close()
  }
}

async function benchCase(
  context: Context,
  { subscriptions, rounds, aim, fixture, receiver }: (typeof cases)[number] & { fixture: Fixture; receiver: WebhookReceiver },
): Promise<Row> {
  const ids = await makeSubscriptions(context, { count: subscriptions, address: receiver.at('/hook') })
  await deliver(context, ids, Math.ceil(rounds / 10))
  const own: number[] = []
  const bare: number[] = []
  const meter = cpuMeter({ serverPids: [process.pid], clusterFolder: fixture.clusterFolder })
  const connections = Math.min(2 * subscriptions, 400)
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    own.push(await deliver(context, ids, rounds, meter))
    bare.push(await postAll(receiver, { bodies: await storedBodies(context, rounds * subscriptions), connections }))
  }
  const limit = { name: 'bare undici posting the same bodies', value: Math.max(...bare) }
  const name = `webhooks to ${subscriptions.toLocaleString('en')}, recorded to logged`
  return { name, ours: Math.max(...own), unit: '/s', cpu: meter.perUnit(), limit, aim }
}

/** Measures the 99th percentile of the delay at healthy receivers while another hangs. */
async function benchHanging(context: Context, receiver: WebhookReceiver): Promise<Row> {
  const well = await makeSubscriptions(context, { count: 50, address: receiver.at('/timed') })
  const hanging = await makeSubscriptions(context, { count: 1, address: receiver.at('/hang') })
  const deliverer = await startDelivering(context)
  for (let count = 0; count < endings; count += 1) {
    await recordRounds(context, [...well, ...hanging], 1)
    await pause(endingMs)
  }
  await pause(1000)
  const lateMs = (await receiver.lateMs()).toSorted((one, other) => one - other)
  await context.pool.query('update webhook_subscriptions set paused = true where id = any($1)', [hanging])
  await deliverer.stop()
  if (lateMs.length !== endings * well.length) throw new Error(`${lateMs.length} webhooks arrived`)
  return { name: 'webhooks while 1 of 51 hangs, p99', ours: lateMs[Math.floor(lateMs.length * 0.99)] ?? Number.NaN, unit: 'ms' }
}

async function storedBodies({ pool }: Context, count: number): Promise<Buffer[]> {
  const { rows } = await pool.query<{ body: Buffer }>('select body from webhook_deliveries limit $1', [count])
  return rows.map(({ body }) => body)
}

/** Delivers as a worker process does, with its pool for the job queue. */
async function startDelivering(context: Context): Promise<{ stop(): Promise<void> }> {
  const { pool, log } = context
  const directUrl = pool.options.connectionString ?? ''
  const locks = openSessionLocks(directUrl, { processId: 'bench', log })
  const deliverer = webhookDeliverer(context, { locks })
  const queuePool = openQueuePool(pool, { directUrl, log })
  const start = (runner: RunnerOptions) =>
    startRunner({ services: context }, runner, { pool: queuePool.poolFor(Object.keys(runner.tasks)), onPool: () => undefined })
  const runners = await Promise.all(deliveryRunners(deliverer).map(start))
  return {
    async stop() {
      deliverer.stop()
      await Promise.all(runners.map((runner) => runner.stop()))
      await queuePool.close()
      deliverer.close()
      await locks.close()
    },
  }
}

/** Deliveries per second. */
async function deliver(context: Context, ids: string[], times: number, meter?: CpuMeter): Promise<number> {
  await recordRounds(context, ids, times)
  const count = times * ids.length
  const run = async () => {
    const started = performance.now()
    const deliverer = await startDelivering(context)
    while (await isOpen(context)) await pause(10)
    const seconds = (performance.now() - started) / 1000
    await deliverer.stop()
    return { count, rate: count / seconds }
  }
  return (await (meter ? meter.during(run) : run())).rate
}

async function isOpen({ pool }: Context): Promise<boolean> {
  return (await pool.query('select exists (select from webhook_deliveries where retries_left is not null) as open')).rows[0].open
}

async function postAll(receiver: WebhookReceiver, { bodies, connections }: { bodies: Buffer[]; connections: number }): Promise<number> {
  const pool = new Pool(receiver.at(''), { connections })
  const started = performance.now()
  const left = bodies.values()
  const headers = { 'content-type': 'application/json' }
  const postThem = async () => {
    for (const body of left) await (await pool.request({ method: 'POST', path: '/hook', body, headers })).body.dump()
  }
  await Promise.all(Array.from({ length: connections }, postThem))
  await pool.close()
  return bodies.length / ((performance.now() - started) / 1000)
}
