import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { removeOrphans } from '../../../src/domain/generations/results/removeOrphans.ts'
import type { JobContext } from '../../../src/jobs/runners/jobContext.ts'
import { BrokenOutput } from '../../../src/providers/provider.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'
import { consumeSource } from '../../../src/storage/consumeSource.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { clock } = own
afterAll(own.close)

/** The same process with another `put` of the storage. */
function withStorage(context: JobContext, put: (real: Storage['put']) => Storage['put']): JobContext {
  return { ...context, storage: { ...context.storage, put: put(context.storage.put) } }
}

const refusePut: Storage['put'] = (_key, source) => consumeSource(source, undefined, () => Promise.reject(new Error('the storage is away')))
const outage = (context: JobContext) => withStorage(context, () => refusePut)
const madeAt = (id: string, fence: number) => `results/${id}/${fence}`

test('while the storage is unavailable a result is retried with pauses up to 8 seconds, and stored afterwards', async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const pauses: number[] = []
  for (let tries = 0; tries < 7; tries++) {
    await run.run('finaliseGeneration', outage(run.context))
    pauses.push((await run.waiting())[0]?.seconds ?? Number.NaN)
  }
  expect(pauses).toEqual([1, 2, 4, 8, 8, 8, 8])
  expect(await run.look()).toMatchObject({ state: 'finalizing', creditsCharged: null })
  await run.run('finaliseGeneration')
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150 })
})

const hours = 3_600_000

test("a result is retried after the vendor's deadline; after a day without storage it fails and costs nothing", async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  await run.run('finaliseGeneration', outage(run.context))
  await clock.advance(24 * hours - 1000)
  await run.run('finaliseGeneration', outage(run.context))
  expect(await run.waiting()).toMatchObject([{ task: 'finaliseGeneration', seconds: 1 }])
  await clock.advance(2000)
  await run.run('finaliseGeneration', outage(run.context))
  expect(await run.look()).toMatchObject({ failure: { code: 'internal_error', reason: 'storage_failed' }, creditsCharged: 0 })
})

const breaksOff = (context: JobContext): JobContext => {
  const provider = context.providers.get('vendor')
  if (!provider) throw new Error('the vendor is missing')
  const collect = () => Promise.reject(new BrokenOutput(new Error('the line went dead')))
  return { ...context, providers: makeRegistry([{ ...provider, collect }]) }
}

test('a download that breaks off is retried soon; after a minute of broken downloads the vendor has failed', async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const broken = breaksOff(run.context)
  let seconds = 0
  for (let state = 'finalizing'; state === 'finalizing'; state = (await run.look()).state) {
    await run.run('finaliseGeneration', broken, (await run.waiting())[0]?.payload)
    const pause = (await run.waiting())[0]?.seconds ?? 0
    expect(pause).toBeLessThanOrEqual(8)
    seconds += pause
    await clock.advance(pause * 1000)
  }
  expect(await run.look()).toMatchObject({ failure: { code: 'provider_error', reason: 'provider_failed' }, creditsCharged: 0 })
  expect(seconds).toBeGreaterThanOrEqual(60)
  expect(seconds).toBeLessThanOrEqual(75)
})

test('the minute starts at the first of consecutive broken downloads', async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const broken = breaksOff(run.context)
  const next = async (context: JobContext) => {
    const [job] = await run.waiting()
    await clock.advance(50_000)
    await run.run('finaliseGeneration', context, job?.payload)
  }
  await run.run('finaliseGeneration', broken)
  await next(outage(run.context))
  await next(broken)
  expect(await run.look()).toMatchObject({ state: 'finalizing' })
  await next(run.context)
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150 })
})

test.each(['timed_out', 'out_of_memory', 'crashed'] as const)(
  'an inspector that %s gives no verdict on the result: the inspection is retried',
  async (cause) => {
    const run = await vendorRun(own)
    await run.untilMade()
    const { inspector } = run.context
    const broken = { ...inspector, inspect: async () => ({ ok: false, refusal: 'file_processing_failed', cause }) as const }
    await run.run('finaliseGeneration', { ...run.context, inspector: broken })
    expect(await run.look()).toMatchObject({ state: 'finalizing' })
    await run.run('finaliseGeneration')
    expect(await run.look()).toMatchObject({ state: 'ready' })
  },
)

test("a broken result is the vendor's failure at once", async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const { inspector } = run.context
  const corrupt = { ...inspector, inspect: async () => ({ ok: false, refusal: 'file_processing_failed', cause: 'corrupt' }) as const }
  await run.run('finaliseGeneration', { ...run.context, inspector: corrupt })
  expect(await run.look()).toMatchObject({ failure: { code: 'provider_error', reason: 'provider_failed' }, creditsCharged: 0 })
})

test('a job that lost its claim while it stored records nothing and removes its object; the result of the other job stays', async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const slow = withStorage(run.context, (put) => async (...stored) => {
    // Another process claims the work while the first one stores the result.
    await run.run('finaliseGeneration')
    return put(...stored)
  })
  await run.run('finaliseGeneration', slow)
  const { state, result, fence, creditsCharged } = await run.look()
  expect([state, creditsCharged, result]).toMatchObject(['ready', 150, { storageKey: madeAt(run.generationId, fence) }])
  expect(await run.context.storage.size(madeAt(run.generationId, fence - 1))).toBeUndefined()
  expect(await run.context.storage.size(madeAt(run.generationId, fence))).toBeGreaterThan(0)
})

test('an object that a process stored but did not record is removed after the end, and the result stays', async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const { storage } = run.context
  const crashing = withStorage(run.context, (put) => async (...stored) => {
    await put(...stored)
    throw new Error('the process ends')
  })
  await run.run('finaliseGeneration', crashing)
  const orphan = madeAt(run.generationId, (await run.look()).fence)
  expect(await storage.size(orphan)).toBeGreaterThan(0)
  await run.run('finaliseGeneration')
  expect(await run.waiting()).toContainEqual(expect.objectContaining({ task: 'removeOrphans', seconds: 3600 }))
  await run.run('removeOrphans')
  const { result } = await run.look()
  expect(await storage.size(orphan)).toBeUndefined()
  expect(result && 'storageKey' in result && (await storage.size(result.storageKey))).toBeGreaterThan(0)
})

test('an object that the job of the outputs stored but did not record is removed too', async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const { storage, generationId } = { storage: run.context.storage, generationId: run.generationId }
  const orphan = madeAt(generationId, (await run.look()).fence)
  await storage.put(orphan, Readable.from(['bytes']))
  await run.run('finaliseGeneration')
  await run.run('removeOrphans')
  expect(await storage.size(orphan)).toBeUndefined()
})

test('objects of failed work are removed, and objects of open work are not', async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const { storage } = run.context
  const key = madeAt(run.generationId, (await run.look()).fence + 1)
  await run.run('finaliseGeneration', outage(run.context))
  await storage.put(key, Readable.from(['bytes']))
  expect(await removeOrphans(run.context, run.generationId)).toBe(0)
  await clock.advance(25 * hours)
  await run.run('finaliseGeneration', outage(run.context))
  await run.run('removeOrphans')
  expect(await storage.size(key)).toBeUndefined()
})

/** As after a failover to a standby that lacks the last commits: the claim of the running job is missing. */
const failOver = (id: string) => own.services.pool.query('update generations set fence = fence - 1 where id = $1', [id])

test("a job whose claim the database has lost does not complete, and the next job's result is not removed", async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const { id, fence } = await run.look()
  const losingClaim = withStorage(run.context, (put) => async (...asked) => {
    const stored = await put(...asked)
    await failOver(id)
    return stored
  })
  await expect(run.run('finaliseGeneration', losingClaim)).rejects.toThrow('lost the claim')
  expect(await run.look()).toMatchObject({ state: 'finalizing', fence })
  const meanwhile = withStorage(run.context, (put) => async (...asked) => {
    const stored = await put(...asked)
    await failOver(id)
    await run.run('finaliseGeneration')
    return stored
  })
  await run.run('finaliseGeneration', meanwhile)
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150 })
  expect(await run.context.storage.size(madeAt(id, fence + 1))).toBeGreaterThan(0)
})
