import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { contextFor } from '../../src/domain/context.ts'
import { endReady } from '../../src/domain/generations/ending/endReady.ts'
import { startGeneration } from '../../src/domain/generations/start/startGeneration.ts'
import { type Claim, claimGeneration } from '../../src/domain/generations/steps/claimGeneration.ts'
import { recordIntent, recordSubmitted } from '../../src/domain/generations/steps/recordSubmit.ts'
import { rescheduleClaimedStep } from '../../src/domain/generations/steps/rescheduleClaimedStep.ts'
import { sendNotice } from '../../src/domain/sendNotice.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'
import { testServices } from '../support/services.ts'
import { aSubscription, loopback } from '../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
const context = contextFor(services, { kind: 'system' })
const listener = new pg.Client({ connectionString: services.pool.options.connectionString })
await listener.connect()
await listener.query('listen "jobs:insert"; listen "generation"')
afterAll(async () => {
  await listener.end()
  await close()
})

/** How many notices of new jobs `work` causes, in its commits or after them. */
async function jobNoticesOf(work: () => Promise<unknown>): Promise<number> {
  await noticesReceived()
  let count = 0
  const receive = ({ channel }: pg.Notification) => void (channel === 'jobs:insert' && (count += 1))
  listener.on('notification', receive)
  await work()
  await noticesReceived()
  listener.off('notification', receive)
  return count
}

/** Resolves when every notice so far has arrived: those of commits, and those that this process delays. */
async function noticesReceived(): Promise<void> {
  const last = `last ${performance.now()}`
  const { promise, resolve } = Promise.withResolvers<void>()
  const receive = ({ payload }: pg.Notification) => void (payload === last && resolve())
  listener.on('notification', receive)
  sendNotice(context, 'generation', last)
  await promise
  listener.off('notification', receive)
}

async function queuedJobs(): Promise<number> {
  const { rows } = await services.pool.query<{ jobs: number }>('select count(*)::integer as jobs from graphile_worker.jobs')
  return rows[0]?.jobs ?? 0
}

test('a start, a first claim, a submit, a poll and an end each cause exactly one notice of their jobs', async () => {
  const team = await aTeamWithKey(services, { credits: 100 })
  const start = () => startGeneration(team.context, team.spender, { request: { familyId: 'sandbox-image', prompt: 'a boat' } })
  const claim = async (id: string, task: 'submitGeneration' | 'pollGeneration' | 'finaliseGeneration'): Promise<Claim> => {
    const claimed = await claimGeneration(context, id, { task, providerId: 'sandbox', deadlineSeconds: 60 })
    if (!claimed) throw new Error('it was not claimed')
    return claimed
  }
  const { generation } = await start()
  const id = generation.generationId
  // More starts than may have a job at once, so that the first claim queues another one.
  for (let more = 0; more < 9; more += 1) await start()
  expect(await jobNoticesOf(start)).toBe(1)

  let claimed: Claim | undefined
  const before = await queuedJobs()
  expect(await jobNoticesOf(async () => (claimed = await claim(id, 'submitGeneration')))).toBe(1)
  expect(await queuedJobs()).toBe(before + 1)
  if (!claimed) throw new Error('it was not claimed')
  const submitted = claimed
  await recordIntent(context, submitted, { id: 'sandbox', simulated: true })
  const handle = { provider: 'sandbox', v: 1, data: {} }
  const accepted = { handle, isBegun: false, position: undefined, delaySeconds: 0.5 }
  expect(await jobNoticesOf(() => recordSubmitted(context, submitted, accepted))).toBe(1)
  const polled = await claim(id, 'pollGeneration')
  const again = { task: 'pollGeneration', delaySeconds: 0.5, isRetry: false } as const
  expect(await jobNoticesOf(() => rescheduleClaimedStep(context, polled, again))).toBe(1)

  await aSubscription(services, team, 'http://127.0.0.1:9/')
  await generationTransitions(services).gather(id)
  const stored = { storageKey: `results/${id}/1`, mimeType: 'image/png', sizeBytes: 1, sha256: '00' }
  const result = { ...stored, width: 1, height: 1, durationSeconds: null }
  const ending = { generation: (await claim(id, 'finaliseGeneration')).generation, result, cleanup: [], breakerOutcome: undefined }
  expect(await jobNoticesOf(() => endReady(context, ending))).toBe(1)
  const { rows } = await services.pool.query(`select key from graphile_worker.jobs where task_identifier = 'deliverWebhooks'`)
  expect(rows).toHaveLength(1)
})
