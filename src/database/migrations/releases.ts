import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseStartError } from '../databaseStartError.ts'
import type { MigrationFile } from './migrationFiles.ts'

/** A published release: `newest` is the number of its last migration. */
export type Release = { version: string; newest: number }

/** Reads the published releases, oldest first, from `migrations/releases.json`; without the release of this code. */
export async function readReleases(folder: string): Promise<Release[]> {
  const text = await readFile(join(folder, 'releases.json'), 'utf8').catch((cause: unknown) => {
    throw new DatabaseStartError('migrations/releases.json cannot be read', { cause })
  })
  return Object.entries(JSON.parse(text) as Record<string, number>).map(([version, newest]) => ({ version, newest }))
}

/** Returns the release of a database at this version; undefined if it is older than all, or between two. */
export function releaseAt(version: number, releases: Release[]): Release | undefined {
  return releases.find(({ newest }) => newest === version)
}

/** Returns the newest release whose migrations are all in a database at this version: of the processes that run during its upgrade. */
export function releaseUpTo(version: number, releases: Release[]): Release | undefined {
  return releases.findLast(({ newest }) => newest <= version)
}

/** A deliberate removal: `what` in the words of {@link findBreakingChanges}, `since` the release that no longer needs it. */
export type Removal = { what: string; since: string }

/** Reads the declared removals of a migration: `-- removes column t.c: unused since 0.1.0`, `-- narrows t: satisfied since 0.1.0`. */
export function removalsOf({ sql }: Pick<MigrationFile, 'sql'>): Removal[] {
  const lines = sql.matchAll(
    /^-- ((?:removes (?:table|column|function|unique|trigger)|narrows) .+): (?:unused|satisfied) since (\d+\.\d+\.\d+)$/gm,
  )
  return [...lines].map(([, what = '', since = '']) => ({ what, since }))
}
