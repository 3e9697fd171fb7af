import { openSessionLocks } from '../../../src/database/liveness/sessionLocks.ts'
import { makeRemovedJobs } from '../../../src/database/queue/removedJobs.ts'
import { contextFor, type Services } from '../../../src/domain/context.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { createSubscription } from '../../../src/domain/webhooks/subscriptions/createSubscription.ts'
import { type WebhookEvent, webhookEvents } from '../../../src/entities/WebhookSubscription.ts'
import { webhookDeliverer } from '../../../src/jobs/deliveries/deliverWebhooks.ts'
import { deliveryRunners } from '../../../src/jobs/runners/deliveryRunners.ts'
import { startRunner } from '../../../src/jobs/runners/startRunner.ts'
import { parseCidrs } from '../../../src/network/addresses.ts'
import { directUrl, testPool } from '../database/database.ts'
import { aServiceContext, type TeamWithKey } from '../factories.ts'
import { endAtOnce, type WantedEnd } from '../generations/generationTransitions.ts'

/** Allows webhooks to receivers on loopback, with quick retries. */
export const loopback = { allowedPrivateAddresses: parseCidrs('127.0.0.0/8'), webhookFirstRetrySeconds: 0.02 }

const madePng = { storageKey: 'results/x', mimeType: 'image/png', sizeBytes: 100, sha256: '00', width: 8, height: 8, durationSeconds: null }

/** The end of generations in tests, from any state. */
const endings = {
  ready: { to: 'ready', result: madePng },
  failed: { to: 'failed', failure: { code: 'timeout', reason: 'model_timeout' } },
  cancelled: { to: 'cancelled', charged: false },
} satisfies Record<string, WantedEnd>

/** Starts a generation of that team with `own` fields and ends it, both with the real functions; `before` runs in between. */
export async function anEnding(
  team: TeamWithKey,
  how: keyof typeof endings = 'failed',
  { before, own }: { before?: () => Promise<unknown>; own?: { reference: string; metadata: Record<string, string> } } = {},
): Promise<string> {
  const { generation } = await startGeneration(team.context, team.spender, {
    request: { familyId: 'sandbox-image', prompt: 'a grey square', ...own },
    idempotencyKey: undefined,
  })
  const id = String(generation['generationId'])
  await before?.()
  await endAtOnce(contextFor(team.context, { kind: 'system' }), id, endings[how])
  return id
}

/** A subscription of the team (default: all events), and its secret. */
export function aSubscription(services: Services, { team }: TeamWithKey, address: string, events: readonly WebhookEvent[] = webhookEvents) {
  return createSubscription(aServiceContext(services), { teamId: team.id, address, events })
}

let deliverers = 0

/** Delivers like a separate process, with its own locks and job runners. */
export async function aDeliverer(
  services: Services,
  { graceMs = 0, ...limits }: { graceMs?: number; subscriptionsAtOnce?: number; sessionMs?: number } = {},
): Promise<{ stop(): Promise<void> }> {
  const processId = `deliverer-${(deliverers += 1)}`
  const direct = directUrl(services.pool.options.connectionString ?? '')
  const locks = openSessionLocks(direct, { processId, log: services.log })
  // It listens.
  const pool = testPool(direct, 5)
  const deliverer = webhookDeliverer(services, { locks, graceMs, ...limits })
  const options = { pool, onPool: () => undefined }
  const runners = await Promise.all(
    deliveryRunners(deliverer).map((runner) => startRunner({ services, removedJobs: makeRemovedJobs() }, runner, options)),
  )
  return {
    async stop() {
      deliverer.stop()
      await Promise.all(runners.map((runner) => runner.stop()))
      deliverer.close()
      await locks.close()
      await pool.end()
    },
  }
}
