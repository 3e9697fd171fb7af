import { expect, test } from 'vitest'
import { formatMoment } from '../../../../src/admin-ui/ui/display/formatMoment.ts'

const now = new Date(2026, 10, 22, 12, 0, 0).getTime()
const minutes = 60_000
const days = 24 * 60 * minutes

test.each([
  [-20_000, /^just now$/],
  [20_000, /^in a moment$/],
  [-5 * minutes, /^5 min ago$/],
  [40 * minutes, /^in 40 min$/],
  [-3 * 60 * minutes, /^today, .*0?9[.:]00/],
  [-2 * days, /20.*12[.:]00|12[.:]00.*20/],
  [-400 * days, /2025/],
])('a time %d ms away is formatted as %s', (apart, words) => {
  expect(formatMoment(now + apart, now)).toMatch(words)
})
