import { expect, onTestFinished, test } from 'vitest'
import { openSnapshot } from '../../../src/database/dump/snapshot.ts'
import { partitionedTables } from '../../../src/domain/partitionedTables.ts'
import { testDatabase, testPool } from '../../support/database/database.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

test('a retired partition is in no backup, and a partition in use is never dropped', async () => {
  const database = await testDatabase()
  onTestFinished(database.drop)
  const pool = testPool(database.url, 1)
  onTestFinished(() => pool.end())
  await pool.query('create table generations_2020_01 (like generations)')
  await pool.query(`insert into retired_partitions (name, of_table, until_id, retired_at)
    values ('generations_first', 'generations', 'gen_1', now()), ('generations_2020_01', 'generations', 'gen_1', now())`)
  const snapshot = await openSnapshot(database.url, { log })
  await snapshot.close()
  const names = snapshot.tables.map(({ name }) => name).filter((name) => /generations_|retired/.test(name))
  expect(names).toEqual([])
  for (let turn = 0; turn < 3; turn++) await pool.query('select sweep_retired_partition(1000, 1000)')
  const { rows } = await pool.query(
    `select to_regclass('generations_first') is not null as used, to_regclass('generations_2020_01') as retired`,
  )
  expect(rows).toEqual([{ used: true, retired: null }])
})

test('the database, a backup and the code have the same list of partitioned tables', async () => {
  const database = await testDatabase()
  onTestFinished(database.drop)
  const pool = testPool(database.url, 1)
  onTestFinished(() => pool.end())
  const { rows } = await pool.query<{ name: string }>('select table_name as name from partitioned_tables()')
  expect(rows.map(({ name }) => name)).toEqual(partitionedTables)
  const retired = partitionedTables.map((table) => `${table}_2020_01`)
  for (const name of retired) await pool.query(`create table ${name} (id text)`)
  const snapshot = await openSnapshot(database.url, { log })
  await snapshot.close()
  const copied = snapshot.tables.map(({ name }) => name.replace('public.', ''))
  expect(copied).toEqual(expect.arrayContaining([...partitionedTables]))
  expect(copied.filter((name) => retired.includes(name))).toEqual([])
})
