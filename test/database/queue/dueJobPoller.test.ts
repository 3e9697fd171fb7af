import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { type DueJobs, openDueJobPoller } from '../../../src/database/queue/dueJobPoller.ts'
import { testDatabase, testPool } from '../../support/database/database.ts'

const database = await testDatabase()
const pool = testPool(database.url, 2)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const soon = { timeout: 20_000, interval: 5 }

function lookingOut(tasks: readonly string[], options: { gapMs?: number; idleMs?: number } = {}) {
  const told: [string, number][][] = []
  const lookout = openDueJobPoller(pool, { tasks: () => tasks, notify: (due: DueJobs) => told.push([...due]), idleMs: 60_000, ...options })
  onTestFinished(() => lookout.close())
  return { told, lookout }
}
const add = (task: string, after = '0') => pool.query(`select graphile_worker.add_job($1, run_at => now() + $2::interval)`, [task, after])

test('what is due of the tasks is told when it is asked for, and nothing of others', async () => {
  const { told, lookout } = lookingOut(['one', 'two', 'three'])
  await add('one')
  await add('one')
  await add('two', '1 hour')
  await add('four')
  lookout.trigger()
  await vi.waitFor(() => expect(told).toEqual([[['one', 2]]]), soon)
})

test('while questions about all jobs fail, questions about the recent ones go on', async () => {
  const asked: string[] = []
  const failing = {
    query: ({ values: [, [from]] }: { values: [string[], string[]] }) => {
      asked.push(from === '-infinity' ? 'all' : 'recent')
      if (from === '-infinity' && asked.length > 1) return Promise.reject(new Error('canceling statement due to statement timeout'))
      return Promise.resolve({ rows: [{ task: 'one', due: 0, nextMilliseconds: 1, goneBefore: '2026-11-01T00:00:00Z' }] })
    },
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const lookout = openDueJobPoller(failing as never, { tasks: () => ['one'], notify: () => undefined, idleMs: 50 })
  onTestFinished(() => lookout.close())
  lookout.trigger()
  await vi.advanceTimersByTimeAsync(6_000)
  expect(asked.filter((kind) => kind === 'all').length).toBeLessThan(5)
  expect(asked.filter((kind) => kind === 'recent').length).toBeGreaterThan(20)
})

test('a job whose time comes is told of then, though nobody says a word', async () => {
  const { told, lookout } = lookingOut(['later'])
  await add('later', '300 milliseconds')
  lookout.trigger()
  await vi.waitFor(() => expect(told).toEqual([[['later', 1]]]), soon)
})

test('a notice that nobody heard costs a while and no more', async () => {
  const { told, lookout } = lookingOut(['unheard'], { idleMs: 100 })
  lookout.trigger()
  await add('unheard')
  await vi.waitFor(() => expect(told[0]).toEqual([['unheard', 1]]), soon)
})

test('however often it is told of new jobs, it asks once in its time, and misses none', async () => {
  const query = vi.spyOn(pool, 'query')
  onTestFinished(() => query.mockRestore())
  const { told, lookout } = lookingOut(['often'], { gapMs: 200 })
  for (let time = 0; time < 100; time++) lookout.trigger()
  await add('often')
  lookout.trigger()
  await vi.waitFor(() => expect(told).toEqual([[['often', 1]]]), soon)
  expect(query.mock.calls.filter(([asked]) => (asked as { name?: string }).name === 'due_jobs').length).toBeLessThanOrEqual(3)
})

const jobPages = `select sum(pg_stat_get_xact_blocks_fetched(part)) as pages from (
  select 'graphile_worker._private_jobs'::regclass as part
  union all select indexrelid from pg_index where indrelid = 'graphile_worker._private_jobs'::regclass) as parts`

test('twenty thousand jobs that wait for something else, due or not, make the question no dearer', async () => {
  const many = (task: string, after: string) =>
    pool.query(
      `select graphile_worker.add_jobs(array(
         select ($1, '{}', null, now() + $2::interval, 1, null, null, null)::graphile_worker.job_spec from generate_series(1, 10000)))`,
      [task, after],
    )
  await many('backlog', '0')
  await many('planned', '1 hour')
  await add('quiet')
  const client = await pool.connect()
  onTestFinished(() => client.release())
  await client.query('begin')
  await client.query('set local plan_cache_mode = force_generic_plan')
  const pages = async () => Number((await client.query<{ pages: number }>(jobPages)).rows[0]?.pages)
  const before = await pages()
  const due = await new Promise<DueJobs>((resolve) => {
    const lookout = openDueJobPoller(
      { query: client.query.bind(client) },
      { tasks: () => ['quiet', 'backlog', 'planned'], notify: resolve },
    )
    onTestFinished(() => lookout.close())
    lookout.trigger()
  })
  expect(Object.fromEntries(due)).toEqual({ backlog: 10, quiet: 1 })
  // For each task from the root of the index to its leaf, twice, and at most ten rows.
  expect((await pages()) - before).toBeLessThanOrEqual(3 * (2 * 3 + 10))
})
