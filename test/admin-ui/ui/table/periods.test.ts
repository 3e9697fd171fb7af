import { afterEach, expect, test } from 'vitest'
import { chooseTimeZone } from '../../../../src/admin-ui/ui/display/timeZone.ts'
import { type Period, rangeOf } from '../../../../src/admin-ui/ui/table/periods.ts'

afterEach(() => chooseTimeZone(undefined))

/** The range as texts. */
function range(period: Period, now: string) {
  const { since, until } = rangeOf(period, Date.parse(now))
  const text = (at: number) => new Date(at).toISOString().replace(':00.000Z', 'Z')
  return until === undefined ? [text(since)] : [text(since), text(until)]
}

// In Berlin the clocks went back on 25 October.
const now = '2026-10-25T23:30:00.000Z'

test.each([
  ['hour', ['2026-10-25T22:30Z']],
  ['24h', ['2026-10-24T23:30Z']],
  ['today', ['2026-10-25T23:00Z']],
  ['7d', ['2026-10-19T22:00Z']],
  ['30d', ['2026-09-26T22:00Z']],
  ['month', ['2026-09-30T22:00Z']],
  ['last-month', ['2026-08-31T22:00Z', '2026-09-30T22:00Z']],
] as const)('%s begins in the time zone of the reader', (period, expected) => {
  chooseTimeZone('Europe/Berlin')
  expect(range(period, now)).toEqual(expected)
})

test('the months around a new year and a leap day are whole', () => {
  chooseTimeZone('Pacific/Auckland')
  // In Auckland it is 1 January.
  expect(range('last-month', '2026-12-31T12:00:00.000Z')).toEqual(['2026-11-30T11:00Z', '2026-12-31T11:00Z'])
  expect(range('last-month', '2028-03-15T12:00:00.000Z')).toEqual(['2028-01-31T11:00Z', '2028-02-29T11:00Z'])
})

test('today has 23 hours behind it at the end of a short day, and 25 at the end of a long one', () => {
  chooseTimeZone('Europe/Berlin')
  expect(range('today', '2026-03-29T21:59:00.000Z')).toEqual(['2026-03-28T23:00Z'])
  expect(range('today', '2026-10-25T22:59:00.000Z')).toEqual(['2026-10-24T22:00Z'])
})
