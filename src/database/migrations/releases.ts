import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseStartError } from '../databaseStartError.ts'
import type { MigrationFile } from './migrationFiles.ts'

/** A release that is out: `newest` is the number of its last migration. */
export type Release = { version: string; newest: number }

/** The releases that are out, oldest first, from `releases.json` among the migrations. The release of this code is not among them. */
export async function readReleases(folder: string): Promise<Release[]> {
  const text = await readFile(join(folder, 'releases.json'), 'utf8').catch((cause: unknown) => {
    throw new DatabaseStartError('migrations/releases.json cannot be read', { cause })
  })
  return Object.entries(JSON.parse(text) as Record<string, number>).map(([version, newest]) => ({ version, newest }))
}

/** The release to which a database at this version belongs; none when it is older than all, or between two of them. */
export function releaseAt(version: number, releases: Release[]): Release | undefined {
  return releases.find(({ newest }) => newest === version)
}

/** What a migration takes away on purpose: `what` as {@link findBreakingChanges} says it, and since which release nobody needs it any more. */
export type Removal = { what: string; since: string }

/** From the lines of a migration that say so: `-- removes column t.c: unused since 0.1.0`, `-- narrows t: satisfied since 0.1.0`. */
export function removalsOf({ sql }: Pick<MigrationFile, 'sql'>): Removal[] {
  const lines = sql.matchAll(
    /^-- ((?:removes (?:table|column|function|unique|trigger)|narrows) .+): (?:unused|satisfied) since (\d+\.\d+\.\d+)$/gm,
  )
  return [...lines].map(([, what = '', since = '']) => ({ what, since }))
}
