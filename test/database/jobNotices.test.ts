import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { gatherJobNotices } from '../../src/database/jobNotices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function gathered() {
  const told: { channel: string; payload?: string | undefined }[] = []
  return { told, notices: gatherJobNotices((notice) => told.push(notice), { everyMs: 50 }) }
}
const inserted = (count: number) => ({ channel: 'jobs:insert', payload: JSON.stringify({ r: 0.5, count }) })
const sum = (count: number) => ({ channel: 'jobs:insert', payload: JSON.stringify({ count }) })

test('the first new job is told of at once, and those that follow soon together, none left out', () => {
  const { told, notices } = gathered()
  notices.hear(inserted(1))
  expect(told).toEqual([sum(1)])
  notices.hear(inserted(3))
  notices.hear({ channel: 'jobs:insert', payload: '' })
  vi.advanceTimersByTime(49)
  expect(told).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(told).toEqual([sum(1), sum(4)])
  vi.advanceTimersByTime(50)
  notices.hear(inserted(2))
  expect(told.at(-1)).toEqual(sum(2))
})

test('a job that was only moved wakes nobody, and other news is never held back', () => {
  const { told, notices } = gathered()
  notices.hear(inserted(-1))
  vi.advanceTimersByTime(100)
  expect(told).toEqual([])
  notices.hear(inserted(1))
  notices.hear({ channel: 'worker:migrate', payload: '{"breaking":true}' })
  expect(told).toEqual([sum(1), { channel: 'worker:migrate', payload: '{"breaking":true}' }])
})

test('what was not passed on is forgotten with its connection, and the next connection begins anew', () => {
  const { told, notices } = gathered()
  notices.hear(inserted(1))
  notices.hear(inserted(1))
  notices.forget()
  vi.advanceTimersByTime(100)
  expect(told).toEqual([sum(1)])
  notices.hear(inserted(1))
  expect(told).toEqual([sum(1), sum(1)])
})
