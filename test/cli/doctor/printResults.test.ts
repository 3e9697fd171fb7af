import { expect, test } from 'vitest'
import { adviceFor } from '../../../src/cli/doctor/advice.ts'
import { documentOf, linesOf } from '../../../src/cli/doctor/printResults.ts'

const fault = { name: 'vendor fal', ok: false, detail: 'rejects its key', since: new Date('2026-11-24T12:00:00Z') }

const now = new Date('2026-11-24T14:02:30Z')

test('the lines of a fault have its start, its effect on users, the next step and the section of the runbook', () => {
  expect(
    linesOf(fault, now)
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/)[0]),
  ).toEqual(['FAULT vendor fal: rejects its key', 'since', 'users', 'next', 'more', ''])
  expect(linesOf({ name: 'books', ok: true, detail: 'balance' }, now)).toBe('ok    books: balance\n')
})

test('the JSON of a fault has the same fields, and that of an ok check has only name, ok and detail', () => {
  const { effect, next, runbook } = adviceFor('vendor fal') ?? {}
  expect(documentOf(fault)).toEqual({
    name: 'vendor fal',
    ok: false,
    detail: 'rejects its key',
    since: '2026-11-24T12:00:00.000Z',
    effect,
    next,
    runbook,
  })
  expect(documentOf({ name: 'books', ok: true, detail: 'balance' })).toEqual({ name: 'books', ok: true, detail: 'balance' })
  expect(adviceFor('toString')).toBeUndefined()
})

test.each([
  ['2026-11-24T12:00:00Z', '12:00 UTC (2.0 hours)'],
  ['2026-11-24T14:01:00Z', '14:01 UTC (90 s)'],
  ['2026-11-21T12:00:00Z', '2026-11-21 12:00 UTC (3.1 days)'],
  // The database's clock can be ahead of this machine's.
  ['2026-11-24T14:02:40Z', '14:02 UTC (0 s)'],
])('a fault since %s is shown as %s', (since, words) => {
  expect(linesOf({ ...fault, since: new Date(since) }, now)).toContain(`since  ${words}\n`)
})
