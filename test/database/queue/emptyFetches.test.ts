import type pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type EmptyFetches, makeEmptyFetches, withEmptyFetches } from '../../../src/database/queue/emptyFetches.ts'

/** A connection whose fetches find the jobs that the test hands out. */
function aQueue(fetches: EmptyFetches) {
  const jobs: object[] = []
  const queries: string[] = []
  let during: (() => void) | undefined
  const query = async ({ name }: { name: string }) => {
    queries.push(name)
    const rows = jobs.splice(0, 1)
    during?.()
    return { rows, rowCount: rows.length }
  }
  const client = withEmptyFetches({ query } as unknown as pg.PoolClient, fetches)
  const fetch = async (flags: string[] | null = null) => {
    const name = flags ? 'get_jobF/graphile_worker' : 'get_job/graphile_worker'
    return (await client.query({ name, text: '', values: ['pool', [1], ...(flags ? [flags] : [])] })).rows
  }
  return { jobs, queries, client, fetch, whileFetching: (act: () => void) => void (during = act) }
}

test('after a fetch that found no job, fetches cost nothing until a poll has found due jobs', async () => {
  const fetches = makeEmptyFetches()
  const { jobs, queries, fetch } = aQueue(fetches)
  expect([await fetch(), await fetch(), await fetch()]).toEqual([[], [], []])
  expect(queries).toHaveLength(1)
  jobs.push({ id: 1 }, { id: 2 })
  fetches.noteDue()
  expect([await fetch(), await fetch(), await fetch(), await fetch()]).toEqual([[{ id: 1 }], [{ id: 2 }], [], []])
  expect(queries).toHaveLength(4)
})

test('a job that a poll has found during an empty fetch is fetched', async () => {
  const fetches = makeEmptyFetches()
  const { jobs, fetch, whileFetching } = aQueue(fetches)
  whileFetching(() => {
    jobs.push({ id: 1 })
    fetches.noteDue()
  })
  expect(await fetch()).toEqual([])
  whileFetching(() => undefined)
  expect(await fetch()).toEqual([{ id: 1 }])
})

test('a job without a notice is fetched after two seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { jobs, fetch } = aQueue(makeEmptyFetches())
  await fetch()
  jobs.push({ id: 1 })
  vi.advanceTimersByTime(1_999)
  expect(await fetch()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(await fetch()).toEqual([{ id: 1 }])
})

test('an empty fetch that skipped families does not hide the jobs of these families, and other statements are always sent', async () => {
  const { jobs, queries, client, fetch } = aQueue(makeEmptyFetches())
  expect(await fetch(['family:busy'])).toEqual([])
  jobs.push({ id: 1 })
  expect(await fetch()).toEqual([{ id: 1 }])
  expect(await fetch()).toEqual([])
  await client.query({ name: 'complete_job/graphile_worker', text: '', values: [1] })
  expect(queries.at(-1)).toBe('complete_job/graphile_worker')
})
