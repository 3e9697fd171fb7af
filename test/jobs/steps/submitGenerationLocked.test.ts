import { afterAll, beforeEach, expect, test } from 'vitest'
import { claimGeneration } from '../../../src/domain/generations/steps/claimGeneration.ts'
import { recordIntent } from '../../../src/domain/generations/steps/recordSubmit.ts'
import { aFailingFamily } from '../../support/vendor/failingFamily.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { services, clock } = own
afterAll(own.close)
const { end, heal, lockedSeconds } = aFailingFamily(own)

beforeEach(heal)

async function lock(): Promise<void> {
  for (let fault = 1; fault <= 5; fault++) await end({ code: 'provider_error', reason: 'provider_failed' })
}

test('waiting work is not submitted while the family is locked, and unlocks it as its trial', async () => {
  const run = await vendorRun(own)
  await lock()
  await run.run('submitGeneration')
  expect([await run.look(), run.vendor.submits]).toMatchObject([{ state: 'queued' }, 0])
  const [waiting] = await run.waiting()
  expect(waiting?.task).toBe('submitGeneration')
  expect(waiting?.seconds).toBeGreaterThanOrEqual(29)
  await clock.advance(30_000)
  await run.untilMade()
  await run.run('finaliseGeneration')
  expect((await run.look()).state).toBe('ready')
  expect(await lockedSeconds()).toBe(0)
})

test('after the lock expires, one of the waiting generations is submitted; work that waits until its deadline costs nothing', async () => {
  const first = await vendorRun(own)
  const second = await vendorRun(own)
  await lock()
  for (const run of [first, second]) await run.run('submitGeneration')
  await clock.advance(30_000)
  await Promise.all([first, second].map((run) => run.run('submitGeneration')))
  expect(first.vendor.submits + second.vendor.submits).toBe(1)
  const left = first.vendor.submits === 0 ? first : second
  await services.pool.query(`update breakers set locked_until = present() + interval '10 minutes', trial_by = null, trial_until = null`)
  await clock.advance(121_000)
  await left.run('submitGeneration')
  const { state, failure, creditsCharged } = await left.look()
  expect([state, failure, creditsCharged]).toEqual(['failed', { code: 'model_unavailable', reason: 'model_offline' }, 0])
  expect(left.vendor.submits).toBe(0)
})

test('a vendor that keeps failing locks its family within five generations', async () => {
  for (let n = 1; n <= 5; n++) {
    const run = await vendorRun(own, { behaviour: { submit: 'drops' }, provider: { idempotentSubmit: false } })
    await run.run('submitGeneration')
  }
  expect(await lockedSeconds()).toBe(30)
})

test('a process that ends repeatedly during a submit locks no family', async () => {
  for (let n = 1; n <= 6; n++) {
    const run = await vendorRun(own, { provider: { idempotentSubmit: false } })
    const claim = await claimGeneration(run.context, run.generationId, {
      task: 'submitGeneration',
      providerId: 'vendor',
      deadlineSeconds: 120,
    })
    expect(claim && (await recordIntent(run.context, claim, { id: 'vendor' }))).toBe('written')
    await run.run('submitGeneration')
    expect((await run.look()).failure?.reason).toBe('submit_unknown')
  }
  expect(await lockedSeconds()).toBe(0)
})

test('a provider that simulates failures is never locked', async () => {
  for (let n = 1; n <= 6; n++) {
    const run = await vendorRun(own, { behaviour: { submit: 'drops' }, provider: { idempotentSubmit: false, simulated: true } })
    await run.run('submitGeneration')
    expect((await run.look()).failure?.reason).toBe('submit_unknown')
  }
  expect(await lockedSeconds()).toBe(0)
})
