import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
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
const namesPrefix = 'atelier_scratch_'

/**
 * Creates an empty database for a trial restore: in a temporary PostgreSQL in the data folder, which puts no load on the
 * server of the deployment. Where the programs are not installed, as in the image, it is a database on that server. Only one process may do
 * this at a time for a deployment, because it first removes what a killed process left. Throws DatabaseStartError if it cannot be created, or has too little room.
 */
export async function openScratchDatabase(options: ScratchOptions): Promise<ScratchDatabase> {
  return (options.programs ?? hasPrograms()) ? inFolder(options) : onServer(options)
}

/** Nothing in it survives, so nothing is forced to the disk. */
const fastSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

async function inFolder({ pool, dataFolder, log }: ScratchOptions): Promise<ScratchDatabase> {
  for (const name of await readdir(dataFolder)) {
    if (name.startsWith(folderPrefix)) await rm(join(dataFolder, name), { recursive: true, force: true })
  }
  await requireRoom(pool, dataFolder)
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

/** A full disk would stop the service. The copy is about as large as the database of the deployment. */
async function requireRoom(pool: ScratchOptions['pool'], dataFolder: string): Promise<void> {
  const { rows } = await pool.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
  const { bavail, bsize } = await statfs(dataFolder)
  const [needed, free] = [Number(rows[0]?.bytes ?? 0), bavail * bsize]
  if (free < needed) throw new DatabaseStartError(`${dataFolder} has ${free} bytes free; a copy of the database needs ${needed}`)
}

async function stopAndRemove(stop: () => Promise<void>, remove: () => Promise<void>): Promise<void> {
  try {
    await stop()
  } finally {
    await remove()
  }
}

/** Other deployments may have their databases, and scratch databases, on the same server. */
const ownPrefix = `select concat('${namesPrefix}', oid, '_') as prefix from pg_database where datname = current_database()`

const leftOver = `select datname as name from pg_database where starts_with(datname, $1) and pg_get_userbyid(datdba) = current_user
  and not exists (select from pg_stat_activity a where a.datname = pg_database.datname)`

async function onServer({ pool, databaseUrl }: ScratchOptions): Promise<ScratchDatabase> {
  const drop = (name: string) => pool.query(`drop database if exists "${name}" with (force)`)
  const own = await pool.query<{ prefix: string }>(ownPrefix)
  const [{ prefix }] = own.rows as [{ prefix: string }]
  const name = `${prefix}${randomBytes(6).toString('hex')}`
  try {
    const { rows } = await pool.query<{ name: string }>(leftOver, [prefix])
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
