import { readFile } from 'node:fs/promises'
import { Logger, runTaskListOnce } from 'graphile-worker'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { dueJobs, fetchStatementName, lateTasks, takeJobs, unlockJobsExcept } from '../../../src/database/queue/graphileInternals.ts'
import { testDatabase, testPool } from '../../support/database/database.ts'

const database = await testDatabase()
const pool = testPool(database.url, 2)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** The version whose tables, functions and statements were read when `graphileInternals.ts` and the functions `jobs_…` were written. */
const knownVersion = '0.18.0'

function verdictOn(version: string): string {
  if (version === knownVersion) return 'known'
  return (
    `graphile-worker ${version} is unknown. Read its changes in sql/ and dist/sql/getJobs.js, adapt graphileInternals.ts and ` +
    `migrations/functions/jobs_*.sql, then set knownVersion.`
  )
}

/** The columns that `graphileInternals.ts` and the functions `jobs_…` use. */
const columns = {
  'graphile_worker._private_jobs': {
    id: 'bigint',
    task_id: 'integer',
    job_queue_id: 'integer',
    payload: 'json',
    priority: 'smallint',
    run_at: 'timestamp with time zone',
    attempts: 'smallint',
    max_attempts: 'smallint',
    key: 'text',
    locked_at: 'timestamp with time zone',
    locked_by: 'text',
    flags: 'jsonb',
    is_available: 'boolean',
    revision: 'integer',
    last_error: 'text',
    updated_at: 'timestamp with time zone',
  },
  'graphile_worker._private_tasks': { id: 'integer', identifier: 'text' },
}

test('the installed graphile-worker is the version that our code for its private tables was written for', async () => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.resolve('graphile-worker')), 'utf8'))
  expect(verdictOn(version)).toBe('known')
  expect(verdictOn('0.19.0')).toMatch(/^graphile-worker 0\.19\.0 is unknown\. Read its changes/)
})

test.for(Object.entries(columns))('%s has the columns that our code uses, with their types', async ([table, used]) => {
  const { rows } = await pool.query<{ name: string; type: string }>(
    'select attname as name, format_type(atttypid, null) as type from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped',
    [table],
  )
  const present = Object.fromEntries(rows.map(({ name, type }) => [name, type]))
  expect(present).toMatchObject(used)
})

test('a job is available exactly when it is unlocked and has attempts left', async () => {
  const { rows } = await pool.query(
    `select pg_get_expr(adbin, adrelid) as rule from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
       where adrelid = 'graphile_worker._private_jobs'::regclass and attname = 'is_available'`,
  )
  expect(rows).toEqual([{ rule: '((locked_at IS NULL) AND (attempts < max_attempts))' }])
})

test('the library takes jobs with a statement of the known name and values', async () => {
  const client = await pool.connect()
  onTestFinished(() => client.release())
  const sent: { name?: string; values?: unknown[] }[] = []
  const recorded = new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        if (key === 'query') sent.push(given[0] as (typeof sent)[number])
        return Reflect.apply(value, target, given)
      }
    },
  })
  await pool.query(`select graphile_worker.add_job('canary')`)
  const { rows } = await pool.query(`select id from graphile_worker._private_tasks where identifier = 'canary'`)
  const options = { logger: new Logger(() => () => undefined), noHandleSignals: true, preset: { worker: { preparedStatements: true } } }
  await runTaskListOnce({ ...options, forbiddenFlags: ['red'] }, { canary: () => undefined }, recorded)
  const fetches = sent.filter(({ name }) => fetchStatementName.test(name ?? ''))
  expect(fetches[0]?.values).toEqual([expect.any(String), [rows[0].id], ['red']])
})

test('due jobs are counted up to the largest count, and taken for a pool', async () => {
  await pool.query(`select count(graphile_worker.add_job('counted')) from generate_series(1, 3)`)
  const { rows: tasks } = await pool.query(`select id from graphile_worker._private_tasks where identifier = 'counted'`)
  const { rows: due } = await pool.query(dueJobs.text, [['counted'], ['-infinity'], 2])
  expect(due).toMatchObject([{ task: 'counted', due: 2 }])
  const { rows: taken } = await pool.query(takeJobs.text, ['pool_a', [tasks[0].id], null, ['-infinity'], 1])
  expect(taken).toMatchObject([{ attempts: 1, locked_by: 'pool_a', task_id: tasks[0].id }])
})

test('a task is late when one of its available jobs has been due for longer than the limit', async () => {
  const add = (task: string, age: string) => pool.query(`select graphile_worker.add_job($1, run_at => now() - $2::interval)`, [task, age])
  await add('late', '1 minute')
  await add('recent', '10 seconds')
  await add('planned', '-1 minute')
  const { rows } = await pool.query(lateTasks.text, [['late', 'recent', 'planned', 'none'], 30])
  expect(rows).toEqual([{ task: 'late' }])
})

test('unlocking the jobs of a pool keeps running jobs, recent ones and jobs of other pools locked', async () => {
  await pool.query('delete from graphile_worker._private_jobs')
  const { rows } = await pool.query<{ id: string }>(
    `select id from graphile_worker.add_jobs(array(
       select ('held', '{}', null, null, 5, null, null, null)::graphile_worker.job_spec from generate_series(1, 4))) order by id`,
  )
  const [orphaned = '', running = '', recent = '', foreign = ''] = rows.map(({ id }) => id)
  const lock = (id: string, holder: string, age: string) =>
    pool.query('update graphile_worker._private_jobs set locked_by = $2, locked_at = now() - $3::interval where id = $1', [id, holder, age])
  for (const id of [orphaned, running]) await lock(id, 'pool_a', '10 seconds')
  await lock(recent, 'pool_a', '0')
  await lock(foreign, 'pool_b', '10 seconds')
  expect((await pool.query(unlockJobsExcept, [['pool_a'], [running], 4000])).rows).toEqual([{ id: orphaned }])
})
