import { afterAll, expect, onTestFinished, test } from 'vitest'
import { migrateDatabase } from '../../src/database/migrations/migrate.ts'
import { readMigrationPlan } from '../../src/database/migrations/migrationPlan.ts'
import { emptyDatabase, testDatabase, testPool } from '../support/database/database.ts'
import { type Catalog, catalogDifference, catalogOf } from '../support/rollout/catalogOf.ts'
import { previousMigrations } from '../support/rollout/previousRelease.ts'
import { releasedDatabase, upgradedDatabase } from '../support/rollout/releasedDatabase.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

/** Tables and columns that processes of 0.2.0 use and this release does not. The next release drops them. */
const keptForPrevious = ['column processes.worker_pool_id', 'table webhook_leases', 'table webhook_queue']

const [fresh, released, upgraded] = await Promise.all([testDatabase(), releasedDatabase(), upgradedDatabase()])
afterAll(() => Promise.all([fresh, released, upgraded].map((database) => database.drop())))

async function withPool<Result>(url: string, read: (pool: ReturnType<typeof testPool>) => Promise<Result>): Promise<Result> {
  const pool = testPool(url, 1)
  try {
    return await read(pool)
  } finally {
    await pool.end()
  }
}

const read = ({ url }: { url: string }): Promise<Catalog> => withPool(url, catalogOf)

/** True for the object itself; for a table also for its columns, constraints, indexes and comments. */
const isPartOf = (kept: string) => (name: string) => {
  const what = kept.split(' ')[1] ?? ''
  return name === kept || (kept.startsWith('table ') && new RegExp(`^(column|constraint of|index of|comment on) ${what}[. ]`).test(name))
}

test('an upgraded database and a fresh one differ only in objects that the previous release still uses', async () => {
  const [inFresh, inReleased, inUpgraded] = (await Promise.all([fresh, released, upgraded].map(read))) as [Catalog, Catalog, Catalog]
  const { onlyFirst, onlySecond, changed } = catalogDifference(inUpgraded, inFresh)
  const keptFunctions = onlyFirst.filter((name) => name.startsWith('function ') && name in inReleased)
  const isKept = (name: string) => keptFunctions.includes(name) || keptForPrevious.some((kept) => isPartOf(kept)(name))
  expect({ left: onlyFirst.filter((name) => !isKept(name)), onlySecond, changed }).toEqual({ left: [], onlySecond: [], changed: [] })
  expect(keptForPrevious.filter((kept) => !onlyFirst.includes(kept))).toEqual([])
  expect(keptFunctions.map((name) => inUpgraded[name])).toEqual(keptFunctions.map((name) => inReleased[name]))
})

test('migrate --check reports that processes of the previous release can keep running', async () => {
  const { running, missed, migrations } = await readMigrationPlan(released.url)
  expect({ running: running?.version, missed }).toEqual({ running: '0.2.0', missed: [] })
  expect(migrations.length).toBeGreaterThan(0)
})

test('every table of a fresh database has a comment', async () => {
  const catalog = await read(fresh)
  const tables = Object.keys(catalog).filter((name) => /^table (?!schema_|.*_(first|default)$)/.test(name))
  expect(tables.length).toBeGreaterThan(40)
  expect(tables.filter((name) => !(name.replace('table', 'comment on') in catalog))).toEqual([])
})

test('an upgraded database and a fresh one have the same routines', async () => {
  const routines = ({ url }: { url: string }) =>
    withPool(url, async (pool) => (await pool.query('select name from routines order by name')).rows)
  expect(await routines(upgraded)).toEqual(await routines(fresh))
})

test('a process of the previous release starts on an upgraded database, and changes nothing there', async () => {
  const before = await read(upgraded)
  await migrateDatabase(upgraded.url, { log, folder: previousMigrations })
  expect(catalogDifference(before, await read(upgraded))).toEqual({ onlyFirst: [], onlySecond: [], changed: [] })
})

test('a process of the previous release refuses a database that began with the baseline', async () => {
  await expect(migrateDatabase(fresh.url, { log, folder: previousMigrations })).rejects.toThrow('was changed after it was applied')
})

test('a database older than the previous release is refused with the release to upgrade to first', async () => {
  const older = await emptyDatabase()
  onTestFinished(() => older.drop())
  await migrateDatabase(older.url, { log, folder: previousMigrations, upTo: 110 })
  await expect(migrateDatabase(older.url, { log })).rejects.toThrow(
    'the database is at 110, and release 0.2.0 ended with 263: upgrade it to 0.2.0 first',
  )
})
