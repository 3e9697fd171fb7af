import { afterAll, beforeEach, expect, test } from 'vitest'
import { pruneRequestCounts } from '../../../../src/domain/access/admission/pruneRequestCounts.ts'
import { bindSql, type Sql } from '../../../../src/domain/sql.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const { pool } = services
beforeEach(() => pool.query('truncate request_counts'))

const minute = 'floor(extract(epoch from now()) / 60)::bigint'
const subjects = async () => (await pool.query('select subject from request_counts order by subject')).rows.map(({ subject }) => subject)

test('old counts are deleted; recent counts and counts with held slots stay', async () => {
  await pool.query(`insert into request_counts (subject, window_start, requests, in_progress) values
    ('address:old', ${minute} - 60, 1, '{}'), ('address:new', ${minute} - 1, 1, '{}'), ('user:waiting', ${minute} - 60, 1, '{"proc_a": 2}')`)
  await pruneRequestCounts({ sql: bindSql(pool) })
  expect(await subjects()).toEqual(['address:new', 'user:waiting'])
})

test('100,000 stale counts are deleted in pages', async () => {
  await pool.query(`insert into request_counts (subject, window_start, requests)
    select 'address:' || n, ${minute} - case when n % 1000 = 0 then 0 else 60 end, 1 from generate_series(1, 100000) as n`)
  const pages: unknown[] = []
  const plain = bindSql(pool)
  const sql: Sql = {
    all: plain.all,
    one: async (asked, values) => {
      const row = await plain.one(asked, values)
      pages.push((row as { pruned: number } | undefined)?.pruned)
      return row
    },
  }
  expect(await pruneRequestCounts({ sql })).toBe(99_900)
  expect(pages.length).toBeGreaterThanOrEqual(20)
  expect(pages.every((pruned) => Number(pruned) <= 5000)).toBe(true)
  expect(await subjects()).toHaveLength(100)
})

test('a count that a request has locked is skipped', async () => {
  await pool.query(`insert into request_counts (subject, window_start, requests) values ('address:a', 0, 1), ('address:b', 0, 1)`)
  const client = await pool.connect()
  try {
    await client.query(`begin; select from request_counts where subject = 'address:a' for update`)
    await pruneRequestCounts({ sql: bindSql(pool) })
    expect(await subjects()).toEqual(['address:a'])
  } finally {
    await client.query('rollback')
    client.release()
  }
})
