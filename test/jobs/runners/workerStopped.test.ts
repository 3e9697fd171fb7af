import { afterAll, expect, test, vi } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { startWorker, type Worker } from '../../../src/jobs/runners/worker.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { heldProvider } from '../../support/vendor/heldProvider.ts'
import { vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices({ clock: 'database' })
const { services, databaseUrl, logged } = own
afterAll(own.close)

const soon = { timeout: 20_000, interval: 20 }

async function working(provider: Provider, options: { drainSeconds: number; stopMs?: number }): Promise<Worker> {
  const shutdown = new AbortController()
  const jobs = { services, providers: makeRegistry([provider]), shutdown: shutdown.signal }
  const place = { pool: services.pool, databaseUrl, processId: newId('proc'), concurrency: 20, onPool: () => undefined }
  const worker = await startWorker(jobs, { ...place, queues: ['generations'], ...options })
  return {
    ...worker,
    stop() {
      shutdown.abort()
      return worker.stop()
    },
  }
}

async function started(): Promise<string> {
  const { context, spender } = await aTeamWithKey(services)
  const { generation } = await startGeneration(context, spender, { request: { familyId: 'vendor-image', prompt: 'a boat' } })
  return generation.generationId
}

async function stateOf(id: string): Promise<string> {
  return (await services.pool.query('select state from generations where id = $1', [id])).rows[0]?.state
}

function hasLogged(message: string): boolean {
  return logged.some((line) => line.message === message)
}

test('a worker that stops waits for answers of open submits, records them, and takes no new job', async () => {
  const { provider, held, submitted } = heldProvider('done')
  const worker = await working(provider, { drainSeconds: 60, stopMs: 0 })
  const open = await started()
  await vi.waitFor(() => expect(held).toHaveLength(1), soon)
  let isStopped = false
  const stopping = worker.stop().then(() => {
    isStopped = true
  })
  const later = await started()
  const next = heldProvider('done')
  const other = await working(next.provider, { drainSeconds: 0, stopMs: 0 })
  await vi.waitFor(() => expect(next.submitted).toEqual([later]), soon)
  expect([isStopped, await stateOf(open), submitted]).toEqual([false, 'queued', [open]])
  held[0]?.answer()
  await stopping
  expect(['finalizing', 'ready']).toContain(await stateOf(open))
  await vi.waitFor(async () => expect(await stateOf(open)).toBe('ready'), soon)
  next.held[0]?.answer()
  await vi.waitFor(async () => expect(await stateOf(later)).toBe('ready'), soon)
  await other.stop()
  expect([hasLogged('waits for the answers of vendors before it ends'), submitted]).toEqual([true, [open]])
})

test('a worker waits for answers until its time limit', async () => {
  const { provider, held } = heldProvider('done')
  const worker = await working(provider, { drainSeconds: 1, stopMs: 0 })
  await started()
  await vi.waitFor(() => expect(held).toHaveLength(1), soon)
  await worker.stop()
  await worker.drained()
  expect(hasLogged('ends without the answers of vendors')).toBe(true)
  held[0]?.answer()
})

test('a submit that another process may repeat is requeued at once when the worker stops', async () => {
  const { provider, held } = heldProvider('done')
  const worker = await working({ ...provider, capabilities: { cancel: 'never', idempotentSubmit: true } }, { drainSeconds: 60 })
  const id = await started()
  await vi.waitFor(() => expect(held).toHaveLength(1), soon)
  const begunAt = performance.now()
  await worker.stop()
  expect(performance.now() - begunAt).toBeLessThan(8_000)
  expect(await stateOf(id)).toBe('queued')
  const waits = `select 1 from graphile_worker.jobs where key = $1 and locked_at is null`
  expect((await services.pool.query(waits, [`generation:${id}`])).rows).toHaveLength(1)
})
