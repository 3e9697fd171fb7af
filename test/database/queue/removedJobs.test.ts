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

test('the queue does not complete a job that was removed with the end of its work, also when it repeats the statement', async () => {
  const { asked, client } = recording()
  const removed = makeRemovedJobs()
  removed.add(7)
  const wrapped = withRemovedJobs(client, removed)
  for (let times = 0; times < 2; times++) {
    await wrapped.query({ name: 'complete_job/graphile_worker', text: '', values: [7] })
    await wrapped.query({ name: 'complete_jobs/graphile_worker', text: '', values: [[6, 7, 8]] })
    await wrapped.query({ name: 'complete_job/graphile_worker', text: '', values: [9] })
  }
  expect(asked).toEqual([[[6, 8]], [9], [[6, 8]], [9]])
})

test('other statements pass unchanged', async () => {
  const { asked, client } = recording()
  const removed = makeRemovedJobs()
  removed.add(7)
  await withRemovedJobs(client, removed).query({ name: 'get_job/graphile_worker', text: '', values: [7] })
  expect(asked).toEqual([[7]])
})
