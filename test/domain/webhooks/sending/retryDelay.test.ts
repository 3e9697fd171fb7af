import { expect, test } from 'vitest'
import { retryDelaySeconds } from '../../../../src/domain/webhooks/sending/retryDelay.ts'

test('the six delays double from the first one, and a seventh does not exist', () => {
  expect([6, 5, 4, 3, 2, 1, 0].map((left) => retryDelaySeconds(10, left))).toEqual([10, 20, 40, 80, 160, 320, null])
  expect([6, 1].map((left) => retryDelaySeconds(0.5, left))).toEqual([0.5, 16])
})
