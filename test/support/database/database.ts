import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export type TestDatabase = { url: string; drop: () => Promise<void> }

/** A migrated database for one test file, cloned in a few milliseconds; `drop` disconnects open sessions. */
export async function testDatabase(): Promise<TestDatabase> {
  return cloneOf('migrated')
}

/** An empty database. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return cloneOf('template0')
}

/** The URLs of a database: through PgBouncer if the run has one, or through the proxy of a test. */
export function databaseUrls(url: string): { url: string; direct: string; pooled: boolean } {
  const port = inject('pgbouncerPort')
  const through = new URL(url)
  if (port === 0 || through.port !== new URL(inject('postgresUrl')).port) return { url, direct: url, pooled: false }
  through.port = String(port)
  return { url: through.href, direct: url, pooled: true }
}

/** The direct URL of a database, for LISTEN and session locks. */
export function directUrl(url: string): string {
  const straight = new URL(url)
  if (straight.port === String(inject('pgbouncerPort'))) straight.port = new URL(inject('postgresUrl')).port
  return straight.href
}

/** The URLs as environment variables of a process. Outside vitest, in drills, there is no PgBouncer. */
export function databaseVariables(databaseUrl: string): Record<string, string> {
  if (process.env['VITEST'] === undefined) return { DATABASE_URL: databaseUrl }
  const { url, direct, pooled } = databaseUrls(databaseUrl)
  return { DATABASE_URL: url, ...(pooled ? { DATABASE_DIRECT_URL: direct } : {}) }
}

/** Ignores connections that are cut because their database is dropped. */
export function testPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Sessions that begin from now on wait this long for a lock. A statement that runs long on a busy machine is not affected. */
export async function limitLockWaits(url: string, milliseconds: number): Promise<void> {
  await administer(`alter database ${new URL(url).pathname.slice(1)} set lock_timeout = ${milliseconds}`)
}

async function cloneOf(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = name
  return { url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) }
}

async function administer(sql: string): Promise<void> {
  const client = new pg.Client(inject('postgresUrl'))
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
