import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, testPool } from '../../support/database/database.ts'

const database = await testDatabase()
const pool = testPool(database.url, 1)
const client = await pool.connect()
afterAll(async () => {
  client.release()
  await pool.end()
  await database.drop()
})

const functions = { library: 'graphile_worker.add_jobs', ours: 'jobs_add' }

/** Adds `specs` to the jobs that `before` leaves, and returns all jobs. Changes nothing. */
async function jobsAfter(name: string, { before, specs, keepsRunAt }: (typeof cases)[number]): Promise<unknown[]> {
  await client.query('begin')
  try {
    for (const sql of before) await client.query(sql)
    await client.query(`select from ${name}(array[${specs.map((spec) => `${spec}::graphile_worker.job_spec`)}], $1)`, [keepsRunAt ?? false])
    const { rows } = await client.query(
      `select t.identifier, j.job_queue_id, j.payload, j.priority, j.attempts, j.max_attempts, j.last_error, j.key, j.revision, j.flags,
           j.locked_by, j.is_available, j.run_at - now() as due_in, j.created_at = now() as is_new, j.updated_at - now() as updated_in
         from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
         order by j.id`,
    )
    return rows
  } finally {
    await client.query('rollback')
  }
}

const plain = `('submit', '{"a":1}', null, now() + interval '1 minute', 30000, 'k', 3, array['red', 'blue'])`
const later = `('poll', '{"b":2}', null, now() + interval '2 minutes', 7, 'k', 1, null)`
const waiting = `select graphile_worker.add_jobs(array[${plain}::graphile_worker.job_spec])`
const set = (columns: string) => `update graphile_worker._private_jobs set ${columns}, updated_at = now() - interval '1 hour'`
const cases: { what: string; before: string[]; specs: string[]; keepsRunAt?: boolean }[] = [
  {
    what: 'new jobs, some without a key or of an unknown task',
    before: [],
    specs: [plain, `('new', null, null, null, null, null, null, null)`],
  },
  { what: 'a job with the key of a waiting one', before: [waiting], specs: [later] },
  { what: 'a job with the key of a waiting one that keeps its time', before: [waiting], specs: [later], keepsRunAt: true },
  {
    what: 'a job with the key of one that failed once',
    before: [waiting, set(`attempts = 1, last_error = 'broken'`)],
    specs: [later],
    keepsRunAt: true,
  },
  { what: 'a job with the key of one without attempts left', before: [waiting, set('attempts = max_attempts')], specs: [later] },
  {
    what: 'a job with the key of a running one, beside another',
    before: [waiting, set(`attempts = 1, locked_at = now(), locked_by = 'pool'`)],
    specs: [later, `('poll', '{}', null, null, 5, 'other', 0, array[]::text[])`],
  },
]

beforeAll(() =>
  client.query(`select graphile_worker.add_job('submit')`).then(() => client.query('delete from graphile_worker._private_jobs')),
)

test.for(cases)('$what is queued as by the library', async (each) => {
  const ours = await jobsAfter(functions.ours, each)
  expect(ours).toEqual(await jobsAfter(functions.library, each))
  expect(ours.length).toBeGreaterThan(0)
})

test('jobs_add returns 0 for null and for an empty array', async () => {
  const { rows } = await client.query('select jobs_add(null) as nothing, jobs_add(array[]::graphile_worker.job_spec[]) as none')
  expect(rows).toEqual([{ nothing: 0, none: 0 }])
})

test('jobs are announced in the commit, except in a transaction that has deferred their notices', async () => {
  const received: string[] = []
  client.on('notification', ({ channel }) => received.push(channel))
  await client.query('listen "jobs:insert"')
  const add = `select jobs_add(array[${plain}::graphile_worker.job_spec])`
  await client.query(`${add} from set_config('atelier.job_notices', 'deferred', true)`)
  expect(received).toEqual([])
  await client.query(add)
  expect(received).toEqual(['jobs:insert'])
})
