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

function startPoller(tasks: readonly string[], options: { gapMs?: number; idleMs?: number } = {}) {
  const notified: [string, number][][] = []
  const poller = openDueJobPoller(pool, {
    tasks: () => tasks,
    notify: (due: DueJobs) => notified.push([...due]),
    idleMs: 60_000,
    ...options,
  })
  onTestFinished(() => poller.close())
  return { notified, poller }
}
const add = (task: string, after = '0') => pool.query(`select graphile_worker.add_job($1, run_at => now() + $2::interval)`, [task, after])

test('a trigger reports the due jobs of the given tasks only', async () => {
  const { notified, poller } = startPoller(['one', 'two', 'three'])
  await add('one')
  await add('one')
  await add('two', '1 hour')
  await add('four')
  poller.trigger()
  await vi.waitFor(() => expect(notified).toEqual([[['one', 2]]]), soon)
})

test('while full polls fail, polls of recent jobs continue', async () => {
  const polls: string[] = []
  const failing = {
    query: ({ values: [, [from]] }: { values: [string[], string[]] }) => {
      polls.push(from === '-infinity' ? 'all' : 'recent')
      if (from === '-infinity' && polls.length > 1) return Promise.reject(new Error('canceling statement due to statement timeout'))
      return Promise.resolve({ rows: [{ task: 'one', due: 0, nextMilliseconds: 1, goneBefore: '2026-11-01T00:00:00Z' }] })
    },
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const poller = openDueJobPoller(failing as never, { tasks: () => ['one'], notify: () => undefined, idleMs: 50 })
  onTestFinished(() => poller.close())
  poller.trigger()
  await vi.advanceTimersByTimeAsync(6_000)
  expect(polls.filter((kind) => kind === 'all').length).toBeLessThan(5)
  expect(polls.filter((kind) => kind === 'recent').length).toBeGreaterThan(20)
})

test('a job that becomes due is reported without a trigger', async () => {
  const { notified, poller } = startPoller(['later'])
  await add('later', '300 milliseconds')
  poller.trigger()
  await vi.waitFor(() => expect(notified).toEqual([[['later', 1]]]), soon)
})

test('a job whose notification was lost is reported after the idle interval', async () => {
  const { notified, poller } = startPoller(['unheard'], { idleMs: 100 })
  poller.trigger()
  await add('unheard')
  await vi.waitFor(() => expect(notified[0]).toEqual([['unheard', 1]]), soon)
})

test('a runner that can run another job gets the rest of a backlog at once, and polls only when there is a backlog', async () => {
  const query = vi.spyOn(pool, 'query')
  onTestFinished(() => query.mockRestore())
  const { notified, poller } = startPoller(['some', 'many'])
  for (let count = 0; count < 9; count++) await add('some')
  poller.trigger()
  await vi.waitFor(() => expect(notified).toEqual([[['some', 9]]]), soon)
  const polls = () => query.mock.calls.filter(([config]) => (config as { name?: string }).name === 'due_jobs').length
  const before = polls()
  poller.resume()
  for (let count = 0; count < 12; count++) await add('many')
  expect(polls()).toBe(before)
  poller.trigger()
  await vi.waitFor(() => expect(notified[1]).toContainEqual(['many', 10]), soon)
  poller.resume()
  await vi.waitFor(() => expect(notified[2]).toContainEqual(['many', 10]), soon)
})

test('many triggers cause one poll per interval, and no job is missed', async () => {
  const query = vi.spyOn(pool, 'query')
  onTestFinished(() => query.mockRestore())
  const { notified, poller } = startPoller(['often'], { gapMs: 200 })
  for (let time = 0; time < 100; time++) poller.trigger()
  await add('often')
  poller.trigger()
  await vi.waitFor(() => expect(notified).toEqual([[['often', 1]]]), soon)
  expect(query.mock.calls.filter(([config]) => (config as { name?: string }).name === 'due_jobs').length).toBeLessThanOrEqual(3)
})

const jobPages = `select sum(pg_stat_get_xact_blocks_fetched(part)) as pages from (
  select 'graphile_worker._private_jobs'::regclass as part
  union all select indexrelid from pg_index where indrelid = 'graphile_worker._private_jobs'::regclass) as parts`

test('twenty thousand waiting jobs of other tasks do not make a poll read more pages', async () => {
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
    const poller = openDueJobPoller({ query: client.query.bind(client) }, { tasks: () => ['quiet', 'backlog', 'planned'], notify: resolve })
    onTestFinished(() => poller.close())
    poller.trigger()
  })
  expect(Object.fromEntries(due)).toEqual({ backlog: 10, quiet: 1 })
  // For each task from the root of the index to its leaf, twice, and at most ten rows.
  expect((await pages()) - before).toBeLessThanOrEqual(3 * (2 * 3 + 10))
})
