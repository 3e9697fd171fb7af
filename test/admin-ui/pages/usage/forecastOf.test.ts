import { expect, test } from 'vitest'
import { forecastOf, forecastSpan } from '../../../../src/admin-ui/pages/usage/forecastOf.ts'

const at = (time: string) => Date.parse(time)
const cost = (day: string, creditsCharged: number) => ({ day, creditsCharged })

test('the rest of the month costs as much a day as the last seven full days', () => {
  const now = at('2026-11-20T12:00:00Z')
  const days = [cost('2026-11-01', 10), cost('2026-11-13', 7), cost('2026-11-19', 7), cost('2026-11-20', 1)]
  expect(forecastSpan(now)).toEqual({ from: '2026-11-01', to: '2026-11-20' })
  // 2 a day: 25 until now, 1 more today, and ten days.
  expect(forecastOf(days, now)).toEqual({ spent: 25, forecast: 46, lastDay: '2026-11-30' })
})

test('at the start of a month the pace comes from the month before, which does not count as spent', () => {
  const now = at('2026-03-01T00:00:00Z')
  expect(forecastSpan(now)).toEqual({ from: '2026-02-22', to: '2026-03-01' })
  expect(forecastOf([cost('2026-02-28', 14)], now)).toEqual({ spent: 0, forecast: 62, lastDay: '2026-03-31' })
})

test('on the last day only the rest of the day is added, and a day above the average adds nothing', () => {
  const now = at('2026-02-28T23:59:59Z')
  expect(forecastOf([cost('2026-02-27', 7), cost('2026-02-28', 5)], now)).toEqual({ spent: 12, forecast: 12, lastDay: '2026-02-28' })
  expect(forecastOf([cost('2026-02-27', 7)], now)).toEqual({ spent: 7, forecast: 8, lastDay: '2026-02-28' })
  expect(forecastOf([], now)).toEqual({ spent: 0, forecast: 0, lastDay: '2026-02-28' })
})
