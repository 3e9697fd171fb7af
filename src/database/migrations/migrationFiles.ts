import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseStartError } from '../databaseStartError.ts'

export const migrationsFolder = join(import.meta.dirname, '../../../migrations')

/**
 * A migration: `version` is the number at the start of its file name, `checksum` lowercase hexadecimal SHA-256. `replaces`: for a baseline,
 * the number of the last migration that it replaces, and the release that ended with it.
 */
export type MigrationFile = { version: number; name: string; sql: string; checksum: string; replaces?: ReplacedMigrations }

type ReplacedMigrations = { upTo: number; release: string }

/**
 * Reads the `.sql` files of the folder, in order. Checksums ignore the kind of line ends, which version control may change.
 * Throws {@link DatabaseStartError} for a name that is not like `0001-some-words.sql` and for a number that occurs twice.
 */
export async function readMigrationFiles(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name, index) => {
      const digits = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]
      if (digits === undefined) throw new DatabaseStartError(`the migration ${name} is not named like 0001-some-words.sql`)
      if (names[index + 1]?.startsWith(digits)) throw new DatabaseStartError(`two migrations have the number ${digits}`)
      const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      const file = { version: Number(digits), name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
      const replaces = replacedBy(sql)
      return replaces ? { ...file, replaces } : file
    }),
  )
}

function replacedBy(sql: string): ReplacedMigrations | undefined {
  const [, upTo, release] =
    /^-- baseline: replaces the migrations up to (\d{4}), which release (\d+\.\d+\.\d+) ended with\n/.exec(sql) ?? []
  return upTo === undefined || release === undefined ? undefined : { upTo: Number(upTo), release }
}

export type AppliedMigration = { version: number; name: string; checksum: string }

/**
 * Returns the files to apply. Applied migrations must be among the files, unchanged; higher versions belong to a newer release, which runs
 * beside older ones during a roll-out. A database with the migrations that a baseline replaces needs only the files after the baseline.
 * Throws {@link DatabaseStartError} with the file at fault, or the release to upgrade to first.
 */
export function pendingMigrations(files: MigrationFile[], applied: AppliedMigration[]): MigrationFile[] {
  const baseline = files.find(({ replaces }) => replaces !== undefined)
  if (baseline?.replaces && applied.length > 0 && !applied.some(({ name }) => name === baseline.name)) {
    const { upTo, release } = baseline.replaces
    if (!applied.some(({ version }) => version === upTo)) {
      const newest = Math.max(...applied.map(({ version }) => version))
      throw new DatabaseStartError(
        `the database is at ${newest}, and release ${release} ended with ${upTo}: upgrade it to ${release} first`,
      )
    }
    const isNewer = ({ version }: { version: number }) => version > upTo
    return pendingMigrations(files.filter(isNewer), applied.filter(isNewer))
  }

  const newest = files.at(-1)?.version ?? 0
  const known = new Map(files.map((file) => [file.version, file]))
  for (const { version, name, checksum } of applied) {
    const file = known.get(version)
    if (version > newest) continue
    if (file === undefined) throw new DatabaseStartError(`the database has the migration ${name}, whose file is missing`)
    if (file.checksum !== checksum) {
      throw new DatabaseStartError(`the migration ${file.name} was changed after it was applied: undo the change and add a new file`)
    }
  }

  const newestApplied = Math.max(0, ...applied.map(({ version }) => version))
  const pending = files.filter(({ version }) => !applied.some((one) => one.version === version))
  const late = pending.find(({ version }) => version < newestApplied)
  if (late !== undefined) throw new DatabaseStartError(`the migration ${late.name} comes before one that is applied: give it a new number`)
  return pending
}
