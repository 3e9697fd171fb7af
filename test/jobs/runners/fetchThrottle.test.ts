import { setImmediate, setTimeout } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { makeSharedSlots } from '../../../src/concurrency/sharedSlots.ts'
import { newId } from '../../../src/contract/ids.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { makeFetchThrottle } from '../../../src/jobs/runners/fetchThrottle.ts'
import { startWorker } from '../../../src/jobs/runners/worker.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { vendorProvider } from '../../support/vendor/vendorProvider.ts'
import { vendorServices } from '../../support/vendor/vendorRun.ts'
import { startVendor } from '../../support/vendor/vendorServer.ts'

const { services, close } = await vendorServices()
afterAll(close)

/** A single family may hold two of eight slots. */
function twoForEach() {
  const shutdown = new AbortController()
  const slots = makeSharedSlots(8)
  const throttle = makeFetchThrottle({ services, shutdown: shutdown.signal }, slots)
  const fetchJob = () => {
    const pending = { flags: undefined as string[] | null | undefined }
    void throttle.before().then((flags) => {
      pending.flags = flags
    })
    return pending
  }
  return { shutdown, slots, throttle, fetchJob }
}
const ofImages = { group: 'vendor', member: 'vendor-image' }
const whenFull = ['family:vendor-image']
const nextJob = `select nextval(pg_get_serial_sequence('graphile_worker._private_jobs', 'id')) as number`

test('there are at most as many pending fetches as free slots, and an empty one starts the next', async () => {
  const { throttle, fetchJob } = twoForEach()
  const fetches = [fetchJob(), fetchJob(), fetchJob()]
  await setImmediate()
  expect(fetches.map(({ flags }) => flags)).toEqual([null, null, undefined])
  throttle.onEmptyFetch()
  await setImmediate()
  expect(fetches.map(({ flags }) => flags)).toEqual([null, null, null])
})

test('after a job takes the last slot for started work of its family, fetches skip started work of that family', async () => {
  const { throttle, fetchJob } = twoForEach()
  const fetches = [fetchJob(), fetchJob(), fetchJob()]
  await setImmediate()
  const jobs = [throttle.forJob(), throttle.forJob()]
  const releases = jobs.map(({ slots }) => slots.take(ofImages))
  await setImmediate()
  expect(releases.every(Boolean)).toBe(true)
  expect(fetches.at(-1)?.flags).toEqual(whenFull)
  releases[0]?.()
  for (const { end } of jobs) end()
  throttle.onEmptyFetch()
  expect(await throttle.before()).toBeNull()
})

test('when new work holds its maximum of slots, fetches skip only new work, not later steps', async () => {
  const { throttle, fetchJob } = twoForEach()
  const jobs = [throttle.forJob(), throttle.forJob()]
  const releases = jobs.map(({ slots }) => slots.take({ ...ofImages, isNew: true }))
  const pending = fetchJob()
  await setImmediate()
  expect([releases.every(Boolean), pending.flags]).toEqual([true, ['new:vendor-image']])
})

test('an empty fetch that skipped full families is repeated after a pause, or when one of them has room again', async () => {
  const { throttle, fetchJob } = twoForEach()
  const releases = [throttle.forJob().slots.take(ofImages), throttle.forJob().slots.take(ofImages)]
  const first = fetchJob()
  await setTimeout(50)
  throttle.onEmptyFetch()
  const second = fetchJob()
  await setImmediate()
  expect([first.flags, second.flags]).toEqual([whenFull, undefined])
  releases[0]?.()
  await setImmediate()
  expect(second.flags).toBeNull()
})

test('a job that ends without a slot counts once, and a shutdown ends all waits', async () => {
  const { shutdown, throttle, fetchJob } = twoForEach()
  const fetches = [fetchJob(), fetchJob(), fetchJob()]
  await setImmediate()
  const job = throttle.forJob()
  job.end()
  job.end()
  await setImmediate()
  expect(fetches.at(-1)?.flags).toBeNull()
  shutdown.abort()
  expect(await throttle.before()).toBeNull()
})

test('a backlog of one family is processed without fetching jobs that get no slot', async () => {
  const request = { familyId: 'quiet-image', prompt: 'a boat' }
  // As many starts per team as may have a job at once.
  const teams = await Promise.all(Array.from({ length: 8 }, () => aTeamWithKey(services, { credits: 1_000 })))
  const starts = teams.flatMap(({ context, spender }) =>
    Array.from({ length: 8 }, () => startGeneration(context, spender, { request, idempotencyKey: undefined })),
  )
  const generations = await Promise.all(starts)
  const ids = generations.map(({ generation }) => generation.generationId)
  const jobsMade = async () => Number((await services.pool.query(nextJob)).rows[0].number)
  const before = await jobsMade()
  const vendor = await startVendor()
  const shutdown = new AbortController()
  const providers = makeRegistry([vendorProvider(vendor.url, { id: 'quiet', idempotentSubmit: true })])
  const worker = await startWorker(
    { services, providers, shutdown: shutdown.signal },
    {
      pool: services.pool,
      databaseUrl: services.pool.options.connectionString ?? '',
      processId: newId('proc'),
      concurrency: 16,
      onPool() {},
    },
  )
  onTestFinished(async () => {
    shutdown.abort()
    await worker.stop()
    await vendor.close()
  })
  const ready = `select count(*) from generations where id = any($1) and state = 'ready'`
  const isReady = async () => expect((await services.pool.query(ready, [ids])).rows).toEqual([{ count: ids.length }])
  await vi.waitFor(isReady, { timeout: 60_000, interval: 50 })
  // Every generation has its job already. Some are requeued, because a poll takes the slot after the fetch; without the throttle, nearly all.
  expect((await jobsMade()) - before).toBeLessThanOrEqual(ids.length * 0.75)
})
