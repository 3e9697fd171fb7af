import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../../src/domain/context.ts'
import { createSubscription } from '../../../src/domain/webhooks/subscriptions/createSubscription.ts'
import { webhookEvents } from '../../../src/entities/WebhookSubscription.ts'

export type FaultReceiver = {
  /** Waits until every delivery is closed, and returns the outcomes. */
  report(): Promise<{
    /** Ended generations without a received event. */
    missingEvents: number
    /** Repeated arrivals, and interrupted attempts in our log: the only cause of repeats. */
    repeats: number
    cut: number
  }>
  close(): Promise<void>
}

const answerMs = 150

/** Receives the webhooks of a team, slowly enough that kills interrupt attempts. */
export async function startFaultReceiver(
  context: Context,
  { teamId, generations }: { teamId: string; generations: number },
): Promise<FaultReceiver> {
  const arrivals = new Map<string, { count: number; generationId: string }>()
  const server = createServer(async (request, response) => {
    const bytes = await request.toArray().catch(() => undefined)
    // Killed while sending.
    if (!bytes) return
    const { id, data } = JSON.parse(Buffer.concat(bytes).toString())
    const { count } = arrivals.get(id) ?? { count: 0 }
    arrivals.set(id, { count: count + 1, generationId: data.generation.generationId })
    await pause(answerMs)
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await createSubscription(context, { teamId, address, events: webhookEvents })

  return {
    async report() {
      await untilClosed(context)
      const told = new Set([...arrivals.values()].map(({ generationId }) => generationId))
      const { rows } = await context.pool.query(`select count(*)::integer as cut from webhook_attempts where refusal like 'cut short%'`)
      const repeats = [...arrivals.values()].reduce((sum, { count }) => sum + count - 1, 0)
      return { missingEvents: generations - told.size, repeats, cut: rows[0].cut }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function untilClosed({ pool }: Context): Promise<void> {
  const deadline = performance.now() + 30_000
  while (performance.now() < deadline) {
    const { rows } = await pool.query('select exists (select from webhook_deliveries where retries_left is not null) as open')
    if (!rows[0].open) return
    await pause(50)
  }
}
