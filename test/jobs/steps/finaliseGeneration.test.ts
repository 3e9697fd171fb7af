import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { removeOrphans } from '../../../src/domain/generations/results/removeOrphans.ts'
import type { JobContext } from '../../../src/jobs/runners/jobContext.ts'
import { BrokenOutput } from '../../../src/providers/provider.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { clock } = own
afterAll(own.close)

/** The same process with a storage in which `put` goes otherwise. */
function withStorage(context: JobContext, put: (real: Storage['put']) => Storage['put']): JobContext {
  return { ...context, storage: { ...context.storage, put: put(context.storage.put) } }
}

const outage = (context: JobContext) => withStorage(context, () => () => Promise.reject(new Error('the storage is away')))
const madeAt = (id: string, fence: number) => `results/${id}/${fence}`

test('while the storage is away a result is tried again, with pauses up to 8 seconds, and kept once it is back', async () => {
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

test('a result outlives the deadline of its vendor: storage may be away for a day before it is our failure, which costs nothing', async () => {
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
  if (!provider) throw new Error('there is no vendor')
  const collect = () => Promise.reject(new BrokenOutput(new Error('the line went dead')))
  return { ...context, providers: makeRegistry([{ ...provider, collect }]) }
}

test('a file that breaks off is fetched again soon, and one that only breaks off for a minute is the failure of the vendor', async () => {
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

test('a minute counts from the first of the downloads that broke off in a row', async () => {
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
  'an inspector that %s says nothing of the result: it is looked at again',
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

test("a result that is broken is the vendor's failure at once", async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const { inspector } = run.context
  const corrupt = { ...inspector, inspect: async () => ({ ok: false, refusal: 'file_processing_failed', cause: 'corrupt' }) as const }
  await run.run('finaliseGeneration', { ...run.context, inspector: corrupt })
  expect(await run.look()).toMatchObject({ failure: { code: 'provider_error', reason: 'provider_failed' }, creditsCharged: 0 })
})

test('a job that was taken over while it stored writes nothing, takes its bytes back, and the result of the other stands', async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const slow = withStorage(run.context, (put) => async (...stored) => {
    // Another process takes the work over while the first is on its way to the storage.
    await run.run('finaliseGeneration')
    return put(...stored)
  })
  await run.run('finaliseGeneration', slow)
  const { state, result, fence, creditsCharged } = await run.look()
  expect([state, creditsCharged, result]).toMatchObject(['ready', 150, { storageKey: madeAt(run.generationId, fence) }])
  expect(await run.context.storage.size(madeAt(run.generationId, fence - 1))).toBeUndefined()
  expect(await run.context.storage.size(madeAt(run.generationId, fence))).toBeGreaterThan(0)
})

test('what a process stored and never wrote down is removed after the end, and the result stays', async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const { storage } = run.context
  const dying = withStorage(run.context, (put) => async (...stored) => {
    await put(...stored)
    throw new Error('and dies')
  })
  await run.run('finaliseGeneration', dying)
  const orphan = madeAt(run.generationId, (await run.look()).fence)
  expect(await storage.size(orphan)).toBeGreaterThan(0)
  await run.run('finaliseGeneration')
  expect(await run.waiting()).toContainEqual(expect.objectContaining({ task: 'removeOrphans', seconds: 3600 }))
  await run.run('removeOrphans')
  const { result } = await run.look()
  expect(await storage.size(orphan)).toBeUndefined()
  expect(result && 'storageKey' in result && (await storage.size(result.storageKey))).toBeGreaterThan(0)
})

test('what failed work has stored is removed, and nothing of work that goes on', async () => {
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

/** As a standby that took over without the last moment says it: the claim of whoever is at work is unknown there. */
const failOver = (id: string) => own.services.pool.query('update generations set fence = fence - 1 where id = $1', [id])

test('a job whose claim the database has forgotten is not taken for done, and what the next one keeps is not removed', async () => {
  const run = await vendorRun(own)
  await run.untilMade()
  const { id, fence } = await run.look()
  const forgotten = withStorage(run.context, (put) => async (...asked) => {
    const stored = await put(...asked)
    await failOver(id)
    return stored
  })
  await expect(run.run('finaliseGeneration', forgotten)).rejects.toThrow('lost the claim')
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
