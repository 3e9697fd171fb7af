import { afterEach, expect, test } from 'vitest'
import { formatMoment } from '../../../../src/admin-ui/ui/display/formatMoment.ts'
import { chooseTimeZone, chosenTimeZone, momentOfWallClock, wallClock } from '../../../../src/admin-ui/ui/display/timeZone.ts'

afterEach(() => chooseTimeZone(undefined))

test.each([
  ['Asia/Tokyo', '2026-11-22T23:30:00.000Z', '2026-11-23T08:30'],
  ['America/New_York', '2026-03-08T06:59:00.000Z', '2026-03-08T01:59'],
  ['America/New_York', '2026-03-08T07:00:00.000Z', '2026-03-08T03:00'],
  ['Asia/Kathmandu', '2026-01-01T00:00:00.000Z', '2026-01-01T05:45'],
  ['UTC', '2026-12-31T23:59:00.000Z', '2026-12-31T23:59'],
])('in %s the moment %s is shown as %s, and read back', (zone, moment, shown) => {
  chooseTimeZone(zone)
  expect(wallClock(new Date(moment))).toBe(shown)
  expect(momentOfWallClock(shown).toISOString()).toBe(moment)
})

test('an incomplete time is no moment', () => {
  for (const text of ['', 'T08:00', 'nonsense', '2026-11-22T9:30']) expect(momentOfWallClock(text).getTime()).toBeNaN()
})

test('a zone that the browser does not know is that of the browser', () => {
  chooseTimeZone('Asia/Tokyo')
  chooseTimeZone('Mars/Olympus')
  expect(chosenTimeZone()).toBeUndefined()
})

test('the day of a moment follows the chosen zone', () => {
  const [at, now] = [Date.parse('2026-11-22T22:00:00Z'), Date.parse('2026-11-23T05:00:00Z')]
  chooseTimeZone('Asia/Tokyo')
  expect(formatMoment(at, now)).toMatch(/^today, /)
  chooseTimeZone('UTC')
  expect(formatMoment(at, now)).toMatch(/22/)
})
