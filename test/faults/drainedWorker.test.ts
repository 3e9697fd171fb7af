import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { startGeneration } from '../../src/domain/generations/start/startGeneration.ts'
import { billingFamilies, writeBillingCatalog } from '../support/billing/billingCatalog.ts'
import { startBillingVendor } from '../support/billing/billingVendor.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { aCommand } from '../support/processes/command.ts'
import { freePort } from '../support/processes/freePort.ts'
import { testServices } from '../support/services.ts'

const folder = await mkdtemp(join(tmpdir(), 'atelier-drained-'))
const catalogFolder = join(folder, 'catalog')
await writeBillingCatalog(catalogFolder, { deadlineSeconds: 120 })
const own = await testServices({ catalogFolder, clock: 'database' })
afterAll(async () => {
  await own.close()
  await rm(folder, { recursive: true, force: true })
})

/** Longer than the end of a process without an open submit may take. */
const vendorSeconds = 17

test('a stopping worker waits until its vendor has answered, and the result is ready', { timeout: 120_000 }, async () => {
  const vendor = await startBillingVendor({ secondsOf: () => vendorSeconds })
  onTestFinished(() => vendor.close())
  const metricsPort = await freePort()
  const env = {
    ...vendor.env,
    DATABASE_URL: own.databaseUrl,
    CATALOG_PATH: catalogFolder,
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
    STORAGE_URL: `file://${join(folder, 'files')}`,
    DATA_DIR: folder,
  }
  const worker = await aCommand('work', { ...env, METRICS_PORT: String(metricsPort) })
  const { context, spender } = await aTeamWithKey(own.services)
  const request = { familyId: billingFamilies.synchronous, prompt: 'a boat' }
  const { generation } = await startGeneration(context, spender, { request })
  await vi.waitFor(() => expect(vendor.works).toHaveLength(1), { timeout: 20_000, interval: 20 })

  const ended = worker.stop()
  const readyz = async () => (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status
  await vi.waitFor(async () => expect(await readyz()).toBe(503), { timeout: 5_000, interval: 20 })
  await aCommand('work', env)
  await vendor.idle()
  expect([await ended, vendor.works.length, vendor.works[0]?.cutAt]).toEqual([0, 1, undefined])
  const state = async () =>
    (await own.services.pool.query('select state from generations where id = $1', [generation.generationId])).rows[0]?.state
  await vi.waitFor(async () => expect(await state()).toBe('ready'), { timeout: 15_000, interval: 50 })
  const idleWorker = await aCommand('work', env)
  const stoppedAt = performance.now()
  expect(await idleWorker.stop()).toBe(0)
  expect(performance.now() - stoppedAt).toBeLessThan(15_000)
})
