import pg from 'pg'
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { keepAlive } from '../../../src/database/liveness/liveness.ts'
import { contextFor } from '../../../src/domain/context.ts'
import { cancelGeneration } from '../../../src/domain/generations/ending/cancelGeneration.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { startWorker } from '../../../src/jobs/runners/worker.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { ageLocks, orphansSwept } from '../../support/generations/jobLocks.ts'
import { productionTimeouts } from '../../support/services.ts'
import { heldProvider } from '../../support/vendor/heldProvider.ts'
import { vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices({ ...productionTimeouts, clock: 'database' })
const { services, databaseUrl, logged } = own
afterAll(own.close)

const soon = { timeout: 30_000, interval: 20 }

async function administer(sql: string): Promise<void> {
  const client = new pg.Client(inject('postgresUrl'))
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** Faults of the database, until `end`. */
const faults = {
  async stall() {
    const client = new pg.Client(databaseUrl)
    await client.connect()
    await client.query('begin; lock table graphile_worker._private_jobs')
    return { end: () => client.end() }
  },
  async restart() {
    const name = new URL(databaseUrl).pathname.slice(1)
    await administer(`alter database ${name} with allow_connections false`)
    await administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    return { end: () => administer(`alter database ${name} with allow_connections true`) }
  },
}

async function working(provider: Provider) {
  const processId = newId('proc')
  const alive = { url: databaseUrl, pool: services.pool, processId, roles: ['worker'], queues: ['generations'], log: services.log }
  const liveness = await keepAlive({ ...alive, pollIntervalMs: 50 })
  const shutdown = new AbortController()
  const worker = await startWorker(
    { services, providers: makeRegistry([provider]), shutdown: shutdown.signal },
    {
      pool: services.pool,
      databaseUrl,
      processId,
      concurrency: 40,
      queues: ['generations'],
      onPool: liveness.addWorkerPool,
      onPoolEnd: liveness.removeWorkerPool,
    },
  )
  onTestFinished(async () => {
    shutdown.abort()
    await worker.stop()
    await liveness.close()
  })
}

test.each(['stall', 'restart'] as const)(
  'after a %s of the database, every open submit ends as ready and was made once',
  {
    timeout: 120_000,
  },
  async (fault) => {
    const { provider, held, submitted } = heldProvider('job')
    const cancelled = Promise.withResolvers<void>()
    const cancels: unknown[] = []
    let ended = ''
    await working({
      ...provider,
      cancel: async (handle) => {
        // The job of the case before, which could not record its end, runs again here.
        if ((handle.data as { generationId: string }).generationId !== ended) return 'cancelled'
        cancels.push(handle)
        await cancelled.promise
        return 'cancelled'
      },
      poll: async () =>
        cancels.length === 0 ? { state: 'running', pollAfterMs: 60_000 } : { state: 'succeeded', outputs: [{ data: {} }] },
    })
    const { context, spender, actor } = await aTeamWithKey(services, { credits: 100 })
    const start = async () => {
      const { generation } = await startGeneration(context, spender, { request: { familyId: 'vendor-image', prompt: 'a boat' } })
      return generation.generationId
    }
    // The end of the cancel job cannot be recorded, so the library gives up.
    ended = await start()
    await vi.waitFor(() => expect(held).toHaveLength(1), soon)
    held[0]?.answer()
    const isRunning = `select 1 from generations where id = $1 and state = 'running'`
    await vi.waitFor(async () => expect((await services.pool.query(isRunning, [ended])).rows).toHaveLength(1), soon)
    await cancelGeneration(contextFor(services, actor), spender, ended)
    await vi.waitFor(() => expect(cancels).toHaveLength(1), soon)
    const ids = await Promise.all(Array.from({ length: 6 }, start))
    await vi.waitFor(() => expect(held).toHaveLength(7), soon)

    const { end } = await faults[fault]()
    const from = logged.length
    cancelled.resolve()
    const hasGivenUp = () => logged.slice(from).some(({ message }) => message === 'the job queue gave up and is restarted')
    await vi.waitFor(() => expect(hasGivenUp()).toBe(true), soon)
    await end()
    await vi.waitFor(() => ageLocks(services.pool), soon)
    await orphansSwept(services.pool)
    // Unlocked jobs run before this one.
    const later = await start()
    await vi.waitFor(() => expect(submitted).toContain(later), soon)
    for (const { answer } of held) answer()
    const states = `select state, failure from generations where id = any($1)`
    const ready = Array.from(ids, () => ({ state: 'ready', failure: null }))
    await vi.waitFor(async () => expect((await services.pool.query(states, [ids])).rows).toEqual(ready), soon)
    expect(submitted.toSorted()).toEqual([ended, ...ids, later].toSorted())
  },
)
