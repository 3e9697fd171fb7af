import { type ChildProcess, fork } from 'node:child_process'
import { on } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { createTeam } from '../src/domain/access/teams.ts'
import { type Context, contextFor, type Services, transaction } from '../src/domain/context.ts'
import { addDeliveries } from '../src/domain/webhooks/addDeliveries.ts'
import { createSubscription } from '../src/domain/webhooks/createSubscription.ts'
import { deliverWebhooks } from '../src/jobs/deliverWebhooks.ts'

/** `ratio`: how fast we are beside bare undici that posts the same bodies to the same receiver over as many connections. */
export type WebhookFigures = { deliveriesPerSecond: number; barePerSecond: number; ratio: number; cpuMicroseconds: number }

const subscriptions = 50
const inFlight = 2 * subscriptions

/**
 * Measures deliveries from the recorded event to the written log: leased, signed, sent to a receiver in a process of its own, written
 * down. `services` must be allowed to reach 127.0.0.1. `rounds` of 50 events each; the first tenth warms up.
 */
export async function measureWebhooks(services: Services, { rounds = 100 }: { rounds?: number } = {}): Promise<WebhookFigures> {
  const receiver = fork(new URL('./webhookReceiver.ts', import.meta.url))
  try {
    const context = contextFor(services, { kind: 'service' })
    const port = await portOf(receiver)
    const ids = await makeSubscriptions(context, `http://127.0.0.1:${port}/hook`)
    await deliver(context, ids, Math.ceil(rounds / 10))
    const own = await deliver(context, ids, rounds)
    const bodies = (await services.pool.query<{ body: Buffer }>('select body from webhook_deliveries limit $1', [rounds * subscriptions])).rows
    await postAll(port, bodies.slice(0, bodies.length / 10))
    const barePerSecond = await postAll(port, bodies)
    return { ...own, barePerSecond, ratio: own.deliveriesPerSecond / barePerSecond }
  } finally {
    receiver.kill()
  }
}

async function portOf(receiver: ChildProcess): Promise<number> {
  for await (const [message] of on(receiver, 'message')) if ('port' in message) return message.port
  throw new Error('the receiver did not start')
}

async function makeSubscriptions(context: Context, address: string): Promise<string[]> {
  const { id: teamId } = await createTeam(context, { name: 'webhook bench' })
  const ids: string[] = []
  for (let count = 0; count < subscriptions; count += 1) {
    ids.push((await createSubscription(context, { teamId, address, events: ['generation.failed'] })).subscription.id)
  }
  return ids
}

async function deliver(context: Context, ids: string[], rounds: number): Promise<{ deliveriesPerSecond: number; cpuMicroseconds: number }> {
  for (let round = 0; round < rounds; round += 1) await recordRound(context, ids)
  const started = performance.now()
  const cpu = process.cpuUsage()
  const deliverer = deliverWebhooks(context, 'bench')
  while ((await open(context)) > 0) await pause(20)
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  await deliverer.stop()
  const deliveries = rounds * ids.length
  return { deliveriesPerSecond: deliveries / seconds, cpuMicroseconds: (user + system) / deliveries }
}

async function recordRound(context: Context, ids: string[]): Promise<void> {
  await transaction(context, async (inside) => {
    const { rows } = await context.pool.query<{ id: string; number: number }>(
      'update webhook_subscriptions set last_event_number = last_event_number + 1 where id = any($1) returning id, last_event_number as number',
      [ids],
    )
    const numbered = rows.map(({ id, number }) => ({ subscriptionId: id, eventNumber: number }))
    const generation = { generationId: 'gen_bench', prompt: 'x'.repeat(900) }
    await addDeliveries(inside, numbered, { event: 'generation.failed', createdAt: context.clock.now(), generation, isTest: false })
  })
}

async function open(context: Context): Promise<number> {
  const { rows } = await context.pool.query('select exists (select from webhook_deliveries where next_attempt_at is not null)::integer as open')
  return rows[0].open
}

async function postAll(port: number, bodies: { body: Buffer }[]): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: inFlight })
  const started = performance.now()
  const left = bodies.values()
  const headers = { 'content-type': 'application/json' }
  const postThem = async () => {
    for (const { body } of left) await (await pool.request({ method: 'POST', path: '/hook', body, headers })).body.dump()
  }
  await Promise.all(Array.from({ length: inFlight }, postThem))
  await pool.close()
  return bodies.length / ((performance.now() - started) / 1000)
}
