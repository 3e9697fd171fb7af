import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { startWorker } from '../../../src/jobs/runners/worker.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import type { TestServices } from '../../support/services.ts'
import { vendorProvider } from '../../support/vendor/vendorProvider.ts'
import { vendorServices } from '../../support/vendor/vendorRun.ts'
import { startVendor } from '../../support/vendor/vendorServer.ts'

const here = await vendorServices({ clock: 'database' })
const there = await vendorServices({ databaseUrl: here.databaseUrl, clock: 'database' })
afterAll(async () => {
  await there.close()
  await here.close()
})

async function work({ services, databaseUrl }: TestServices, vendorUrl: string): Promise<void> {
  const providers = makeRegistry([vendorProvider(vendorUrl, { idempotentSubmit: true })])
  const shutdown = new AbortController()
  const options = { pool: services.pool, databaseUrl, processId: newId('proc'), concurrency: 8, onPool: () => undefined }
  const worker = await startWorker({ services, providers, shutdown: shutdown.signal }, options)
  onTestFinished(async () => {
    shutdown.abort()
    await worker.stop()
  })
}

test("two processes never exceed the vendor's limit of a family together, and all work is completed in order", async () => {
  const vendor = await startVendor({ pollsUntilDone: 2 })
  onTestFinished(() => vendor.close())
  const { context, spender } = await aTeamWithKey(here.services)
  for (const each of [here, there]) await work(each, vendor.url)
  const request = { familyId: 'narrow-image', prompt: 'a boat' }
  const starts = await Promise.all(Array.from({ length: 6 }, () => startGeneration(context, spender, { request })))
  const ids = starts.map(({ generation }) => generation.generationId)
  const states = async () => (await here.services.pool.query('select state from generations where id = any($1)', [ids])).rows
  await vi.waitFor(async () => expect(new Set((await states()).map(({ state }) => state))).toEqual(new Set(['ready'])), {
    timeout: 20_000,
    interval: 50,
  })
  expect(vendor.mostAtOnce).toBe(1)
  expect(vendor.submits).toBe(6)
})
