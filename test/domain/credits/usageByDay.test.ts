import { afterAll, expect, test } from 'vitest'
import { usageByDay } from '../../../src/domain/credits/usageByDay.ts'
import { usageOf } from '../../../src/domain/credits/usageOf.ts'
import { aTeamWithKey, type TeamWithKey } from '../../support/factories.ts'
import { issueOf } from '../../support/refused.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

const span = { from: new Date('2026-03-01T00:00:00.000Z'), to: new Date('2026-04-01T00:00:00.000Z') }

/** Records ended generations like the trigger does: day, family, hundredths, with the team's key or without a key. */
async function booked({ spender, key }: TeamWithKey, rows: [day: string, family: string, charged: number, byKey?: false][]) {
  for (const [day, family, charged, byKey] of rows)
    await services.pool.query(
      'insert into usage_days (account_id, owner_id, day, key_id, family_id, ready, charged) values ($1, $2, $3, $4, $5, 1, $6)',
      [spender.accountId, spender.ownerId, day, byKey === false ? null : key.id, family, charged],
    )
}

test('each day is split by the most expensive groups of the whole span, and one row sums up the rest', async () => {
  const made = await aTeamWithKey(services)
  await booked(made, [
    ['2026-02-28', 'dear', 9900],
    ['2026-03-01', 'dear', 500],
    ['2026-03-01', 'cheap', 10],
    ['2026-03-01', 'middle', 300],
    ['2026-03-02', 'cheap', 20],
    ['2026-03-02', 'free', 0],
    ['2026-03-31', 'middle', 100],
    ['2026-04-01', 'dear', 9900],
  ])
  const one = { generations: 1, isRest: false }
  expect(await usageByDay(made.context, made.spender, { ...span, by: 'family', first: 2 })).toEqual([
    { ...one, day: '2026-03-01', group: 'dear', charged: 500 },
    { ...one, day: '2026-03-01', group: 'middle', charged: 300 },
    { day: '2026-03-01', group: null, isRest: true, generations: 1, charged: 10 },
    { day: '2026-03-02', group: null, isRest: true, generations: 2, charged: 20 },
    { ...one, day: '2026-03-31', group: 'middle', charged: 100 },
  ])
})

test('generations without a key are a separate group, not part of the rest', async () => {
  const made = await aTeamWithKey(services)
  await booked(made, [
    ['2026-03-01', 'a', 100],
    ['2026-03-01', 'b', 50],
    ['2026-03-01', 'a', 700, false],
  ])
  const split = (first: number) => usageByDay(made.context, made.spender, { ...span, by: 'key', first })
  expect(await split(5)).toMatchObject([
    { group: made.key.id, isRest: false, generations: 2, charged: 150 },
    { group: null, isRest: false, charged: 700 },
  ])
  expect(await split(1)).toMatchObject([
    { group: null, isRest: false, charged: 700 },
    { group: null, isRest: true, charged: 150 },
  ])
})

test('the usage of one key holds neither other keys nor work without a key', async () => {
  const made = await aTeamWithKey(services)
  await booked(made, [
    ['2026-03-01', 'a', 100],
    ['2026-03-01', 'a', 700, false],
    ['2026-03-02', 'b', 50],
    ['2026-04-01', 'b', 9900],
  ])
  const of = (keyId: string) => usageByDay(made.context, made.spender, { ...span, by: 'family', first: 5, keyId })
  expect(await of(made.key.id)).toMatchObject([
    { day: '2026-03-01', group: 'a', charged: 100 },
    { day: '2026-03-02', group: 'b', charged: 50 },
  ])
  expect(await of('key_of_nobody')).toEqual([])
})

test('the groups of a day add up to the day, and the number of groups can be limited', async () => {
  const made = await aTeamWithKey(services)
  const days = Array.from({ length: 31 }, (_, place) => `2026-03-${String(place + 1).padStart(2, '0')}`)
  await booked(
    made,
    days.flatMap((day, place) => ['a', 'b', 'c', 'd'].map((family, at): [string, string, number] => [day, family, place * at])),
  )
  const parts = await usageByDay(made.context, made.spender, { ...span, by: 'family', first: 2 })
  const days31 = await usageOf(made.context, made.spender, { ...span, by: 'day', first: 3 })
  expect(days31.map(({ group, charged }) => [group, charged])).toEqual(
    days.map((day) => [day, parts.filter((part) => part.day === day).reduce((sum, { charged }) => sum + charged, 0)]),
  )
  const dearest = await usageOf(made.context, made.spender, { ...span, by: 'family', first: 2 })
  expect(dearest.map(({ group }) => group)).toEqual(['d', 'c'])
})

test('failed and cancelled generations count, and cost what they were charged', async () => {
  const made = await aTeamWithKey(services)
  await booked(made, [['2026-03-01', 'a', 100]])
  await services.pool.query('update usage_days set failed = 2, cancelled = 4 where owner_id = $1', [made.spender.ownerId])
  expect(await usageByDay(made.context, made.spender, { ...span, by: 'family', first: 5 })).toMatchObject([
    { generations: 7, charged: 100 },
  ])
})

test('an empty span and one of more than 92 days are refused', async () => {
  const { context, spender } = await aTeamWithKey(services)
  const split = (from: Date, to: Date) => issueOf(usageByDay(context, spender, { from, to, by: 'key', first: 5 }))
  expect(await split(span.to, span.from)).toBe('to: too_small')
  expect(await split(span.from, new Date('2026-06-01T00:00:00.001Z'))).toBe('to: too_big')
})
