import { expect, test } from 'vitest'
import { roundTicks } from '../../../../src/admin-ui/pages/usage/roundTicks.ts'

test.each([
  [260, [0, 100, 200, 300]],
  [246.8, [0, 50, 100, 150, 200, 250]],
  [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [0.07, [0, 0.02, 0.04, 0.06, 0.08]],
  [5, [0, 1, 2, 3, 4, 5]],
  [1201, [0, 250, 500, 750, 1000, 1250]],
  [0, [0, 1]],
])('an axis up to %d has the round ticks %j', (most, ticks) => {
  expect(roundTicks(most)).toEqual(ticks)
})
