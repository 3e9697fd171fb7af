import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { startWorker } from '../../../src/jobs/runners/worker.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { vendorProvider } from '../../support/vendor/vendorProvider.ts'
import { vendorServices } from '../../support/vendor/vendorRun.ts'
import { startVendor, type VendorServer } from '../../support/vendor/vendorServer.ts'

const { services, databaseUrl, close } = await vendorServices({ clock: 'database' })
afterAll(close)
const { pool } = services

const backlog = 160

/** Generations whose vendor works on them, with a poll that is due in an hour. */
async function submittedWork(vendor: VendorServer): Promise<void> {
  const { context, spender } = await aTeamWithKey(services)
  for (let count = 0; count < backlog; count++) {
    const { generation } = await startGeneration(context, spender, { request: { familyId: 'vendor-image', prompt: 'a boat' } })
    const id = generation.generationId
    vendor.jobs.set(id, { id, idempotencyKey: id, polls: 0, cancelled: false })
  }
  await pool.query(`with started as (
      update generations set fence = 1, attempt = 1, deadline_at = present() + interval '2 hours' returning id
    ) insert into generation_attempts (generation_id, number, provider, idempotency_key, intent_at, handle)
        select id, 1, 'vendor', id || '.1', present(),
          jsonb_build_object('provider', 'vendor', 'v', 1, 'data', jsonb_build_object('id', id)) from started`)
  await pool.query(`delete from graphile_worker._private_jobs`)
  await pool.query('delete from waiting_starts')
  await pool.query(`select graphile_worker.add_job('pollGeneration', json_build_object('generationId', id),
      run_at => now() + interval '1 hour', job_key => 'generation:' || id) from generations`)
}

test('jobs that wait for their next poll do not hold up a backlog of due polls', async () => {
  const vendor = await startVendor({ pollsUntilDone: 9 })
  onTestFinished(() => vendor.close())
  const providers = makeRegistry([vendorProvider(vendor.url, { idempotentSubmit: true, pollAfterMs: 9_000 })])
  await submittedWork(vendor)
  const shutdown = new AbortController()
  const options = {
    pool,
    databaseUrl,
    processId: newId('proc'),
    concurrency: 40,
    queues: ['generations' as const],
    onPool: () => undefined,
  }
  const worker = await startWorker({ services, providers, shutdown: shutdown.signal }, options)
  onTestFinished(async () => {
    shutdown.abort()
    await worker.stop()
  })
  // Each place of a runner fetches once at its start, whether jobs are due or not.
  const isIdle = () => pool.waitingCount === 0 && pool.idleCount === pool.totalCount
  for (let seen = 0; seen < 5; seen++) await vi.waitFor(() => expect(isIdle()).toBe(true), { timeout: 20_000, interval: 20 })
  await pool.query(`update graphile_worker._private_jobs set run_at = now()`)
  await pool.query(`notify "jobs:insert"`)
  await vi.waitFor(() => expect(vendor.polls).toBe(backlog), { timeout: 5_000, interval: 20 })
})
