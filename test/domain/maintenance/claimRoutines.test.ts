import { afterAll, beforeEach, expect, test } from 'vitest'
import { contextFor } from '../../../src/domain/context.ts'
import { addMissingRoutines, claimRoutines, endRoutine } from '../../../src/domain/maintenance/claimRoutines.ts'
import { routineNames, routinePeriods } from '../../../src/domain/routines.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices({ poolMax: 20 })
afterAll(close)
const { pool } = services
const context = contextFor(services, { kind: 'system' })

beforeEach(async () => {
  await clock.set('2026-03-10T12:00:00.000Z')
  await pool.query('delete from routines; delete from processes')
  await addMissingRoutines(context)
})

const claimBy = (processId: string, names = routineNames) => claimRoutines(context, { names, processId })
const end = (processId: string, succeeded = true) => endRoutine(context, { name: 'reconcile', processId, succeeded })
const aProcess = (id: string) => pool.query(`insert into processes (id, roles) values ($1, '{worker}')`, [id])
const endedAt = async () => (await pool.query(`select ended_at from routines where name = 'reconcile'`)).rows[0].ended_at

test('the migrations insert every routine, so that a routine that never ran has an age', async () => {
  const fresh = await testServices()
  const { rows } = await fresh.services.pool.query('select name from routines order by name')
  await fresh.close()
  expect(rows.map(({ name }) => name)).toEqual(routineNames.toSorted())
})

test('one of several concurrent processes starts each routine, and none starts it before its period has passed', async () => {
  const claimed = await Promise.all(Array.from({ length: 12 }, (_, number) => claimBy(`proc_${number}`)))
  expect(claimed.flat().toSorted()).toEqual(routineNames.toSorted())
  await clock.advance(14_000)
  expect(await claimBy('proc_other')).toEqual([])
  await clock.advance(47_000)
  expect((await claimBy('proc_other')).toSorted()).toEqual(['raiseAlerts', 'reconcile', 'recordCallbacks'])
  await clock.advance(Math.max(...Object.values(routinePeriods).map(({ seconds }) => seconds)) * 1000)
  expect((await claimBy('proc_other')).toSorted()).toEqual(routineNames.toSorted())
})

test('a start time in the future, written by a wrong clock, is ignored', async () => {
  await clock.advance(3_600_000)
  expect(await claimBy('proc_a', ['reconcile'])).toEqual(['reconcile'])
  await end('proc_a')
  await clock.advance(-3_600_000)
  expect(await claimBy('proc_b', ['reconcile'])).toEqual(['reconcile'])
  await end('proc_b')
  expect(await claimBy('proc_a', ['reconcile'])).toEqual([])
})

test('a routine does not start twice while its process is alive, and starts again after that process has died', async () => {
  await aProcess('proc_a')
  await claimBy('proc_a')
  await clock.advance(3_600_000)
  expect(await claimBy('proc_b')).toEqual([])
  await end('proc_a')
  expect(await claimBy('proc_b')).toEqual(['reconcile'])
  await pool.query('delete from processes')
  expect((await claimBy('proc_b')).toSorted()).toEqual(routineNames.filter((name) => name !== 'reconcile').toSorted())
})

test('a process without a recent heartbeat holds no routine', async () => {
  await aProcess('proc_a')
  await claimBy('proc_a')
  await pool.query(`update processes set heartbeat_at = now() - interval '1 minute'`)
  await clock.advance(61_000)
  expect(await claimBy('proc_b', ['reconcile'])).toEqual(['reconcile'])
})

test('a hung run blocks other runs for six hours', async () => {
  await aProcess('proc_a')
  await claimBy('proc_a')
  await clock.advance(5.9 * 3_600_000)
  expect(await claimBy('proc_b', ['reconcile'])).toEqual([])
  await clock.advance(0.2 * 3_600_000)
  expect(await claimBy('proc_b', ['reconcile'])).toEqual(['reconcile'])
})

test('only a successful run of the process that holds the routine is recorded', async () => {
  await claimBy('proc_a')
  await end('proc_a', false)
  expect(await endedAt()).toBeNull()
  await clock.advance(61_000)
  await claimBy('proc_b')
  await end('proc_a')
  expect(await endedAt()).toBeNull()
  await end('proc_b')
  expect(await endedAt()).toEqual(clock.now())
})
