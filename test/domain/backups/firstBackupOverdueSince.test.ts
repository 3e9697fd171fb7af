import { afterAll, expect, test } from 'vitest'
import { firstBackupOverdueSince } from '../../../src/domain/backups/firstBackupOverdueSince.ts'
import { bindSql } from '../../../src/domain/sql.ts'
import { testDatabase, testPool } from '../../support/database/database.ts'

const database = await testDatabase()
const pool = testPool(database.url, 1)
afterAll(async () => {
  await pool.end()
  await database.drop()
})
const sql = bindSql(pool)

test('the first backup is overdue two days after the first migration, until one is completed', async () => {
  expect(await firstBackupOverdueSince({ sql })).toBeUndefined()
  await pool.query(
    `update schema_migrations set applied_at = '2026-11-01T00:00:00Z' where version = (select min(version) from schema_migrations)`,
  )
  expect(await firstBackupOverdueSince({ sql })).toEqual(new Date('2026-11-03T00:00:00Z'))
  await pool.query(`insert into backups (name, target, started_at, held_until) values ('a', 't', now(), now())`)
  expect(await firstBackupOverdueSince({ sql })).toBeDefined()
  await pool.query('update backups set finished_at = now()')
  expect(await firstBackupOverdueSince({ sql })).toBeUndefined()
})
