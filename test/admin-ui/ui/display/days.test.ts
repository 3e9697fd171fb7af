import { afterEach, describe, expect, test } from 'vitest'
import { addDays, dayOf, isDay, startOfDay } from '../../../../src/admin-ui/ui/display/days.ts'
import { chooseTimeZone } from '../../../../src/admin-ui/ui/display/timeZone.ts'

afterEach(() => chooseTimeZone(undefined))

const hourMs = 3_600_000

describe('a day begins with its first moment, and has its hours', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z', 24],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', 24.5],
    // Midnight is left out.
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z', 23],
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
    // Midnight occurs twice.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    // The clocks go back from midnight to the day before.
    ['Asia/Beirut', '2026-10-24', '2026-10-23T21:00:00.000Z', 25],
    // The day was left out.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 0],
    ['Pacific/Kiritimati', '2026-11-24', '2026-11-23T10:00:00.000Z', 24],
    ['Etc/GMT+12', '2026-11-24', '2026-11-24T12:00:00.000Z', 24],
    ['UTC', '2024-02-29', '2024-02-29T00:00:00.000Z', 24],
  ])('%s %s', (zone, day, start, hours) => {
    chooseTimeZone(zone)
    expect(new Date(startOfDay(day)).toISOString()).toBe(start)
    expect((startOfDay(addDays(day, 1)) - startOfDay(day)) / hourMs).toBe(hours)
  })
})

test('the day of a moment is that of the zone, also beside its borders', () => {
  chooseTimeZone('Europe/Berlin')
  const start = startOfDay('2026-03-29')
  expect([dayOf(start - 1), dayOf(start)]).toEqual(['2026-03-28', '2026-03-29'])
})

test('only a day of the calendar is a day', () => {
  expect(['2024-02-29', '0002-01-01', '9999-12-31'].filter((text) => !isDay(text))).toEqual([])
  expect(['', '2026-02-29', '2026-2-3', '2026-11-22T00:00', '12026-11-22', '-2026-11-22', '2026-13-01'].filter(isDay)).toEqual([])
})
