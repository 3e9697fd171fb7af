import type { Readable } from 'node:stream'
import { openRestoreSession, type RestoreSession } from '../database/dump/restoreSession.ts'
import type { Log } from '../database/log.ts'
import { migrateDatabase } from '../database/migrations/migrate.ts'
import { migrationsFolder, pendingMigrations, readMigrationFiles } from '../database/migrations/migrationFiles.ts'
import { noProgress, type ShowProgress } from '../database/progress.ts'
import type { KeyRing } from '../secrets/keyRing.ts'
import type { Storage } from '../storage/storage.ts'
import type { Manifest, WrittenTable } from './manifest.ts'
import { readRows } from './readRows.ts'

/** The purpose for which SECRET_KEY seals a few bytes in each backup. */
export const keyProbePurpose = 'backup_probe'

/** Throws a RangeError unless this release and these keys can restore the backup. */
export async function requireRestorable({ migrations, keyProbe }: Manifest, ring: KeyRing): Promise<void> {
  const files = await readMigrationFiles(migrationsFolder)
  const newer = migrations.find(({ version }) => version > (files.at(-1)?.version ?? 0))
  if (newer) throw new RangeError(`the backup was made by a newer release, with the migration ${newer.name}: restore it with that release`)
  // Throws if a migration file was changed since.
  pendingMigrations(files, migrations)
  if (!ring.open(Buffer.from(keyProbe, 'base64'), keyProbePurpose)) {
    throw new RangeError('SECRET_KEY does not decrypt the backup: set the key that was in use when it was made')
  }
}

/**
 * Loads the database of a backup into an empty one: migrations create the tables of that time, each file of rows is loaded in its own
 * transaction, then newer migrations run as they would have on the original. An interrupted restore continues with the next file. Until
 * `finish` of the result, nothing starts on the database. Rejects if the database has other content, with the error of `claimStorage`,
 * and with BackupDamaged.
 */
export async function loadDatabase(
  databaseUrl: string,
  { target, manifest, withJobs, claimStorage, log, onTable, showProgress = noProgress }: Load,
): Promise<{ finish(): Promise<void> }> {
  const loading = await openRestoreSession(databaseUrl, { name: manifest.name, log })
  try {
    await claimStorage(loading.id)
    if (!(await loading.done('schema'))) {
      await migrateDatabase(databaseUrl, { log, upTo: Math.max(...manifest.migrations.map(({ version }) => version)), restoring: true })
      await loading.note('schema')
    }
    if (!(await loading.done('rows'))) await loadRows(loading, { target, manifest, onTable, showProgress })
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

/** `claimStorage` is called at the start of each run, with the same identifier for all runs of a restore. `onTable` is called for each table. */
type Load = {
  target: Storage
  manifest: Manifest
  withJobs: boolean
  claimStorage: (restoreId: string) => Promise<void>
  log: Log
  onTable: OnTable
  showProgress?: ShowProgress
}
type OnTable = (line: string) => void

async function loadRows(
  loading: RestoreSession,
  { target, manifest, onTable, showProgress }: Pick<Load, 'target' | 'manifest' | 'onTable'> & { showProgress: ShowProgress },
): Promise<void> {
  const sizes = manifest.tables.flatMap(({ files }) => files.map(({ sizeBytes }) => sizeBytes))
  const step = showProgress({ label: 'rows', unit: 'bytes', total: sizes.reduce((sum, size) => sum + size, 0) })
  for (const table of await loading.sortByReferences(manifest.tables)) {
    await forEachFile(loading, { target, table }, (part, content, check) => loading.load(part, table, content, check))
    const rows = await loading.rowsOf(table.files.map(({ key }) => key))
    if (rows !== table.rows) throw new Error(`${table.name} has ${rows} rows in its files instead of ${table.rows}`)
    step.add(table.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
    if (rows > 0) onTable(`${table.name}: ${rows} rows`)
  }
  step.end()
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
