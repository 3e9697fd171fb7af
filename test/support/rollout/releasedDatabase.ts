import { migrateDatabase } from '../../../src/database/migrations/migrate.ts'
import { emptyDatabase, type TestDatabase } from '../database/database.ts'
import { previousMigrations } from './previousRelease.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

/** An empty database created by the previous release. */
export async function releasedDatabase(): Promise<TestDatabase> {
  const database = await emptyDatabase()
  await migrateDatabase(database.url, { log, folder: previousMigrations })
  return database
}

/** The same, migrated by this code. */
export async function upgradedDatabase(): Promise<TestDatabase> {
  const database = await releasedDatabase()
  await migrateDatabase(database.url, { log })
  return database
}
