import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../src/contract/ids.ts'
import type { Services } from '../../src/domain/context.ts'
import { startGeneration } from '../../src/domain/generations/start/startGeneration.ts'
import { startWorker } from '../../src/jobs/runners/worker.ts'
import { makeRegistry } from '../../src/providers/registry.ts'
import { aTeamWithKey, type TeamWithKey } from '../support/factories.ts'
import { vendorProvider } from '../support/vendor/vendorProvider.ts'
import { vendorServices } from '../support/vendor/vendorRun.ts'
import { startVendor } from '../support/vendor/vendorServer.ts'

const { services, close } = await vendorServices()
afterAll(close)

const soon = { timeout: 20_000, interval: 20 }

async function start({ context, spender }: TeamWithKey, familyId: string): Promise<string> {
  const { generation } = await startGeneration(context, spender, { request: { familyId, prompt: 'a boat' }, idempotencyKey: undefined })
  return generation.generationId
}

async function working(own: Services, concurrency: number) {
  const [hanging, quiet] = [await startVendor({ submit: 'hangs' }), await startVendor()]
  const providers = makeRegistry([
    vendorProvider(hanging.url, { idempotentSubmit: true }),
    vendorProvider(quiet.url, { id: 'quiet', idempotentSubmit: true }),
  ])
  const shutdown = new AbortController()
  const worker = await startWorker(
    { services: own, providers, shutdown: shutdown.signal },
    {
      pool: own.pool,
      databaseUrl: own.pool.options.connectionString ?? '',
      processId: newId('proc'),
      concurrency,
      onPool: () => undefined,
      maintenancePollMs: 50,
    },
  )
  onTestFinished(async () => {
    shutdown.abort()
    await hanging.close()
    await worker.stop()
    await quiet.close()
  })
  return { hanging, quiet }
}

test('a vendor that never answers takes only its share of the slots: work of other vendors ends, and maintenance runs', async () => {
  const team = await aTeamWithKey(services)
  for (let count = 0; count < 30; count++) await start(team, 'vendor-image')
  const { hanging } = await working(services, 8)
  await vi.waitFor(() => expect(hanging.submits).toBeGreaterThanOrEqual(2), soon)

  const others = await Promise.all(Array.from({ length: 10 }, () => start(team, 'quiet-image')))
  await services.pool.query(`update routines set begun_at = null, ended_at = null`)
  const stateOf = async () => {
    const { rows } = await services.pool.query<{ state: string }>('select distinct state from generations where id = any($1)', [others])
    return rows.map(({ state }) => state)
  }
  await vi.waitFor(async () => expect(await stateOf()).toEqual(['ready']), soon)
  const left = `select name from routines where ended_at is null`
  await vi.waitFor(async () => expect((await services.pool.query(left)).rows).toEqual([]), soon)
  expect(hanging.submits).toBe(2)
})
