import { afterAll, expect, test } from 'vitest'
import { makeSharedSlots } from '../../../src/concurrency/sharedSlots.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { clock } = own
afterAll(own.close)

const minutes = 60_000

test('a process with an older catalog requeues work of an unknown family for ten minutes, and a newer process does it', async () => {
  const run = await vendorRun(own)
  const older = { ...run.context, catalog: { ...run.context.catalog, families: new Map() } }
  const [unknownSince, { generationId }] = [clock.now().toISOString(), run]
  await run.run('submitGeneration', older)
  expect(await run.waiting()).toEqual([{ task: 'submitGeneration', seconds: 5, payload: { generationId, unknownSince } }])
  await clock.advance(10 * minutes - 1000)
  await run.run('submitGeneration', older, { unknownSince })
  expect(await run.waiting()).toEqual([{ task: 'submitGeneration', seconds: 5, payload: { generationId, unknownSince } }])
  await run.run('submitGeneration')
  expect(await run.look()).toMatchObject({ state: 'running' })
})

test('work of a family unknown for ten minutes fails as offline and costs nothing', async () => {
  const run = await vendorRun(own)
  const older = { ...run.context, catalog: { ...run.context.catalog, families: new Map() } }
  const unknownSince = clock.now().toISOString()
  await clock.advance(10 * minutes)
  await run.run('submitGeneration', older, { unknownSince })
  expect(await run.look()).toMatchObject({ failure: { code: 'model_unavailable', reason: 'model_offline' }, creditsCharged: 0 })
})

test('a step without a free slot is requeued, and the vendor receives nothing', async () => {
  const run = await vendorRun(own)
  await run.run('submitGeneration', { ...run.context, slots: makeSharedSlots(0) })
  expect(await run.look()).toMatchObject({ state: 'queued', fence: 0 })
  expect(await run.waiting()).toMatchObject([{ task: 'submitGeneration', payload: { generationId: run.generationId } }])
  expect(run.vendor.submits).toBe(0)
})
