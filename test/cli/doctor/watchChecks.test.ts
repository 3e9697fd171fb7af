import { expect, test } from 'vitest'
import { CheckFault, type CheckResult } from '../../../src/cli/doctor/check.ts'
import { watchChecks } from '../../../src/cli/doctor/watchChecks.ts'

/** Runs rounds of a minute until `rounds` are over; `fault` decides what the check does in a round. */
async function watched(rounds: number, fault: (round: number) => Error | undefined, costly = false) {
  const stopping = new AbortController()
  const seen: { results: CheckResult[]; changed: CheckResult[] }[] = []
  let runs = 0
  const run = async () => {
    runs += 1
    const error = fault(seen.length)
    if (error) throw error
    return 'well'
  }
  const ok = await watchChecks([{ name: 'storage', run, costly }], {
    everyMs: 0,
    costlyEveryMs: 180_000,
    signal: stopping.signal,
    nowMs: () => seen.length * 60_000,
    onRound: (results, changed) => {
      seen.push({ results, changed })
      if (seen.length === rounds) stopping.abort()
    },
  })
  return { ok, seen, runs }
}

test('a fault starts at the round that found it, and its start and its end are changes', async () => {
  const { ok, seen } = await watched(5, (round) => (round === 1 || round === 2 ? new Error('refused') : undefined))
  expect(seen.map(({ changed }) => changed.map((each) => each.ok))).toEqual([[true], [false], [], [true], []])
  expect(seen[2]?.results[0]?.since).toEqual(new Date(60_000))
  expect(ok).toBe(true)
})

test('the start that a check gives is kept, and the last round decides the result', async () => {
  const { ok, seen } = await watched(2, () => new CheckFault('late', new Date(7)))
  expect(seen.map(({ results }) => results[0]?.since)).toEqual([new Date(7), new Date(7)])
  expect(ok).toBe(false)
})

test('a costly check is repeated less often', async () => {
  const { runs, seen } = await watched(7, () => undefined, true)
  expect(seen).toHaveLength(7)
  expect(runs).toBe(3)
})
