import { afterAll, beforeEach, expect, test } from 'vitest'
import { Refusal } from '../../../src/contract/refusals/refusals.ts'
import { cancelGeneration } from '../../../src/domain/generations/ending/cancelGeneration.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { aTeamWithKey } from '../../support/factories.ts'
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
const { end, endOf, hand, heal, lockedSeconds } = aFailingFamily(here)
const { context, spender } = await aTeamWithKey(services)
const elsewhere = { ...context, ...there.services }
const request = { familyId: 'vendor-image', prompt: 'a boat' }
const offline = { code: 'model_unavailable', reason: 'model_offline' } as const

async function start(at = context): Promise<string> {
  return (await startGeneration(at, spender, { request })).generation.generationId
}

/** Locked, and the lock has just expired. */
beforeEach(async () => {
  await heal()
  for (let fault = 1; fault <= 5; fault++) await end(offline)
  await clock.advance(30_000)
  await services.breakers.refresh()
  await there.services.breakers.refresh()
})

test('of many concurrent starts in two processes one becomes the trial, and the others are refused until it ends', async () => {
  const starts = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => start(n % 2 === 0 ? context : elsewhere)))
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const others = starts.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  expect(others).toHaveLength(11)
  for (const each of others) expect(each instanceof Refusal && each.code).toBe('family_unavailable')
  expect(await lockedSeconds()).toBe(30)
  expect(await refused(start())).toMatchObject({ code: 'family_unavailable', details: { retryAfterSeconds: 30 } })
})

test('a successful trial unlocks the family for all', async () => {
  await endOf(await hand(await start()), 'well')
  expect(await lockedSeconds()).toBe(0)
  await Promise.all([start(), start(), start()])
})

test('a failed trial locks for twice as long', async () => {
  await endOf(await hand(await start()), offline)
  expect(await lockedSeconds()).toBe(60)
})

test('a trial that never ends, as after a crash, keeps others out for 30 s; a late end changes nothing', async () => {
  const first = await hand(await start())
  await clock.advance(30_000)
  const second = await hand(await start(elsewhere))
  await endOf(second, offline)
  expect(await lockedSeconds()).toBe(60)
  await endOf(first, offline)
  expect(await lockedSeconds()).toBe(60)
})

test('a trial that is cancelled or fails because of its caller makes room for another at once', async () => {
  await cancelGeneration(context, spender, await start())
  await services.breakers.refresh()
  await endOf(await hand(await start()), { code: 'content_policy', reason: 'prompt_rejected' })
  expect(await lockedSeconds()).toBe(0)
  await start()
  expect(await lockedSeconds()).toBe(30)
})

test('a start that is refused for another reason does not claim the trial', async () => {
  const poor = await aTeamWithKey(services, { credits: 0 })
  expect(await refused(startGeneration(poor.context, poor.spender, { request }))).toMatchObject({ code: 'insufficient_credits' })
  await services.breakers.refresh()
  await start()
})
