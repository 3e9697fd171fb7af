import { expect, test } from 'vitest'
import { successWords } from '../../../../src/admin-ui/pages/webhooks/successWords.ts'

test('a rate is whole only where it is, and none where nothing was attempted', () => {
  expect([null, 0, 0.00001, 0.5, 0.98765, 0.99999, 1].map(successWords)).toEqual([
    'No attempts',
    '0%',
    '0.1%',
    '50%',
    '98.8%',
    '99.9%',
    '100%',
  ])
})
