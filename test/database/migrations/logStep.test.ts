import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { logStep } from '../../../src/database/migrations/logStep.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a migration is logged every ten seconds until it ends, and while it builds an index with share and time left', () => {
  const entries: unknown[] = []
  const log = { debug() {}, info: (fields: object, message: string) => entries.push([message, fields]), warn() {}, error() {} }
  const step = logStep(log)('0002-index.sql (1 of 2)')
  vi.advanceTimersByTime(9_999)
  expect(entries).toEqual([])
  vi.advanceTimersByTime(1)
  const migration = '0002-index.sql (1 of 2)'
  expect(entries.splice(0)).toEqual([['a migration is running', { migration, seconds: 10 }]])
  const scan = step.showProgress({ label: 'building index: scanning table', unit: 'blocks', total: 400 })
  vi.advanceTimersByTime(9_000)
  scan.add(100)
  vi.advanceTimersByTime(1_000)
  expect(entries.splice(0)).toEqual([
    ['building an index', { migration, state: 'building index: scanning table', percent: 25, secondsLeft: 30 }],
  ])
  scan.end()
  step.end()
  vi.advanceTimersByTime(60_000)
  expect(entries).toEqual([])
})
