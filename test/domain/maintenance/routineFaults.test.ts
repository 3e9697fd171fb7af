import { afterAll, beforeEach, expect, test } from 'vitest'
import { contextFor } from '../../../src/domain/context.ts'
import { routineFaults } from '../../../src/domain/maintenance/routineFaults.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices({ clock: 'database' })
afterAll(close)
const { pool } = services
const read = () => routineFaults(contextFor(services, { kind: 'system' }))
const faults = async () => (await read()).map(({ words }) => words)

beforeEach(async () => {
  await pool.query(`delete from processes; update routines set added_at = now() - interval '1 year', ended_at = now()`)
})

test('a routine that has not succeeded for fifteen periods while a process lived is named', async () => {
  await pool.query(`insert into processes (id, roles, started_at) values ('proc_a', '{worker}', now() - interval '1 day')`)
  expect(await faults()).toEqual([])
  await pool.query(`update routines set ended_at = now() - interval '16 minutes' where name in ('reconcile', 'prune')`)
  expect(await faults()).toEqual([expect.stringMatching(/^reconcile has not succeeded for 0\.3 hours/)])
  // Fifteen of the sixteen minutes were allowed.
  const [{ since } = { since: new Date(0) }] = await read()
  expect((Date.now() - since.getTime()) / 60_000).toBeCloseTo(1, 0)
  await pool.query(`update routines set ended_at = null where name = 'prune'`)
  expect(await faults()).toEqual([expect.stringMatching(/^prune /), expect.stringMatching(/^reconcile /)])
})

test('time without any process does not count', async () => {
  await pool.query(`update routines set ended_at = now() - interval '2 days'`)
  expect(await faults()).toEqual([])
  await pool.query(`insert into processes (id, roles) values ('proc_a', '{worker}')`)
  expect(await faults()).toEqual([])
})
