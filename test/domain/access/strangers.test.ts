import { expect, test } from 'vitest'
import { makeStrangers } from '../../../src/domain/access/strangers.ts'
import { testClock } from '../../support/clock.ts'

function counts(strangers: ReturnType<typeof makeStrangers>, addresses: number, noted = true): Set<string> {
  return new Set(
    Array.from({ length: addresses }, (_, index) => {
      const address = `2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::/64`
      const count = strangers.countOf(address)
      if (noted) strangers.note(address)
      return count
    }),
  )
}

test('a flood of addresses makes a bounded number of counts, however many come', () => {
  const strangers = makeStrangers(testClock())
  expect(counts(strangers, 300_000).size).toBeLessThanOrEqual(5000 + 1024)
})

test('an address keeps its count for the minute, also in a flood, and begins anew in the next', async () => {
  const clock = testClock()
  const strangers = makeStrangers(clock)
  strangers.note('192.0.2.7')
  counts(strangers, 10_000)
  expect(strangers.countOf('192.0.2.7')).toBe('192.0.2.7')
  const late = strangers.countOf('192.0.2.8')
  expect(late).toMatch(/^shared \d+$/)
  expect(strangers.countOf('192.0.2.8')).toBe(late)
  await clock.advance(60_000)
  expect(strangers.countOf('192.0.2.8')).toBe('192.0.2.8')
})

test('addresses of those who show a valid key take no room', () => {
  const strangers = makeStrangers(testClock())
  counts(strangers, 300_000, false)
  expect(strangers.countOf('192.0.2.7')).toBe('192.0.2.7')
})
