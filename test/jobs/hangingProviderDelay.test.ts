import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeRegistry } from '../../src/providers/registry.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { sharedSandbox } from '../support/media/sharedWorkers.ts'
import { vendorProvider } from '../support/vendor/vendorProvider.ts'
import { startVendor } from '../support/vendor/vendorServer.ts'

const root = join(import.meta.dirname, '..', '..')

/** The families of the sandbox and of the test vendor. */
async function bothCatalogs(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-catalogs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await symlink(join(root, 'catalog', 'sandbox'), join(folder, 'sandbox'))
  await symlink(join(root, 'test', 'support', 'vendor', 'catalog'), join(folder, 'vendor'))
  return folder
}

/** The time from the request to the result, for a waiting caller. */
async function secondsOf(app: TestApp, key: string): Promise<number> {
  const began = performance.now()
  const body = { familyId: 'sandbox-image', prompt: 'a boat' }
  const { generationId } = (await app.ask('POST /generations', { key, body })).body
  const ended = await app.ask(`GET /generations/${generationId}?wait=20`, { key })
  expect(ended.body.state).toBe('ready')
  return (performance.now() - began) / 1000
}

test('20 requests that hang at one vendor delay those of the sandbox by less than a second', { timeout: 90_000 }, async () => {
  const hanging = await startVendor({ submit: 'hangs' })
  const quiet = await startVendor()
  const app = await testApp({
    clock: 'database',
    catalogFolder: await bothCatalogs(),
    worker: () =>
      makeRegistry([
        sharedSandbox(),
        vendorProvider(hanging.url, { idempotentSubmit: true }),
        vendorProvider(quiet.url, { id: 'quiet', idempotentSubmit: true }),
      ]),
  })
  onTestFinished(async () => {
    await hanging.close()
    await app.close()
    await quiet.close()
  })
  const { value: key } = await aTeamWithKey(app.services)
  const warm = await secondsOf(app, key)
  const alone = Math.min(warm, await secondsOf(app, key), await secondsOf(app, key))

  for (let count = 0; count < 20; count++) await app.ask('POST /generations', { key, body: { familyId: 'vendor-image', prompt: 'a boat' } })
  // Its share of the slots of this process. The rest waits in the queue.
  await vi.waitFor(() => expect(hanging.submits).toBeGreaterThan(1), { timeout: 20_000, interval: 20 })
  const beside = Math.min(await secondsOf(app, key), await secondsOf(app, key), await secondsOf(app, key))
  expect(beside - alone).toBeLessThan(1)
})
