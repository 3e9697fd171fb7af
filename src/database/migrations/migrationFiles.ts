import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseStartError } from '../databaseStartError.ts'

export const migrationsFolder = join(import.meta.dirname, '../../../migrations')

/**
 * One forward change: `version` is the number that its file name begins with, `checksum` lowercase hexadecimal SHA-256. `replaces`: for a
 * baseline, the number of the last migration that it replaces, and the release that ended with it.
 */
export type MigrationFile = { version: number; name: string; sql: string; checksum: string; replaces?: ReplacedMigrations }

type ReplacedMigrations = { upTo: number; release: string }

/**
 * Every `.sql` file of the folder, in order. Line ends do not count towards the checksum, since version control may change them.
 * Throws {@link DatabaseStartError} for a name that is not `0001-some-words.sql` and for a number that stands twice.
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
 * The files that are still to be applied. What was applied must stand unchanged among the files; versions above ours were brought by
 * a newer release, which works on with older ones during a roll-out. A database with the migrations that a baseline replaces needs the
 * files after the baseline only.
 * Throws {@link DatabaseStartError} that names the file at fault, or the release to upgrade to first.
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
    if (file === undefined) throw new DatabaseStartError(`the database has the migration ${name}, which is no longer there`)
    if (file.checksum !== checksum) {
      throw new DatabaseStartError(`the migration ${file.name} was changed after it had been applied: undo that and add a new file`)
    }
  }

  const newestApplied = Math.max(0, ...applied.map(({ version }) => version))
  const pending = files.filter(({ version }) => !applied.some((one) => one.version === version))
  const late = pending.find(({ version }) => version < newestApplied)
  if (late !== undefined)
    throw new DatabaseStartError(`the migration ${late.name} comes before one that was applied already: give it a new number`)
  return pending
}
