import { expect, test } from 'vitest'
import { formatCountdown, formatDuration } from '../../../../src/admin-ui/ui/display/formatDuration.ts'

test.each([
  [0.0004, '0 ms'],
  [0.24, '240 ms'],
  [1, '1 s'],
  [9.84, '9.8 s'],
  [10.2, '10 s'],
  [160, '2 min 40 s'],
  [119.7, '2 min'],
  [600, '10 min'],
  [3599.8, '1 h'],
  [11_100, '3 h 5 min'],
])('%d seconds are %s', (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words)
})

test('a countdown ends with a text and never becomes negative', () => {
  expect([160, 59.2, 0.3, 0, -5].map(formatCountdown)).toEqual(['in 2 min 40 s', 'in 1 min', 'in 1 s', 'any moment now', 'any moment now'])
})
