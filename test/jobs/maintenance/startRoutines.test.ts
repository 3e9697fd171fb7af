import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type RoutineName, routineNames } from '../../../src/domain/routines.ts'
import { startRoutines } from '../../../src/jobs/maintenance/startRoutines.ts'
import { testServices } from '../../support/services.ts'

const own = await testServices({ clock: 'database' })
const { services, logged } = own
const { pool } = services
afterAll(own.close)
beforeEach(() => pool.query('update routines set begun_at = null, ended_at = null, holder = null'))

type Run = (name: RoutineName) => Promise<void>

/** A process that runs maintenance until the end of the test, or until it is stopped. */
function aProcess(processId: string, run: Run) {
  const started = startRoutines({ services }, { processId, run, pollIntervalMs: 20 })
  const stop = async () => {
    started.stop()
    await started.close()
  }
  onTestFinished(stop)
  return { stop }
}

const periodPasses = (name: RoutineName) => pool.query(`update routines set begun_at = begun_at - interval '1 day' where name = $1`, [name])
const rowOf = async (name: RoutineName) => (await pool.query('select * from routines where name = $1', [name])).rows[0]
const ended = (name: RoutineName) =>
  vi.waitFor(async () => expect(await rowOf(name)).toMatchObject({ holder: null, ended_at: expect.any(Date) }))

test('each routine runs once in its period, in the first process that polls', async () => {
  const runs: RoutineName[] = []
  const run: Run = async (name) => void runs.push(name)
  for (const id of ['proc_a', 'proc_b', 'proc_c']) aProcess(id, run)
  for (const name of ['reconcile', 'prune', 'recountLedger'] as const) await ended(name)
  await periodPasses('reconcile')
  await vi.waitFor(() => expect(runs.filter((name) => name === 'reconcile')).toHaveLength(2))
  expect(runs.filter((name) => name === 'prune')).toHaveLength(1)
})

test('a process with a wall clock an hour ahead does not delay routines of others', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const ahead = aProcess('proc_ahead', async () => undefined)
  await ended('reconcile')
  await ahead.stop()
  vi.useRealTimers()
  const secondsAgo = `select extract(epoch from now() - begun_at)::float8 as seconds from routines where name = 'reconcile'`
  expect((await pool.query(secondsAgo)).rows[0].seconds).toBeGreaterThan(0)
  await pool.query(`update routines set begun_at = now() - interval '61 seconds' where name = 'reconcile'`)
  const runs: RoutineName[] = []
  aProcess('proc_right', async (name) => void runs.push(name))
  await vi.waitFor(() => expect(runs).toEqual(['reconcile']))
})

test('a running routine is not started a second time, and does not delay others', async () => {
  const runs: RoutineName[] = []
  const hanging = Promise.withResolvers<void>()
  let released = false
  aProcess('proc_a', async (name) => {
    runs.push(name)
    if (name === 'prune' && !released) await hanging.promise
  })
  await ended('reconcile')
  for (const name of ['prune', 'reconcile'] as const) await periodPasses(name)
  await vi.waitFor(() => expect(runs.filter((name) => name === 'reconcile')).toHaveLength(2))
  expect(runs.filter((name) => name === 'prune')).toHaveLength(1)
  released = true
  hanging.resolve()
  await ended('prune')
  await vi.waitFor(() => expect(runs.filter((name) => name === 'prune')).toHaveLength(2))
})

test('a routine that fails is logged, does not count as run, and runs again after its period', async () => {
  let isBroken = true
  aProcess('proc_a', async (name) => {
    if (name === 'prune' && isBroken) throw new Error('broken')
  })
  await vi.waitFor(async () => expect(await rowOf('prune')).toMatchObject({ holder: null, begun_at: expect.any(Date), ended_at: null }))
  expect(logged.filter(({ level }) => level === 'error')).toMatchObject([{ message: 'a routine failed', fields: { routine: 'prune' } }])
  isBroken = false
  await periodPasses('prune')
  await ended('prune')
})

test('a process that stops waits for running routines, and an interrupted one does not count as run', async () => {
  const shutdown = Promise.withResolvers<void>()
  const runs: RoutineName[] = []
  const { stop } = aProcess('proc_a', async (name) => {
    runs.push(name)
    if (name === 'keepRetention') await shutdown.promise
  })
  await vi.waitFor(() => expect(runs).toContain('keepRetention'))
  const stopped = stop()
  shutdown.resolve()
  await stopped
  expect(await rowOf('keepRetention')).toMatchObject({ holder: null, ended_at: null })
})

test('after a jump of the database clock, routines that delete or pause by age do not start, and all others do', async () => {
  const jump = await testServices()
  onTestFinished(jump.close)
  const runs: RoutineName[] = []
  const checks = async () => {
    const started = startRoutines(jump, { processId: 'proc_a', run: async (name) => void runs.push(name), pollIntervalMs: 20 })
    await vi.waitFor(() => expect(runs).toContain('reconcile'))
    started.stop()
    await started.close()
    return runs.splice(0).toSorted()
  }
  const all = routineNames.toSorted()
  expect(await checks()).toEqual(all)
  await jump.clock.advance(200 * 86_400_000)
  expect(await checks()).toEqual(
    all.filter((name) => !['prune', 'clearPartitions', 'keepRetention', 'sumUpUsage', 'recountMonths', 'pauseFailing'].includes(name)),
  )
  expect(jump.logged.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    'the clock of the database jumped far ahead: nothing is deleted by age for six hours',
  ])
  await jump.clock.advance(-200 * 86_400_000 + 3_600_000)
  expect(await checks()).toEqual(all)
})
