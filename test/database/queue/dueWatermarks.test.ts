import { Logger, runTaskListOnce } from 'graphile-worker'
import type { PoolClient } from 'pg'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { type DueJobs, openDueJobPoller } from '../../../src/database/queue/dueJobPoller.ts'
import { makeDueWatermarks, withDueWatermarks } from '../../../src/database/queue/dueWatermarks.ts'
import { testDatabase, testPool } from '../../support/database/database.ts'

const database = await testDatabase()
const pool = testPool(database.url, 4)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const silent = new Logger(() => () => undefined)
const past = '2020-01-01T00:00:00Z'

async function aConnection(): Promise<PoolClient> {
  const client = await pool.connect()
  onTestFinished(() => client.release())
  return client
}

/** Runs the due jobs of `greet` with the library, over a connection that records statement names. */
async function runOnce({ since = [past], forbiddenFlags = [] as string[] } = {}) {
  const client = await aConnection()
  const names: (string | undefined)[] = []
  const recorded = new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        if (key === 'query') names.push((given[0] as { name?: string }).name)
        return Reflect.apply(value, target, given)
      }
    },
  })
  const ran: unknown[] = []
  const options = {
    logger: silent,
    noHandleSignals: true,
    preset: { worker: { preparedStatements: true } },
    ...(forbiddenFlags.length > 0 ? { forbiddenFlags } : {}),
  }
  await runTaskListOnce(
    options,
    { greet: async (payload) => void ran.push(payload) },
    withDueWatermarks(recorded, () => since),
  )
  return { ran, names }
}

test('the fetch statement of the library is replaced by one that respects tasks, priorities, flags and locks', async () => {
  const add = (name: string, options = '') =>
    pool.query(`select graphile_worker.add_job('greet', json_build_object('name', $1::text) ${options})`, [name])
  await add('later', `, run_at => now() + interval '1 hour'`)
  await add('second')
  await add('first', ', priority => -1')
  await add('flagged', `, flags => array['red']`)
  await pool.query(`select graphile_worker.add_job('other')`)
  const { ran, names } = await runOnce({ forbiddenFlags: ['red', 'blue'] })
  expect(ran).toEqual([{ name: 'first' }, { name: 'second' }])
  expect(names.filter((name) => /jobs?/.test(name ?? ''))).toEqual(expect.arrayContaining(['take_jobs']))
  expect(names.filter((name) => name?.startsWith('get_job'))).toEqual([])
  expect((await runOnce()).ran).toEqual([{ name: 'flagged' }])
  const left = await pool.query('select task_identifier as task, attempts from graphile_worker.jobs order by 1')
  expect(left.rows).toEqual([
    { task: 'greet', attempts: 0 },
    { task: 'other', attempts: 0 },
  ])
})

test('a fetch skips a job that is due since before the watermark', async () => {
  await pool.query('delete from graphile_worker._private_jobs')
  await pool.query(`select graphile_worker.add_job('greet', run_at => now() - interval '1 hour')`)
  expect((await runOnce({ since: [new Date(Date.now() - 60_000).toISOString()] })).ran).toHaveLength(0)
  expect((await runOnce({ since: [new Date(Date.now() - 60_000).toISOString(), past] })).ran).toHaveLength(1)
})

test('a job that is unlocked, and due for an hour, is found within seconds', async () => {
  const notified: DueJobs[] = []
  const since = makeDueWatermarks()
  const poller = openDueJobPoller(pool, { tasks: () => ['greet'], notify: (due) => notified.push(due), since, gapMs: 10, idleMs: 50 })
  onTestFinished(() => poller.close())
  poller.trigger()
  await vi.waitFor(() => expect(since.of(['greet'])).not.toEqual(['-infinity']))
  await pool.query(`select graphile_worker.add_job('greet', run_at => now() - interval '1 hour')`)
  await vi.waitFor(() => expect(notified).not.toEqual([]), { timeout: 10_000 })
  const { rows } = await pool.query(`select $1::timestamptz < now() - interval '1 hour' as earlier`, [since.of(['greet'])[0]])
  expect(rows).toEqual([{ earlier: true }])
})

const jobPages = `select sum(pg_stat_get_xact_blocks_fetched(part))::integer as pages from (
  select 'graphile_worker._private_jobs'::regclass as part
  union all select indexrelid from pg_index where indrelid = 'graphile_worker._private_jobs'::regclass) as parts`

test('beside an open snapshot, ended jobs make neither a poll nor a fetch read more pages', async () => {
  await pool.query('delete from graphile_worker._private_jobs')
  await pool.query('vacuum graphile_worker._private_jobs')
  await pool.query(`select graphile_worker.add_job('greet')`)
  await pool.query(`delete from graphile_worker._private_jobs`)
  const backup = await aConnection()
  await backup.query('begin isolation level repeatable read')
  await backup.query('select from graphile_worker._private_tasks')
  onTestFinished(async () => void (await backup.query('rollback')))
  await pool.query(`select count(*) from graphile_worker.add_jobs(array(
    select ('greet', '{}', null, now() - interval '1 minute', 30000, null, null, null)::graphile_worker.job_spec from generate_series(1, 20000)))`)
  await pool.query('delete from graphile_worker._private_jobs')
  const client = await aConnection()
  await client.query('begin')
  const { rows } = await client.query(`select id from graphile_worker._private_tasks where identifier = 'greet'`)
  const pagesOf = async (text: string, values: unknown[]) => {
    const before = (await client.query(jobPages)).rows[0].pages
    await client.query(text, values)
    return (await client.query(jobPages)).rows[0].pages - before
  }
  const recently = [new Date(Date.now() - 15_000).toISOString()]
  const take = 'select * from jobs_take($1, $2, null, $3, 1)'
  const poll = 'select * from jobs_due($1, $2, 10)'
  const ids = rows.map(({ id }) => id)
  const pages = {
    poll: [await pagesOf(poll, [['greet'], [past]]), await pagesOf(poll, [['greet'], recently])],
    take: [await pagesOf(take, ['pool_a', ids, [past]]), await pagesOf(take, ['pool_a', ids, recently])],
  }
  for (const [all = 0, recent = 0] of Object.values(pages)) expect(recent).toBeLessThan(all / 2)
  expect(pages.poll[1]).toBeLessThan(20)
  await client.query('rollback')
})
