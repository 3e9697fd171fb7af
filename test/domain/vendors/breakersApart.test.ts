import { afterAll, beforeEach, expect, test } from 'vitest'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { aTeamWithKey, type TeamWithKey } from '../../support/factories.ts'
import { refused } from '../../support/refused.ts'
import { aFailingFamily } from '../../support/vendor/failingFamily.ts'
import { vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
afterAll(own.close)
const { clock, services } = own
const { end, endOf, hand, handOver, heal, lockedSeconds } = aFailingFamily(own)
const broken = { code: 'provider_error', reason: 'provider_failed' } as const
const [one, other, third] = await Promise.all([aTeamWithKey(services), aTeamWithKey(services), aTeamWithKey(services)])
const poison = { team: one, prompt: 'a poisonous boat' }

beforeEach(heal)

async function start({ context, spender }: TeamWithKey, prompt = 'a boat'): Promise<string> {
  return (await startGeneration(context, spender, { request: { familyId: 'vendor-image', prompt } })).generation.generationId
}

/** Locked by five requests of a team that says nothing further; the lock has just run out. */
async function lock(): Promise<void> {
  for (let fault = 1; fault <= 5; fault++) await end(broken)
  await clock.advance(30_000)
  await services.breakers.refresh()
}

test('one request that fails again and again locks nobody out, however often it comes', async () => {
  for (let fault = 1; fault <= 12; fault++) await end(broken, poison)
  expect(await lockedSeconds()).toBe(0)
})

test('a request that differs in its seed alone is the same', async () => {
  for (let seed = 1; seed <= 6; seed++) {
    const claim = await handOver(poison)
    await services.pool.query(`update generations set parameters = jsonb_build_object('seed', $2::integer) where id = $1`, [
      claim.generation.id,
      seed,
    ])
    await endOf(claim, broken)
  }
  expect(await lockedSeconds()).toBe(0)
})

test('two teams with a bad request each lock nobody out, and the failures of a third tell that it is the vendor', async () => {
  for (let fault = 1; fault <= 3; fault++) {
    await end(broken, poison)
    await end(broken, { team: other, prompt: 'another poisonous boat' })
  }
  expect(await lockedSeconds()).toBe(0)
  await end(broken, { team: third })
  expect(await lockedSeconds()).toBe(30)
})

test('three teams lock with five failures in a row, not with three', async () => {
  for (const team of [one, other, third, one]) await end(broken, { team, prompt: 'a boat' })
  expect(await lockedSeconds()).toBe(0)
  await end(broken, { team: other, prompt: 'a boat' })
  expect(await lockedSeconds()).toBe(30)
})

test('a vendor that is down locks although one team alone uses it: five of its requests that differ', async () => {
  for (let fault = 1; fault <= 4; fault++) await end(broken, { team: one })
  expect(await lockedSeconds()).toBe(0)
  await end(broken, { team: one })
  expect(await lockedSeconds()).toBe(30)
})

test('of many repeats that fail at once none locks', async () => {
  const repeats = await Promise.all(Array.from({ length: 10 }, () => handOver(poison)))
  await Promise.all(repeats.map((claim) => endOf(claim, broken)))
  expect(await lockedSeconds()).toBe(0)
})

test('a success takes away what was held against requests', async () => {
  for (let fault = 1; fault <= 4; fault++) await end(broken, { team: one, prompt: `boat ${fault}` })
  await end('well')
  for (let fault = 1; fault <= 4; fault++) await end(broken, { team: one, prompt: `boat ${fault}` })
  expect(await lockedSeconds()).toBe(0)
})

test('a trial with a request that is known to fail prolongs no lock, and one with another request does', async () => {
  await end(broken, poison)
  await lock()
  await end(broken, poison)
  expect(await lockedSeconds()).toBe(30)
  await clock.advance(30_000)
  await end(broken, poison)
  expect(await lockedSeconds()).toBe(30)
  await clock.advance(30_000)
  await end(broken, { team: other })
  expect(await lockedSeconds()).toBe(60)
})

test('after a failed trial others come first: its owner is let in ten seconds after the lock has run out', async () => {
  await lock()
  await endOf(await hand(await start(one)), broken)
  await clock.advance(60_000)
  await services.breakers.refresh()
  expect(await refused(start(one, 'another boat'))).toMatchObject({ code: 'family_unavailable' })
  await endOf(await hand(await start(other)), 'well')
  await services.breakers.refresh()
  await start(one)

  await heal()
  await lock()
  await endOf(await hand(await start(one)), broken)
  await clock.advance(70_000)
  await services.breakers.refresh()
  await endOf(await hand(await start(one)), 'well')
  expect(await lockedSeconds()).toBe(0)
})

test('waiting work of the owner of a failed trial yields as well, and keeps the trial that it has got', async () => {
  await lock()
  const trial = await start(one)
  await endOf(await hand(trial), broken)
  await clock.advance(60_000)
  const claim = (id: string) => services.pool.query(`select claim_trial(array['family:vendor-image'], $1, 30) as claimed`, [id])
  const waiting = await handOver({ team: one })
  expect((await claim(waiting.generation.id)).rows).toEqual([{ claimed: false }])
  await clock.advance(10_000)
  expect((await claim(waiting.generation.id)).rows).toEqual([{ claimed: true }])
  expect((await claim(waiting.generation.id)).rows).toEqual([{ claimed: true }])
})
