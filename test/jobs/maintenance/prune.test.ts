import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { prune } from '../../../src/jobs/maintenance/prune.ts'
import { aJobContext } from '../../support/generations/jobContext.ts'
import { testServices } from '../../support/services.ts'

const own = await testServices()
const { services, clock, logged } = own
afterAll(own.close)

const { pool } = services
const records = `insert into idempotency_records (scope, key, fingerprint, generation_id, response, created_at)
  select 'team', $1 || number, '', $2, '{}', $3::timestamptz from generate_series(1, $4) as number`
const keysLeft = async () =>
  (await pool.query(`select left(key, 3) as kind, count(*) as keys from idempotency_records group by 1 order by 1`)).rows
const failures = () => logged.filter(({ level }) => level === 'error').map(({ fields }) => (fields as { step?: string }).step)

test('one run deletes several batches of expired rows, and keeps the others', async () => {
  const hoursAgo = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000)
  await pool.query(records, ['old', newId('gen'), hoursAgo(25), 12_000])
  await pool.query(records, ['new', newId('gen'), hoursAgo(23), 10])
  await pool.query(
    `insert into request_counts (subject, window_start, requests) select 'user:' || number, 0, 1 from generate_series(1, 12000) as number`,
  )
  await pool.query(`insert into request_counts (subject, window_start, requests, in_progress) values ('user:busy', 0, 1, '{"proc_x": 1}')`)

  await prune(aJobContext(services))

  expect(await keysLeft()).toEqual([{ kind: 'new', keys: 10 }])
  expect((await pool.query('select subject from request_counts')).rows).toEqual([{ subject: 'user:busy' }])
  expect(failures()).toEqual([])
})

test('a step that fails does not stop the others, and the error names it', async () => {
  await pool.query(records, ['old', newId('gen'), new Date(0), 10])
  await pool.query('alter table request_counts rename to request_counts_away')
  await pool.query('alter table webhook_deliveries rename to webhook_deliveries_away')

  await expect(prune(aJobContext(services))).rejects.toThrow(/^steps failed: requestCounts, .*deliveries/)

  await pool.query('alter table request_counts_away rename to request_counts')
  await pool.query('alter table webhook_deliveries_away rename to webhook_deliveries')
  expect(await keysLeft()).toEqual([{ kind: 'new', keys: 10 }])
  expect(failures()).toEqual(expect.arrayContaining(['requestCounts', 'deliveries']))
  expect(failures()).not.toContain('idempotency')
})

test('a process that stops starts no further step', async () => {
  await pool.query(records, ['old', newId('gen'), new Date(0), 10])
  await prune(aJobContext(services, { shutdown: AbortSignal.abort() }))
  expect(await keysLeft()).toContainEqual({ kind: 'old', keys: 10 })
})
