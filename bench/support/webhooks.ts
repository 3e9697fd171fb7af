import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { PublicGeneration } from '../../src/contract/shapes/generation.ts'
import { createTeam } from '../../src/domain/access/teams/teams.ts'
import { type Context, transaction } from '../../src/domain/context.ts'
import { addDeliveries } from '../../src/domain/webhooks/deliveries/addDeliveries.ts'
import { createSubscription } from '../../src/domain/webhooks/subscriptions/createSubscription.ts'

/** A receiver in its own process, see ../processes/webhookReceiver.ts. */
export type WebhookReceiver = {
  pid: number
  at(path: string): string
  /** Returns the delays of requests to `/timed` since the last call. */
  lateMs(): Promise<number[]>
  stop(): void
}

export async function startReceiver(): Promise<WebhookReceiver> {
  const child = fork(new URL('../processes/webhookReceiver.ts', import.meta.url), { execArgv: [] })
  const [{ port }] = await once(child, 'message')
  return {
    pid: child.pid ?? 0,
    at: (path) => `http://127.0.0.1:${port}${path}`,
    async lateMs() {
      child.send('how late?')
      const [{ lateMs }] = await once(child, 'message')
      return lateMs
    },
    stop: () => void child.kill(),
  }
}

/** The maximum of subscriptions of a team. */
const ofOneTeam = 100

export async function makeSubscriptions(context: Context, { count, address }: { count: number; address: string }): Promise<string[]> {
  const ids: string[] = []
  let teamId = ''
  while (ids.length < count) {
    if (ids.length % ofOneTeam === 0) teamId = (await createTeam(context, { name: 'Bench' })).id
    ids.push((await createSubscription(context, { teamId, address, events: ['generation.failed'] })).subscription.id)
  }
  return ids
}

/** Records `rounds` events for each subscription, each round in one transaction, as ends of generations do. */
export async function recordRounds(context: Context, ids: string[], rounds: number): Promise<void> {
  const generation = { generationId: 'gen_bench', prompt: 'x'.repeat(900) } as PublicGeneration
  const content = { event: 'generation.failed', dataFor: () => ({ generation }), isTest: false } as const
  for (let round = 0; round < rounds; round += 1) {
    await transaction(context, async (inside) => {
      const { rows } = await context.pool.query<{ id: string; number: number }>(
        'update webhook_subscriptions set last_event_number = last_event_number + 1 where id = any($1) returning id, last_event_number as number',
        [ids],
      )
      const numbered = rows.map(({ id, number }) => ({ subscriptionId: id, eventNumber: number }))
      await addDeliveries(inside, numbered, { ...content, createdAt: context.clock.now() })
    })
  }
}
