import { afterAll, beforeEach, expect, test } from 'vitest'
import { contextFor } from '../../../src/domain/context.ts'
import { clockFault, watchClock } from '../../../src/domain/maintenance/watchClock.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const context = contextFor(services, { kind: 'system' })
const isTrusted = async () => (await watchClock(context)).isTrusted
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

beforeEach(async () => {
  await clock.set('2026-03-10T12:00:00.000Z')
  await services.pool.query('delete from clock_watch')
  await watchClock(context)
})

/** Runs the maintenance check every minute for the given time. */
async function watchFor(ms: number): Promise<void> {
  const from = clock.now()
  await services.pool.query(`do $do$ begin
    for minutes in 1..${ms / minute} loop
      execute format('create or replace function present() returns timestamptz language sql stable parallel safe as $$ select %L::timestamptz $$',
        '${from.toISOString()}'::timestamptz + minutes * interval '1 minute');
      perform watch_clock();
    end loop;
  end $do$`)
  await clock.set(new Date(from.getTime() + ms))
}

test('a steady clock is trusted, also after a night without maintenance and after it was set back', async () => {
  await clock.advance(5_000)
  expect(await isTrusted()).toBe(true)
  await clock.advance(0.9 * day)
  expect(await isTrusted()).toBe(true)
  await clock.advance(-100 * day)
  expect(await isTrusted()).toBe(true)
  expect(await clockFault(context)).toBeUndefined()
})

test('a clock that jumps ahead is not trusted, and is trusted again as soon as it is corrected', async () => {
  await clock.advance(200 * day)
  expect(await watchClock(context)).toEqual({ isTrusted: false, aheadSeconds: (200 * day) / 1000 })
  expect((await clockFault(context))?.words).toMatch(
    /^the database's clock jumped 200\.0 days ahead: nothing is deleted during the next 6\.0 hours/,
  )
  await clock.advance(-200 * day + minute)
  expect(await isTrusted()).toBe(true)
  expect(await clockFault(context)).toBeUndefined()
})

test('after a year without service the clock is trusted after six steady hours', async () => {
  await clock.advance(365 * day)
  expect(await isTrusted()).toBe(false)
  await watchFor(5.9 * hour)
  expect(await isTrusted()).toBe(false)
  await watchFor(0.2 * hour)
  expect(await isTrusted()).toBe(true)
  await clock.advance(2 * day)
  expect(await isTrusted()).toBe(false)
})

test('only hours with maintenance count, in any number of parts', async () => {
  await clock.advance(30 * day)
  expect(await isTrusted()).toBe(false)
  await clock.advance(7 * hour)
  expect(await isTrusted()).toBe(false)
  await watchFor(4 * hour)
  await clock.advance(3 * day)
  expect(await isTrusted()).toBe(false)
  await watchFor(2.1 * hour)
  expect(await isTrusted()).toBe(true)
})

test('concurrent checks of several processes count time once', async () => {
  await clock.advance(30 * day)
  await isTrusted()
  for (let gone = 0; gone < 30; gone++) {
    await clock.advance(minute)
    await Promise.all(Array.from({ length: 8 }, isTrusted))
  }
  expect((await clockFault(context))?.words).toMatch(/the next 5\.5 hours/)
})

test('an old restored copy deletes nothing at first, because its ledger shows when the service last worked', async () => {
  await aTeamWithKey(services)
  await clock.advance(90 * day)
  await services.pool.query('delete from clock_watch')
  expect(await watchClock(context)).toEqual({ isTrusted: false, aheadSeconds: (90 * day) / 1000 })
})
