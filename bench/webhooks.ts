import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { makeLogger } from '../src/cli/boot/logger.ts'
import { openServices } from '../src/cli/boot/openServices.ts'
import { readConfig } from '../src/config/readConfig.ts'
import { type Context, contextFor } from '../src/domain/context.ts'
import { vendors } from '../src/providers/vendors.ts'
import { type Cpu, cpuMeter } from './support/cpu.ts'
import type { Fixture } from './support/fixture.ts'
import { quantile } from './support/latency.ts'
import { startCommand } from './support/startCommand.ts'
import type { Row } from './support/table.ts'
import { makeSubscriptions, recordRounds, startReceiver, type WebhookReceiver } from './support/webhooks.ts'

/** Deliveries of a measurement: rounds times subscriptions. */
const cases = [
  { subscriptions: 1, rounds: 3000, aim: '≥ 300 /s' },
  { subscriptions: 50, rounds: 200, aim: '≥ 2,500 /s, ≥ 0.5' },
  { subscriptions: 1000, rounds: 20, aim: '' },
]
const repeats = 3
/** The interval of events, for one receiver that hangs and fifty that do not. */
const endingMs = 100
const endings = 100
/** Events of the first two seconds, which are reported apart: a new worker opens its connections and compiles its code, which would set p99. */
const firstEndings = 20

/**
 * Measures deliveries from the recorded event to the written log, to a receiver in another process, beside bare undici that posts the same
 * bodies to the same receiver over as many connections. The two take turns, and the best repeat of each counts, so that other load on the
 * machine matters less.
 */
export async function benchWebhooks(fixture: Fixture): Promise<Row[]> {
  const config = readConfig(fixture.env, { command: 'work', vendors })
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
    rows.push(...(await benchHanging(context, { fixture, receiver })))
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
  const cpu: Cpu[] = []
  const own: number[] = []
  const bare: number[] = []
  const connections = Math.min(2 * subscriptions, 400)
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const delivered = await deliver(context, { ids, rounds, fixture, receiver })
    own.push(delivered.rate)
    cpu.push(delivered.cpu)
    bare.push(await postAll(receiver, { bodies: await storedBodies(context, rounds * subscriptions), connections }))
  }
  const limit = { name: 'bare undici posting the same bodies', value: Math.max(...bare) }
  const name = `webhooks to ${subscriptions.toLocaleString('en')}, recorded to logged`
  const [best] = cpu.toSorted((one, other) => one.serverMicros - other.serverMicros)
  return { name, ours: Math.max(...own), unit: '/s', ...(best ? { cpu: best } : {}), limit, aim }
}

/** Measures the delay at healthy receivers while another hangs. */
async function benchHanging(context: Context, { fixture, receiver }: Surroundings): Promise<Row[]> {
  const well = await makeSubscriptions(context, { count: 50, address: receiver.at('/timed') })
  const hanging = await makeSubscriptions(context, { count: 1, address: receiver.at('/hang') })
  const worker = await startCommand('work', fixture.env)
  for (let count = 0; count < endings; count += 1) {
    await recordRounds(context, [...well, ...hanging], 1)
    await pause(endingMs)
  }
  await pause(1000)
  const lateMs = await receiver.lateMs()
  await context.pool.query('update webhook_subscriptions set paused = true where id = any($1)', [hanging])
  await worker.stop()
  if (lateMs.length !== endings * well.length) throw new Error(`${lateMs.length} webhooks arrived`)
  const first = lateMs.slice(0, firstEndings * well.length)
  const later = lateMs.slice(first.length)
  const title = 'webhooks while 1 of 51 hangs'
  return [
    { name: `${title}, p50`, ours: quantile(later, 0.5), unit: 'ms', aim: '<= 40' },
    { name: `${title}, p99`, ours: quantile(later, 0.99), unit: 'ms', aim: '<= 40' },
    { name: `${title}, first 2 s of the worker, p99`, ours: quantile(first, 0.99), unit: 'ms' },
  ]
}

async function storedBodies({ pool }: Context, count: number): Promise<Buffer[]> {
  const { rows } = await pool.query<{ body: Buffer }>('select body from webhook_deliveries limit $1', [count])
  return rows.map(({ body }) => body)
}

type Surroundings = { fixture: Fixture; receiver: WebhookReceiver }

/** Deliveries per second of a worker that starts when all are recorded, from its first deliveries on. */
async function deliver(
  context: Context,
  { ids, rounds, fixture, receiver }: Surroundings & { ids: string[]; rounds: number },
): Promise<{ rate: number; cpu: Cpu }> {
  await recordRounds(context, ids, rounds)
  const worker = await startCommand('work', fixture.env)
  const meter = cpuMeter({ serverPids: [worker.pid], loadPids: [receiver.pid], clusterFolder: fixture.clusterFolder })
  const { count, seconds } = await meter.during(async () => {
    const [early, startedAt] = [await openCount(context), performance.now()]
    while ((await openCount(context)) > 0) await pause(20)
    return { count: early, seconds: (performance.now() - startedAt) / 1000 }
  })
  await worker.stop()
  return { rate: count / seconds, cpu: meter.perUnit() }
}

async function openCount({ pool }: Context): Promise<number> {
  return Number((await pool.query('select count(*) as open from webhook_deliveries where retries_left is not null')).rows[0].open)
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
