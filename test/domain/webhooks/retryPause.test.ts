import { expect, test } from 'vitest'
import { retryPauseSeconds } from '../../../src/domain/webhooks/retryPause.ts'

test('the six pauses double from the first one, and then there is none', () => {
  expect([6, 5, 4, 3, 2, 1, 0].map((left) => retryPauseSeconds(10, left))).toEqual([10, 20, 40, 80, 160, 320, null])
  expect([6, 1].map((left) => retryPauseSeconds(0.5, left))).toEqual([0.5, 16])
})
