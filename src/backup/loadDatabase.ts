import type { Readable } from 'node:stream'
import { openRestoreSession, type RestoreSession } from '../database/dump/restoreSession.ts'
import type { Log } from '../database/log.ts'
import { migrateDatabase } from '../database/migrations/migrate.ts'
import { migrationsFolder, pendingMigrations, readMigrationFiles } from '../database/migrations/migrationFiles.ts'
import type { KeyRing } from '../secrets/keyRing.ts'
import type { Storage } from '../storage/storage.ts'
import type { Manifest, WrittenTable } from './manifest.ts'
import { readRows } from './readRows.ts'

/** Under which SECRET_KEY seals a few bytes in each backup. */
export const keyProbePurpose = 'backup_probe'

/** Throws a RangeError unless this release and these keys can make use of the backup. */
export async function requireRestorable({ migrations, keyProbe }: Manifest, ring: KeyRing): Promise<void> {
  const files = await readMigrationFiles(migrationsFolder)
  const newer = migrations.find(({ version }) => version > (files.at(-1)?.version ?? 0))
  if (newer) throw new RangeError(`the backup was made by a newer release, with the migration ${newer.name}: restore it with that one`)
  // Refuses files that were changed since.
  pendingMigrations(files, migrations)
  if (!ring.open(Buffer.from(keyProbe, 'base64'), keyProbePurpose)) {
    throw new RangeError('SECRET_KEY does not open what the backup holds sealed: give the key that was in use when it was made')
  }
}

/**
 * Loads the database of a backup into an empty one: our own migrations make its tables as they were then, the rows come file by file, each
 * in a transaction of its own, and then the newer migrations change them as they would have changed the original. One that was cut off
 * goes on with the file at which it was. Until `finish` of what it gives, nothing starts on the database.
 * Rejects when the database holds something else, with what `claimStorage` throws, and with BackupDamaged.
 */
export async function loadDatabase(
  databaseUrl: string,
  { target, manifest, withJobs, claimStorage, log, tell }: Load,
): Promise<{ finish(): Promise<void> }> {
  const loading = await openRestoreSession(databaseUrl, { name: manifest.name, log })
  try {
    await claimStorage(loading.id)
    if (!(await loading.done('schema'))) {
      await migrateDatabase(databaseUrl, { log, upTo: Math.max(...manifest.migrations.map(({ version }) => version)), restoring: true })
      await loading.note('schema')
    }
    if (!(await loading.done('rows'))) await loadRows(loading, { target, manifest, tell })
    await migrateDatabase(databaseUrl, { log, restoring: true })
    if (withJobs) await forEachFile(loading, { target, table: manifest.jobs }, (...file) => loading.loadJobs(...file))
  } finally {
    await loading.close()
  }
  const finish = async () => {
    const last = await openRestoreSession(databaseUrl, { name: manifest.name, log })
    try {
      await last.finish()
    } finally {
      await last.close()
    }
  }
  return { finish }
}

/** `claimStorage` is asked at the begin of each try, with what this restore is called by all of them. `tell` hears of each table. */
type Load = {
  target: Storage
  manifest: Manifest
  withJobs: boolean
  claimStorage: (restoreId: string) => Promise<void>
  log: Log
  tell: Tell
}
type Tell = (line: string) => void

async function loadRows(
  loading: RestoreSession,
  { target, manifest, tell }: { target: Storage; manifest: Manifest; tell: Tell },
): Promise<void> {
  for (const table of await loading.sortByReferences(manifest.tables)) {
    await forEachFile(loading, { target, table }, (part, content, check) => loading.load(part, table, content, check))
    const rows = await loading.rowsOf(table.files.map(({ key }) => key))
    if (rows !== table.rows) throw new Error(`${table.name} has ${rows} rows in its files, and had ${table.rows}`)
    if (rows > 0) tell(`${table.name}: ${rows} rows`)
  }
  await loading.setSequences(manifest.sequences)
  await loading.note('rows')
}

async function forEachFile(
  loading: RestoreSession,
  { target, table }: { target: Storage; table: WrittenTable },
  load: (part: string, content: Readable, check: () => void) => Promise<void>,
): Promise<void> {
  for (const file of table.files) {
    if (await loading.done(file.key)) continue
    const { content, check } = await readRows(target, file)
    await load(file.key, content, check)
  }
}
