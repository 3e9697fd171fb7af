import { expect, test } from 'vitest'
import { makeAnonymousCounters } from '../../../../src/domain/access/admission/anonymousCounters.ts'
import { testClock } from '../../../support/clock.ts'

function counts(anonymousCounters: ReturnType<typeof makeAnonymousCounters>, addresses: number, noted = true): Set<string> {
  return new Set(
    Array.from({ length: addresses }, (_, index) => {
      const address = `2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::/64`
      const count = anonymousCounters.counterOf(address)
      if (noted) anonymousCounters.track(address)
      return count
    }),
  )
}

test('a flood of addresses creates a limited number of counters', () => {
  const anonymousCounters = makeAnonymousCounters(testClock())
  expect(counts(anonymousCounters, 300_000).size).toBeLessThanOrEqual(5000 + 1024)
})

test('an address keeps its counter for the minute, also in a flood, and gets a new one in the next minute', async () => {
  const clock = testClock()
  const anonymousCounters = makeAnonymousCounters(clock)
  anonymousCounters.track('192.0.2.7')
  counts(anonymousCounters, 10_000)
  expect(anonymousCounters.counterOf('192.0.2.7')).toBe('192.0.2.7')
  const late = anonymousCounters.counterOf('192.0.2.8')
  expect(late).toMatch(/^shared \d+$/)
  expect(anonymousCounters.counterOf('192.0.2.8')).toBe(late)
  await clock.advance(60_000)
  expect(anonymousCounters.counterOf('192.0.2.8')).toBe('192.0.2.8')
})

test('addresses with a valid key use no counter', () => {
  const anonymousCounters = makeAnonymousCounters(testClock())
  counts(anonymousCounters, 300_000, false)
  expect(anonymousCounters.counterOf('192.0.2.7')).toBe('192.0.2.7')
})
