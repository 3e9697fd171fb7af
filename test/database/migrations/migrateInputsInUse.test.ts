import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { migrationsFolder } from '../../../src/database/migrations/migrationFiles.ts'
import { testDatabase, testPool } from '../../support/database/database.ts'

const database = await testDatabase()
const pool = testPool(database.url, 1)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

test('while nothing can start, an upgrade notes the inputs of what goes on without a look at what has ended', async () => {
  const inputs = { imageIds: ['file_a', 'file_a', 'file_b'], videoIds: [], audioIds: ['gen_c'], model3dIds: [] }
  await pool.query(
    `insert into generations (id, owner_id, source, state, family_id, output_type, inputs, price, credits_charged, result, created_at, finished_at)
       select 'gen_' || n, 'team', 'editor', case when n > 200 then 'ready' else 'running' end, 'kite', 'image', $1, 0,
           case when n > 200 then 0 end, case when n > 200 then '{}'::jsonb end, now(), case when n > 200 then now() end
         from generate_series(1, 20200) as n`,
    [JSON.stringify(inputs)],
  )
  await pool.query('truncate inputs_in_use; analyze generations')
  const migration = await readFile(join(migrationsFolder, '0110-inputs-in-use.sql'), 'utf8')
  await pool.query(`begin; set local work_mem = '64kB'`)
  await pool.query(migration.slice(migration.lastIndexOf('insert into inputs_in_use')))
  const { rows } = await pool.query(
    `select sum(seq_tup_read + idx_tup_fetch)::integer as read, (select count(*)::integer from inputs_in_use) as noted
       from pg_stat_xact_user_tables where relname like 'generations%'`,
  )
  await pool.query('commit')
  expect(rows).toEqual([{ read: 200, noted: 600 }])
})
