import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { beginBackup, endBackup, extendBackup } from '../../../src/domain/backups/backupRecord.ts'
import { removalsWait } from '../../../src/domain/backups/removalsWait.ts'
import { removeObject } from '../../../src/jobs/maintenance/removeObject.ts'
import { aJobContext } from '../../support/generations/jobContext.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices({ clock: 'database' })
afterAll(close)

test('during a backup removals wait and no other backup starts, until it ends or its heartbeat expires', async () => {
  const context = aJobContext(services)
  const target = 'file:///x'
  expect(await beginBackup(context, { name: 'one', target })).toBe(true)
  expect(await beginBackup(context, { name: 'other', target })).toBe(false)
  const { key } = await services.storage.put('results/gen_x/1', Readable.from([Buffer.from('x')]))
  await removeObject(context, { storageKey: key })
  expect(await services.storage.size(key)).toBe(1)
  const { rows } = await services.pool.query('select run_at > now() as later from graphile_worker.jobs')
  expect(rows).toEqual([{ later: true }])

  expect(await extendBackup(context, 'one')).toBe(true)
  await services.pool.query("update backups set held_until = present() - interval '1 second'")
  await removeObject(context, { storageKey: key })
  expect(await services.storage.size(key)).toBeUndefined()
  expect(await beginBackup(context, { name: 'two', target })).toBe(true)
  expect(await extendBackup(context, 'one')).toBe(false)
  await endBackup(context, 'two')
  expect(await beginBackup(context, { name: 'three', target })).toBe(true)
})

test('a backup that crashed while the clock was ahead blocks neither removals nor the next backup', async () => {
  const context = aJobContext(services)
  await services.pool.query('delete from backups')
  expect(await beginBackup(context, { name: 'ahead', target: 'file:///x' })).toBe(true)
  await services.pool.query("update backups set held_until = held_until + interval '1 year'")
  expect(await removalsWait(context)).toBe(false)
  expect(await beginBackup(context, { name: 'next', target: 'file:///x' })).toBe(true)
  expect(await removalsWait(context)).toBe(true)
})
