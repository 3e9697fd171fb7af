import { afterEach, expect, test, vi } from 'vitest'
import { gatherTime, noteEnds } from '../../../../src/domain/generations/ending/gatherTime.ts'

afterEach(() => vi.useRealTimers())

test('ends wait longer for others while ends of the same account follow each other closely', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  expect(gatherTime('busy')).toBe(5)
  noteEnds('busy')
  vi.advanceTimersByTime(24)
  expect(gatherTime('busy')).toBe(20)
  expect(gatherTime('idle')).toBe(5)
  vi.advanceTimersByTime(1)
  expect(gatherTime('busy')).toBe(5)
})

test('the times of the last ends are kept for a thousand accounts at most', () => {
  for (let number = 0; number < 2_500; number += 1) noteEnds(`account ${number}`)
  expect(gatherTime('account 2499')).toBe(20)
  expect(gatherTime('account 0')).toBe(5)
})
