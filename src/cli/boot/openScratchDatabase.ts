import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseStartError } from '../../database/databaseStartError.ts'
import { startEmbeddedPostgres } from '../../database/embedded/embeddedPostgres.ts'
import { hasPrograms } from '../../database/embedded/postgresBinaries.ts'
import type { Log } from '../../database/log.ts'
import { reasonOf } from '../../database/migrations/connectMigrator.ts'
import type { Deployment } from './openForBackup.ts'

export type ScratchDatabase = { url: string; where: string; drop(): Promise<void> }

type ScratchOptions = {
  pool: Pick<Deployment['pool'], 'query'>
  databaseUrl: string
  dataFolder: string
  log: Log
  /** Whether the PostgreSQL programs of the package are used. */
  programs?: boolean
}

const folderPrefix = 'scratch-'
const namePrefix = 'atelier_scratch_'

/**
 * Creates an empty database for a trial restore: in a temporary PostgreSQL in the data folder, so that the server of the deployment has no
 * work with it, or on that server where the programs are not installed, as in the image. Only one process may do this at a time for a
 * deployment: what a killed one left is removed first.
 */
export async function openScratchDatabase(options: ScratchOptions): Promise<ScratchDatabase> {
  return (options.programs ?? hasPrograms()) ? inFolder(options) : onServer(options)
}

/** Nothing in it survives, so nothing is forced to the disk. */
const fastSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

async function inFolder({ dataFolder, log }: ScratchOptions): Promise<ScratchDatabase> {
  for (const name of await readdir(dataFolder)) {
    if (name.startsWith(folderPrefix)) await rm(join(dataFolder, name), { recursive: true, force: true })
  }
  const folder = await mkdtemp(join(dataFolder, folderPrefix))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const { url, stop } = await startEmbeddedPostgres({ folder, settings: fastSettings, log })
    return { url, where: `a temporary PostgreSQL in ${dataFolder}`, drop: () => stopAndRemove(stop, remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

async function stopAndRemove(stop: () => Promise<void>, remove: () => Promise<void>): Promise<void> {
  try {
    await stop()
  } finally {
    await remove()
  }
}

const leftOver = `select datname as name from pg_database where starts_with(datname, '${namePrefix}')
  and not exists (select from pg_stat_activity a where a.datname = pg_database.datname)`

async function onServer({ pool, databaseUrl }: ScratchOptions): Promise<ScratchDatabase> {
  const drop = (name: string) => pool.query(`drop database if exists "${name}" with (force)`)
  const name = `${namePrefix}${randomBytes(6).toString('hex')}`
  try {
    const { rows } = await pool.query<{ name: string }>(leftOver)
    for (const each of rows) await drop(each.name.replaceAll('"', ''))
    // Sorted by code point, as the service requires, independent of the server's locale.
    await pool.query(`create database "${name}" template template0 encoding 'UTF8' locale_provider libc lc_collate 'C' lc_ctype 'C'`)
  } catch (cause) {
    throw new DatabaseStartError(`the scratch database cannot be created: ${reasonOf(cause)}; allow it with: alter role … createdb`, {
      cause,
    })
  }
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return { url: url.href, where: `the database ${name} of the same server`, drop: async () => void (await drop(name)) }
}
