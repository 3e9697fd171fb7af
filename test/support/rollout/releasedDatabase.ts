import { join } from 'node:path'
import { migrateDatabase } from '../../../src/database/migrate.ts'
import { emptyDatabase, type TestDatabase } from '../database.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

/** The migrations and functions of the previous release, as `npm run release:keep` stored them. */
export const previousMigrations = join(import.meta.dirname, 'previousMigrations')

/** An empty database as the previous release made it. */
export async function releasedDatabase(): Promise<TestDatabase> {
  const database = await emptyDatabase()
  await migrateDatabase(database.url, { log, folder: previousMigrations })
  return database
}

/** The same, brought up to date by this code. */
export async function upgradedDatabase(): Promise<TestDatabase> {
  const database = await releasedDatabase()
  await migrateDatabase(database.url, { log })
  return database
}
