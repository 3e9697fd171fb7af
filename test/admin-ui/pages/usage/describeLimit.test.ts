import { expect, test } from 'vitest'
import { describeLimit } from '../../../../src/admin-ui/pages/usage/describeLimit.ts'

const credits = {
  kind: 'CREDITS',
  key: null,
  leftCredits: 40,
  limitCredits: null,
  spentCredits: null,
  heldCredits: 0,
  resetsAt: null,
} as const

test.each([
  [null, 'fine'],
  [40, 'fine'],
  [40.01, 'near'],
])('with the threshold %s of the team, 40 credits are %s', (threshold, severity) => {
  expect(describeLimit(credits, threshold).severity).toBe(severity)
})
