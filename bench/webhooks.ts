import { type ChildProcess, fork } from 'node:child_process'
import { on } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { makeLogger } from '../src/cli/logger.ts'
import { openServices } from '../src/cli/openServices.ts'
import { readConfig } from '../src/config/readConfig.ts'
import type { PublicGeneration } from '../src/contract/generation.ts'
import { type Context, contextFor, transaction } from '../src/domain/context.ts'
import { addDeliveries } from '../src/domain/webhooks/addDeliveries.ts'
import { createSubscription } from '../src/domain/webhooks/createSubscription.ts'
import { deliverWebhooks } from '../src/jobs/deliverWebhooks.ts'
import { type CpuMeter, cpuMeter } from './support/cpu.ts'
import type { Fixture } from './support/fixture.ts'
import type { Row } from './support/table.ts'

const subscriptions = 50
const inFlight = 2 * subscriptions
const rounds = 100
const repeats = 3

/**
 * Deliveries from the recorded event to the written log: leased, signed, sent to a receiver in a process of its own, written down;
 * beside bare undici that posts the same bodies to the same receiver over as many connections. The two take turns, and the best of
 * the repeats stands for each, so that a busy machine does not decide.
 */
export async function benchWebhooks(fixture: Fixture): Promise<Row> {
  const env = { ...fixture.env, ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }
  const opened = await openServices(readConfig(env, { command: 'work' }), {
    log: makeLogger({ level: 'error' }),
    publicUrl: 'http://localhost',
    listeners: [],
    poolMax: 4,
  })
  const receiver = fork(new URL('./processes/webhookReceiver.ts', import.meta.url), { execArgv: [] })
  try {
    const context = contextFor(opened.services, { kind: 'service' })
    const port = await portOf(receiver)
    const ids = await makeSubscriptions(context, { teamId: fixture.teamId, address: `http://127.0.0.1:${port}/hook` })
    await deliver(context, ids, rounds / 10)
    const own: number[] = []
    const bare: number[] = []
    const meter = cpuMeter({ serverPid: process.pid, clusterFolder: fixture.clusterFolder })
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      own.push(await deliver(context, ids, rounds, meter))
      bare.push(await postAll(port, await storedBodies(context, rounds * subscriptions)))
    }
    const limit = { name: 'bare undici posting the same bodies', value: Math.max(...bare) }
    return { name: 'webhooks, recorded to logged', ours: Math.max(...own), unit: '/s', cpu: meter.perUnit(), limit, aim: '≥ 0.5' }
  } finally {
    receiver.kill()
    await opened.close()
  }
}

async function storedBodies({ pool }: Context, count: number): Promise<Buffer[]> {
  const { rows } = await pool.query<{ body: Buffer }>('select body from webhook_deliveries limit $1', [count])
  return rows.map(({ body }) => body)
}

async function portOf(receiver: ChildProcess): Promise<number> {
  for await (const [message] of on(receiver, 'message')) if ('port' in message) return message.port
  throw new Error('the receiver did not start')
}

async function makeSubscriptions(context: Context, { teamId, address }: { teamId: string; address: string }): Promise<string[]> {
  const ids: string[] = []
  for (let count = 0; count < subscriptions; count += 1) {
    ids.push((await createSubscription(context, { teamId, address, events: ['generation.failed'] })).subscription.id)
  }
  return ids
}

/** Deliveries per second. */
async function deliver(context: Context, ids: string[], times: number, meter?: CpuMeter): Promise<number> {
  for (let round = 0; round < times; round += 1) await recordRound(context, ids)
  const count = times * ids.length
  const run = async () => {
    const started = performance.now()
    const deliverer = deliverWebhooks(context, 'bench')
    while (await isOpen(context)) await pause(10)
    const seconds = (performance.now() - started) / 1000
    await deliverer.stop()
    return { count, rate: count / seconds }
  }
  return (await (meter ? meter.during(run) : run())).rate
}

async function recordRound(context: Context, ids: string[]): Promise<void> {
  await transaction(context, async (inside) => {
    const { rows } = await context.pool.query<{ id: string; number: number }>(
      'update webhook_subscriptions set last_event_number = last_event_number + 1 where id = any($1) returning id, last_event_number as number',
      [ids],
    )
    const numbered = rows.map(({ id, number }) => ({ subscriptionId: id, eventNumber: number }))
    const generation = { generationId: 'gen_bench', prompt: 'x'.repeat(900) } as PublicGeneration
    await addDeliveries(inside, numbered, { event: 'generation.failed', createdAt: context.clock.now(), generation, isTest: false })
  })
}

async function isOpen({ pool }: Context): Promise<boolean> {
  return (await pool.query('select exists (select from webhook_queue) as open')).rows[0].open
}

async function postAll(port: number, bodies: Buffer[]): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: inFlight })
  const started = performance.now()
  const left = bodies.values()
  const headers = { 'content-type': 'application/json' }
  const postThem = async () => {
    for (const body of left) await (await pool.request({ method: 'POST', path: '/hook', body, headers })).body.dump()
  }
  await Promise.all(Array.from({ length: inFlight }, postThem))
  await pool.close()
  return bodies.length / ((performance.now() - started) / 1000)
}
