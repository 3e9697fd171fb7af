import { expect, test } from 'vitest'
import { failedSince } from '../../../../src/admin-ui/pages/webhooks/failedSince.ts'

const pausedAt = '2026-03-10T12:30:00.000Z'
const quiet = (day: string) => ({ day, delivered: 0, failedAttempts: 0 })
const failing = (day: string) => ({ day, delivered: 0, failedAttempts: 7 })
const mixed = (day: string) => ({ day, delivered: 2, failedAttempts: 7 })

test.each([
  { days: [failing('2026-03-01'), mixed('2026-03-04'), failing('2026-03-05'), failing('2026-03-10')], since: '2026-03-04T00:00:00.000Z' },
  { days: [quiet('2026-03-03'), failing('2026-03-04'), quiet('2026-03-05'), failing('2026-03-10')], since: '2026-03-04T00:00:00.000Z' },
  { days: [quiet('2026-03-09'), quiet('2026-03-10')], since: '2026-03-10T11:30:00.000Z' },
  { days: [], since: '2026-03-10T11:30:00.000Z' },
])(
  'a webhook failed since the day of its last success, else of its first failure, else an hour before its pause ($#)',
  ({ days, since }) => {
    expect(failedSince(days, pausedAt)).toBe(since)
  },
)

test('deliveries that were retried at a pause shortly after midnight are included', () => {
  const days = [quiet('2026-03-09'), mixed('2026-03-10')]
  expect(failedSince(days, '2026-03-10T00:10:00.000Z')).toBe('2026-03-09T23:10:00.000Z')
})
