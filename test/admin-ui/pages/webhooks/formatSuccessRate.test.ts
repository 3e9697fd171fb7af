import { expect, test } from 'vitest'
import { formatSuccessRate } from '../../../../src/admin-ui/pages/webhooks/formatSuccessRate.ts'

test('a rate reads as 100 or 0 only when exact, and is missing without attempts', () => {
  expect([null, 0, 0.00001, 0.5, 0.98765, 0.99999, 1].map(formatSuccessRate)).toEqual([
    'No attempts',
    '0%',
    '0.1%',
    '50%',
    '98.8%',
    '99.9%',
    '100%',
  ])
})
