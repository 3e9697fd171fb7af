import { expect, test } from 'vitest'
import { adviceFor } from '../../../src/cli/doctor/advice.ts'
import { documentOf, linesOf } from '../../../src/cli/doctor/printResults.ts'

const fault = { name: 'vendor fal', ok: false, detail: 'rejects its key', since: new Date('2026-11-24T12:00:00Z') }

test('a fault says since when, what it does to users, what to do next, and where the runbook has more', () => {
  expect(
    linesOf(fault)
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/)[0]),
  ).toEqual(['FAULT vendor fal: rejects its key', 'since', 'users', 'next', 'more', ''])
  expect(linesOf({ name: 'books', ok: true, detail: 'balance' })).toBe('ok    books: balance\n')
})

test('in the document a fault has the same, and a check that is ok has no more than before', () => {
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
