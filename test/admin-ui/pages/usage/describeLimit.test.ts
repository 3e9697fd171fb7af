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

const zero = { key: { id: 'key_1', name: 'zero-writes' }, leftCredits: 0, limitCredits: 0, spentCredits: 0, heldCredits: 0, resetsAt: null }

test.each([
  ['DAILY_CEILING', 'zero-writes cannot start anything: its daily ceiling is 0', 'fine'],
  ['MONTHLY_CEILING', 'zero-writes cannot start anything: its monthly ceiling is 0', 'fine'],
  ['SINGLE_CEILING', 'zero-writes cannot start anything: its single ceiling is 0', 'fine'],
  ['TEAM_MONTHLY_CEILING', 'The team cannot start anything: its monthly budget is 0', 'stops'],
] as const)('%s of 0 is described as a setting, without a used share', (kind, title, severity) => {
  const words = describeLimit({ ...zero, kind }, null)
  expect(words).toMatchObject({ title, severity })
  expect(words.used).toBeUndefined()
})
