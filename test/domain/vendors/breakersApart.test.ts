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

/** Locks with five requests of a separate team. The lock has just expired. */
async function lock(): Promise<void> {
  for (let fault = 1; fault <= 5; fault++) await end(broken)
  await clock.advance(30_000)
  await services.breakers.refresh()
}

test('one request that fails repeatedly does not lock', async () => {
  for (let fault = 1; fault <= 12; fault++) await end(broken, poison)
  expect(await lockedSeconds()).toBe(0)
})

test('a request with only another seed counts as the same', async () => {
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

test('two teams with one bad request each do not lock; failures of a third team do', async () => {
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

test('a vendor used by one team locks after five different requests fail', async () => {
  for (let fault = 1; fault <= 4; fault++) await end(broken, { team: one })
  expect(await lockedSeconds()).toBe(0)
  await end(broken, { team: one })
  expect(await lockedSeconds()).toBe(30)
})

test('many concurrent failures of one request do not lock', async () => {
  const repeats = await Promise.all(Array.from({ length: 10 }, () => handOver(poison)))
  await Promise.all(repeats.map((claim) => endOf(claim, broken)))
  expect(await lockedSeconds()).toBe(0)
})

test('a success clears the failures of requests', async () => {
  for (let fault = 1; fault <= 4; fault++) await end(broken, { team: one, prompt: `boat ${fault}` })
  await end('well')
  for (let fault = 1; fault <= 4; fault++) await end(broken, { team: one, prompt: `boat ${fault}` })
  expect(await lockedSeconds()).toBe(0)
})

test('a failed trial extends the lock only when its request is not known to fail', async () => {
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

test('after a failed trial its owner can start the next one only ten seconds after the lock expired', async () => {
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

test('waiting work of the owner of a failed trial also waits, and keeps a trial that it already has', async () => {
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
