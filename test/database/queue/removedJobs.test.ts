import type pg from 'pg'
import { expect, test } from 'vitest'
import { makeRemovedJobs, withRemovedJobs } from '../../../src/database/queue/removedJobs.ts'

/** A connection that records what reaches it. */
function recording() {
  const asked: unknown[] = []
  const query = async (config: { values: unknown[] }) => {
    asked.push(config.values)
    return { rows: [], rowCount: 1 }
  }
  return { asked, client: { query } as unknown as pg.PoolClient }
}

/** A run that ended. */
const run = (id: number, pool = 'pool_a') => ({ id: String(id), locked_by: pool, revision: 0, attempts: 1 })

test('the queue does not complete a job that was removed with the end of its work, also when it repeats the statement', async () => {
  const { asked, client } = recording()
  const removed = makeRemovedJobs()
  for (const id of [6, 7, 8, 9]) removed.recordEnd(run(id))
  removed.add(7)
  const wrapped = withRemovedJobs(client, removed)
  for (let times = 0; times < 2; times++) await wrapped.query({ name: 'complete_job/graphile_worker', text: '', values: [7] })
  await wrapped.query({ name: 'complete_jobs/graphile_worker', text: '', values: [[6, 7, 8]] })
  await wrapped.query({ name: 'complete_job/graphile_worker', text: '', values: [9] })
  const both = [
    ['6', '8'],
    ['pool_a', 'pool_a'],
    [0, 0],
    [1, 1],
  ]
  expect(asked).toEqual([both, ['9', 'pool_a', 0, 1]])
})

test('a statement that failed is repeated for the same run', async () => {
  const { asked, client } = recording()
  const removed = makeRemovedJobs()
  removed.recordEnd(run(7))
  let failures = 1
  const query = async (config: { values: unknown[] }) => {
    if (failures-- > 0) throw new Error('the reply was lost')
    return client.query(config as never)
  }
  const wrapped = withRemovedJobs({ query } as unknown as pg.PoolClient, removed)
  const complete = () => wrapped.query({ name: 'complete_job/graphile_worker', text: '', values: [7] })
  await expect(complete()).rejects.toThrow('the reply was lost')
  await complete()
  expect(asked).toEqual([['7', 'pool_a', 0, 1]])
})

test('other statements pass unchanged', async () => {
  const { asked, client } = recording()
  const removed = makeRemovedJobs()
  removed.add(7)
  await withRemovedJobs(client, removed).query({ name: 'get_job/graphile_worker', text: '', values: [7] })
  expect(asked).toEqual([[7]])
})
