import { afterAll, expect, test, vi } from 'vitest'
import { setFamilyAvailability } from '../../../src/domain/access/availability/setFamilyAvailability.ts'
import { lockReasonOf } from '../../../src/domain/catalog/lockReason.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { refused } from '../../support/refused.ts'
import { aFailingFamily } from '../../support/vendor/failingFamily.ts'
import { vendorServices } from '../../support/vendor/vendorRun.ts'

const here = await vendorServices()
const there = await vendorServices({ databaseUrl: here.databaseUrl, clock: here.clock })
afterAll(async () => {
  await there.close()
  await here.close()
})
const { clock, services } = here
const { end, heal, lockedSeconds, subject, handOver, endAll } = aFailingFamily(here)
const offline = { code: 'model_unavailable', reason: 'model_offline' } as const

test('five consecutive failures of a family lock it for 30 s in every process, and a refused start gets the retry time', async () => {
  await heal()
  for (let fault = 1; fault <= 4; fault++) await end(offline)
  expect(await lockedSeconds()).toBe(0)
  await end(offline)
  expect(await lockedSeconds()).toBe(30)
  await vi.waitFor(() => expect(there.services.breakers.lockedSeconds([subject])).toBe(30), { timeout: 3000, interval: 5 })
  await clock.advance(10_500)
  const { context, spender } = await aTeamWithKey(services)
  expect(await refused(startGeneration(context, spender, { request: { familyId: 'vendor-image', prompt: 'a boat' } }))).toEqual({
    code: 'family_unavailable',
    details: { familyId: 'vendor-image', retryAfterSeconds: 20 },
  })
  expect(here.logged).toContainEqual({
    level: 'warn',
    message: 'locked after consecutive failures',
    fields: expect.objectContaining({ subject, seconds: 30 }),
  })
})

test('a success resets the count, and failures of the caller or of this service do not count', async () => {
  await heal()
  for (let fault = 1; fault <= 4; fault++) await end(offline)
  await end('well')
  for (let fault = 1; fault <= 4; fault++) await end({ code: 'timeout', reason: 'model_timeout' })
  await end({ code: 'content_policy', reason: 'prompt_rejected' })
  await end({ code: 'parameter_validation', reason: 'parameter_rejected' })
  await end({ code: 'internal_error', reason: 'storage_failed' })
  await end({ code: 'internal_error', reason: 'unclassified' })
  expect(await lockedSeconds()).toBe(0)
  await end({ code: 'internal_error', reason: 'submit_unknown' })
  expect(await lockedSeconds()).toBe(30)
})

test('account failures lock the vendor with all its families, not a single family', async () => {
  await heal()
  for (let fault = 1; fault <= 5; fault++) await end({ code: 'authentication', reason: 'provider_access_closed' })
  await services.breakers.refresh()
  expect(services.breakers.lockedSeconds(['vendor:vendor'])).toBe(30)
  expect(services.breakers.lockedSeconds([subject])).toBe(0)
  expect(services.breakers.lockedSeconds(services.breakers.breakersOfFamily('vendor-image'))).toBe(30)
})

test('concurrent failures lock once, and failures of earlier work do not change the lock', async () => {
  await heal()
  const before = await Promise.all(Array.from({ length: 20 }, handOver))
  await endAll(before.slice(0, 10), offline)
  expect(await lockedSeconds()).toBe(30)
  await clock.advance(20_000)
  await endAll(before.slice(10, 15), offline)
  await endAll(before.slice(15, 16), 'well')
  expect(await lockedSeconds()).toBe(10)
  await clock.advance(10_000)
  await endAll(before.slice(16, 18), offline)
  expect(await lockedSeconds()).toBe(0)
  await end('well')
  await endAll(before.slice(18), offline)
  for (let fault = 1; fault <= 4; fault++) await end(offline)
  expect(await lockedSeconds()).toBe(0)
})

test('a failed trial locks for twice as long, up to ten minutes, and a successful one unlocks for all', async () => {
  await heal()
  for (let fault = 1; fault <= 5; fault++) await end(offline)
  for (const seconds of [60, 120, 240, 480, 600, 600]) {
    await clock.advance(600_000)
    await end(offline)
    expect(await lockedSeconds()).toBe(seconds)
  }
  await clock.advance(600_000)
  await end('well')
  for (let fault = 1; fault <= 5; fault++) await end(offline)
  expect(await lockedSeconds()).toBe(30)
})

test('the start of a lock is that of the first, until a trial succeeds; that of a vendor counts for its families', async () => {
  await heal()
  const lockedSince = async () => {
    await services.breakers.refresh()
    return services.breakers.familyLockedSince('vendor-image')
  }
  expect(await lockedSince()).toBeUndefined()
  for (let fault = 1; fault <= 5; fault++) await end(offline)
  const first = clock.now()
  await clock.advance(30_000)
  await end(offline)
  expect(await lockedSince()).toEqual(first)
  await clock.advance(60_000)
  await end('well')
  expect(await lockedSince()).toBeUndefined()
  for (let fault = 1; fault <= 5; fault++) await end({ code: 'authentication', reason: 'provider_access_closed' })
  expect(await lockedSince()).toEqual(clock.now())
})

test('an operator who sets the family to available unlocks it at once', async () => {
  await heal()
  for (let fault = 1; fault <= 5; fault++) await end(offline)
  await services.breakers.refresh()
  const family = services.catalog.families.get('vendor-image')
  if (!family) throw new Error('the family is gone')
  const lock = () =>
    lockReasonOf(family, {
      overrides: services.familyOverrides.current(),
      subscriptionActive: true,
      lockedSeconds: (id) => services.breakers.familyLockedSeconds(id),
    })
  expect(lock()).toBe('temporarily_unavailable')
  await setFamilyAvailability(aServiceContext(there.services), { familyId: 'vendor-image', available: true })
  await vi.waitFor(() => expect(lock()).toBeUndefined(), { timeout: 3000, interval: 5 })
})

test('a repeated start gets its earlier answer while the family is locked', async () => {
  await heal()
  const { context, spender } = await aTeamWithKey(services)
  const asked = { request: { familyId: 'vendor-image', prompt: 'a boat' }, idempotencyKey: 'again' }
  const { generation } = await startGeneration(context, spender, asked)
  for (let fault = 1; fault <= 5; fault++) await end(offline)
  await services.breakers.refresh()
  const again = { generation: { generationId: generation.generationId }, replayed: true }
  expect(await startGeneration(context, spender, asked)).toMatchObject(again)
  await clock.advance(30_000)
  // A trial could start now. A repeated start must not claim it.
  expect(await startGeneration(context, spender, asked)).toMatchObject(again)
  await services.breakers.refresh()
  expect(services.breakers.lockedSeconds([subject])).toBe(0)
})
