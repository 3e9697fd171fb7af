import { expect, test, vi } from 'vitest'
import { makeProcessReport, makeRecentCounts } from '../../src/metrics/processReport.ts'

test('a report has the state of the process, and is renewed every five seconds', async () => {
  let [nowMs, listening] = [0, true]
  const report = makeProcessReport({
    isListening: () => listening,
    slowStatements: () => ({ start_generations: 2 }),
    nowMs: () => nowMs,
    readMemory: async () => ({ used: 5, limit: 9 }),
  })
  expect(report()).toMatchObject({ pid: process.pid, listening: true, eventLoopSeconds: 0, slowStatements: { start_generations: 2 } })
  listening = false
  nowMs = 4_000
  await Promise.resolve()
  expect(report().listening).toBe(true)
  nowMs = 5_000
  expect(report()).toMatchObject({ listening: false, memory: { used: 5, limit: 9 } })
})

test('the delay of the event loop is that of the last whole minute', async () => {
  let nowMs = 0
  const report = makeProcessReport({
    isListening: () => true,
    slowStatements: () => ({}),
    nowMs: () => nowMs,
    readMemory: async () => undefined,
  })
  expect(report().eventLoopSeconds).toBe(0)
  await vi.waitFor(() => {
    nowMs += 60_000
    expect(report().eventLoopSeconds).toBeGreaterThan(0)
  })
})

test('counts are those of the last ten minutes, the five most frequent names', () => {
  let nowMs = 0
  const { add, read } = makeRecentCounts(() => nowMs)
  for (const name of ['a', 'a', 'b']) add(name)
  nowMs = 9 * 60_000
  for (const name of ['b', 'c', 'd', 'e', 'f', 'f']) add(name)
  expect(Object.keys(read())).toEqual(['a', 'b', 'f', 'c', 'd'])
  nowMs = 10 * 60_000
  expect(read()).toEqual({ f: 2, b: 1, c: 1, d: 1, e: 1 })
  nowMs = 30 * 60_000
  expect(read()).toEqual({})
})
