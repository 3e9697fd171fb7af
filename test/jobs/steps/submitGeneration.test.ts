import { afterAll, expect, test, vi } from 'vitest'
import { contextFor } from '../../../src/domain/context.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import { claimGeneration } from '../../../src/domain/generations/steps/claimGeneration.ts'
import { recordIntent } from '../../../src/domain/generations/steps/recordSubmit.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { services, clock } = own
afterAll(own.close)

const free = { cancelled: true, creditsCharged: 0, creditsReturned: 1.5 }
const paid = { cancelled: true, creditsCharged: 1.5, creditsReturned: 0 }

test('accepted work stays queued until the vendor reports its begin; a cancel before that costs nothing and reaches the vendor', async () => {
  const run = await vendorRun(own, { behaviour: { pollsUntilBegun: 2, pollsUntilDone: 9 } })
  await run.run('submitGeneration')
  expect(await run.look()).toMatchObject({ state: 'queued', startedAt: null })
  await run.run('pollGeneration')
  expect(await run.look()).toMatchObject({ state: 'queued', startedAt: null, queuePosition: 2 })
  expect(await run.cancel()).toMatchObject(free)
  await run.run('cancelAtProvider')
  expect(run.vendorJob()?.cancelled).toBe(true)
})

test('work runs from the moment the vendor reports its begin, and a cancel after that is charged', async () => {
  const run = await vendorRun(own, { behaviour: { pollsUntilBegun: 1, pollsUntilDone: 9 } })
  await run.run('submitGeneration')
  await run.run('pollGeneration')
  await clock.advance(7000)
  await run.run('pollGeneration')
  expect(await run.look()).toMatchObject({ state: 'running', startedAt: clock.now(), queuePosition: null, progress: 0.22 })
  expect(await run.cancel()).toMatchObject(paid)
})

test('accepted work of a vendor without a queue report is running', async () => {
  const run = await vendorRun(own, { provider: { reportsQueue: false } })
  await run.run('submitGeneration')
  expect(await run.look()).toMatchObject({ state: 'running', startedAt: clock.now() })
})

test('a vendor without room gets the work again at no cost and no cancel; at the deadline the work fails as model_at_capacity', async () => {
  const cancelled = await vendorRun(own, { behaviour: { submit: 'busy' } })
  await cancelled.run('submitGeneration')
  await cancelled.run('submitGeneration')
  expect(await cancelled.look()).toMatchObject({ state: 'queued', startedAt: null })
  expect(await cancelled.waiting()).toMatchObject([{ task: 'submitGeneration', seconds: 2 }])
  expect(await cancelled.cancel()).toMatchObject(free)
  cancelled.vendor.behaviour.submit = 'answers'
  await cancelled.run('cancelAtProvider')
  expect(cancelled.vendor.submits).toBe(2)

  const late = await vendorRun(own, { behaviour: { submit: 'busy' }, provider: { idempotentSubmit: false } })
  await late.run('submitGeneration')
  await clock.advance(121_000)
  await late.run('submitGeneration')
  const { state, failure, creditsCharged } = await late.look()
  expect([state, failure, creditsCharged]).toEqual(['failed', { code: 'model_unavailable', reason: 'model_at_capacity' }, 0])
})

test('work that a vendor may have without an answer is not submitted again: it fails as submit_unknown without a charge', async () => {
  const dropped = await vendorRun(own, { behaviour: { submit: 'drops' }, provider: { idempotentSubmit: false } })
  await dropped.run('submitGeneration')
  expect(await dropped.look()).toMatchObject({ failure: { code: 'internal_error', reason: 'submit_unknown' }, creditsCharged: 0 })

  const crashed = await vendorRun(own, { provider: { idempotentSubmit: false } })
  await aCrashAfterIntent(crashed)
  await crashed.run('submitGeneration')
  expect(await crashed.look()).toMatchObject({ failure: { code: 'internal_error', reason: 'submit_unknown' }, creditsCharged: 0 })
  expect([dropped.vendor.submits, crashed.vendor.submits]).toEqual([1, 0])
})

/** The state after a process ended between the intent and the submit. */
async function aCrashAfterIntent({ context, generationId }: Awaited<ReturnType<typeof vendorRun>>): Promise<void> {
  const claim = await claimGeneration(context, generationId, { task: 'submitGeneration', providerId: 'vendor', deadlineSeconds: 120 })
  expect(claim && (await recordIntent(context, claim, { id: 'vendor' }))).toBe('written')
}

test('after a process ended before the intent, the work is submitted as for the first time', async () => {
  const run = await vendorRun(own, { provider: { idempotentSubmit: false } })
  await claimGeneration(run.context, run.generationId, { task: 'submitGeneration', providerId: 'vendor', deadlineSeconds: 120 })
  await run.run('submitGeneration')
  expect([await run.look(), run.vendor.submits]).toMatchObject([{ state: 'running' }, 1])
})

test('a vendor that recognises repeats gets the submit again with the same key, and has the work once', async () => {
  const run = await vendorRun(own, { behaviour: { submit: 'drops' } })
  await run.run('submitGeneration')
  expect(await run.look()).toMatchObject({ state: 'queued', startedAt: null })
  run.vendor.behaviour.submit = 'answers'
  await run.run('submitGeneration')
  expect([await run.look(), run.vendor.submits, run.vendor.jobs.size]).toMatchObject([{ state: 'running' }, 2, 1])
})

test('a cancel during a repeated submit costs nothing, and reaches the vendor by the repeat', async () => {
  const run = await vendorRun(own, { behaviour: { submit: 'drops' } })
  await run.run('submitGeneration')
  expect(await run.cancel()).toMatchObject(free)
  run.vendor.behaviour.submit = 'answers'
  await run.run('cancelAtProvider')
  expect([run.vendor.jobs.size, run.vendorJob()?.cancelled]).toEqual([1, true])
})

test.each([{ idempotentSubmit: true }, { idempotentSubmit: false }])(
  'a cancel during a submit costs nothing and still reaches the vendor (%j)',
  async (provider) => {
    const answer = Promise.withResolvers<void>()
    const run = await vendorRun(own, { behaviour: { submitGate: answer.promise }, provider })
    const submitting = run.run('submitGeneration')
    await vi.waitFor(() => expect(run.vendor.submits).toBe(1), { interval: 2 })
    expect(await run.cancel()).toMatchObject(free)
    answer.resolve()
    await submitting
    expect((await run.waiting()).map(({ task }) => task)).toContain('cancelAtProvider')
    await run.run('cancelAtProvider')
    expect([run.vendor.submits, run.vendorJob()?.cancelled]).toEqual([1, true])
  },
)

test('a deleted input fails the work before the submit', async () => {
  const run = await vendorRun(own)
  await services.pool.query(
    `update generations set inputs = '{"imageIds":["file_gone"],"videoIds":[],"audioIds":[],"model3dIds":[]}' where id = $1`,
    [run.generationId],
  )
  await run.run('submitGeneration')
  expect(await run.look()).toMatchObject({ failure: { code: 'parameter_validation' } })
  expect(run.vendor.submits).toBe(0)
})

test('the books are balanced after all tests', async () => {
  expect(await checkBooks(contextFor(services, { kind: 'system' }))).toEqual({ clean: true, faults: [] })
})
